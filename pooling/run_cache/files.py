"""Write and read the files of a cache. A file appears complete or not at all."""

import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather


def write_array(path: Path, array: np.ndarray) -> None:
    """Write an array in numpy's format, which can be mapped into memory."""
    _write(path, lambda file: np.save(file, array))


def read_array(path: Path) -> np.ndarray:
    """Read an array; only the parts that are used are loaded."""
    try:
        return np.asarray(np.load(path, mmap_mode="r"))
    except FileNotFoundError:
        raise _deleted(path) from None


def write_names(path: Path, query_ids: pd.Index, doc_ids: pd.Index) -> None:
    """Write the query_id and doc_id of each item; both have shape (n_items,)."""
    topic = pa.array(query_ids).dictionary_encode()
    table = pa.table({"query_id": topic, "doc_id": pa.array(doc_ids).cast(pa.large_string())})
    _write(path, lambda file: feather.write_feather(table, file, compression="uncompressed"))


def read_names(path: Path) -> pa.Table:
    """Read a file of `write_names`: the columns query_id (a dictionary) and doc_id, mapped into memory."""
    return feather.read_table(path, memory_map=True)


def write_documents(path: Path, documents: pd.Index) -> None:
    """Write a list of doc_ids."""
    table = pa.table({"doc_id": pa.array(documents).cast(pa.large_string())})
    _write(path, lambda file: feather.write_feather(table, file, compression="uncompressed"))


def read_documents(path: Path) -> pd.Index:
    """Read a list of doc_ids."""
    try:
        column = feather.read_table(path)["doc_id"].to_pandas()
    except FileNotFoundError:
        raise _deleted(path) from None
    documents: pd.Index = pd.Index(column.to_numpy(), dtype="str")
    return documents


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write an object as a JSON file."""
    _write(path, lambda file: file.write(json.dumps(content).encode()))


def read_json(path: Path) -> dict[str, Any]:
    """Read the object of a JSON file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError(f"the JSON is of type {type(content).__name__}, not an object")
    return content


def sizes_of(folder: Path, checksum: str, endings: Sequence[str]) -> tuple[int, ...]:
    """The sizes of the files of a checksum in bytes, in the order of their endings; -1 if a file does not exist."""
    paths = [folder / f"{checksum}.{ending}" for ending in endings]
    return tuple(path.stat().st_size if path.is_file() else -1 for path in paths)


def _deleted(path: Path) -> ValueError:
    return ValueError(f"The file {str(path)!r} of a cache is missing. cache_runs writes it again from the run files.")


def _write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    # A name for each process and thread, because several may write the same block at the same time.
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    with open(temporary, "wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
