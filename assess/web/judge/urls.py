from django.urls import include, path

from assess.web.judge import norming_views, own_views, practice_views, views

app_name = "judge"
urlpatterns = [
    path("", views.topics, name="topics"),
    path("<int:topic_id>/", views.topic, name="topic"),
    path("<int:topic_id>/next/", views.upcoming, name="next"),
    path("<int:topic_id>/relevant/", views.relevant, name="relevant"),
    path("<int:topic_id>/feedback/", own_views.save_topic_feedback, name="topic_feedback"),
    path("judgements/", own_views.judgements, name="judgements"),
    path("judgements.csv", own_views.ledger_csv, name="judgements_csv"),
    path("norming/", norming_views.norming, name="norming"),
    path("practice/", practice_views.current, name="practice"),
    path("practice/<uuid:practice>/", practice_views.judge, name="practice_judge"),
    path("practice/<uuid:practice>/answer/", practice_views.answer, name="practice_answer"),
    path("recorded/", own_views.recorded, name="recorded"),
    path("search/", include("assess.web.judge.search.urls")),
    path("task/<uuid:task>/", views.record, name="record"),
    path("task/<uuid:task>/document/", views.document, name="document"),
]
