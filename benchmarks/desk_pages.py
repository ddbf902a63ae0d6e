"""The server time of every page of a researcher's sidebar, at 48,000 judgements of 20 judges and 240,000 run lines.

The collection is that of `large_pages` at the limits. Pages are requested in the process that serves them, through all
of Django. "Cold" is with an empty cache of results, as somebody sees the page first: where the figures are left to a
job, it is the page that says so. "Warm" is with its figures in the cache. "Not drawn" is in between: the numbers are in
the cache, as after the first job, and the drawings are not, which are left to a second job.

Run: python -m benchmarks.desk_pages [PAGE ...]
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from time import perf_counter, process_time
from unittest.mock import patch
from uuid import uuid4

from benchmarks import databases
from benchmarks.tiny import size

ROUNDS = size(5, 1)
WAITS = 202  # the status of a page whose figures a job computes
WORDS = {"search": {"q": "brook mill"}}
PAGES = (
    *("collection", "overview_figures", "import", "texts", "topics", "runs", "pool", "people", "judging"),
    *("work", "stopping", "pilot", "calibration", "assign", "work_people"),
    *("search", "adjudication"),
    *("agreement", "agreement_topics", "agreement_judges", "agreement_time", "agreement_golds"),
    *("shift", "leaderboard", "shift_golds", "shift_swaps", "shift_mixed", "shift_intervals", "shift_measures"),
    *("shift_differences", "shift_topics", "shift_scores", "leverage"),
    *("documents", "document", "releases", "settings", "audit", "find", "jobs"),
)


# At this size a job needs a minute or more for these; the page that says so is measured.
MINUTES = ("agreement_golds", "shift_mixed")


def main() -> None:
    with databases.server_with_database(None) as (server, _):
        print(server.run("-m", "benchmarks.desk_pages", "measure", *sys.argv[1:]), flush=True)


def measure(pages: Sequence[str]) -> None:
    """Measure pages, in a process with the server's settings."""
    import django

    django.setup()
    from benchmarks import large_pages
    from benchmarks.judging_data import make

    collection = make(**large_pages.AT_LIMIT)
    large_pages.import_random_runs(collection, range(large_pages.RUNS_AT_LIMIT), depth=large_pages.DEPTH_AT_LIMIT)
    get = _visitor(collection)
    print(f"{'':24} {'cold wall, CPU ms':>32} {'warm wall, CPU ms':>32} {'queries':>8} {'not drawn wall, CPU ms':>32}")
    cold = {name: _measured(get, name, is_cold=True) for name in pages}
    for name in pages:
        _lift_limits(is_lifted=name not in MINUTES)
        warm, queries = _measured(get, name), _queries(get, name)
        _lift_limits(is_lifted=False)
        with _no_drawings():
            print(f"{name:24} {cold[name]:>32} {warm:>32} {queries:>8} {_measured(get, name):>32}", flush=True)


def _lift_limits(*, is_lifted: bool) -> None:
    """Compute at once what a job computes otherwise, so that the cache of results has it."""
    from assess.analysis import pending
    from assess.analysis.documents import pending as documents_pending

    pending.is_small_for_shift = pending._is_small_for_part = pending.is_small_for_agreement = lambda *_: is_lifted
    documents_pending.JUDGEMENTS_OF_SYSTEMS_AT_ONCE = 10**9


@contextmanager
def _no_drawings() -> Iterator[None]:
    """Hide every drawing in the cache of results from the pages."""
    from assess.jobs import results

    with patch.object(results, "key_of", _key_of_new_drawings(results.key_of)):
        yield


def _key_of_new_drawings(key_of):
    """Return `key_of` with another key for each drawing."""
    others = uuid4()

    def key(kind, *inputs):
        is_drawing = kind in ("figure", "agreement_chart", "pace_drawing") or inputs[:1] == ("drawing",)
        return key_of(kind, *inputs, *([others] if is_drawing else []))

    return key


def _visitor(collection):
    """Return a function that requests a page as the owner, and returns whether it waits for a job."""
    from django.test import Client
    from django.urls import reverse

    from assess.models import Member, Role, Task, User

    user = User.objects.create_user("owner")
    Member.objects.create(collection=collection, user=user, role=Role.OWNER, name="olga")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    some = {"document": [Task.objects.filter(topic__collection=collection).values_list("pk", flat=True).first()]}

    def get(name: str) -> bool:
        address = reverse(f"research:{name}", args=[collection.slug, *some.get(name, [])])
        response = client.get(address, WORDS.get(name, {}))
        if response.status_code not in (200, WAITS):
            raise RuntimeError(f"{response.status_code} for {name}: {response.content[-2000:]}")
        return response.status_code == WAITS

    return get


def _measured(get, name: str, *, is_cold: bool = False) -> str:
    """Return the median, minimum and maximum of the wall time after a first request, and the median CPU time, in ms."""
    from assess.jobs import results

    walls, cpus, waits = [], [], False
    for _ in range(ROUNDS + 1):
        if is_cold:
            results.forget_all()
        wall, cpu = perf_counter(), process_time()
        waits = get(name)
        walls.append(1e3 * (perf_counter() - wall))
        cpus.append(1e3 * (process_time() - cpu))
    walls, cpus = walls[1:], cpus[1:]
    spread = f"{median(walls):.0f} ({min(walls):.0f}-{max(walls):.0f})"
    return f"{spread} {median(cpus):>6.0f}{' job' if waits else '    '}"


def _queries(get, name: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        get(name)
    return len(queries)


if __name__ == "__main__":
    measure(sys.argv[2:] or PAGES) if sys.argv[1:2] == ["measure"] else main()
