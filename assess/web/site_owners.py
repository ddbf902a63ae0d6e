"""Pages for site owners. Everybody else gets a 404."""

from functools import wraps
from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase

from assess.web.requests import SignedInRequest, View


def site_owner_view(view: View) -> View:
    """Decorate a view for site owners."""

    @wraps(view)
    def guarded(request: SignedInRequest, **arguments: Any) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise Http404
        return view(request, **arguments)

    return guarded
