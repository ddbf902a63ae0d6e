"""Addresses of one worksheet; part of the join room's."""

from django.urls import path

from assess.web.join import worksheet_views

urlpatterns = [
    path("", worksheet_views.worksheet, name="worksheet"),
    path("answer/", worksheet_views.answer, name="worksheet_answer"),
    path("show/", worksheet_views.show, name="worksheet_show"),
]
