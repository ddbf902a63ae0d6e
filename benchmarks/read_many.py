"""Reading 129 run files (6.45 million lines, 270 MB): to reach, 1.3 times pandas' C reader alone, and under 700 MB.

The files are made by `benchmarks.synthetic`, once. Assay checks every line (six fields, ids, finite scores, one tag, no
document twice in a topic, UTF-8, no control characters); pandas checks nothing. pandas is shown as it is fastest
(one space between fields, types found by itself), as a run file is read for safety (any white space), and with the
columns and types that Assay's frames have. Every contestant is a process of its own; imports are not in the time.

Reading alone drops each frame before the next file. "one frame" keeps all rows, as `pooling.read_runs` gives them;
"ready to evaluate" is what `agreement.effectiveness.prepare` makes of the frames, one at a time.
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
    "pandas.read_csv, sep=' ', types found, nothing checked": pandas_fastest,
    r"pandas.read_csv, sep=r'\s+', types found": pandas_white_space,
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
    print(table("the same, all of it kept", compare(KEPT, ROUNDS)))


if __name__ == "__main__":
    main()
