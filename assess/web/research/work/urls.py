"""The addresses below `work/`, in the namespace of the researcher's pages."""

from django.urls import path

from assess.web.research.work import assign_views, monitor_views, people_views, pilot_views

urlpatterns = [
    path("", monitor_views.work, name="work"),
    path("state/", monitor_views.set_state, name="judging_state"),
    path("assign/", assign_views.assign, name="assign"),
    path("assign/preview/", assign_views.start_preview, name="preview_assign"),
    path("unassign/", assign_views.undo, name="unassign"),
    path("claims/", assign_views.claims, name="claims"),
    path("people/", people_views.people, name="work_people"),
    path("reassign/", people_views.reassign, name="reassign"),
    path("remind/", people_views.remind, name="remind"),
    path("pilot/", pilot_views.pilot, name="pilot"),
    path("pilot/<int:number>/undo/", pilot_views.undo, name="undo_pilot"),
]
