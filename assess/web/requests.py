"""The requests of signed-in people and their forms, and the page that answers a refusal of the domain."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from assess.errors import Refused
from assess.models import User
from assess.throttle import TooManyAttempts

View = Callable[..., HttpResponseBase]


def _try_again(response: HttpResponseBase, refusal: TooManyAttempts) -> HttpResponseBase:
    """The page of a refusal that ends by itself."""
    response.status_code = 429
    response["Retry-After"] = str(refusal.retry_after)
    return response


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
                response = page(request, *arguments, refusal=refusal, **keywords)
                return _try_again(response, refusal) if isinstance(refusal, TooManyAttempts) else response

        return guarded

    return decorate


class SignedInRequest(HttpRequest):
    """A request to a page that requires signing in. The middleware redirects everybody else to the sign-in page."""

    user: User


def wants_json(request: HttpRequest) -> bool:
    """Whether the request comes from a page's script, which reads JSON, and not from a form or a link."""
    return request.accepts("application/json") and not request.accepts("text/html")


class RefusingForm(forms.Form):
    """A form for pages that show one sentence about what is wrong."""

    refuses = True

    def cleaned(self) -> dict[str, Any]:
        """Return the cleaned data, or raise Refused with the first error."""
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{self.fields[name].label or name}: {problem}")
        return self.cleaned_data
