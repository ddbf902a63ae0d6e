from django.contrib.auth import views
from django.urls import path

from assess.web.account import audit_views, own_account, owner_view, password_views, settings_view
from assess.web.account.seats import people_only
from assess.web.account.sign_in.view import SignIn

app_name = "account"
urlpatterns = [
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", views.LogoutView.as_view(), name="sign_out"),
    path("password/", people_only(password_views.change), name="password"),
    path("reset-link/for/<int:user_id>/", password_views.create_link, name="create_reset_link"),
    path("reset-link/password/", password_views.reset, name="reset_password"),
    path("reset-link/<str:token>/", password_views.open_link, name="reset_link"),
    path("owner/", owner_view.create_owner, name="create_owner"),
    path("owner/<str:token>/", owner_view.open_link, name="owner_link"),
    path("audit/", audit_views.audit, name="audit"),
    path("audit.csv", audit_views.audit_csv, name="audit_csv"),
    path("email/", people_only(own_account.email), name="email"),
    path("sessions/", people_only(own_account.sessions), name="sessions"),
    path("sessions/end/", people_only(own_account.end_one), name="end_session"),
    path("sessions/end-others/", people_only(own_account.end_others), name="end_other_sessions"),
    path("settings/", settings_view.settings, name="settings"),
    path("settings/reset/", settings_view.reset, name="settings_reset"),
]
