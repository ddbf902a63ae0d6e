"""How long assessors wait while 300,000 assignments of their collection change.

100,000 tasks are assigned to three of four assessors each. Two of them judge on a running server, on SQLite and
PostgreSQL, while commands open the pool to claims, close it again, move the open work of another assessor, and delete
all assignments that nobody has begun. A judgement that is refused because the database is locked is sent again; this is
part of its wait.
"""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import databases
from benchmarks.tiny import size
from tests.load.importing import judge_in
from tests.load.server import Server, serving

SIZE = {"tasks": size(100_000, 400), "topics": size(50, 5), "assessors": 4, "k": 3}
COLLECTION = ("--collection", "load")
CLOSE = ("set_judging", *COLLECTION, "--assigned-only")
CHANGES = {
    "opened to claims": ("set_judging", *COLLECTION, "--judges-per-task", "4"),
    "closed to claims": CLOSE,
    "reassigned from one": ("reassign", *COLLECTION, "--from", "assessor-4"),
    "unassigned": ("unassign", *COLLECTION),
}


def main() -> None:
    print(f"{'':34} {'command, s':>10} {'judgements':>11} {'median, ms':>11} {'longest, ms':>12}")
    for name, url in databases.urls():
        with TemporaryDirectory() as folder, serving(Path(folder), url) as server:
            collection = _assigned(server)
            for label, command in CHANGES.items():
                result = judge_in(server, Path(folder), collection, [command], is_tolerant=True)
                waits = [wait * 1e3 for wait in result.waits]
                print(
                    f"{f'{name}, {label}':34} {result.seconds:>10.1f} {len(result.lines):>11,} "
                    f"{median(waits):>11.0f} {max(waits):>12.0f}",
                    *result.problems,
                    flush=True,
                )


def _assigned(server: Server) -> dict:
    """Assign the tasks, and return the collection with the two assessors who judge."""
    words = (word for name, number in SIZE.items() for word in (f"--{name}", str(number)))
    collection = server.run_json("-m", "tests.load.load_collection", "make", *words)
    server.run("manage.py", *CLOSE)
    server.run("manage.py", "assign", *COLLECTION, "--judges", "3")
    return collection | {"assessors": collection["assessors"][:2]}


if __name__ == "__main__":
    main()
