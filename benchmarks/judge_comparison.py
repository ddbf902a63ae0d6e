"""Server CPU of the page that compares 33 models and NIST (`llmjudge/` in ASSAY_TEST_DATA, all 4,423 documents).

Each round starts a new process with the imports of a worker of gunicorn (`assess.wsgi` and `gunicorn.conf.py`), and
requests the page three times: the first request of the process, a second one with an empty cache of results, and one
from the cache. The CPU time is that of the process, through all of Django and without a database server.

Run: python -m benchmarks.judge_comparison
"""

import runpy
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks import databases
from benchmarks.tiny import size
from tests.realdata import DATA

SETTINGS = Path(__file__).resolve().parents[1] / "gunicorn.conf.py"
ROUNDS = size(7, 1)
REQUESTS = ("first of a process", "empty cache", "cached")


def main() -> None:
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            server.environment["ASSAY_TEST_DATA"] = str(DATA)
            server.run("-m", "benchmarks.judge_comparison", "load")
            rounds = [server.run("-m", "benchmarks.judge_comparison", "measure").split() for _ in range(ROUNDS)]
        print(f"{name}: CPU s, median of {ROUNDS} (fastest to slowest)")
        for request, times in zip(REQUESTS, zip(*rounds, strict=True), strict=True):
            values = [float(value) for value in times]
            print(f"{request:20} {median(values):.3f} ({min(values):.3f} to {max(values):.3f})", flush=True)


def load() -> None:
    """Create the collection and its owner."""
    import django

    django.setup()
    from assess.models import Member, Role, User
    from tests.llmjudge import llmjudge_collection

    user = User.objects.create_user("rita")
    Member.objects.create(collection=llmjudge_collection(every=1), user=user, role=Role.OWNER, name="rita")


def measure() -> None:
    """Print the CPU seconds of each request, in a process that has started like a worker of gunicorn."""
    from django.test import Client

    import assess.wsgi  # noqa: F401
    from assess.jobs import results
    from assess.models import User

    runpy.run_path(str(SETTINGS))["post_worker_init"](None)
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username="rita"), backend="assess.people.backend.AccountBackend")
    results.forget_all()
    times = [_seconds(client)]
    results.forget_all()
    times += [_seconds(client), _seconds(client)]
    print(*times)


def _seconds(client) -> float:
    began = time.process_time()
    response = client.get("/c/llmjudge/agreement/")
    seconds = time.process_time() - began
    if response.status_code != 200 or b"Each judge against" not in response.content:
        raise RuntimeError(f"{response.status_code}: {response.content[-2000:]!r}")
    return seconds


if __name__ == "__main__":
    {"load": load, "measure": measure}.get(sys.argv[-1], main)()
