"""The speed of reading 129 run files (6.45 million lines, 270 MB): target 1.3 times pandas' C reader, under 700 MB.

The files are made once by `benchmarks.synthetic`. Assay checks every line (six fields, ids, finite scores, one tag, no
document twice in a topic, UTF-8, no control characters); pandas checks nothing. pandas is measured in its fastest form
(one space between fields, inferred types), with any white space between fields, and with the columns and types of
Assay's frames. Arrow and polars read the four columns that are used. Every contestant runs in a new process; the time
includes its imports, except that of pandas.

With `--before DIRECTORY`, another checkout reads the same files in turn with this one, and nothing else is measured:

    git worktree add ../before REVISION
    python -m benchmarks.read_many --before ../before

"Reading alone" discards each frame before the next file. "One frame" keeps all rows, the result of `pooling.read_runs`.
"Ready to evaluate" passes the frames to `agreement.effectiveness.prepare`, one at a time.
"""

import argparse
import sys
import warnings
from functools import partial
from pathlib import Path
from statistics import median

import pandas as pd

from benchmarks import synthetic
from benchmarks.measuring import compare, table
from benchmarks.tiny import size

ROUNDS = size(5, 1)
PAIRS = size(11, 1)
COLUMNS = ["query_id", "iteration", "doc_id", "rank", "score", "system"]
PLAIN = {"header": None, "names": COLUMNS, "engine": "c", "quoting": 3, "na_filter": False}
TYPED = PLAIN | {"usecols": [0, 2, 4, 5], "dtype": {"query_id": str, "doc_id": str, "score": float, "system": str}}


def files() -> list[Path]:
    return synthetic.write_runs()


def assay_alone() -> None:
    import pooling

    for path in files():
        pooling.read_run(path)


def assay_one_frame() -> None:
    import pooling

    pooling.read_runs(files())


def assay_prepared() -> None:
    import pooling
    from agreement.effectiveness import prepare

    prepare(pooling.read_run(path) for path in files())


def pandas_fastest() -> None:
    for path in files():
        pd.read_csv(path, sep=" ", **PLAIN)


def pandas_white_space() -> None:
    for path in files():
        pd.read_csv(path, sep=r"\s+", **PLAIN)


def pandas_typed() -> None:
    for path in files():
        pd.read_csv(path, sep=" ", **TYPED)


def arrow_columns() -> None:
    """Only the four columns that are used, as texts and floats: what any reader that is built on Arrow must do."""
    import pyarrow as pa
    from pyarrow import csv

    types = {"query_id": pa.string(), "doc_id": pa.string(), "score": pa.float64(), "system": pa.string()}
    for path in files():
        csv.read_csv(
            path,
            read_options=csv.ReadOptions(column_names=COLUMNS, use_threads=False),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(include_columns=list(types), column_types=types),
        )


def polars_columns() -> None:
    """The same columns by polars, which infers the type of scores."""
    import polars as pl

    for path in files():
        table = pl.read_csv(path, separator=" ", has_header=False, quote_char=None, columns=[0, 2, 4, 5])
        assert table.dtypes[2] == pl.Float64


def pandas_one_frame() -> None:
    pd.concat([pd.read_csv(path, sep=" ", **TYPED) for path in files()], ignore_index=True)


def read_with(checkout: str) -> None:
    """Read all files with the code of a checkout, without the notes on single runs."""
    paths = files()
    for name in [name for name in sys.modules if name.partition(".")[0] == "pooling"]:
        del sys.modules[name]  # of this checkout: the data were made with it
    sys.path.insert(0, checkout)
    import pooling

    if not str(pooling.__file__).startswith(checkout):
        raise ValueError(f"pooling was imported from {pooling.__file__}, not from {checkout}.")
    warnings.simplefilter("ignore")
    for path in paths:
        pooling.read_run(path)


def compare_with(before: Path) -> None:
    """Print how the CPU time of reading compares with that of another checkout, in pairs."""
    checkouts = {"before": str(before.resolve()), "after": str(Path(__file__).resolve().parents[1])}
    results = compare({name: partial(read_with, checkout) for name, checkout in checkouts.items()}, PAIRS)
    ratios = [after.cpu / first.cpu for first, after in zip(results["before"], results["after"], strict=True)]
    print(table(f"{len(files())} run files, each line checked", results), "\n")
    print(f"CPU after / before: median {median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}, {PAIRS} pairs")


ALONE = {
    "pandas.read_csv, sep=' ', inferred types, nothing checked": pandas_fastest,
    r"pandas.read_csv, sep=r'\s+', inferred types": pandas_white_space,
    "pandas.read_csv, sep=' ', Assay's columns and types": pandas_typed,
    "Arrow: four columns, nothing checked": arrow_columns,
    "polars: four columns, nothing checked": polars_columns,
    "Assay: pooling.read_run, every line checked": assay_alone,
}
KEPT = {
    "pandas.read_csv and concat, one frame": pandas_one_frame,
    "Assay: pooling.read_runs, one frame, in threads": assay_one_frame,
    "Assay: read_run into prepare, ready to evaluate": assay_prepared,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.read_many")
    parser.add_argument("--before", type=Path, metavar="DIRECTORY", help="compare reading with this checkout only")
    if before := parser.parse_args().before:
        compare_with(before)
        return
    paths = files()
    size = sum(path.stat().st_size for path in paths) / 1e6
    print(table(f"{len(paths)} run files, {size:.0f} MB: reading alone", compare(ALONE, ROUNDS)), "\n")
    print(table("the same, keeping all rows", compare(KEPT, ROUNDS)))


if __name__ == "__main__":
    main()
