"""The time of a researcher's pages in a large collection: 75,000 tasks, 300,000 assignments, 225,000 judgements.

Pages are requested in the process that serves them, through all of Django. Before each request, the cache of results is
emptied. The collection is about as large as the limits of `assess.analysis.pending` and
`assess.pools.building.preview` allow: its 20 runs have 1,000,000 lines, and 225,000 judgements of 20 judges make
4,500,000 ratings of pairs. Previews of three times as many run lines are computed as in a job. The CPU time is that of
the process, without a database server.
"""

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import databases

TASKS, TOPICS = 75_000, 50
DEPTH, RUNS, MORE_RUNS, SEED = 1_000, 20, 40, 2026
STRATEGIES = {"depth 100": {"strategy": "depth", "depth": 100}, "rrf, 100 documents": {"strategy": "rrf", "size": 100}}


def main() -> None:
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            print(f"{name}\n{server.run('-m', 'benchmarks.large_pages', 'measure')}", flush=True)


def measure() -> None:
    """Measure all pages, in a process with the server's settings."""
    import django

    django.setup()
    from assess.pools.building.preview import preview_pool
    from benchmarks import judging_data
    from benchmarks.measuring import compare_calls, table

    collection = judging_data.make(tasks=TASKS, topics=TOPICS)
    _import_runs(collection, range(RUNS))
    pages = _pages(collection)
    print(table("Pages", compare_calls(pages)))
    _import_runs(collection, range(RUNS, RUNS + MORE_RUNS))
    previews = {
        f"pool, {name} per topic, 3,000,000 run lines": lambda options=options: preview_pool(collection, **options)
        for name, options in STRATEGIES.items()
    }
    print(table("Jobs", compare_calls(previews)))


def _import_runs(collection, numbers: range) -> None:
    """Import runs that rank random documents of each topic."""
    from assess.transfer.imports import import_runs

    per_topic = TASKS // TOPICS
    with TemporaryDirectory() as folder:
        for number in numbers:
            draw = random.Random(SEED + number)
            lines = (
                f"{topic} Q0 d{topic * per_topic + at} {rank} {DEPTH - rank} system{number}\n"
                for topic in range(TOPICS)
                for rank, at in enumerate(draw.sample(range(per_topic), DEPTH))
            )
            (Path(folder) / f"system{number}").write_text("".join(lines), encoding="utf-8")
        import_runs(collection, sorted(Path(folder).iterdir()))


def _pages(collection) -> dict:
    """Return functions that request the pages as the owner."""
    from django.test import Client
    from django.urls import reverse

    from assess.jobs import results
    from assess.models import Member, Role, User

    user = User.objects.create_user("olga")
    Member.objects.create(collection=collection, user=user, role=Role.OWNER, name="olga")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="assess.people.backend.AccountBackend")

    def get(name: str, values: dict) -> None:
        results.forget_all()
        response = client.get(reverse(f"research:{name}", args=[collection.slug]), values)
        if response.status_code != 200:
            raise RuntimeError(f"{response.status_code} for {name}: {response.content[-2000:]}")

    previews = {
        f"pool, {name} per topic, 1,000,000 run lines": lambda options=options: get("pool", {"preview": 1} | options)
        for name, options in STRATEGIES.items()
    }
    return {
        "work, 300,000 assignments": lambda: get("work", {}),
        "work, with its topics": lambda: get("work", {"topics": 1}),
        "agreement, 4,500,000 ratings of pairs": lambda: get("agreement", {}),
        "shift, 1,000,000 run lines": lambda: get("shift", {}),
        **previews,
    }


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
