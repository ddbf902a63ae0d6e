from django.contrib.auth import views
from django.urls import path, reverse_lazy

from assess.web.account import audit_views, owner_view, settings_view
from assess.web.account.views import SignIn

app_name = "account"
urlpatterns = [
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", views.LogoutView.as_view(), name="sign_out"),
    path(
        "password/",
        views.PasswordChangeView.as_view(template_name="account/password.html", success_url=reverse_lazy("home")),
        name="password",
    ),
    path("owner/", owner_view.create_owner, name="create_owner"),
    path("owner/<str:token>/", owner_view.open_link, name="owner_link"),
    path("audit/", audit_views.audit, name="audit"),
    path("audit.csv", audit_views.audit_csv, name="audit_csv"),
    path("settings/", settings_view.settings, name="settings"),
    path("settings/reset/", settings_view.reset, name="settings_reset"),
]
