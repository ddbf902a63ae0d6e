"""Read the run files of the command one after the other, with a progress bar if stderr is a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from pooling.trec import one_system_per_file, read_run


@contextmanager
def open_runs(paths: Sequence[str], score_precision: str) -> Iterator[Iterator[pd.DataFrame]]:
    """A context manager for an iterator over the runs, which reads one file at a time."""
    for path in paths:
        if Path(path).exists() and not Path(path).is_file():
            raise ValueError(f"{path}: this is not a regular file; write the run to a file first")
    size = sum(Path(path).stat().st_size for path in paths)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        runs = (read_run(path, score_precision=score_precision, progress=bar.update) for path in paths)
        yield one_system_per_file(runs, paths)
