from django.urls import path

from assess.web.teach import reveal_views

urlpatterns = [path("", reveal_views.reveal, name="reveal")]
