"""How long people wait to sign in and to judge while forty clients sign in with invented names.

Twenty assessors judge, with two seconds between judgements, and twenty people sign in, each about four times a minute.
Where the server is busy, they try again as the script of the page does, and the whole time counts. The attackers are
in the network of the people, or in another one. They use a part of the machine's CPU. Both servers, each on SQLite.
"""

import random
import sys
import threading
import time
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from benchmarks.tiny import size
from tests.load.assessors import AssessorProcesses
from tests.load.researcher import PASSWORD, Researcher
from tests.load.server import AssayServe, Server, serving

ATTACKERS, PEOPLE, SECONDS = size((40, 20, 60), (2, 2, 4))
PAUSE = size(15, 1)  # seconds between two sign-ins of a person
SIZE = {"tasks": size(4_000, 80), "topics": size(10, 2), "assessors": PEOPLE, "k": 3}
CREATE = f"""
import django; django.setup()
from django.contrib.auth.hashers import make_password
from assess.models import User
password = make_password("{PASSWORD}")
User.objects.bulk_create(User(username=f"person-{{number}}", password=password) for number in range({PEOPLE}))
"""
# 127.0.0.2 is another address of this machine, and another network for the throttle.
ATTACKS = {"nobody attacks": "", "another network": "127.0.0.2", "the same network": "127.0.0.1"}


def main() -> None:
    print(
        f"{'':36} {'sign-ins':>9} {'p50 s':>6} {'p99 s':>6} {'judged':>7} {'p50 s':>6} {'p99 s':>6}  attackers' answers"
    )
    for kind in (AssayServe, Server):
        for label, address in ATTACKS.items():
            with TemporaryDirectory() as folder, serving(Path(folder), None, kind) as server:
                print(f"{f'{kind.__name__}, {label}':36} {_line(server, Path(folder), address)}", flush=True)


def _line(server: Server, folder: Path, address: str) -> str:
    server.run("-c", CREATE)
    options = (word for name, number in SIZE.items() for word in (f"--{name}", str(number)))
    collection = server.run_json("-m", "tests.load.load_collection", "make", *options)
    end, answers, waits = threading.Event(), Counter[int](), []
    threads = [threading.Thread(target=_sign_in, args=(server, number, end, waits)) for number in range(PEOPLE)]
    if address:
        attack = (server.port, address, end, answers)
        threads += [threading.Thread(target=_attack, args=(*attack, seed)) for seed in range(ATTACKERS)]
    (folder / "logs").mkdir()
    judging = {"think": 2, "most": max(1, SECONDS // 2), "detours": 0, "begin": time.time() + size(10, 4)}
    assessors = AssessorProcesses(server, collection, folder / "logs", **judging)
    time.sleep(max(0, judging["begin"] - time.time()))
    for thread in threads:
        thread.start()
    posts = [wait for report in assessors.end() for wait in report["posts"]]
    end.set()
    for thread in threads:
        thread.join()
    statuses = ", ".join(f"{status}: {number:,}" for status, number in sorted(answers.items()))
    return f"{len(waits):>9,} {_waits(waits)} {len(posts):>7,} {_waits(posts)}  {statuses}"


def _waits(waits: list[float]) -> str:
    cuts = quantiles(waits, n=100)
    return f"{cuts[49]:>6.2f} {cuts[98]:>6.2f}"


def _sign_in(server: Server, number: int, end: threading.Event, waits: list[float]) -> None:
    while not end.wait(PAUSE * random.random() * 2):
        began = time.perf_counter()
        Researcher(server.port, "load").sign_in(f"person-{number}")
        waits.append(time.perf_counter() - began)


def _attack(port: int, address: str, end: threading.Event, answers: Counter[int], seed: int) -> None:
    numbers = random.Random(seed)
    while not end.is_set():
        answers[_attempt(port, address, f"invented-{numbers.random()}")] += 1


def _attempt(port: int, address: str, name: str) -> int:
    """Sign in with a name that nobody has, from an address of this machine, and return the status."""
    token = "c" * 32
    body = urlencode({"csrfmiddlewaretoken": token, "username": name, "password": "x"})
    headers = {"Cookie": f"csrftoken={token}", "Content-Type": "application/x-www-form-urlencoded"}
    connection = HTTPConnection("127.0.0.1", port, timeout=90, source_address=(address, 0))
    try:
        connection.request("POST", "/account/sign-in/", body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
