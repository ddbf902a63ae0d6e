"""Read the run files of the command one after the other, with a progress bar if stderr is a terminal.

What should be known about a file is written to stderr at the end, one line each.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from pooling._io.zip_entries import run_files
from pooling.run_warnings import RunWarning
from pooling.trec import MAX_BYTES, one_system_per_file, read_run


@contextmanager
def open_runs(paths: Sequence[str], score_precision: str) -> Iterator[Iterator[pd.DataFrame]]:
    """A context manager for an iterator over the runs, which reads one file at a time."""
    for path in paths:
        if Path(path).exists() and not Path(path).is_file():
            raise ValueError(f"{path}: this is not a regular file; write the run to a file first")
    notes: list[RunWarning] = []
    size = sum(Path(path).stat().st_size for path in paths)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        files = [file for path in paths for file in run_files(path, MAX_BYTES)]
        runs = (read_run(file, score_precision=score_precision, progress=bar.update, notes=notes) for file in files)
        yield one_system_per_file(runs, files)
    sys.stderr.writelines(f"{note}\n" for note in notes)
