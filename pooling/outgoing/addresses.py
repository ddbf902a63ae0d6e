"""Which hosts may be asked.

An *entry* is a name (`search.example.org`), an address (`10.1.2.3`, `[::1]`) or a network (`10.0.0.0/8`), each with or
without a port (`search.example.org:9200`). A request goes out if

1. the host of its URL is listed: a name by its name, an address by itself or by its network, and
2. each address that the name has is public, or is listed itself.

So a listed name does not lead into a private network, whatever its owner writes into the DNS. Addresses in an unusual
form (2130706433, 0x7f.1, 127.1, 0177.0.0.1) are neither names nor addresses here, and are refused.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import httpx2

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
SCHEMES = ("http", "https")
PORTS = {"http": 80, "https": 443}
MAX_URL = 2_000
MAX_HOST = 253
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z")  # as the last label, the sign of an address in an unusual form
_COMPATIBLE = ipaddress.IPv6Network("::/96")  # ::127.0.0.1, out of use
_NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))


class Forbidden(ValueError):  # noqa: N818 - the word of the user
    """The address may not be asked. The message is a sentence for the user."""


@dataclass(frozen=True)
class Entry:
    """A name or a network that may be asked, at one port or at all of them (None)."""

    host: str | Network
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the entry that a text states.

        Examples
        --------
        >>> Entry.parse("search.example.org:9200")
        Entry(host='search.example.org', port=9200)
        >>> Entry.parse("10.0.0.0/8").host
        IPv4Network('10.0.0.0/8')
        """
        host, port = _split_port(text.strip().lower().rstrip("."), text)
        network = _network(host)
        if network is None and not is_name(host):
            raise Forbidden(
                f"{text!r} is no host; allowed are a name, an address or a network, each with or without a port, as in "
                "search.example.org:9200 or 10.0.0.0/8."
            )
        return cls(host if network is None else network, port)

    def __str__(self) -> str:
        text = str(self.host)
        if isinstance(self.host, ipaddress.IPv4Network | ipaddress.IPv6Network):
            text = str(self.host.network_address) if self.host.num_addresses == 1 else text
            text = f"[{text}]" if ":" in text and self.port else text
        return f"{text}:{self.port}" if self.port else text

    def has_name(self, name: str, port: int) -> bool:
        return self.host == name and self.port in (None, port)

    def has_address(self, address: Address, port: int) -> bool:
        return not isinstance(self.host, str) and address in self.host and self.port in (None, port)


@dataclass(frozen=True)
class AllowedHosts:
    """The hosts that may be asked. `entries` is None if every host is allowed: for commands on one's own computer."""

    entries: tuple[Entry, ...] | None = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Self:
        """Return the hosts that texts such as "search.example.org" state."""
        return cls(tuple(map(Entry.parse, texts)))

    def check(self, url: str) -> httpx2.URL:
        """Return the URL of a request. Raises Forbidden if its form or its host is not allowed.

        Examples
        --------
        >>> AllowedHosts.parse(["search.example.org"]).check("https://search.example.org/docs").host
        'search.example.org'
        >>> AllowedHosts.parse(["search.example.org"]).check("http://2130706433/")
        Traceback (most recent call last):
        pooling.outgoing.addresses.Forbidden: The host '2130706433' is neither a name nor an address in its usual form.
        """
        parsed = checked_url(url)
        port = port_of(parsed)
        if self.entries is None:
            return parsed
        address = as_address(parsed.host)
        names = (entry.has_name(parsed.host, port) for entry in self.entries)
        if not (self._lists(address, port) if address else any(names)):
            raise Forbidden(
                f"The host {parsed.host}:{port} is not allowed. A site owner can allow it under “Allowed hosts”."
            )
        return parsed

    def resolve(self, host: str, port: int) -> list[str]:
        """Return the addresses of an allowed host. Raises Forbidden if one of them is private and not listed."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Forbidden(f"The name {host} is unknown.") from None
        addresses = list(dict.fromkeys(str(row[4][0]).partition("%")[0] for row in found))
        if self.entries is not None:
            for text in addresses:
                self._check_address(host, port, ipaddress.ip_address(text))
        return addresses

    def _check_address(self, host: str, port: int, address: Address) -> None:
        if not (is_public(address) or self._lists(address, port)):
            raise Forbidden(
                f"{host} has the address {address}, which is not public. A site owner can allow this address too."
            )

    def _lists(self, address: Address, port: int) -> bool:
        forms = (address, getattr(address, "ipv4_mapped", None))
        return any(entry.has_address(form, port) for entry in self.entries or () for form in forms if form)


ANY_HOST = AllowedHosts(None)


def checked_url(url: str) -> httpx2.URL:
    """Return a URL of http or https with an ordinary host and without a name and password."""
    if len(url) > MAX_URL or not url.isascii() or not url.isprintable() or any(letter in url for letter in ' \\"<>^`'):
        raise Forbidden(
            f"The address must have at most {MAX_URL:,} printable ASCII characters without spaces, backslashes and "
            "quotation marks."
        )
    try:
        parsed = httpx2.URL(url)
        port = parsed.port
    except (httpx2.InvalidURL, ValueError):
        raise Forbidden(f"{url[:200]!r} is no address of a server.") from None
    if parsed.scheme not in SCHEMES:
        raise Forbidden(f"The address must begin with http:// or https://, not {parsed.scheme[:20]!r}.")
    if parsed.userinfo or "@" in url.partition("//")[2].partition("/")[0].partition("?")[0]:
        raise Forbidden("The address must not contain a name or password; secrets have a field of their own.")
    if port is not None and not 0 < port < 65_536:
        raise Forbidden(f"The port must be between 1 and 65,535, not {port}.")
    if not (as_address(parsed.host) or is_name(parsed.host)):
        raise Forbidden(f"The host {parsed.host[:100]!r} is neither a name nor an address in its usual form.")
    return parsed


def port_of(url: httpx2.URL) -> int:
    """Return the port of a URL, also if it is that of the scheme."""
    return url.port or PORTS[url.scheme]


def as_address(host: str) -> Address | None:
    """Return a host that is an address in its usual form, or None."""
    try:
        address = ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    return None if getattr(address, "scope_id", None) else address


def is_name(host: str) -> bool:
    """Whether a host is a name in lower case that no resolver takes for an address."""
    labels = host.split(".")
    return len(host) <= MAX_HOST and all(_LABEL.match(label) for label in labels) and not _NUMBER.match(labels[-1])


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet, also the IPv4 address that an IPv6 address contains.

    Examples
    --------
    >>> [is_public(ipaddress.ip_address(text)) for text in ("8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1")]
    [True, False, False]
    """
    if address.is_multicast or not address.is_global or getattr(address, "is_site_local", False):
        return False
    return not isinstance(address, ipaddress.IPv6Address) or all(map(is_public, _contained(address)))


def _contained(address: ipaddress.IPv6Address) -> list[Address]:
    """Return the IPv4 addresses to which an IPv6 address may lead."""
    last = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo or ()
    is_translated = address in _COMPATIBLE or any(address in network for network in _NAT64)
    is_isatap = (int(address) >> 32) & 0xFDFF_FFFF == 0x5EFE
    found = [address.ipv4_mapped, address.sixtofour, *teredo, last if is_translated or is_isatap else None]
    return [contained for contained in found if contained]


def _split_port(text: str, original: str) -> tuple[str, int | None]:
    host, separator, port = text.rpartition(":")
    if not separator or "]" in port or (text.count(":") > 1 and not host.endswith("]")):
        return text, None
    if not (port.isdecimal() and port.isascii() and 0 < int(port[:6]) < 65_536):
        raise Forbidden(f"The port of {original!r} must be between 1 and 65,535.")
    return host, int(port)


def _network(host: str) -> Network | None:
    try:
        return ipaddress.ip_network(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
