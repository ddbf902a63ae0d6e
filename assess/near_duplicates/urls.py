"""The addresses below `near-duplicates/` of a collection."""

from django.urls import path

from assess.near_duplicates import views
from assess.web.figures.views import download_table

urlpatterns = [
    path("", views.near_duplicates, name="near_duplicates"),
    path("find/", views.find, name="find_duplicates"),
    path("accept/", views.accept, name="accept_duplicates"),
    path("inconsistent/", views.inconsistent, name="inconsistent_groups"),
    path(
        "inconsistent.csv",
        download_table,
        {"page": "near_duplicates", "table": "inconsistent-groups"},
        "inconsistent_groups_csv",
    ),
]
