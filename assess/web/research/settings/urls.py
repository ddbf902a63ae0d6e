"""The addresses below `settings/` of a collection."""

from django.urls import path

from assess.web.research.settings import delete_views, views

urlpatterns = [
    path("", views.settings, name="settings"),
    path("texts/", views.change_texts, name="change_texts"),
    path("scale/", views.change_scale, name="change_scale"),
    path("reference/", views.change_reference, name="change_reference"),
    path("archive/", views.archive, name="archive"),
    path("restore/", views.restore, name="restore"),
    path("delete/", delete_views.delete, name="delete"),
]
