"""The speed of reading 129 run files (6.45 million lines, 270 MB): target 1.3 times pandas' C reader, under 700 MB.

The files are made once by `benchmarks.synthetic`. Assay checks every line (six fields, ids, finite scores, one tag, no
document twice in a topic, UTF-8, no control characters); pandas checks nothing. pandas is measured in its fastest form
(one space between fields, inferred types), with any white space between fields, and with the columns and types of
Assay's frames. Every contestant runs in a new process; the time does not include imports.

"Reading alone" discards each frame before the next file. "One frame" keeps all rows, the result of `pooling.read_runs`.
"Ready to evaluate" passes the frames to `agreement.effectiveness.prepare`, one at a time.
"""

from pathlib import Path

import pandas as pd

from benchmarks import synthetic
from benchmarks.measuring import compare, table

ROUNDS = 5
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


def pandas_one_frame() -> None:
    pd.concat([pd.read_csv(path, sep=" ", **TYPED) for path in files()], ignore_index=True)


ALONE = {
    "pandas.read_csv, sep=' ', inferred types, nothing checked": pandas_fastest,
    r"pandas.read_csv, sep=r'\s+', inferred types": pandas_white_space,
    "pandas.read_csv, sep=' ', Assay's columns and types": pandas_typed,
    "Assay: pooling.read_run, every line checked": assay_alone,
}
KEPT = {
    "pandas.read_csv and concat, one frame": pandas_one_frame,
    "Assay: pooling.read_runs, one frame, in threads": assay_one_frame,
    "Assay: read_run into prepare, ready to evaluate": assay_prepared,
}


def main() -> None:
    paths = files()
    size = sum(path.stat().st_size for path in paths) / 1e6
    print(table(f"{len(paths)} run files, {size:.0f} MB: reading alone", compare(ALONE, ROUNDS)), "\n")
    print(table("the same, keeping all rows", compare(KEPT, ROUNDS)))


if __name__ == "__main__":
    main()
