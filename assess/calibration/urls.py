"""The pages of calibration: of researchers, and the practice of assessors."""

from django.urls import path

from assess.calibration import practice_views, views
from assess.web.figures.views import download_table

research = [
    path("", views.calibration, name="calibration"),
    path("rules/", views.change, name="change_calibration"),
    path("add/", views.add, name="add_known_grades"),
    path("<int:known>/remove/", views.remove, name="remove_known_grade"),
    path("admit/", views.admit, name="admit"),
    path("<str:table>.<str:file_type>", download_table, {"page": "calibration"}, "calibration_file"),
]
judge = [
    path("", practice_views.current, name="practice"),
    path("<uuid:practice>/", practice_views.judge, name="practice_judge"),
    path("<uuid:practice>/answer/", practice_views.answer, name="practice_answer"),
]
