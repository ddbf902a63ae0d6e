from django.contrib.auth import views
from django.contrib.auth.decorators import login_not_required
from django.urls import path, reverse_lazy

app_name = "account"
urlpatterns = [
    path("sign-in/", login_not_required(views.LoginView.as_view(template_name="account/sign_in.html")), name="sign_in"),
    path("sign-out/", views.LogoutView.as_view(), name="sign_out"),
    path(
        "password/",
        views.PasswordChangeView.as_view(template_name="account/password.html", success_url=reverse_lazy("home")),
        name="password",
    ),
]
