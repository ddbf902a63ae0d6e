from django.urls import path

from assess.judge import views

app_name = "judge"
urlpatterns = [
    path("", views.topics, name="topics"),
    path("<int:topic_id>/", views.topic, name="topic"),
    path("<int:topic_id>/next/", views.upcoming, name="next"),
    path("task/<uuid:task>/", views.record, name="record"),
]
