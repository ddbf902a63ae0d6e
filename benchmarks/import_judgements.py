"""The CPU time of importing 128,796 qrels lines: target 30 s.

The lines are those of language-model judges of TREC 2023 Deep Learning passages (33 files of 4,423 lines, of which 29
and a part of another are imported). `import_judgements` checks every line, stores the original files, and writes each
judgement and its ledger event on SQLite. `read_judgements` only reads the same files.
"""

import gzip
import io
import os
import tempfile
from pathlib import Path

from benchmarks.measuring import compare, table
from benchmarks.tiny import lay_database, size

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data")) / "llmjudge"
LINES = size(128_796, 200)
GRADES = ("0=Irrelevant", "1=Related", "2=Highly relevant", "3=Perfectly relevant")
ROUNDS = size(3, 1)


def write_files(folder: Path) -> list[str]:
    """Write the first 128,796 lines, one file for each judge."""
    remaining, paths = LINES, []
    for source in sorted((DATA / "scores").glob("*.txt.gz")):
        lines = gzip.decompress(source.read_bytes()).splitlines(keepends=True)[:remaining]
        if lines:
            path = folder / source.name.removesuffix(".gz")
            path.write_bytes(b"".join(lines))
            paths.append(str(path))
        remaining -= len(lines)
    return paths


def import_judgements() -> None:
    """Run the whole command on a new SQLite database, including the migrations."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"ASSAY_DATA": folder, "DJANGO_SETTINGS_MODULE": "assess.settings"}
        import django
        from django.core.management import call_command

        django.setup()
        quiet = io.StringIO()
        grades = [word for grade in GRADES for word in ("--grade", grade)]
        lay_database(Path(folder))
        call_command("migrate", verbosity=0)
        call_command("create_collection", "bench", "--owner", "bench", *grades, stdout=quiet)
        call_command("import_topics", "--collection", "bench", DATA / "queries.tsv", stdout=quiet)
        paths = write_files(Path(folder))
        words = ("--collection", "bench", "--off-scale", "clip", *paths)
        call_command("import_judgements", *words, stdout=quiet, stderr=quiet)


def read_judgements() -> None:
    from agreement import read_judgements

    with tempfile.TemporaryDirectory() as folder:
        read_judgements(write_files(Path(folder)), scale=(0, 1, 2, 3), off_scale="clip")


def main() -> None:
    if not DATA.exists():
        print(f"No judges at {DATA}; set ASSAY_TEST_DATA to measure importing them.")
        return
    contestants = {
        "Assay: import_judgements, the whole command": import_judgements,
        "Assay: agreement.read_judgements": read_judgements,
    }
    print(table(f"{LINES:,} qrels lines of 30 judges", compare(contestants, ROUNDS)))


if __name__ == "__main__":
    main()
