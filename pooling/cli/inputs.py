"""Run files of the command, read one after the other, with a progress bar where somebody watches."""

from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from pooling.trec import read_run


@contextmanager
def reading(paths: Iterable[str], score_precision: str):
    """A generator of the runs: one file is in memory at a time. Nothing is read before it is asked for.

    Raises
    ------
    ValueError
        One is no regular file: its checksum and its lines are read one after the other, and a pipe is read once.
    """
    for path in paths:
        if Path(path).exists() and not Path(path).is_file():
            raise ValueError(f"{path}: this is no regular file; runs are read from files, so write it to one first")
    size = sum(Path(path).stat().st_size for path in paths)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        yield (read_run(path, score_precision=score_precision, progress=bar.update) for path in paths)
