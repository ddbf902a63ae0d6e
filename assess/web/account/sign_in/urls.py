"""The pages of django-allauth that this site has, under the names by which allauth refers to them."""

from allauth.account import views as account_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from django.urls import path, re_path
from django.views.decorators.http import require_http_methods, require_safe

from assess.lib.services.openid import PROVIDER_ID
from assess.web.account.seats import people_only
from assess.web.account.sign_in import codes, openid, reset_by_mail
from assess.web.account.sign_in.view import SignIn

form = require_http_methods(["GET", "HEAD", "POST"])
OPENID = {"provider_id": PROVIDER_ID}

urlpatterns = [
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
