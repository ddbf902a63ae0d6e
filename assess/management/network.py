"""The addresses under which other devices reach this computer."""

import socket
from collections.abc import Iterator
from io import StringIO

import segno

# Documentation addresses (RFC 5737, RFC 3849). Connecting a UDP socket asks the system for a route and sends nothing.
ROUTES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
ANY_PORT = 9


def own_addresses(listen: str) -> list[str]:
    """Return this computer's addresses of the family of `listen`, first the one of outgoing connections.

    Addresses that only this computer reaches are left out.
    """
    family = socket.AF_INET6 if ":" in listen else socket.AF_INET
    addresses = [*_outgoing_address(family), *_addresses_of_the_name(family)]
    return list(dict.fromkeys(address for address in addresses if _is_reachable(address)))


def _outgoing_address(family: socket.AddressFamily) -> Iterator[str]:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as route:
            route.connect((ROUTES[family], ANY_PORT))
            yield str(route.getsockname()[0])
    except OSError:  # no route, or no IPv6
        return


def _addresses_of_the_name(family: socket.AddressFamily) -> list[str]:
    try:
        return [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, family)]
    except OSError:  # the name of this computer is not in any directory
        return []


def _is_reachable(address: str) -> bool:
    """Whether other devices can use an address: not loopback, not unspecified, and without a zone."""
    local = ("127.", "::1", "0.0.0.0", "169.254.", "fe80:")  # noqa: S104 - addresses that are left out
    return "%" not in address and address != "::" and not address.startswith(local)


def qr_code(address: str) -> str:
    """Return the QR code of an address as text for a terminal."""
    text = StringIO()
    segno.make(address, error="m", micro=False).terminal(text, compact=True)
    return text.getvalue()
