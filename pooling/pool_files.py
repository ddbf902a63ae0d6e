"""Pools written down as JSON, and read again.

The file has, in this order: `format`, `strategy`, `parameters`, `seed`, `inputs` (SHA-256 of the run files, by name),
`systems` (all names, sorted), and `topics`: for each query_id a list of documents, each
`[doc_id, systems, best_rank, stratum, inclusion_probability, priority]`, where systems are positions in `systems`.
Everything is in a fixed order and numbers are written with all their digits, so that the same runs, strategy and seed
make the same bytes.
"""

import json
import os
from os import PathLike
from pathlib import Path
from tempfile import NamedTemporaryFile

import pandas as pd

from pooling.errors import FormatError
from pooling.pool_frames import COLUMNS
from pooling.pools import Pool

FORMAT = "assay pool, version 1"


def write_pool(pool: Pool, path: str | PathLike) -> None:
    """Write a pool as JSON, whole or not at all."""
    write_whole(path, pool_text(pool).encode())


def write_whole(path: str | PathLike, content: bytes) -> None:
    """Write a file aside and move it into its place: what was there stays until all of the new is written."""
    path = Path(path)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as aside:
        try:
            aside.write(content)
            aside.close()
            os.chmod(aside.name, path.stat().st_mode if path.exists() else 0o644)  # theirs is for the owner alone
            os.replace(aside.name, path)
        except BaseException:
            aside.close()
            Path(aside.name).unlink(missing_ok=True)
            raise


def pool_text(pool: Pool) -> str:
    """The JSON text of a pool."""
    systems = pool.systems
    place = {name: number for number, name in enumerate(systems)}
    topics: dict[str, list] = {}
    for row in pool.frame.itertuples(index=False):
        rank = None if pd.isna(row.best_rank) else int(row.best_rank)
        brought = [place[name] for name in row.systems]
        document = [row.doc_id, brought, rank, row.stratum, row.inclusion_probability, row.priority]
        topics.setdefault(row.query_id, []).append(document)
    head = {"format": FORMAT, "strategy": pool.strategy, "parameters": pool.parameters, "seed": pool.seed}
    told = head | {"inputs": dict(sorted(pool.inputs.items())), "systems": systems, "topics": topics}
    return json.dumps(told, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def read_pool(path: str | PathLike) -> Pool:
    """Read a pool that `write_pool` wrote.

    Raises
    ------
    FormatError
        The file is no such JSON.
    """
    content = Path(path).read_bytes()
    try:
        told = json.loads(content)
        if told.get("format") != FORMAT:
            raise FormatError(f"the format is {told.get('format')!r}", f"{FORMAT!r} is read", str(path))
        return Pool(_frame(told), told["strategy"], told["parameters"], told["seed"], dict(told["inputs"]))
    except FormatError:
        raise
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError) as problem:
        what = f"this is no pool ({problem})"
        raise FormatError(what, "a pool is what write_pool writes", str(path)) from None


def _frame(told: dict) -> pd.DataFrame:
    names = dict(enumerate(told["systems"]))  # a list would count negative positions from its end
    rows = [
        (query_id, doc_id, tuple(names[number] for number in brought), rank, stratum, probability, priority)
        for query_id, documents in told["topics"].items()
        for doc_id, brought, rank, stratum, probability, priority in documents
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    _check(frame)
    kinds = {"query_id": "str", "doc_id": "str", "systems": object, "best_rank": "Int64", "stratum": "str"}
    return frame.astype(kinds | {"inclusion_probability": "float64", "priority": "float64"})


def _check(frame: pd.DataFrame) -> None:
    """Refuse values that no pool has."""
    for column, kind in {"doc_id": str, "stratum": str, "inclusion_probability": float, "priority": float}.items():
        if not frame[column].map(lambda value, kind=kind: isinstance(value, kind)).all():
            raise ValueError(f"a {column} is of another kind than {kind.__name__}")
    if not frame["inclusion_probability"].between(0, 1, inclusive="right").all():
        raise ValueError("an inclusion probability is not above 0 and at most 1")
    if not (frame["best_rank"].dropna() >= 1).all():
        raise ValueError("a best rank is below 1")
    twice = frame.duplicated(["query_id", "doc_id"])
    if twice.any():
        row = frame[twice].iloc[0]
        raise ValueError(f"topic {row['query_id']!r} has document {row['doc_id']!r} twice")
