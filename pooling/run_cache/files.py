"""Write and read the files of a cache. A file appears complete or not at all."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather


def write_array(path: Path, array: np.ndarray) -> None:
    """Write an array that can be mapped into memory."""
    _write(path, lambda file: np.save(file, array))


def read_array(path: Path) -> np.ndarray:
    """Read an array; only the parts that are used are loaded."""
    return np.asarray(np.load(path, mmap_mode="r"))


def write_names(path: Path, query_ids: pd.Index, doc_ids: pd.Index) -> None:
    """Write the query_id and doc_id of each item."""
    topic = pa.array(query_ids).dictionary_encode()
    table = pa.table({"query_id": topic, "doc_id": pa.array(doc_ids).cast(pa.large_string())})
    _write(path, lambda file: feather.write_feather(table, file, compression="uncompressed"))


def read_names(path: Path) -> pa.Table:
    """Read the columns query_id (a dictionary) and doc_id."""
    return feather.read_table(path, memory_map=True)


def write_documents(path: Path, documents: pd.Index) -> None:
    """Write a list of doc_ids."""
    table = pa.table({"doc_id": pa.array(documents).cast(pa.large_string())})
    _write(path, lambda file: feather.write_feather(table, file, compression="uncompressed"))


def read_documents(path: Path) -> pd.Index:
    """Read a list of doc_ids."""
    column = feather.read_table(path)["doc_id"].to_pandas()
    documents: pd.Index = pd.Index(column.to_numpy(), dtype="str")
    return documents


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file."""
    _write(path, lambda file: file.write(json.dumps(content).encode()))


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    with open(temporary, "wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
