"""The URLs of new runs, below `c/<slug>/runs/`."""

from django.urls import path

from assess.living import views

urlpatterns = [
    path("new/", views.living, name="living"),
    path("new/conclusions/", views.conclusions, name="conclusions"),
]
