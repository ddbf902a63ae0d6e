"""Which file holds the judgements of which judge."""

from collections.abc import Iterable, Mapping
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pooling.paths import name_in, name_of
from pooling.trec import Source

JUDGE = "{judge}"


class NamedSource(NamedTuple):
    """A file, and whether the user named its judge. Otherwise the judge is named after the file."""

    source: Source
    is_explicit: bool = True


Sources: TypeAlias = (
    str | PathLike[str] | Iterable[str | PathLike[str]] | Mapping[str, Source] | Mapping[str, NamedSource]
)


def named_sources(sources: Sources, name_pattern: str | None = None) -> dict[str, NamedSource]:
    """The file of each judge, by the name of the judge, and whether the name was given.

    Parameters
    ----------
    sources : path, iterable of paths, or mapping of str to source
        A path may be a pattern such as "scores/*.txt.gz", which stands for the files that match, in ascending order,
        or "NAME=FILE". A mapping gives the names itself.
    name_pattern : str, optional
        How to find the name of the judge in the name of a file: "{judge}.umbrela.txt". "*" stands for any text,
        at most twice. By default the name is that of the file without folder and known endings.

    Returns
    -------
    dict of str to NamedSource
        `is_explicit` is true for the names of a mapping and of "NAME=FILE".

    Raises
    ------
    ValueError
        There is no file, a pattern matches no file, a name is empty, two files have the same name, or content has no
        name.
    """
    if isinstance(sources, Mapping):
        if not sources:
            raise ValueError("There is no file of judgements; sources is empty.")
        return {name: file if isinstance(file, NamedSource) else NamedSource(file) for name, file in sources.items()}
    several = isinstance(sources, Iterable) and not isinstance(sources, str | PathLike | bytes)
    paths: list[Any] = list(sources) if several else [sources]  # type: ignore[arg-type]
    named: dict[str, NamedSource] = {}
    for path_or_pattern in paths:
        if not isinstance(path_or_pattern, str | PathLike):
            raise ValueError(
                f"A file of judgements must be a path, not {type(path_or_pattern).__name__}. Content needs the name of "
                "its judge, such as {'ada': content}."
            )
        for name, path in _expanded(fspath(path_or_pattern), name_pattern):
            if name in named:
                raise ValueError(f"Two files have the name {name!r}. Write a judge as NAME=FILE with different names.")
            named[name] = path
    if not named:
        raise ValueError("There is no file of judgements; sources is empty.")
    return named


def _expanded(text: str, name_pattern: str | None) -> list[tuple[str, NamedSource]]:
    name, sign, path = text.partition("=")
    if sign and not Path(text).exists() and not has_magic(text):
        if not (name and path):
            raise ValueError(f"a judge must be NAME=FILE, such as nist=a.qrels, not {text!r}.")
        return [(name, NamedSource(path))]
    if not has_magic(text) or Path(text).exists():
        return [(_judge_of(text, name_pattern), NamedSource(text, False))]
    files = sorted(path for path in glob(text) if not Path(path).is_dir())
    if not files:
        raise ValueError(f"No file matches the pattern {text!r}.")
    return [(_judge_of(path, name_pattern), NamedSource(path, False)) for path in files]


def _judge_of(path: str, name_pattern: str | None) -> str:
    return name_of(path) if name_pattern is None else name_in(path, name_pattern, JUDGE)
