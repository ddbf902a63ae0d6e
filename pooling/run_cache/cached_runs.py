"""Sets of runs in a cache. The topics and documents of all blocks are numbered together."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
import pyarrow as pa

from pooling.errors import refuse_unless
from pooling.paths import matching_files
from pooling.preparing.interning import number_items
from pooling.ranking import RankedRuns
from pooling.run_cache.blocks import Block, blocks_of_files, write_block
from pooling.run_cache.files import read_array, read_documents, read_names, sizes_of, write_array, write_documents
from pooling.run_cache.index import SET_FILES, read_index, write_index
from pooling.words import count


@dataclass(frozen=True, eq=False)
class Numbered:
    """The numbers of a set of runs.

    Attributes
    ----------
    documents : Index of str
        The doc_ids of all blocks.
    keys : ndarray of int64, shape (n_items,)
        For each item of the set: (position of its topic) * n_documents + (position of its document), ascending.
    numbers : ndarray of int32
        For each block, the position in `keys` of each of its items; and n_items, for "no document".
    """

    documents: pd.Index
    keys: np.ndarray
    numbers: np.ndarray


def number_blocks(paths: Sequence[Path], query_ids: pd.Index) -> Numbered:
    """Number the items of all blocks."""
    names = [read_names(path).combine_chunks() for path in paths]
    documents = [one["doc_id"].combine_chunks() for one in names]
    items = number_items(documents, [_topics(one, query_ids) for one in names], len(query_ids))
    none = np.array([len(items.keys)], np.int32)
    numbers = np.concatenate([part for codes in items.codes for part in (codes, none)])
    return Numbered(items.documents, items.keys, numbers)


def _topics(names: pa.Table, query_ids: pd.Index) -> np.ndarray:
    """The position of each item's topic among all topics, int32."""
    topic = names["query_id"].combine_chunks()
    positions = query_ids.get_indexer(pd.Index(topic.dictionary.to_pandas(), dtype="str"))
    return np.asarray(positions[topic.indices.to_numpy()], np.int32)


class Executor(Protocol):
    """What `concurrent.futures` executors and `dask.distributed.Client.get_executor()` have in common."""

    def map(self, function: Callable[..., Any], /, *iterables: Iterable[Any]) -> Iterator[Any]:
        """Call the function with each element of the iterables; the results have the same order."""


def check_executor(executor: object) -> None:
    """Raise ValueError unless an executor is None or has the method `map`."""
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "map", None))):
        raise ValueError(
            "executor must be an executor of concurrent.futures, dask.distributed.Client.get_executor(), or None, not"
            f" {executor!r}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class CachedRuns:
    """Runs in a cache; returned by `cache_runs`, or opened by `CachedRuns.open`.

    `agreement.evaluate` scores them block by block. Other functions use `ranked_runs()`, which loads all of them.

    Attributes
    ----------
    folder : Path
        The folder of the cache.
    checksum : str
        The checksum of the set of runs.
    blocks : tuple of Block
        The blocks, in the order of the run files.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pooling import cache_runs
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "bm25.run").write_text("1 Q0 d7 1 12.5 bm25")
    ...     runs = cache_runs([Path(folder, "bm25.run")], Path(folder, "cache"))
    ...     runs.ranked_runs().query_ids.tolist()
    ['1']
    """

    folder: Path
    checksum: str
    blocks: tuple[Block, ...]

    @classmethod
    def open(cls, folder: str | Path) -> "CachedRuns":
        """Open the runs of a folder.

        Parameters
        ----------
        folder : path
            The folder of a cache.

        Returns
        -------
        CachedRuns

        Raises
        ------
        ValueError
            The folder has no runs, its index is unreadable, or a file is missing or has another size than it had when
            it was written. `cache_runs` repairs all of these.
        """
        index = read_index(Path(folder))
        if damaged := index.damaged(Path(folder)):
            raise ValueError(
                f"The cached runs in {str(folder)!r} are damaged: {damaged[0]!r} is missing or has another size than"
                " it had when it was written. cache_runs writes it again from the run files."
            )
        return cls(Path(folder), index.checksum, index.blocks)

    def __repr__(self) -> str:
        return f"CachedRuns: {count(len(self.systems), 'system')} in {count(len(self.blocks), 'block')}"

    @property
    def systems(self) -> pd.Index:
        """The systems, ascending."""
        return pd.Index(sorted(name for block in self.blocks for name in block.systems), dtype="str")

    @property
    def query_ids(self) -> pd.Index:
        """The topics, ascending."""
        return pd.Index(sorted({name for block in self.blocks for name in block.query_ids}), dtype="str")

    @property
    def n_ranks(self) -> int:
        """The length of the longest ranking."""
        return max(block.n_ranks for block in self.blocks)

    def numbers(self) -> list[np.ndarray]:
        """For each block: the number in the set of each of its items, and of "no document" at the end; int32."""
        together = read_array(self.folder / f"{self.checksum}.numbers.npy")
        return np.split(together, np.cumsum([block.n_items + 1 for block in self.blocks])[:-1])

    def catalogue(self) -> RankedRuns:
        """The topics and documents of all runs, without systems: to look up documents once for all blocks."""
        documents = read_documents(self.folder / f"{self.checksum}.documents.arrow")
        keys, query_ids = read_array(self.folder / f"{self.checksum}.keys.npy"), self.query_ids
        empty = np.zeros((0, len(query_ids) + 1, 1), np.int32)
        return RankedRuns(self.systems[:0], query_ids, documents, pd.Index(keys), empty, empty[..., 0])

    def ranked_runs(self) -> RankedRuns:
        """All runs in memory, as `prepare` returns them: four bytes for each system, topic and rank."""
        runs, systems = self.catalogue(), self.systems
        shape = (len(systems), len(runs.query_ids) + 1, self.n_ranks)
        items, retrieved = np.full(shape, len(runs.keys), np.int32), np.zeros(shape[:2], np.int64)
        for block, numbers in zip(self.blocks, self.numbers(), strict=True):
            rows = systems.get_indexer(pd.Index(block.systems))[:, None]
            topics = runs.query_ids.get_indexer(pd.Index(block.query_ids))
            items[rows, topics, : block.n_ranks] = numbers[block.items(self.folder)[:, :-1]]
            retrieved[rows, topics] = block.retrieved(self.folder)[:, :-1]
        return replace(runs, systems=systems, items=items, retrieved=retrieved)


def cache_runs(
    sources: str | Path | Iterable[str | Path], folder: str | Path, *, executor: Executor | None = None
) -> CachedRuns:
    """Write run files to a cache, or add the missing ones.

    A block of runs in the folder is not read again, unless a file of it is missing or has another size than it had when
    it was written. After an interrupted call, the same call writes what is missing. At the end, files of the cache that
    the runs do not need are deleted: `CachedRuns` of other runs that were opened before cannot be used any more. Only
    one process at a time may call `cache_runs` with a folder.

    Parameters
    ----------
    sources : path or iterable of paths
        Run files, one system in each; its tag names the system. A pattern such as "runs/*.gz" means the files that
        match it.
    folder : path
        The folder of the cache; it is created if it does not exist. A folder has one set of runs.
    executor : Executor, optional
        Reads several blocks at the same time: an executor of `concurrent.futures`, or
        `dask.distributed.Client.get_executor()`. Its workers need the same files. By default one block is read after
        the other.

    Returns
    -------
    CachedRuns

    Raises
    ------
    TrecFormatError
        A line of a file breaks the format.
    ValueError
        There is no file, a document occurs twice in a ranking, a system in two files, or the executor is none.
    OSError
        A file cannot be read or written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pooling import cache_runs
    >>> with TemporaryDirectory() as folder:
    ...     for system in ("bm25", "lsa"):
    ...         _ = Path(folder, f"{system}.run").write_text(f"1 Q0 d7 1 12.5 {system}")
    ...     cache_runs(f"{folder}/*.run", Path(folder, "cache"))
    CachedRuns: 2 systems in 1 block
    """
    check_executor(executor)
    paths, folder = _paths(sources), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    groups, write = blocks_of_files(paths), partial(write_block, folder=folder)
    blocks = tuple(map(write, groups) if executor is None else executor.map(write, groups))
    _refuse_repeated_systems(blocks)
    runs = CachedRuns(folder, _checksum(blocks), blocks)
    if not _is_numbered(runs):
        _number(runs)
    write_index(folder, runs.checksum, blocks)
    return runs


def _paths(sources: str | Path | Iterable[str | Path]) -> list[Path]:
    if not isinstance(sources, str | os.PathLike):
        refuse_unless(sources, Iterable, "sources", "a path or several paths")
    listed = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    for source in listed:
        refuse_unless(source, (str, os.PathLike), "each of the sources", "the path of a run file")
    paths = [Path(path) for source in listed for path in matching_files(os.fspath(source), "runs")]
    if not paths:
        raise ValueError("cache_runs needs at least one run file; sources is empty.")
    return paths


def _refuse_repeated_systems(blocks: Iterable[Block]) -> None:
    seen: set[str] = set()
    for name in (name for block in blocks for name in block.systems):
        if name in seen:
            raise ValueError(f"The system {name!r} occurs in two run files. Each file must have another tag.")
        seen.add(name)


def _checksum(blocks: Iterable[Block]) -> str:
    return hashlib.sha256("\n".join(block.checksum for block in blocks).encode()).hexdigest()


def _is_numbered(runs: CachedRuns) -> bool:
    """Whether the files of the set exist and are those of the index."""
    try:
        index = read_index(runs.folder)
    except ValueError:
        # Without an index that can be read, the numbers are written again.
        return False
    return index.checksum == runs.checksum and index.sizes == sizes_of(runs.folder, runs.checksum, SET_FILES)


def _number(runs: CachedRuns) -> None:
    """Write the numbers of the set."""
    numbered = number_blocks([runs.folder / f"{block.checksum}.names.arrow" for block in runs.blocks], runs.query_ids)
    write_array(runs.folder / f"{runs.checksum}.numbers.npy", numbered.numbers)
    write_array(runs.folder / f"{runs.checksum}.keys.npy", numbered.keys)
    write_documents(runs.folder / f"{runs.checksum}.documents.arrow", numbered.documents)
