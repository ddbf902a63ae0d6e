"""The servers of these tests are processes of their own, and end with the program that started them."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from tests.pooling.live.servers import Reply
from tests.pooling.models.servers import PROJECT, Server

PROGRAM = """
import os, time
from tests.pooling.live.servers import Reply
from tests.pooling.models.servers import Server

server = Server(lambda _: Reply({"pid": os.getpid()})).__enter__()
print(server.url, flush=True)
time.sleep(60)
"""


def get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read()


def is_open(url: str) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", urlsplit(url).port)) == 0


def test_each_server_is_another_process_and_says_what_came():
    own = lambda _: Reply({"pid": os.getpid()})  # noqa: E731
    with Server(own) as first, Server(own) as second:
        pids = {get(server.url + "/a?b=1") for server in (first, second)}
        assert len(pids | {f'{{"pid": {os.getpid()}}}'.encode()}) == 3
        assert [(asked.method, asked.path, asked.params) for asked in first.asked] == [("GET", "/a", {"b": ["1"]})]
        first.answer_with(lambda _: Reply({"changed": True}))
        assert get(first.url) == b'{"changed": true}'
        assert (len(first.asked), len(second.asked)) == (2, 1)
    assert len(first.asked) == 2
    assert not is_open(first.url)


def failing(server: Server) -> None:
    with server:
        get(server.url)
        raise ZeroDivisionError


def test_a_test_that_fails_leaves_no_open_server():
    server = Server(lambda _: Reply({}))
    with pytest.raises(ZeroDivisionError):
        failing(server)
    assert not is_open(server.url)
    with Server(lambda _: Reply({})) as other:
        assert other.asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_server_ends_when_its_program_is_killed():
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    url = program.stdout.readline().strip()
    assert get(url)
    program.send_signal(signal.SIGKILL)
    program.communicate()
    end = time.monotonic() + 10
    while is_open(url) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_open(url)


def test_an_answer_that_fails_ends_its_request_only():
    def odd(asked):
        return Reply({}) if asked.path == "/a" else Reply(1 / 0)

    with Server(odd) as server:
        with pytest.raises((urllib.error.URLError, ConnectionError)):
            get(server.url)
        assert get(server.url + "/a") == b"{}"
