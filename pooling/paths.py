"""What a path names: a file, files by a pattern such as "runs/*.gz", or a data set of ir_datasets ("irds:...")."""

import os
import re
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import TypeAlias

from pooling._io.zip_entries import entry_of_path

ENDINGS = (".gz", ".bz2", ".xz", ".qrels", ".qrel", ".txt", ".csv", ".run")
IRDS = "irds:"
MAX_STARS = 2  # each one multiplies the time of a match by the length of the name

FilePath: TypeAlias = str | os.PathLike[str]


def is_pattern(path: str) -> bool:
    """Whether the path is a pattern and not the name of an existing file.

    Examples
    --------
    >>> from pooling.paths import is_pattern
    >>> is_pattern("runs/*.gz"), is_pattern("runs/a.gz")
    (True, False)
    """
    return has_magic(path) and not os.path.exists(path)


def irds_id(source: object) -> str | None:
    """The id of the data set of ir_datasets that a source names; None if it is a file."""
    if not isinstance(source, str | os.PathLike):
        return None
    path = os.fspath(source)
    return path.removeprefix(IRDS) if path.startswith(IRDS) else None


def name_of(path: FilePath) -> str:
    """The name of a file without its folder and its known endings.

    Examples
    --------
    >>> from pooling.paths import name_of
    >>> name_of("judges/ada.qrels.gz")
    'ada'
    """
    name = Path(path).name
    for ending in ENDINGS:
        name = name.removesuffix(ending) or name
    return name


def name_in(path: FilePath, pattern: str, word: str) -> str:
    """The part of a file's name that a pattern marks.

    Examples
    --------
    >>> from pooling.paths import name_in
    >>> name_in("scores/gpt.umbrela.txt", "{judge}.*.txt", "{judge}")
    'gpt'
    """
    if pattern.count(word) != 1:
        raise ValueError(f"A name pattern must contain {word} once, such as {word}.umbrela.txt, not {pattern!r}.")
    if pattern.count("*") > MAX_STARS:
        raise ValueError(f"A name pattern has at most {MAX_STARS} *, not {pattern.count('*')}.")
    before, after = (re.escape(part).replace(r"\*", ".*") for part in pattern.split(word))
    match = re.fullmatch(f"{before}(.+?){after}", Path(path).name)
    if not match:
        raise ValueError(f"The name of the file {os.fspath(path)!r} does not match the pattern {pattern!r}.")
    return match[1]


def matching_paths(paths: Sequence[str]) -> list[str]:
    """The paths, with each pattern replaced by the files that match it; not every shell does this.

    Examples
    --------
    >>> from pooling.paths import matching_paths
    >>> matching_paths(["a.run", "b.run"])
    ['a.run', 'b.run']
    """
    files: list[str] = []
    for path in paths:
        found = _expanded(path)
        if not found:
            raise ValueError(f"No file matches the pattern {path!r}.")
        files += found
    return files


def matching_files(path: FilePath, what: str) -> list[str]:
    """The file of a path, or the files of a pattern."""
    text = os.fspath(path)
    files = _expanded(text)
    if not files:
        raise ValueError(f"There is no file for {what} that matches {text!r}.")
    if not os.path.exists(files[0]) and entry_of_path(files[0]) is None:
        raise ValueError(f"There is no file {text!r} for {what}.")
    if os.path.isdir(text):
        raise ValueError(f"{text!r} is a folder. Name the files for {what}, for example {os.path.join(text, '*')!r}.")
    return files


def _expanded(path: str) -> list[str]:
    return sorted(glob(path, recursive=True)) if is_pattern(path) else [path]
