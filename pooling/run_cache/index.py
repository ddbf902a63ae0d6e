"""The index of a cache, runs.json: the set of runs, its blocks, and the sizes of its files.

A file that is missing or has another size than in the index is damaged. Damage that keeps the size is not noticed.
Files that the index does not name are of no use: earlier sets and blocks, and unfinished files of killed processes.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pooling.run_cache.blocks import BLOCK_FILES, CHECKSUM, Block
from pooling.run_cache.files import read_json, sizes_of, write_json

INDEX = "runs.json"
SET_FILES = ("numbers.npy", "keys.npy", "documents.arrow")
OF_A_CACHE = re.compile(  # never delete anything else in the folder
    rf"{CHECKSUM.pattern}\.({'|'.join(map(re.escape, ('json', *BLOCK_FILES, *SET_FILES)))})(\.[0-9-]+\.part)?"
    rf"|{re.escape(INDEX)}\.[0-9-]+\.part"
)


@dataclass(frozen=True)
class Index:
    """The content of runs.json.

    Attributes
    ----------
    checksum : str
        The checksum of the set of runs.
    sizes : tuple of int
        The sizes of the files of the set in bytes, in the order of `SET_FILES`.
    blocks : tuple of Block
        The blocks, in the order of the run files.
    """

    checksum: str
    sizes: tuple[int, ...]
    blocks: tuple[Block, ...]

    def damaged(self, folder: Path) -> list[str]:
        """The names of the files that are missing or have another size."""
        parts = [(block.checksum, BLOCK_FILES, block.sizes) for block in self.blocks]
        return [
            f"{checksum}.{ending}"
            for checksum, endings, sizes in [(self.checksum, SET_FILES, self.sizes), *parts]
            for ending, actual, size in zip(endings, sizes_of(folder, checksum, endings), sizes, strict=True)
            if actual != size
        ]

    def names(self) -> set[str]:
        """The names of all files of the set."""
        of_blocks = {f"{block.checksum}.{ending}" for block in self.blocks for ending in (*BLOCK_FILES, "json")}
        return of_blocks | {f"{self.checksum}.{ending}" for ending in SET_FILES}


def read_index(folder: Path) -> Index:
    """Read the index of a cache."""
    path = folder / INDEX
    if not path.is_file():
        raise ValueError(f"The folder {str(folder)!r} has no cached runs. cache_runs writes them.")
    try:
        content = read_json(path)
        blocks = tuple(map(Block.from_json, content["blocks"]))
        index = Index(content["checksum"], tuple(content["sizes"]), blocks)
        valid = bool(blocks and CHECKSUM.fullmatch(index.checksum)) and len(index.sizes) == len(SET_FILES)
    except (OSError, ValueError, KeyError, TypeError):
        valid = False
    if not valid:
        message = f"The file {str(path)!r} is not a valid index of cached runs."
        raise ValueError(f"{message} cache_runs writes it again from the run files.")
    return index


def write_index(folder: Path, checksum: str, blocks: Sequence[Block]) -> None:
    """Write the index of a cache, and delete the files that it does not name."""
    index = Index(checksum, sizes_of(folder, checksum, SET_FILES), tuple(blocks))
    write_json(folder / INDEX, asdict(index))
    kept = index.names()
    # After the index is written: until then, it named files that are deleted here.
    for path in folder.iterdir():
        if path.name not in kept and OF_A_CACHE.fullmatch(path.name):
            path.unlink(missing_ok=True)
