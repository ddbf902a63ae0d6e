"""Addresses outside of any collection."""

from django.urls import path

from assess.web.research.settings import create_views, delete_views

urlpatterns = [
    path("new/", create_views.create, name="create_collection"),
    path("deletions/<uuid:job_id>/", delete_views.deletion, name="deletion"),
    path("deletions/<uuid:job_id>/cancel/", delete_views.cancel_deletion, name="cancel_deletion"),
]
