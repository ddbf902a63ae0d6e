"""`assay serve` answers other users within a second while slow clients hold 60 headers and 9 bodies."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.load.server import AssayServe, serving
from tests.load.slow_clients import answered, read_pages, slow_clients

pytestmark = pytest.mark.alone

HEADERS, BODIES, USERS = 60, 9, 4
LONGEST_WAIT = 1.0  # seconds


@pytest.mark.parametrize("seconds", [pytest.param(5, marks=pytest.mark.slow), pytest.param(60, marks=pytest.mark.soak)])
def test_slow_clients_hold_no_threads(tmp_path, seconds):
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        size = {"tasks": 50, "topics": 1, "assessors": USERS, "k": 1}
        words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
        collection = server.run_json("-m", "tests.load.load_collection", "make", *words)
        path = f"/c/{collection['slug']}/judge/{collection['topics'][0]}/"
        cookies = [{collection["session_cookie"]: assessor["session"]} for assessor in collection["assessors"]]
        for cookie in cookies:
            read_pages(server.port, cookie, path, 0.1)  # the first request imports and connects
        with slow_clients(server.port, headers=HEADERS, bodies=BODIES) as sockets, ThreadPoolExecutor(USERS) as pool:
            users = [pool.submit(read_pages, server.port, cookie, path, seconds) for cookie in cookies]
            waits = sorted(wait for user in users for wait in user.result())
            assert answered(sockets) == []  # all were held until now
    assert len(waits) > USERS * seconds
    assert waits[-1] < LONGEST_WAIT, [round(wait, 3) for wait in waits[-20:]]
