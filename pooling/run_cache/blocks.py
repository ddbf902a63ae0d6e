"""A block of runs: read, ranked and written as integers, independently of other blocks."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pooling.ranking import prepare
from pooling.run_cache.files import read_array, write_array, write_names
from pooling.trec import read_runs

BLOCK_BYTES = 1 << 26  # of run files; their rankings need about five times as much memory while they are read
COMPRESSED = 6  # a compressed file counts as so many times its size
SUFFIXES = (".gz", ".bz2", ".xz")
VERSION = b"assay runs 1"


@dataclass(frozen=True)
class Block:
    """The runs of a block.

    Attributes
    ----------
    checksum : str
        The names of its files begin with it.
    systems, query_ids : tuple of str
        Ascending.
    n_items : int
        The number of pairs of topic and document.
    n_ranks : int
        The length of the longest ranking.
    """

    checksum: str
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    n_items: int
    n_ranks: int

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "Block":
        """The block of an entry of runs.json."""
        return cls(**content | {name: tuple(content[name]) for name in ("systems", "query_ids")})

    def items(self, folder: Path) -> np.ndarray:
        """The number of the document at each rank, shape (n_systems, n_topics + 1, n_ranks), int32."""
        return read_array(folder / f"{self.checksum}.items.npy")

    def retrieved(self, folder: Path) -> np.ndarray:
        """The length of each ranking, shape (n_systems, n_topics + 1), int32."""
        return read_array(folder / f"{self.checksum}.retrieved.npy")


def blocks_of_files(paths: Sequence[Path]) -> list[list[Path]]:
    """Consecutive files of about `BLOCK_BYTES` together, at least one in each block."""
    blocks: list[list[Path]] = []
    size = BLOCK_BYTES
    for path in paths:
        weight = path.stat().st_size * (COMPRESSED if path.suffix in SUFFIXES else 1)
        if size + weight > BLOCK_BYTES:
            blocks.append([])
            size = 0
        blocks[-1].append(path)
        size += weight
    return blocks


def checksum_of(paths: Sequence[Path]) -> str:
    """The checksum of the contents of run files, in this order."""
    digest = hashlib.sha256(VERSION)
    for path in paths:
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def write_block(paths: Sequence[Path], folder: Path, known: dict[str, Block]) -> Block:
    """Read run files and write their block; `known` blocks, by checksum, are not read again.

    Raises
    ------
    TrecFormatError
        A line of a file breaks the format.
    ValueError
        A document occurs twice in a ranking, or a system in two files.
    """
    checksum = checksum_of(paths)
    if checksum in known:
        return known[checksum]
    runs = prepare(read_runs(paths, workers=1))
    write_array(folder / f"{checksum}.items.npy", runs.items)
    write_array(folder / f"{checksum}.retrieved.npy", runs.retrieved.astype(np.int32))
    query_ids = pd.Index(runs.query_ids).take(runs.topics_of_items)
    write_names(folder / f"{checksum}.names.arrow", query_ids, runs.doc_ids_of_items)
    names = tuple(map(str, runs.systems)), tuple(map(str, runs.query_ids))
    return Block(checksum, *names, n_items=len(runs.keys), n_ranks=runs.items.shape[2])
