"""Pools written down as JSON, and read again.

The file has, in this order: `format`, `strategy`, `parameters`, `seed`, `inputs` (SHA-256 of the run files, by name),
`score_precision` (how their scores were read, "float64" or "float32", null where it is not known), `systems` (all
names, sorted), and `topics`: for each query_id a list of documents, each
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
from pooling.pools.frames import COLUMNS, by_bytes
from pooling.pools.pool import Pool
from pooling.pools.validation import checked_head, checked_rows, without_twice

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
    head |= {"inputs": dict(sorted(pool.inputs.items())), "score_precision": pool.score_precision}
    told = head | {"systems": systems, "topics": topics}
    return json.dumps(told, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def read_pool(path: str | PathLike) -> Pool:
    """Read a pool that `write_pool` wrote.

    Rows are brought into the order of `Pool.frame`. A file without `score_precision` is read as one where it is null.

    Raises
    ------
    FormatError
        The file is no such JSON: a value is of another kind or out of its range, an id is no id, or a topic, a
        document, or a system of a document comes twice.
    """
    content = Path(path).read_bytes()
    try:
        told = json.loads(content, object_pairs_hook=without_twice)
        if told.get("format") != FORMAT:
            raise FormatError(f"the format is {told.get('format')!r}", f"{FORMAT!r} is read", str(path))
        return Pool(_frame(told), **checked_head(told))
    except FormatError:
        raise
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as problem:
        what = f"this is no pool ({problem})"
        raise FormatError(what, "a pool is what write_pool writes", str(path)) from None


def _frame(told: dict) -> pd.DataFrame:
    frame = pd.DataFrame(checked_rows(told["systems"], told["topics"]), columns=COLUMNS)
    kinds = {"query_id": "str", "doc_id": "str", "systems": object, "best_rank": "Int64", "stratum": "str"}
    return by_bytes(frame.astype(kinds | {"inclusion_probability": "float64", "priority": "float64"}))
