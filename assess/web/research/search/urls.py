"""The addresses below `search/` of a collection: the pages of researchers."""

from django.urls import path

from assess.web.research.search import report_views, views

urlpatterns = [
    path("", views.overview, name="search"),
    path("report/", report_views.report, name="search_report"),
    path("index/", views.build_index, name="build_index"),
    path("searchers/", views.permit, name="permit_search"),
]
