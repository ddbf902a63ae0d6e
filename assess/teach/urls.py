from django.urls import path

from assess.teach import views

app_name = "teach"
urlpatterns = [path("", views.home, name="home")]
