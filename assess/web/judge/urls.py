"""The pages of assessors, below `c/<slug>/judge/`."""

from django.urls import include, path

from assess.calibration.urls import judge as calibration
from assess.norming.urls import judge as norming
from assess.search.urls import judge as search
from assess.web.judge import own_views, views

app_name = "judge"
urlpatterns = [
    path("", views.topics, name="topics"),
    path("<int:topic_id>/", views.topic, name="topic"),
    path("<int:topic_id>/next/", views.upcoming, name="next"),
    path("<int:topic_id>/relevant/", views.relevant, name="relevant"),
    path("<int:topic_id>/feedback/", own_views.save_topic_feedback, name="topic_feedback"),
    path("judgements/", own_views.judgements, name="judgements"),
    path("judgements.csv", own_views.ledger_csv, name="judgements_csv"),
    path("norming/", include(norming)),
    path("practice/", include(calibration)),
    path("recorded/", own_views.recorded, name="recorded"),
    path("search/", include(search)),
    path("task/<uuid:task>/", views.record, name="record"),
    path("task/<uuid:task>/document/", views.document, name="document"),
]
