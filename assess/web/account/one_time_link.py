"""Pages behind a one-time link.

The link stores its token in the session and redirects to the form, so that the token is neither in the address bar nor
in the `Referer` header while the form is filled in. (The form itself cannot be sent with the policy `no-referrer`:
browsers would send `Origin: null`, which the CSRF check refuses.)
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from assess.errors import Refused


def go_to_form(
    request: HttpRequest, token: str, check: Callable[[str], object], session_key: str, form: str
) -> HttpResponse:
    """Check the token of a link and go on to the form. This does not use the link up."""
    try:
        check(token)
    except Refused as refusal:
        return link_refused(request, refusal)
    request.session[session_key] = token
    return _without_referrer(redirect(form))


def link_refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    page = {"refusal": refusal}
    return _without_referrer(render(request, "account/owner_refused.html", page, status=404))


def _without_referrer(response: HttpResponse) -> HttpResponse:
    response["Referrer-Policy"] = "no-referrer"
    return response
