"""The addresses below `judge/search/` of a collection: the pages of searchers."""

from django.urls import path

from assess.web.judge.search import views

urlpatterns = [
    path("", views.topics, name="search_topics"),
    path("<int:topic_id>/", views.search_topic, name="search"),
    path("<uuid:search_id>/", views.results, name="search_results"),
    path("<uuid:search_id>/open/<int:rank>/", views.open_one, name="open_result"),
]
