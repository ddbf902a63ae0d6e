"""Clients that open connections and never finish a request, and users who read pages meanwhile."""

import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Event

from tests.load.browsing import Browser

PAUSE = 0.5  # seconds between the bytes of a slow client
READ = 0.1  # seconds between the pages of a user
HEADERS = b"GET /account/sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODY = (
    b"POST /account/sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 900000\r\n\r\nusername="
)


@contextmanager
def slow_clients(port: int, *, headers: int, bodies: int):
    """Hold connections that send a byte from time to time. Yields the sockets."""
    done = Event()
    with ExitStack() as stack, ThreadPoolExecutor(1) as pool:
        sockets = [stack.enter_context(opened(port, HEADERS)) for _ in range(headers)]
        sockets += [stack.enter_context(opened(port, BODY)) for _ in range(bodies)]
        sending = pool.submit(_send_slowly, sockets, done)
        try:
            yield sockets
        finally:
            done.set()
        sending.result()


def opened(port: int, start: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(start)
    return connection


def _send_slowly(sockets: list[socket.socket], done: Event) -> None:
    while not done.wait(PAUSE):
        for connection in sockets:
            with suppress(OSError):  # the server has closed it
                connection.sendall(b"a")


def answered(sockets: list[socket.socket]) -> list[socket.socket]:
    """The connections that the server has answered or closed."""
    return select.select(sockets, [], [], 0)[0]


def read_pages(port: int, cookie: dict[str, str], path: str, seconds: float) -> list[float]:
    """Request a page again and again, as a user does. Returns how long each answer took."""
    browser, waits, end = Browser(port, cookie), [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        browser.page(path)
        waits.append(time.perf_counter() - began)
        time.sleep(READ)
    return waits
