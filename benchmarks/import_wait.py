"""How long assessors wait while a command changes many rows: target at most 2 s.

Two assessors judge on a running server, on SQLite and PostgreSQL, while a command imports 40,000 HTML documents, or the
128,796 lines of `benchmarks.import_judgements`, pools 100,000 documents of 50 topics, or assigns each to three judges.
"""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import databases, import_judgements
from benchmarks.tiny import size
from tests.load.importing import judge_during, write_documents
from tests.load.server import serving

DOCUMENTS, TASKS = size((40_000, 20_000), (50, 400))
TOPICS, DEPTH = size((50, 2_000), (5, 20))
BUILD_POOL = ("build_pool", "--collection", "big", "--depth", str(DEPTH))


def main() -> None:
    print(f"{'':34} {'command, s':>10} {'judgements':>11} {'median, ms':>11} {'longest, ms':>12}")
    for name, url in databases.urls():
        for label, measure in MEASURED.items():
            with TemporaryDirectory() as folder, serving(Path(folder), url) as server:
                result = measure(server, Path(folder))
            if result.problems:
                print(result.problems[0][-2000:])
            waits = [wait * 1e3 for wait in result.waits]
            print(
                f"{f'{name}, {label}':34} {result.seconds:>10.1f} {len(result.lines):>11,} "
                f"{median(waits):>11.0f} {max(waits):>12.0f}",
                flush=True,
            )


def _documents(server, folder: Path):
    path = write_documents(folder / "pages.jsonl", DOCUMENTS)
    server.run("manage.py", "create_collection", "big", "--owner", "ada")
    command = ("import_documents", "--collection", "big", "--all", "--format", "html", str(path))
    return judge_during(server, folder, [command], TASKS)


def _judgements(server, folder: Path):
    grades = [word for grade in import_judgements.GRADES for word in ("--grade", grade)]
    server.run("manage.py", "create_collection", "big", "--owner", "ada", *grades)
    server.run("manage.py", "import_topics", "--collection", "big", str(import_judgements.DATA / "queries.tsv"))
    paths = import_judgements.write_files(folder)
    return judge_during(
        server, folder, [("import_judgements", "--collection", "big", "--off-scale", "clip", *paths)], TASKS
    )


def _pooling(server, folder: Path):
    _import_run(server, folder)
    return judge_during(server, folder, [BUILD_POOL], TASKS)


def _assigning(server, folder: Path):
    _import_run(server, folder)
    server.run("manage.py", *BUILD_POOL)
    for name in ("bob", "cy", "dan"):
        server.run("manage.py", "add_member", "--collection", "big", "--role", "assessor", name)
    return judge_during(server, folder, [("assign", "--collection", "big", "--judges", "3")], TASKS)


def _import_run(server, folder: Path) -> None:
    """Import a run with `DEPTH` documents for each of `TOPICS` topics."""
    topics, run = folder / "topics.tsv", folder / "run"
    topics.write_text("".join(f"{topic}\tneed {topic}\n" for topic in range(TOPICS)))
    rows = (f"{topic} Q0 d{topic}-{n} {n} {-n} alpha\n" for topic in range(TOPICS) for n in range(DEPTH))
    run.write_text("".join(rows))
    server.run("manage.py", "create_collection", "big", "--owner", "ada")
    server.run("manage.py", "import_topics", "--collection", "big", str(topics))
    server.run("manage.py", "import_runs", "--collection", "big", str(run))


MEASURED = {
    "documents imported": _documents,
    "judgements imported": _judgements,
    "documents pooled": _pooling,
    "tasks assigned": _assigning,
}

if __name__ == "__main__":
    main()
