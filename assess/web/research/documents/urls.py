from django.urls import path

from assess.web.research.documents import views

urlpatterns = [
    path("documents/", views.documents, name="documents"),
    path("documents.csv", views.documents_csv, name="documents_csv"),
    path("documents/<int:task>/", views.document, name="document"),
    path("documents/<int:task>/<str:part>.csv", views.document_csv, name="document_csv"),
    path("documents/<int:task>/open/", views.open_grades, name="open_grades"),
]
