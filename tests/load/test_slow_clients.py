"""`assay serve` answers other users within a second while slow clients hold headers and bodies.

Few of them are held until the deadline for headers; of more than the server has places for, the oldest are closed.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from assess.management.serving import CONNECTIONS, HEADER_SECONDS
from tests.load.server import AssayServe, serving
from tests.load.slow_clients import answered, read_pages, slow_clients

pytestmark = pytest.mark.alone

HEADERS, BODIES, USERS = 60, 9, 4
MANY_HEADERS, MANY_BODIES = 600, 20
LONGEST_WAIT = 1.0  # seconds


@pytest.fixture
def readers(tmp_path):
    """A server, the cookies of users who have opened a page, and its path."""
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        size = {"tasks": 50, "topics": 1, "assessors": USERS, "k": 1}
        words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
        collection = server.run_json("-m", "tests.load.load_collection", "make", *words)
        path = f"/c/{collection['slug']}/judge/{collection['topics'][0]}/"
        cookies = [{collection["session_cookie"]: assessor["session"]} for assessor in collection["assessors"]]
        for cookie in cookies:
            read_pages(server.port, cookie, path, 0.1)  # the first request imports and connects
        yield server.port, cookies, path


def waits_of(readers, seconds) -> list[float]:
    port, cookies, path = readers
    with ThreadPoolExecutor(USERS) as pool:
        users = [pool.submit(read_pages, port, cookie, path, seconds) for cookie in cookies]
        return sorted(wait for user in users for wait in user.result())


@pytest.mark.slow
def test_slow_clients_hold_no_threads(readers):
    with slow_clients(readers[0], headers=HEADERS, bodies=BODIES) as sockets:
        waits = waits_of(readers, seconds=5)
        assert answered(sockets) == []  # all were held until now
    assert len(waits) > USERS * 5
    assert waits[-1] < LONGEST_WAIT, [round(wait, 3) for wait in waits[-20:]]


@pytest.mark.soak
def test_headers_have_a_deadline_however_slowly_they_arrive(readers):
    with slow_clients(readers[0], headers=HEADERS, bodies=BODIES) as sockets:
        waits = waits_of(readers, seconds=HEADER_SECONDS + 5)
        assert len(answered(sockets)) == HEADERS
    assert waits[-1] < LONGEST_WAIT, [round(wait, 3) for wait in waits[-20:]]


@pytest.mark.slow
def test_more_slow_clients_than_places_stop_nobody(readers):
    with slow_clients(readers[0], headers=MANY_HEADERS, bodies=MANY_BODIES) as sockets:
        waits = waits_of(readers, seconds=5)
        closed = answered(sockets)
    assert MANY_HEADERS - CONNECTIONS < len(closed) < MANY_HEADERS
    assert len(waits) > USERS * 5
    assert waits[-1] < LONGEST_WAIT, [round(wait, 3) for wait in waits[-20:]]
