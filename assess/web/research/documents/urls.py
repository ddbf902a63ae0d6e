from django.urls import path

from assess.web.research.documents import views

urlpatterns = [
    path("documents/", views.documents, name="documents"),
    path("documents.<str:file_type>", views.documents_file, name="documents_file"),
    path("documents/<int:task>/", views.document, name="document"),
    path("documents/<int:task>/<str:part>.<str:file_type>", views.document_file, name="document_file"),
    path("documents/<int:task>/open/", views.open_grades, name="open_grades"),
]
