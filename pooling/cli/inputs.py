"""Read the run files of the command one after the other, with a progress bar if stderr is a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob, has_magic
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from pooling.trec import one_system_per_file, read_run


def matching_paths(paths: Sequence[str]) -> list[str]:
    """The paths, with each pattern replaced by the files that match it; not every shell does this.

    Parameters
    ----------
    paths : sequence of str
        Paths and patterns such as "runs/*.gz". The name of an existing file is not a pattern.

    Returns
    -------
    list of str
        The paths in their order; the files of a pattern in ascending order.

    Raises
    ------
    ValueError
        If no file matches a pattern.
    """
    files: list[str] = []
    for path in paths:
        is_pattern = has_magic(path) and not Path(path).exists()
        found = sorted(glob(path, recursive=True)) if is_pattern else [path]
        if not found:
            raise ValueError(f"No file matches the pattern {path!r}.")
        files += found
    return files


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
