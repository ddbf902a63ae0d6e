"""The IP address of a client, for throttles."""

from django.conf import settings


def ip_before_proxy(request) -> str:
    """Return the address that our own proxy added: the last one, since a client can forge the others."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return forwarded.rsplit(",", 1)[-1].strip() or request.META["REMOTE_ADDR"]


def client_ip(request) -> str:
    """Return the client's address. Behind a proxy, this is the address that the proxy saw."""
    return ip_before_proxy(request) if settings.BEHIND_PROXY else request.META["REMOTE_ADDR"]
