"""The IP address of a client, for throttles."""

from django.conf import settings
from django.http import HttpRequest


def ip_before_proxy(request: HttpRequest) -> str:
    """Return the address that our own proxy added: the last one, since a client can forge the others."""
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return forwarded.rsplit(",", 1)[-1].strip() or _peer(request)


def client_ip(request: HttpRequest) -> str:
    """Return the client's address. Behind a proxy, this is the address that the proxy saw."""
    return ip_before_proxy(request) if settings.BEHIND_PROXY else _peer(request)


def _peer(request: HttpRequest) -> str:
    address: str = request.META["REMOTE_ADDR"]
    return address
