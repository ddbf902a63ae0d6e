"""The addresses below `near-duplicates/` of a collection."""

from django.urls import path

from assess.near_duplicates import views

urlpatterns = [
    path("", views.near_duplicates, name="near_duplicates"),
    path("find/", views.find, name="find_duplicates"),
    path("accept/", views.accept, name="accept_duplicates"),
    path("inconsistent/", views.inconsistent, name="inconsistent_groups"),
    path("inconsistent.csv", views.inconsistent_csv, name="inconsistent_groups_csv"),
]
