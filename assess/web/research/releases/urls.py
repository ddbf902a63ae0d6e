from django.urls import path

from assess.web.research.releases import views

urlpatterns = [
    path("", views.releases, name="releases"),
    path("create/", views.create, name="create_release"),
    path("<int:release_id>/", views.release, name="release"),
    path("<int:release_id>/release.zip", views.release_zip, name="release_zip"),
    path("<int:release_id>/files/<path:file>", views.release_file, name="release_file"),
]
