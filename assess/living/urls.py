"""The URLs of new runs, below `c/<slug>/runs/`, and of changed texts, below `c/<slug>/texts/`."""

from django.urls import path

from assess.living import changed_views, views

urlpatterns = [
    path("new/", views.living, name="living"),
    path("new/conclusions/", views.conclusions, name="conclusions"),
]
texts = [
    path("changed/", changed_views.changed, name="changed_texts"),
]
