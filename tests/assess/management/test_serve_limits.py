"""The limits of `assay serve`, over real connections: bodies, headers, errors outside Django, and private files."""

import os
import socket
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from assess.demo.loading import SLUG
from assess.management import serving
from tests.assess.management.test_serve import PROJECT, assay_environment
from tests.wheel.installed import free_port

pytestmark = [pytest.mark.slow, pytest.mark.deploy]

SIGN_IN = b"POST /account/sign-in/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
MEGABYTE = 1024**2


@contextmanager
def running(monkeypatch, application=None):
    """A server of this process in a thread; yields its port."""
    if application:
        monkeypatch.setattr(serving, "get_wsgi_application", lambda: application)
    server = serving.bind("127.0.0.1", free_port())
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server.effective_port
    finally:
        server.task_dispatcher.shutdown()
        server.close()


def answer(port: int, head: bytes, body: bytes = b"") -> str:
    """Send a request and return the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head + b"\r\n" + body)
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def status(text: str) -> int:
    return int(text.split(" ", 2)[1])


def test_body_of_300_megabytes_is_refused_before_it_is_sent(monkeypatch):
    with running(monkeypatch) as port:
        text = answer(port, SIGN_IN + FORM + b"Content-Length: 300000000\r\n")
        assert status(text) == 413


def test_too_long_body_is_not_invited(monkeypatch):
    """curl waits for this invitation before it sends a long body."""
    with running(monkeypatch) as port:
        text = answer(port, SIGN_IN + FORM + b"Content-Length: 300000000\r\nExpect: 100-continue\r\n")
    assert status(text) == 413


@pytest.mark.parametrize("expect", [b"", b"Expect: 100-continue\r\n"])
def test_chunked_body_is_refused_before_it_is_sent(monkeypatch, expect):
    with running(monkeypatch) as port:
        text = answer(port, SIGN_IN + FORM + expect + b"Transfer-Encoding: chunked\r\n")
    assert status(text) == 411
    assert "does not state the length" in text


def test_chunked_body_in_one_packet_with_its_headers_is_refused(monkeypatch):
    body = b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n"
    with running(monkeypatch) as port:
        assert status(answer(port, SIGN_IN + FORM + body)) == 411


def test_body_beyond_the_limit_of_the_page_is_refused(monkeypatch):
    with running(monkeypatch) as port:
        text = answer(port, SIGN_IN + FORM + b"Content-Length: 2000000\r\n", b"x" * 2_000_000)
    assert status(text) == 413
    assert "this page accepts 1,000,000 bytes at most" in text


def test_invited_body_is_read(monkeypatch):
    with running(monkeypatch) as port:
        text = answer(port, SIGN_IN + FORM + b"Content-Length: 3\r\nExpect: 100-continue\r\n", b"a=b")
    assert text.startswith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 ")  # without a CSRF token


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_all_addresses_of_a_host_are_bounded(monkeypatch, host):
    server = serving.bind(host, free_port())
    try:
        listeners = [listener for listener in server._map.values() if hasattr(listener, "channel_class")]
        assert {listener.channel_class.__name__ for listener in listeners} == {"BoundedChannel"}
    finally:
        server.task_dispatcher.shutdown()
        server.close()


def test_long_headers_are_refused(monkeypatch):
    head = SIGN_IN + b"X-Long: "
    with running(monkeypatch) as port:
        text = answer(port, head + b"x" * (serving.MAX_HEADER_BYTES - len(head) - 2))
    assert status(text) == 431


def test_error_outside_django_shows_no_traceback(monkeypatch, caplog):
    def application(_environment, _start_response):
        raise ValueError("a secret detail")

    with running(monkeypatch, application) as port:
        text = answer(port, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
    assert status(text) == 500
    assert "Traceback" not in text
    assert "secret" not in text
    assert "a secret detail" in caplog.text


def test_short_body_stays_in_memory():
    limits = serving.limits()
    assert limits["connection_limit"] * limits["inbuf_overflow"] <= 125 * MEGABYTE
    assert limits["channel_timeout"] <= 60
    assert limits["expose_tracebacks"] is False


@pytest.mark.slow
def test_files_of_a_new_site_are_private(tmp_path):
    """Whatever the umask of the shell."""
    data = tmp_path / "data"
    run(data, "demo", "--no-serve")
    run(data, "export_qrels", "--collection", SLUG, "--gold", "majority", "--out", str(data / "gold.qrels"))
    paths = [data, *data.rglob("*")]
    assert {"runs", "secret_key", "assay.sqlite3", "gold.qrels"} <= {path.name for path in paths}
    assert [str(path) for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def run(data: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *words, "--data", str(data)],
        cwd=PROJECT,
        env=assay_environment(),
        capture_output=True,
        check=True,
        preexec_fn=lambda: os.umask(0),
    )
