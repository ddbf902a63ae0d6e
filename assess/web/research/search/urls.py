"""The addresses below `search/` of a collection: the pages of researchers."""

from django.urls import path

from assess.web.research.search import report_views, views

urlpatterns = [
    path("", views.overview, name="search"),
    path("searches.csv", views.searches_file, name="searches_csv"),
    path("report/", report_views.report, name="search_report"),
    path("report/documents/", report_views.report_documents, name="search_report_documents"),
    path("report/<str:search_table>.csv", report_views.report_file, name="search_report_csv"),
    path("index/", views.build_index, name="build_index"),
    path("searchers/", views.permit, name="permit_search"),
]
