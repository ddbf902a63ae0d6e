"""A block of runs: read, ranked and written as integers, independently of other blocks."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pooling._io.rank_runs import is_rank_run
from pooling._io.streams import open_input
from pooling.formats.recognise import NO_LIMIT, SAMPLE_BYTES
from pooling.ranking import prepare
from pooling.run_cache.files import read_array, read_json, sizes_of, write_array, write_json, write_names
from pooling.trec import read_runs

BLOCK_BYTES = 1 << 26  # of run files; their rankings need about five times as much memory while they are read
COMPRESSED = 6  # a compressed file counts as so many times its size
SUFFIXES = (".gz", ".bz2", ".xz")
VERSION = b"assay runs 1"
CHECKSUM = re.compile(r"[0-9a-f]{64}")
BLOCK_FILES = ("items.npy", "retrieved.npy", "names.arrow")


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
    sizes : tuple of int
        The sizes of its files in bytes, in the order of `BLOCK_FILES`.
    """

    checksum: str
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    n_items: int
    n_ranks: int
    sizes: tuple[int, ...]

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "Block":
        """Create the block of an entry of runs.json.

        Parameters
        ----------
        content : dict
            The attributes of the block.

        Returns
        -------
        Block

        Raises
        ------
        KeyError, TypeError, ValueError
            An attribute is missing or unknown, or has another type or length.
        """
        block = cls(**content | {name: tuple(content[name]) for name in ("systems", "query_ids", "sizes")})
        numbers, names = (block.n_items, block.n_ranks, *block.sizes), (*block.systems, *block.query_ids)
        if not all(type(number) is int for number in numbers) or not all(type(name) is str for name in names):
            raise TypeError("a number or a name has another type")
        if not CHECKSUM.fullmatch(block.checksum) or len(block.sizes) != len(BLOCK_FILES) or not block.systems:
            raise ValueError("a block has a checksum, three sizes, and systems")
        return block

    def is_complete(self, folder: Path) -> bool:
        """Whether all files exist and have the size that they had when they were written."""
        return sizes_of(folder, self.checksum, BLOCK_FILES) == self.sizes

    def items(self, folder: Path) -> np.ndarray:
        """The number of the document at each rank, shape (n_systems, n_topics + 1, n_ranks), int32."""
        return read_array(folder / f"{self.checksum}.items.npy")

    def retrieved(self, folder: Path) -> np.ndarray:
        """The length of each ranking, shape (n_systems, n_topics + 1), int32."""
        return read_array(folder / f"{self.checksum}.retrieved.npy")


def blocks_of_files(paths: Sequence[Path]) -> list[list[Path]]:
    """Divide run files into blocks."""
    blocks: list[list[Path]] = []
    size = 0
    for path in paths:
        weight = path.stat().st_size * (COMPRESSED if path.suffix in SUFFIXES else 1)
        if not blocks or size + weight > BLOCK_BYTES:
            blocks.append([])
            size = 0
        blocks[-1].append(path)
        size += weight
    return blocks


def checksum_of(paths: Sequence[Path]) -> str:
    """Compute the checksum of run files."""
    # Blocks of another version of the format have other checksums, so they are written again.
    digest = hashlib.sha256(VERSION)
    for path in paths:
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
        if _is_named_after_file(path):
            digest.update(path.name.encode())
    return digest.hexdigest()


def _is_named_after_file(path: Path) -> bool:
    with open_input(path, max_bytes=NO_LIMIT) as stream:
        return is_rank_run(stream.read(SAMPLE_BYTES))


def write_block(paths: Sequence[Path], folder: Path) -> Block:
    """Read run files and write their block, unless the folder has it."""
    checksum = checksum_of(paths)
    return _existing_block(folder, checksum) or _new_block(paths, folder, checksum)


def _existing_block(folder: Path, checksum: str) -> Block | None:
    """The block if it was written completely and is undamaged; also one of a call that was killed later."""
    try:
        block = Block.from_json(read_json(folder / f"{checksum}.json"))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return block if block.checksum == checksum and block.is_complete(folder) else None


def _new_block(paths: Sequence[Path], folder: Path, checksum: str) -> Block:
    runs = prepare(read_runs(paths, workers=1))
    write_array(folder / f"{checksum}.items.npy", runs.items)
    write_array(folder / f"{checksum}.retrieved.npy", runs.retrieved.astype(np.int32))
    query_ids = pd.Index(runs.query_ids).take(runs.topics_of_items)
    write_names(folder / f"{checksum}.names.arrow", query_ids, runs.doc_ids_of_items)
    block = Block(
        checksum,
        systems=tuple(map(str, runs.systems)),
        query_ids=tuple(map(str, runs.query_ids)),
        n_items=len(runs.keys),
        n_ranks=runs.items.shape[2],
        sizes=sizes_of(folder, checksum, BLOCK_FILES),
    )
    write_json(folder / f"{checksum}.json", asdict(block))  # last: a block with this file is complete
    return block
