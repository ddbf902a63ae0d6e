"""The pages of accounts, of sign-in, whose names django-allauth uses, and of invitations."""

from allauth.account import views as account_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from django.contrib.auth import views as auth_views
from django.urls import path, re_path
from django.views.decorators.http import require_http_methods, require_safe

from assess.lib.openid import PROVIDER_ID
from assess.web.account import (
    audit_views,
    invitation,
    own_account,
    owner_view,
    password_views,
    settings_view,
    token_views,
)
from assess.web.account.seats import people_only
from assess.web.account.sign_in import codes, openid, reset_by_mail
from assess.web.account.sign_in.view import SignIn

form = require_http_methods(["GET", "HEAD", "POST"])
OPENID = {"provider_id": PROVIDER_ID}

account = (
    [
        path("sign-in/", SignIn.as_view(), name="sign_in"),
        path("sign-out/", auth_views.LogoutView.as_view(), name="sign_out"),
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
        path("tokens/", people_only(token_views.tokens), name="tokens"),
        path("tokens/revoke/", people_only(token_views.revoke), name="revoke_token"),
        path("settings/", settings_view.settings, name="settings"),
        path("settings/reset/", settings_view.reset, name="settings_reset"),
    ],
    "account",
)
sign_in = [
    path("sign-in/", SignIn.as_view(), name="account_login"),
    path("sign-in/code/", codes.sign_in_code, name="mfa_authenticate"),
    path("inactive/", require_safe(account_views.account_inactive), name="account_inactive"),
    path("confirm/", people_only(form(account_views.reauthenticate)), name="account_reauthenticate"),
    path("confirm/code/", people_only(codes.confirm_code), name="mfa_reauthenticate"),
    path("reset/", reset_by_mail.ask, name="account_reset_password"),
    path("reset/sent/", reset_by_mail.sent, name="account_reset_password_done"),
    path("reset/done/", reset_by_mail.done, name="account_reset_password_from_key_done"),
    re_path(
        r"^reset/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[^/]{1,100})/$",
        reset_by_mail.choose,
        name="account_reset_password_from_key",
    ),
    path("two-factor/", people_only(require_safe(mfa_views.index)), name="mfa_index"),
    path("two-factor/on/", people_only(form(totp_views.activate_totp)), name="mfa_activate_totp"),
    path("two-factor/off/", people_only(form(totp_views.deactivate_totp)), name="mfa_deactivate_totp"),
    path(
        "two-factor/codes/",
        people_only(require_safe(recovery_views.view_recovery_codes)),
        name="mfa_view_recovery_codes",
    ),
    path(
        "two-factor/codes/new/",
        people_only(form(recovery_views.generate_recovery_codes)),
        name="mfa_generate_recovery_codes",
    ),
    path("openid/", people_only(openid.connections), name="socialaccount_connections"),
    path("openid/login/", form(openid.login), OPENID, name="openid_connect_login"),
    path("openid/callback/", require_safe(openid.callback), OPENID, name="openid_connect_callback"),
    path("openid/cancelled/", openid.cancelled, name="socialaccount_login_cancelled"),
    path("signed-in/", openid.signed_in, name="signed_in"),
]
invitations = (
    [
        path("", invitation.current, name="current"),
        path("accept/", invitation.accept, name="accept"),
        path("account/", invitation.create_account, name="create_account"),
        path("sign-in/", invitation.sign_in, name="sign_in"),
        path("<str:token>/", invitation.open_link, name="open"),
    ],
    "invitation",
)
