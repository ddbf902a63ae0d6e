"""Read the run files of the command one after the other, with a progress bar if stderr is a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from pooling.trec import one_system_per_file, read_run


@contextmanager
def open_runs(paths: Sequence[str], score_precision: str) -> Iterator[Iterator[pd.DataFrame]]:
    """A context manager for an iterator over the runs, which reads one file at a time.

    Parameters
    ----------
    paths : sequence of str
        The run files.
    score_precision : {"float64", "float32"}
        The precision of the scores.

    Raises
    ------
    ValueError
        If a path is not a regular file. Files are read twice, for the checksum and the content; a pipe can be read
        only once. While the runs are read: if a file is invalid, or two files have the same tag.
    """
    for path in paths:
        if Path(path).exists() and not Path(path).is_file():
            raise ValueError(f"{path}: this is not a regular file; write the run to a file first")
    size = sum(Path(path).stat().st_size for path in paths)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        runs = (read_run(path, score_precision=score_precision, progress=bar.update) for path in paths)
        yield one_system_per_file(runs, paths)
