from django.urls import path

from assess.web.teach import exports, reveal_views, screen_views, views, worksheet_views

app_name = "teach"
urlpatterns = [
    path("", views.home, name="home"),
    path("new/", views.new, name="new"),
    path("<str:code>/", views.exercise, name="exercise"),
    path("<str:code>/live/", views.live, name="live"),
    path("<str:code>/screen/", screen_views.screen, name="screen"),
    path("<str:code>/documents/", screen_views.documents, name="documents"),
    path("<str:code>/documents/<int:task_id>/", screen_views.document, name="document"),
    path("<str:code>/action/<slug:action>/", views.action, name="action"),
    path("<str:code>/seats/", views.remove_seat, name="remove_seat"),
    path("<str:code>/erase/", views.erase, name="erase"),
    path("<str:code>/judgements.<slug:kind>", exports.judgements, name="judgements"),
    path("<str:code>/gradebook.<slug:kind>", exports.gradebook, name="gradebook"),
    path("<str:code>/marks.<slug:kind>", exports.marks, name="marks"),
    path("<str:code>/reveal/", reveal_views.reveal, name="reveal"),
    path("<str:code>/worksheets/", worksheet_views.worksheets, name="worksheets"),
    path("<str:code>/marks/", worksheet_views.marks_page, name="marks_page"),
    path("<str:code>/key/<str:key>/", worksheet_views.key, name="key"),
    path("<str:code>/key/<str:key>/<int:seat_id>/", worksheet_views.seat_key, name="key_for"),
]
