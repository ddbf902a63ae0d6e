"""The connection of requests to checked addresses.

A name is looked up once, when it is first asked, and its addresses are kept: a later answer of the DNS (rebinding)
changes nothing. A request ends at its deadline, also if the server sends a byte now and then.
"""

import contextlib
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

Resolve = Callable[[str, int], list[str]]
MAX_CONNECTIONS = 100


class _Deadline(threading.local):
    """When the request of this thread must have ended, by the monotonic clock."""

    at: float | None = None

    def cut(self, timeout: float | None) -> float | None:
        """Return a timeout that does not last longer than the deadline. Raises ReadTimeout if it is over."""
        if self.at is None:
            return timeout
        left = self.at - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("deadline")
        return left if timeout is None else min(left, timeout)


_deadline = _Deadline()


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """End the request within this block after so many seconds."""
    _deadline.at = time.monotonic() + seconds
    try:
        yield
    finally:
        _deadline.at = None


class _Stream(httpcore2.NetworkStream):
    """A connection whose every step ends at the deadline."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _deadline.cut(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _deadline.cut(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _deadline.cut(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    """Opens connections to the addresses that a host had when it was first asked."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve, self._backend = resolve, httpcore2.SyncBackend()
        self._known: dict[tuple[str, int], list[str]] = {}
        self._lock = threading.Lock()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        *others, last = self._addresses(host, port)
        for address in others:
            with contextlib.suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return self._open(address, port, timeout, local_address, socket_options)
        return self._open(last, port, timeout, local_address, socket_options)

    def _open(self, address: str, port: int, timeout: float | None, *others: Any) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_tcp(address, port, _deadline.cut(timeout), *others))

    def _addresses(self, host: str, port: int) -> list[str]:
        with self._lock:  # of two threads, one asks the DNS
            if (host, port) not in self._known:
                self._known[host, port] = self._resolve(host, port)
            return self._known[host, port]


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx2():
            yield from self._stream

    def close(self) -> None:
        self._stream.close()


class PinnedTransport(httpx2.BaseTransport):
    """Sends requests to the addresses that `resolve` returns for their host.

    httpx2's own transport has no argument for this, so this one puts the public pool of httpcore2 under it.
    """

    def __init__(self, resolve: Resolve) -> None:
        self._pool = httpcore2.ConnectionPool(
            network_backend=_Backend(resolve), max_connections=MAX_CONNECTIONS, http2=False
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        inner = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx2():
            answer = self._pool.handle_request(inner)
        return httpx2.Response(answer.status, headers=answer.headers, stream=_Body(answer.stream))

    def close(self) -> None:
        self._pool.close()


@contextlib.contextmanager
def _as_httpx2() -> Iterator[None]:
    """Raise what the pool raises as errors of httpx2."""
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise httpx2.ReadTimeout(str(error)) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol) as error:
        raise httpx2.NetworkError(str(error)) from error
