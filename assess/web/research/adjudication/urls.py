from django.urls import path

from assess.web.research.adjudication import norming_views, views

urlpatterns = [
    path("adjudication/", views.adjudication, name="adjudication"),
    path("adjudication/create/", views.create, name="create_adjudication"),
    path("adjudication/<int:number>/undo/", views.undo, name="undo_adjudication"),
    path("norming/", norming_views.norming, name="norming"),
    path("norming/<int:number>/move/", norming_views.move, name="move_norming"),
    path("norming/<int:number>/undo/", norming_views.undo, name="undo_norming"),
]
