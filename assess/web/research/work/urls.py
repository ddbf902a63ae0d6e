"""The addresses below `work/`, in the namespace of the researcher's pages."""

from django.urls import path

from assess.web.research.work import (
    assign_views,
    calibration_views,
    monitor_downloads,
    monitor_views,
    people_views,
    pilot_views,
    sample_views,
    stopping_views,
)

urlpatterns = [
    path("", monitor_views.work, name="work"),
    path("assessors.csv", monitor_downloads.assessors_csv, name="work_assessors_csv"),
    path("topics.csv", monitor_downloads.topics_csv, name="work_topics_csv"),
    path("state/", monitor_views.set_state, name="judging_state"),
    path("assign/", assign_views.assign, name="assign"),
    path("assign/preview/", assign_views.start_preview, name="preview_assign"),
    path("unassign/", assign_views.undo, name="unassign"),
    path("claims/", assign_views.claims, name="claims"),
    path("people/", people_views.people, name="work_people"),
    path("reassign/", people_views.reassign, name="reassign"),
    path("remind/", people_views.remind, name="remind"),
    path("pilot/", pilot_views.pilot, name="pilot"),
    path("calibration/", calibration_views.calibration, name="calibration"),
    path("calibration/rules/", calibration_views.change, name="change_calibration"),
    path("calibration/add/", calibration_views.add, name="add_known_grades"),
    path("calibration/<int:known>/remove/", calibration_views.remove, name="remove_known_grade"),
    path("calibration/admit/", calibration_views.admit, name="admit"),
    path("calibration/<str:calibration_table>.<str:file_type>", calibration_views.download, name="calibration_file"),
    path("stopping/", stopping_views.stopping, name="stopping"),
    path("stopping.csv", stopping_views.stopping_csv, name="stopping_csv"),
    path("stopping/sample/", sample_views.sample, name="sample"),
    path("stopping/<int:topic_id>/", stopping_views.topic, name="stopping_topic"),
    path("stopping/<int:topic_id>/curve.csv", stopping_views.curve_csv, name="stopping_curve"),
    path("stopping/<int:topic_id>/curve-figure.<str:kind>", stopping_views.curve_figure, name="stopping_figure"),
    path("stopping/<int:topic_id>/systems.csv", stopping_views.systems_csv, name="stopping_systems"),
    path("pilot/<int:number>/undo/", pilot_views.undo, name="undo_pilot"),
]
