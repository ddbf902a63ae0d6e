from django.urls import path

from assess.web.invitation import views

app_name = "invitation"
urlpatterns = [
    path("", views.current, name="current"),
    path("accept/", views.accept, name="accept"),
    path("account/", views.create_account, name="create_account"),
    path("sign-in/", views.sign_in, name="sign_in"),
    path("<str:token>/", views.open_link, name="open"),
]
