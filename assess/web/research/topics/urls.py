from django.urls import path

from assess.web.research.topics import views

urlpatterns = [
    path("topics/", views.topics, name="topics"),
    path("topics.csv", views.topics_csv, name="topics_csv"),
    path("topics/set/", views.change_set, name="set_topics"),
]
