"""The URLs of search engines, below `c/<slug>/engines/`."""

from django.urls import path

from assess.engines import views

urlpatterns = [
    path("", views.engines, name="engines"),
    path("<int:engine_id>/", views.engine, name="engine"),
    path("<int:engine_id>/preview/", views.preview, name="engine_preview"),
    path("<int:engine_id>/delete/", views.delete, name="engine_delete"),
    path("runs/<uuid:run_id>/", views.run, name="engine_run"),
    path("runs/<uuid:run_id>/continue/", views.ask_again, name="engine_run_continue"),
    path("runs/<uuid:run_id>/repeat/", views.repeat, name="engine_run_repeat"),
    path("runs/<uuid:run_id>/discard/", views.discard, name="engine_run_discard"),
    path("runs/<uuid:run_id>/answers.jsonl.gz", views.answers, name="engine_run_answers"),
]
