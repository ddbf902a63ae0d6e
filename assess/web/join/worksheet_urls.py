"""The URLs of one worksheet, included in those of a seat."""

from django.urls import path

from assess.web.join import worksheet_views

urlpatterns = [
    path("", worksheet_views.worksheet, name="worksheet"),
    path("answer/", worksheet_views.answer, name="worksheet_answer"),
    path("show/", worksheet_views.show, name="worksheet_show"),
]
