"""The addresses of the import page, within the namespace `research`."""

from django.urls import path

from assess.web.research.imports import upload_views, views

urlpatterns = [
    path("", views.import_page, name="import"),
    path("paste/", views.paste, name="import_paste"),
    path("path/", views.server_path, name="import_path"),
    path("data-sets/", views.data_sets, name="import_data_sets"),
    path("data-sets/add/", views.add_data_set, name="import_data_set"),
    path("check/", views.check, name="import_check"),
    path("check/<uuid:check_id>/", views.preview, name="import_preview"),
    path("check/<uuid:check_id>/invalid.csv", views.problems_csv, name="import_problems"),
    path("check/<uuid:check_id>/start/", views.start, name="import_start"),
    path("undo/<int:record_id>/", views.undo, name="import_undo"),
    path("upload/", upload_views.create, name="upload_create"),
    path("upload/<uuid:upload_id>/", upload_views.state, name="upload"),
    path("upload/<uuid:upload_id>/chunk/", upload_views.chunk, name="upload_chunk"),
    path("upload/<uuid:upload_id>/finish/", upload_views.finish, name="upload_finish"),
    path("upload/<uuid:upload_id>/remove/", upload_views.remove, name="upload_remove"),
]
