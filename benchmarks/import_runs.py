"""The speed of importing the 37 official runs of TREC 2019 Deep Learning (1.4 M lines): target 20 s and 700 MB.

Assay reads, checks every line and stores the runs; the peers only read them. pandas' C reader is a lower bound for
reading a table in Python. pytrec_eval's reader is the one that the field uses.
"""

import gzip
import io
import os
import tempfile
from pathlib import Path

from benchmarks.measuring import compare, table
from benchmarks.tiny import lay_database

PROJECT = Path(__file__).resolve().parent.parent
RUNS = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data")) / "dl19" / "runs"


def files() -> list[Path]:
    return sorted(RUNS.glob("*.run.gz"))


def import_runs() -> None:
    """Run the whole command on a new SQLite database, including the migrations."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"ASSAY_DATA": folder, "DJANGO_SETTINGS_MODULE": "assess.settings"}
        import django
        from django.core.management import call_command

        django.setup()
        quiet = io.StringIO()
        lay_database(Path(folder))
        call_command("migrate", verbosity=0)
        call_command("create_collection", "bench", "--owner", "bench", stdout=quiet)
        call_command("import_runs", "--collection", "bench", *map(str, files()), stdout=quiet, stderr=quiet)


def read_runs() -> None:
    import pooling

    for path in files():
        pooling.read_run(path)


def pandas_reader() -> None:
    import pandas as pd

    for path in files():
        pd.read_csv(path, sep=r"\s+", header=None, names=list("abcdef"), engine="c", quoting=3, na_filter=False)


def pytrec_eval_reader() -> None:
    import pytrec_eval

    for path in files():
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            pytrec_eval.parse_run(stream)


def main() -> None:
    if not files():
        print(f"No runs at {RUNS}; set ASSAY_TEST_DATA to measure importing them.")
        return
    contestants = {
        "Assay: import_runs, the whole command": import_runs,
        "Assay: pooling.read_run, every line checked": read_runs,
        "pandas.read_csv, nothing checked": pandas_reader,
        "pytrec_eval.parse_run": pytrec_eval_reader,
    }
    print(table("37 run files, 1,419,989 lines, .gz", compare(contestants)))


if __name__ == "__main__":
    main()
