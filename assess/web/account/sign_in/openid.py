"""Signing in through the OpenID Connect provider of the site, and connecting it to one's account.

Without a provider the pages do not exist. Browsers check the target of a redirect against the page's `form-action`, so
the pages with a form that leads to the provider add its origin to the content security policy.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.socialaccount import views
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.openid_connect import views as openid_views
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe
from requests import RequestException

from assess.web.requests import SignedInRequest

View = Callable[..., HttpResponseBase]
UNREACHABLE = "The provider cannot be reached. Try again later, or sign in with a password."
FAILED = "The provider did not confirm who you are. Try again, or sign in with a password."


def provider_in_form_action(view: View) -> View:
    """Decorate a view: forms of its page may lead to the provider."""

    @wraps(view)
    def extended(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
        provider = settings.OPENID_PROVIDER
        origins = [provider.origin] if provider else []
        return csp_update({"form-action": origins})(view)(request, *arguments, **keywords)

    return extended


def with_provider(view: View) -> View:
    """Decorate a view: it answers 404 without a provider, and says so if the provider cannot be reached."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
        if not settings.OPENID_PROVIDER:
            raise Http404
        try:
            return view(request, *arguments, **keywords)
        except RequestException:
            return render(request, "account/openid_refused.html", {"sentence": UNREACHABLE}, status=502)

    return guarded


login = with_provider(provider_in_form_action(openid_views.login))
callback = with_provider(openid_views.callback)


@login_not_required
@with_provider
@require_safe
def cancelled(request: HttpRequest) -> HttpResponse:
    """The person refused to sign in at the provider."""
    return render(request, "account/openid_refused.html", {"sentence": FAILED})


@with_provider
@provider_in_form_action
@require_http_methods(["GET", "HEAD", "POST"])
def connections(request: SignedInRequest) -> HttpResponseBase:
    """The accounts of the provider that are connected to the user's; a form connects or disconnects one."""
    accounts = SocialAccount.objects.filter(user=request.user)
    page = {"openid": settings.OPENID_PROVIDER, "accounts": accounts}
    page_of: View = views.ConnectionsView.as_view(template_name="account/connections.html", extra_context=page)
    return page_of(request)


connections = reauthentication_required(connections, allow_get=True, app="allauth.socialaccount")


@require_safe
def signed_in(request: SignedInRequest) -> HttpResponse:
    """Where a second window of the judging page ends."""
    return render(request, "account/signed_in.html")
