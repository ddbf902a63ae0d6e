"""Addresses outside of any collection."""

from django.urls import path

from assess.web.research.settings import create_views

urlpatterns = [
    path("new/", create_views.create, name="create_collection"),
]
