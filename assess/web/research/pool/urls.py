from django.urls import path

from assess.web.research.pool import downloads, views

urlpatterns = [
    path("", views.pool, name="pool"),
    *(path(f"{name}.csv", downloads.preview_csv, {"table": name}, f"pool_{name}_csv") for name in downloads.TABLES),
    path("build/", views.build, name="build_pool"),
    path("undo/", views.undo, name="undo_pool"),
]
