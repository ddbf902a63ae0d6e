"""How long assessors wait while files are imported: target at most 2 s.

Two assessors judge on a running server, on SQLite and PostgreSQL, while a command imports 40,000 HTML documents, or
the 128,796 lines of `benchmarks.import_judgements`.
"""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import databases, import_judgements
from tests.load.importing import judge_during, write_documents
from tests.load.server import serving

DOCUMENTS = 40_000


def main() -> None:
    print(f"{'':34} {'import, s':>10} {'judgements':>11} {'median, ms':>11} {'longest, ms':>12}")
    for name, url in databases.urls():
        for label, measure in (("documents", _documents), ("judgements", _judgements)):
            with TemporaryDirectory() as folder, serving(Path(folder), url) as server:
                result = measure(server, Path(folder))
            if result.problems:
                print(result.problems[0][-2000:])
            waits = [wait * 1e3 for wait in result.waits]
            print(
                f"{f'{name}, import of {label}':34} {result.seconds:>10.1f} {len(result.lines):>11,} "
                f"{median(waits):>11.0f} {max(waits):>12.0f}",
                flush=True,
            )


def _documents(server, folder: Path):
    path = write_documents(folder / "pages.jsonl", DOCUMENTS)
    server.run("manage.py", "create_collection", "big", "--owner", "ada")
    command = ("import_documents", "--collection", "big", "--all", "--format", "html", str(path))
    return judge_during(server, folder, [command])


def _judgements(server, folder: Path):
    grades = [word for grade in import_judgements.GRADES for word in ("--grade", grade)]
    server.run("manage.py", "create_collection", "big", "--owner", "ada", *grades)
    server.run("manage.py", "import_topics", "--collection", "big", str(import_judgements.DATA / "queries.tsv"))
    paths = import_judgements.write_files(folder)
    return judge_during(server, folder, [("import_judgements", "--collection", "big", "--off-scale", "clip", *paths)])


if __name__ == "__main__":
    main()
