"""The URLs of marks and keys, included in those of an exercise."""

from django.urls import path

from assess.web.teach import worksheet_views

urlpatterns = [
    path("marks/", worksheet_views.marks_page, name="marks_page"),
    path("key/<str:key>/", worksheet_views.key, name="key"),
    path("key/<str:key>/<int:seat_id>/", worksheet_views.seat_key, name="key_for"),
]
