"""The IP address of a client and its network, for throttles."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

MAX_ADDRESS_LENGTH = 45  # of IPv6 with an IPv4 address at the end
IPV6_HOST_BITS = 64  # a provider gives a customer a whole /64


def ip_before_proxy(request: HttpRequest) -> str:
    """Return the address that our own proxy added: the last one, since a client can forge the others."""
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return forwarded.rsplit(",", 1)[-1].strip() or _peer(request)


def client_ip(request: HttpRequest) -> str:
    """Return the client's address. Behind a proxy, this is the address that the proxy saw."""
    return ip_before_proxy(request) if settings.BEHIND_PROXY else _peer(request)


def network_of(address: str) -> str:
    """Return the network of an address: an IPv4 address, or the /64 of an IPv6 address. Other text is only cut."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:MAX_ADDRESS_LENGTH]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> IPV6_HOST_BITS << IPV6_HOST_BITS)}/64"


def _peer(request: HttpRequest) -> str:
    address: str = request.META["REMOTE_ADDR"]
    return address
