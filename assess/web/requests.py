"""Types of requests."""

from django.http import HttpRequest

from assess.models import User


class SignedInRequest(HttpRequest):
    """A request to a page that requires signing in. The middleware redirects everybody else to the sign-in page."""

    user: User
