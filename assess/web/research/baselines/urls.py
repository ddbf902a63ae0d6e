"""The addresses below `baselines/` of a collection."""

from django.urls import path

from assess.web.research.baselines import views

urlpatterns = [
    path("", views.baselines, name="baselines"),
]
