from django.urls import path

from assess.web.research.pool import views

urlpatterns = [
    path("", views.pool, name="pool"),
    path("build/", views.build, name="build_pool"),
    path("undo/", views.undo, name="undo_pool"),
]
