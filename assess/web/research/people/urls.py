from django.urls import path

from assess.web.research.people import invitation_views, views

urlpatterns = [
    path("people/", views.people, name="people"),
    path("people/invite/", invitation_views.invite, name="invite"),
    path("people/invitations/<int:invitation_id>/revoke/", invitation_views.revoke, name="revoke_invitation"),
    path("people/<int:member_id>/", views.person, name="person"),
    path("people/<int:member_id>/role/", views.change_role, name="change_role"),
    path("people/<int:member_id>/replace/", views.replace, name="replace_member"),
    path("people/<int:member_id>/remove/", views.remove, name="remove_member"),
    path("leave/", views.leave, name="leave"),
]
