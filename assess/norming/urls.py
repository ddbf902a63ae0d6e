"""The pages of norming rounds: of researchers, and of assessors."""

from django.urls import path

from assess.norming import judge_views, views

research = [
    path("", views.norming, name="norming"),
    path("<int:number>/move/", views.move, name="move_norming"),
    path("<int:number>/undo/", views.undo, name="undo_norming"),
]
judge = [path("", judge_views.norming, name="norming")]
