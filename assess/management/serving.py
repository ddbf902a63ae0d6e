"""Serves the site with waitress: one process, eight threads, on every platform.

waitress buffers requests and responses, so that slow clients occupy no thread. The limits below bound what clients can
occupy instead: connections, memory and temporary files.

Some requests are refused before their body arrives. waitress itself asks a client that sends `Expect: 100-continue` to
send a body that is too long. It also reads chunked bodies, and searches them in quadratic time: 5 MB without a line end
stop the whole server for seconds. Browsers always state the length of a form.
"""

import logging
import os
import re
import signal
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import BadRequest

from assess.management.preload import preload_in_background
from assess.management.worker_process import running_worker


class LengthRequired(BadRequest):  # type: ignore[misc]  # waitress has no types
    code = 411
    reason = "Length Required"


class BoundedParser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses a chunked body, and never invites a body that is refused."""

    error: BadRequest | None = None

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.chunked and not self.error:
            self.error = LengthRequired("The request does not state the length of its body.")
        if self.error:
            self.completed, self.expect_continue = True, False
        return consumed


class BoundedChannel(HTTPChannel):  # type: ignore[misc]
    """A connection whose headers must be complete in HEADER_SECONDS, and that gives its place to a new one.

    A client could send a byte of a header from time to time, which is activity. The time counts from the connection, or
    for a later request from its first byte. If almost CONNECTIONS are open, each new one closes the oldest that waits
    for its client: first those with a part of the headers, then those with a part of a body, then idle ones.
    """

    parser_class = BoundedParser
    was_used = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.began = self.creation_time
        if len(self._map) >= CONNECTIONS - SPARE_CONNECTIONS:
            self._close_oldest()

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.began = time.time() if self.was_used else self.creation_time
        self.was_used = True
        return bool(super().received(data))

    def readable(self) -> bool:
        """Called before each wait for data, so that no timer is needed."""
        if self.waits_for == HEADERS and time.time() - self.began > HEADER_SECONDS:
            self.will_close = True
        return bool(super().readable())

    @property
    def waits_for(self) -> int | None:
        """What the server waits for; None if it is answering."""
        if self.requests or self.will_close:
            return None
        if self.request is None:
            return IDLE if self.was_used else HEADERS
        return BODY if self.request.headers_finished else HEADERS

    def _close_oldest(self) -> None:
        others = [each for each in self._map.values() if isinstance(each, BoundedChannel) and each is not self]
        waiting = [(each.waits_for, each.began, each) for each in others if each.waits_for is not None]
        if waiting:
            min(waiting, key=lambda each: each[:2])[2].will_close = True


HEADERS, BODY, IDLE = range(3)  # what a connection waits for, the first to be closed first
LOOPBACK = ("127.0.0.1", "localhost", "::1")
ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - only if somebody asks for it and names the hosts
NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*")
THREADS = 8
CONNECTIONS = 500  # a browser keeps up to six open; waitress's default of 100 would be too few for a class
SPARE_CONNECTIONS = 20  # waitress accepts none at the limit
HEADER_SECONDS = 20  # until the headers of a request are complete
IDLE_SECONDS = 60  # after which a connection without any traffic is closed
MAX_HEADER_BYTES = 32 * 1024  # of the request line and all headers
MEMORY_BYTES = 256 * 1024  # a longer body waits in a temporary file: 500 connections occupy at most 125 MiB of memory
MAX_WAITING_BYTES = 256 * 1024**2  # a response of this size waits for a slow reader in a file instead of a thread
DEFAULT_PORT = "8000"


def add_port_option(parser: ArgumentParser) -> None:
    """Add `--port`, whose default is the environment variable ASSAY_PORT, else 8000."""
    default = os.environ.get("ASSAY_PORT") or DEFAULT_PORT
    parser.add_argument("--port", type=port_number, default=default, help="default: ASSAY_PORT, or 8000")


def port_number(text: str) -> int:
    """A TCP port."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise ArgumentTypeError(f"the port must be between 1 and 65535, not {text!r}")
    return int(text)


def host_name(text: str) -> str:
    """A host name or an IP address. A wildcard such as `*` is refused: it would allow forged host names."""
    if not NAME.fullmatch(text):
        raise ArgumentTypeError(f"{text!r} is not a host name or an IP address")
    return text


def bind(host: str, port: int) -> Any:
    """A server that already listens but does not answer yet. Fails with a sentence if the address is taken."""
    from waitress import create_server

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is normal when a class starts
    application = get_wsgi_application()
    get_resolver().url_patterns  # noqa: B018 - imports all views now, not during the first request
    sockets: dict[int, Any] = {}
    try:
        server = create_server(
            application,
            map=sockets,
            host=host,
            port=port,
            threads=THREADS,
            clear_untrusted_proxy_headers=not settings.BEHIND_PROXY,
            **limits(),
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"Cannot listen on {url(host, port)}: {reason}. Choose another --host or --port.") from None
    for listener in list(sockets.values()):  # `localhost` may mean an IPv4 and an IPv6 address
        if hasattr(listener, "channel_class"):
            listener.channel_class = BoundedChannel
    return server


def limits() -> dict[str, Any]:
    """The settings of waitress that bound requests, and those that reveal nothing."""
    return {
        "connection_limit": CONNECTIONS,
        "asyncore_use_poll": True,  # select() cannot watch many connections
        "channel_timeout": IDLE_SECONDS,
        "max_request_header_size": MAX_HEADER_BYTES,
        "max_request_body_size": settings.LARGEST_BODY_BYTES + 1,  # waitress refuses this size, and larger ones
        "inbuf_overflow": MEMORY_BYTES,
        "outbuf_high_watermark": MAX_WAITING_BYTES,
        "expose_tracebacks": False,
        "ident": None,
    }


def run(server: Any, goodbye: Callable[[], None]) -> None:
    """Answer requests, next to a worker for background jobs, until Ctrl-C or SIGTERM.

    Requests that are being answered are finished first.
    """
    signal.signal(signal.SIGTERM, _stop)
    try:
        preload_in_background()
        with running_worker():
            server.run()
    except KeyboardInterrupt:  # before waitress handles it
        pass
    finally:
        server.close()
    goodbye()


def allow_host(host: str) -> None:
    """Accept requests for a host name from now on. Addresses that mean "all interfaces" are not added."""
    name = f"[{host}]" if ":" in host else host
    if host not in ALL_ADDRESSES and name not in settings.ALLOWED_HOSTS:
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, name]


def url(host: str, port: int) -> str:
    """The address to type into a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _stop(*_: Any) -> None:
    raise SystemExit(0)
