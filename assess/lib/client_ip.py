"""Where a request comes from, as far as a throttle can know."""

from django.conf import settings


def address_before_proxy(request) -> str:
    """The client's address as our own proxy wrote it: the last one, since a client can invent the others."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return forwarded.rsplit(",", 1)[-1].strip() or request.META["REMOTE_ADDR"]


def client_address(request) -> str:
    """Where a request comes from, as far as it can be known."""
    return address_before_proxy(request) if settings.BEHIND_PROXY else request.META["REMOTE_ADDR"]
