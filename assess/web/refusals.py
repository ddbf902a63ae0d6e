"""Shows a refusal of the domain on the page that the request came from."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from assess.errors import Refused

View = Callable[..., HttpResponseBase]


def refusals_shown_by(page: View) -> Callable[[View], View]:
    """Decorate a view: if it raises Refused, answer with `page`.

    `page` is called with the view's own arguments and `refusal=`. It renders the form with the sentence and what the
    user typed, with status 400.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
            try:
                return view(request, *arguments, **keywords)
            except Refused as refusal:
                return page(request, *arguments, refusal=refusal, **keywords)

        return guarded

    return decorate
