from django.urls import include, path

from assess.web.teach import exports, screen_views, views

app_name = "teach"
urlpatterns = [
    path("", views.home, name="home"),
    path("new/", views.new, name="new"),
    path("<str:code>/", views.exercise, name="exercise"),
    path("<str:code>/live/", views.live, name="live"),
    path("<str:code>/screen/", screen_views.screen, name="screen"),
    path("<str:code>/documents/<int:task_id>/", screen_views.document, name="document"),
    path("<str:code>/action/<slug:action>/", views.action, name="action"),
    path("<str:code>/seats/", views.remove_seat, name="remove_seat"),
    path("<str:code>/erase/", views.erase, name="erase"),
    path("<str:code>/judgements.<slug:kind>", exports.judgements, name="judgements"),
    path("<str:code>/gradebook.<slug:kind>", exports.gradebook, name="gradebook"),
    path("<str:code>/marks.<slug:kind>", exports.marks, name="marks"),
    path("<str:code>/reveal/", include("assess.web.teach.reveal_urls")),
    path("<str:code>/", include("assess.web.teach.worksheet_urls")),
]
