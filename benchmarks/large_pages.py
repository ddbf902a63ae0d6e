"""The time of a researcher's pages in large collections, and of the figures that a job computes.

The large collection has 75,000 tasks, 300,000 assignments, 225,000 judgements of 20 judges, and 20 runs with 1,000,000
lines, then 60 runs with 3,000,000. The other one is as large as the limits of `assess.analysis.pending` on judgements
and run lines allow: 48,000 judgements of 20 judges, and 16 runs with 240,000 lines. Pages are requested in the process
that serves them, through all of Django, and compute everything at once. Before each request, the cache of results is
emptied. The CPU time is that of the process, without a database server.
"""

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import databases
from benchmarks.tiny import size

TOPICS, SEED = 50, 2026
LARGE = {"slug": "large", "tasks": size(75_000, 1_000), "topics": TOPICS}
AT_LIMIT = {"slug": "limit", "tasks": size(16_000, 1_000), "topics": TOPICS}
RUNS_AT_LIMIT, DEPTH_AT_LIMIT = size((16, 300), (3, 10))
RUNS, MORE_RUNS, DEPTH = size((20, 60, 1_000), (3, 5, 20))
FIGURES = ("agreement", "shift")
STRATEGIES = {"depth 100": {"strategy": "depth", "depth": 100}, "rrf, 100 documents": {"strategy": "rrf", "size": 100}}


def main() -> None:
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            print(f"{name}\n{server.run('-m', 'benchmarks.large_pages', 'measure')}", flush=True)


def measure() -> None:
    """Measure all pages, in a process with the server's settings."""
    import django

    django.setup()
    from assess.analysis import pending
    from assess.pools.building import preview
    from benchmarks import judging_data

    pending.JUDGEMENTS_OF_GOLDS_AT_ONCE = pending.GOLDS_AT_ONCE = 10**9  # 20 judges and the rules are too many golds
    collection = judging_data.make(**AT_LIMIT)
    import_random_runs(collection, range(RUNS_AT_LIMIT), depth=DEPTH_AT_LIMIT)
    get = _visitor(collection)
    _print("48,000 judgements, 240,000 run lines", {name: lambda name=name: get(name, {}) for name in FIGURES})

    pending.RUN_LINES_AT_ONCE = pending.JUDGEMENTS_AT_ONCE = pending.RATINGS_OF_PAIRS_AT_ONCE = 10**9
    preview.LINES_AT_ONCE = 10**9
    collection = judging_data.make(**LARGE)
    import_random_runs(collection, range(RUNS), depth=DEPTH)
    get = _visitor(collection)
    work = {"work": lambda: get("work", {}), "work, with its topics": lambda: get("work", {"topics": 1})}
    figures = {f"{name}, in a job": lambda name=name: get(name, {}) for name in FIGURES}
    pools = {
        f"pool, {name} per topic": lambda options=options: get("pool", {"preview": 1} | options)
        for name, options in STRATEGIES.items()
    }
    _print("300,000 assignments, 225,000 judgements, 1,000,000 run lines", work | figures | pools)
    import_random_runs(collection, range(RUNS, MORE_RUNS), depth=DEPTH)
    _print("3,000,000 run lines", {f"{name}, in a job": pool for name, pool in pools.items()})


def _print(title: str, pages: dict) -> None:
    from benchmarks.measuring import compare_calls, table

    print(table(title, compare_calls(pages)), flush=True)


def import_random_runs(collection, numbers: range, depth: int) -> None:
    """Import runs that rank `depth` random documents of each topic."""
    from assess.transfer.runs import import_runs

    per_topic = collection.documents.count() // TOPICS
    with TemporaryDirectory() as folder:
        for number in numbers:
            draw = random.Random(SEED + number)
            lines = (
                f"{topic} Q0 d{topic * per_topic + at} {rank} {depth - rank} system{number}\n"
                for topic in range(TOPICS)
                for rank, at in enumerate(draw.sample(range(per_topic), depth))
            )
            (Path(folder) / f"system{number}").write_text("".join(lines), encoding="utf-8")
        import_runs(collection, sorted(Path(folder).iterdir()))


def _visitor(collection):
    """Return a function that requests a page as the owner."""
    from django.test import Client
    from django.urls import reverse

    from assess.jobs import results
    from assess.models import Member, Role, User

    user = User.objects.create_user(f"owner-{collection.slug}")
    Member.objects.create(collection=collection, user=user, role=Role.OWNER, name="olga")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="assess.people.backend.AccountBackend")

    def get(name: str, values: dict) -> None:
        results.forget_all()
        response = client.get(reverse(f"research:{name}", args=[collection.slug]), values)
        if response.status_code != 200:
            raise RuntimeError(f"{response.status_code} for {name}: {response.content[-2000:]}")

    return get


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
