from django.urls import path

from assess.web.research.releases import views

urlpatterns = [
    path("", views.releases, name="releases"),
    path("create/", views.create, name="create_release"),
    path("<int:pk>/", views.release, name="release"),
    path("<int:pk>/release.zip", views.release_zip, name="release_zip"),
    path("<int:pk>/files/<path:name>", views.release_file, name="release_file"),
]
