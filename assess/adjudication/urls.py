"""The pages of adjudication, below `c/<slug>/`."""

from django.urls import path

from assess.adjudication import views

urlpatterns = [
    path("adjudication/", views.adjudication, name="adjudication"),
    path("adjudication/create/", views.create, name="create_adjudication"),
    path("adjudication/<int:number>/undo/", views.undo, name="undo_adjudication"),
]
