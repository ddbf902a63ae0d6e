"""The pages of search: of researchers, and of searchers."""

from django.urls import path

from assess.search import judge_views, report_views, views
from assess.web.figures.views import download_table

research = [
    path("", views.overview, name="search"),
    path("searches.csv", views.searches_file, name="searches_csv"),
    path("report/", report_views.report, name="search_report"),
    path("report/documents/", report_views.report_documents, name="search_report_documents"),
    path("report/<str:table>.csv", download_table, {"page": "search"}, "search_report_csv"),
    path("index/", views.build_index, name="build_index"),
    path("searchers/", views.permit, name="permit_search"),
]
judge = [
    path("", judge_views.topics, name="search_topics"),
    path("<int:topic_id>/", judge_views.search_topic, name="search"),
    path("<uuid:search_id>/", judge_views.results, name="search_results"),
    path("<uuid:search_id>/open/<int:rank>/", judge_views.open_one, name="open_result"),
]
