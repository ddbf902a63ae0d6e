from django.urls import path

from assess.web.research.runs import views

urlpatterns = [
    path("runs/", views.runs, name="runs"),
    path("runs.csv", views.runs_csv, name="runs_csv"),
    path("runs/group/", views.change_group, name="group_runs"),
]
