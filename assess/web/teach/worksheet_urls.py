"""Addresses of the marks and of the keys to worksheets; part of the teach room's."""

from django.urls import path

from assess.web.teach import worksheet_views

urlpatterns = [
    path("marks/", worksheet_views.marks_page, name="marks_page"),
    path("key/<str:key>/", worksheet_views.key, name="key"),
    path("key/<str:key>/<int:seat_id>/", worksheet_views.key_for, name="key_for"),
]
