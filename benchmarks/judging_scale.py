"""The server time of an assessor's pages in a large collection (`judging_data`), and the memory of the server.

Pages are requested in the process that serves them, through all of Django: the time is from request to response,
without the network. One collection has assigned tasks, another is open to claims.
"""

import os
import sys
import time
import uuid
from itertools import cycle
from statistics import median

from benchmarks import databases
from benchmarks.tiny import size

REQUESTS = size(200, 2)  # of each kind
STEADY = size(2_000, 10)  # requests over which memory is watched
GOAL_MS = 50


def main() -> None:
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            print(f"{name}\n{server.run('-m', 'benchmarks.judging_scale', 'measure')}", flush=True)


def measure() -> None:
    """Measure all pages, in a process with the server's settings."""
    import django

    django.setup()
    from benchmarks import judging_data

    for label, open_to_claims in (("assigned in advance", False), ("open to claims", True)):
        began = time.perf_counter()
        collection = judging_data.make(f"large-{int(open_to_claims)}", open_to_claims=open_to_claims)
        _vacuum()
        made = time.perf_counter() - began
        print(f"\n{judging_data.TASKS:,} tasks, {label} (made in {made:.0f} s)")
        _pages(collection)


def _vacuum() -> None:
    """Vacuum and analyse the tables on PostgreSQL, which would soon happen automatically."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _pages(collection) -> None:
    assessor = _Assessor(collection)
    for action in assessor.actions.values():
        action()
    print(f"{'':16} {'ms, median (min-max)':>28} {'CPU ms':>8}")
    for name, action in assessor.actions.items():
        walls, cpus = zip(*(_timed(action) for _ in range(REQUESTS)), strict=True)
        spread = f"{median(walls):.1f} ({min(walls):.1f}-{max(walls):.1f})"
        late = "" if median(walls) < GOAL_MS else "  over 50"
        print(f"{name:16} {spread:>28} {median(cpus):>8.1f}{late}")
    before = _resident_mb()
    actions = cycle(assessor.actions.values())
    for _ in range(STEADY):
        next(actions)()
    print(f"memory: {before:.1f} MB, after {STEADY:,} further requests {_resident_mb():.1f} MB")


class _Assessor:
    """The requests of one assessor's browser, without a network."""

    def __init__(self, collection):
        from django.test import Client
        from django.urls import reverse

        self.member = collection.members.order_by("pk").first()
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(self.member.user, backend="assess.people.backend.AccountBackend")
        topics = cycle(collection.topics.order_by("pk").values_list("pk", flat=True))
        slug = collection.slug
        self.addresses = cycle(reverse("judge:record", args=[slug, task]) for task in self._tasks())

        def get(name, **arguments):
            response = self.client.get(reverse(f"judge:{name}", kwargs={"slug": slug} | arguments))
            if response.status_code != 200:
                raise RuntimeError(f"{response.status_code} for {name}")
            return response

        self.actions = {
            "next tasks": lambda: get("next", topic_id=next(topics)),
            "judging page": lambda: get("topic", topic_id=next(topics)),
            "my topics": lambda: get("topics"),
            "my judgements": lambda: get("judgements"),
            "judge": self.judge,
        }

    def judge(self):
        data = {"client_id": uuid.uuid4(), "member": self.member.pk, "relevance": 1, "guidelines_version": 1}
        response = self.client.post(next(self.addresses), data, headers={"accept": "application/json"})
        if response.status_code != 200:
            raise RuntimeError(f"{response.status_code} for a judgement: {response.content[:300]}")

    def _tasks(self) -> list[uuid.UUID]:
        """Return tasks that the assessor has already judged, so that each has an event in the ledger."""
        from assess.models import Assignment, State

        settled = Assignment.objects.filter(member=self.member, state=State.JUDGED)
        return list(settled.order_by("pk").values_list("public_id", flat=True)[:5_000])


def _timed(action) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3


def _resident_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
