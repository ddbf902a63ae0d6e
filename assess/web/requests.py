"""Types of requests, and what they ask for."""

from django.http import HttpRequest

from assess.models import User


class SignedInRequest(HttpRequest):
    """A request to a page that requires signing in. The middleware redirects everybody else to the sign-in page."""

    user: User


def wants_json(request: HttpRequest) -> bool:
    """Whether the request comes from a page's script, which reads JSON, and not from a form or a link."""
    return request.accepts("application/json") and not request.accepts("text/html")
