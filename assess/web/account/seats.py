"""Pages that students of a class exercise do not have, because a seat is no account."""

from functools import wraps
from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase

from assess.teaching.seats import current_seat
from assess.web.requests import SignedInRequest, View


def people_only(view: View) -> View:
    """Decorate a view: it answers 404 to a seat."""

    @wraps(view)
    def guarded(request: SignedInRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
        if request.user.is_authenticated and current_seat(request.user):
            raise Http404
        return view(request, *arguments, **keywords)

    return guarded
