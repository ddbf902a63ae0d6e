"""Write pools to JSON files and read them. This docstring specifies the format.

The file is one JSON object with these keys, in this order:

- ``format``: "assay pool, version 1";
- ``strategy``: the name of the strategy, or "union" or "difference";
- ``parameters``: an object with the parameters of the strategy; a union or difference has the strategy, parameters and
  seed of its two pools under ``first`` and ``second``; ``added`` counts documents added by hand or search;
  ``judged`` describes the judged documents that a top-up leaves out (`pooling.pools.provenance`);
- ``seed``: a whole number from 0: the seed of the sample, or of the lots that decide between tied documents; or null;
- ``inputs``: an object with the SHA-256 checksum of each run file by name;
- ``score_precision``: "float64" or "float32", the precision with which the scores were read, or null if unknown; files
  without this key are read as if it were null;
- ``systems``: the names of all systems whose runs were pooled, sorted; older files have only those with a document;
- ``topics``: an object with, for each query_id, a list of documents
  ``[doc_id, systems, best_rank, stratum, inclusion_probability, priority]``, where ``systems`` is a list of positions
  in the list of all systems, and ``best_rank`` may be null.

Everything is in a fixed order, and numbers are written with all digits, so the same runs, strategy and seed give the
same bytes. Other keys of the top level are ignored.

Refused: invalid JSON, or a key that occurs twice in an object; another format; a missing key; a value of another
type or out of its range; an invalid id; a document that occurs twice in a topic; a system that occurs twice.
"""

import json
import math
import os
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pandas as pd

from pooling.choices import SCORE_PRECISIONS
from pooling.errors import FormatError, refuse_unless, shown
from pooling.ids import id_problem
from pooling.pools.frames import COLUMNS, by_bytes
from pooling.pools.pool import Pool
from pooling.pools.provenance import SET_OPERATIONS
from pooling.words import first_repeated


def without_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a key occurs twice."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError(f"{shown(str(first_repeated(name for name, _ in pairs)))} occurs twice")
    return result


def checked_head(content: dict[str, Any]) -> dict[str, Any]:
    """Everything except the systems and the topics, as arguments of `Pool`."""
    head = {name: content[name] for name in ("strategy", "parameters", "seed", "inputs")}
    head["score_precision"] = content.get("score_precision")
    inputs = head["inputs"]
    _check_provenance(head)
    require(isinstance(inputs, dict) and all(isinstance(v, str) for v in inputs.values()), "inputs has no checksums")
    require(head["score_precision"] in (None, *SCORE_PRECISIONS), "the score_precision is unknown")
    return head


def _check_provenance(provenance: dict[str, Any]) -> None:
    """Check strategy, parameters and seed, also those of the two pools of a union or difference."""
    strategy, parameters, seed = provenance["strategy"], provenance["parameters"], provenance["seed"]
    require(isinstance(strategy, str) and strategy != "", "the strategy is not a name")
    require(isinstance(parameters, dict), "the parameters are not an object")
    require(seed is None or (is_whole(seed) and seed >= 0), "the seed is not a whole number from 0")
    added = parameters.get("added", {})
    require(isinstance(added, dict) and all(map(is_whole, added.values())), "the counts of added documents are invalid")
    judged = parameters.get("judged", {})
    require(
        isinstance(judged, dict) and (not judged or judged.keys() == {"documents", "left_out", "sha256"}),
        "the record of judged documents is invalid",
    )
    counts = [judged[name] for name in ("documents", "left_out") if judged]
    require(all(is_whole(number) and number >= 0 for number in counts), "the counts of judged documents are invalid")
    for part in ("first", "second") if strategy in SET_OPERATIONS else ():
        _check_provenance(parameters[part])


def checked_rows(systems: list[Any], topics: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of `Pool.frame`, in the order of the file."""
    require(isinstance(systems, list), "systems is not a list")
    for name in systems:
        check_id("system", name)
    require(len(set(systems)) == len(systems), "a system occurs twice in systems")
    require(isinstance(topics, dict), "topics is not an object")
    return [row for query_id, documents in topics.items() for row in _topic_rows(query_id, documents, systems)]


def _topic_rows(query_id: str, documents: Any, systems: list[str]) -> Iterator[tuple[Any, ...]]:
    check_id("query_id", query_id)
    require(isinstance(documents, list), f"topic {query_id!r} is not a list of documents")
    seen = set()
    for document in documents:
        is_valid = isinstance(document, list) and len(document) == 6
        require(is_valid, f"a document of topic {query_id!r} is not a list of six values")
        doc_id, positions, *values = document
        check_id("doc_id", doc_id)
        require(doc_id not in seen, f"topic {query_id!r} has document {doc_id!r} twice")
        seen.add(doc_id)
        _check_values(*values)
        yield query_id, doc_id, _system_names(positions, systems), *values


def _system_names(positions: Any, systems: list[str]) -> tuple[str, ...]:
    """The names of the systems at these positions, sorted."""
    require(isinstance(positions, list), "the systems of a document are not a list")
    is_valid = all(is_whole(number) and 0 <= number < len(systems) for number in positions)
    require(is_valid, "a system of a document is not a position in systems")
    require(len(set(positions)) == len(positions), "a system of a document occurs twice")
    return tuple(sorted(systems[number] for number in positions))


def _check_values(rank: Any, stratum: Any, probability: Any, priority: Any) -> None:
    require(rank is None or (is_whole(rank) and rank >= 1), "a best rank is not a whole number from 1")
    require(isinstance(stratum, str), "a stratum is not a string")
    require(is_finite(probability) and 0 < probability <= 1, "an inclusion probability is not above 0 and at most 1")
    require(is_finite(priority), "a priority is not a finite number")


def check_id(name: str, value: Any) -> None:
    """Raise ValueError unless a value is a valid id."""
    require(isinstance(value, str), f"a {name} is not a string")
    if problem := id_problem(value):
        raise ValueError(f"{name} {shown(value)} {problem}")


def is_whole(value: Any) -> bool:
    """Whether a JSON value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_finite(value: Any) -> bool:
    """Whether a JSON value is a finite number."""
    return (is_whole(value) or isinstance(value, float)) and math.isfinite(value)


def require(is_valid: bool, problem: str) -> None:
    """Raise ValueError with the problem unless something is valid."""
    if not is_valid:
        raise ValueError(problem)


FORMAT = "assay pool, version 1"


def write_pool(pool: Pool, path: str | PathLike[str]) -> None:
    """Write a pool to a JSON file, completely or not at all.

    `pooling.pools.files` specifies the format. The same pool gives the same bytes.

    Parameters
    ----------
    pool : Pool
        The pool.
    path : path
        The file to write. An existing file is replaced once the new content is complete.

    Raises
    ------
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> from pooling import pool, read_pool, write_pool
    >>> runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "pool.json")
    ...     write_pool(pool(runs, depth=1), path)
    ...     read_pool(path).describe()
    'depth (depth 1) over 1 system: 1 task in 1 topic, 1 each'
    """
    refuse_unless(pool, Pool, "pool", "a Pool")
    write_whole(path, pool_text(pool).encode())


def write_whole(path: str | PathLike[str], content: bytes) -> None:
    """Write a file completely or not at all: write a temporary file, then rename it."""
    path = Path(path)
    try:
        _write_and_rename(path, content)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None  # without the name of the temporary file


def _write_and_rename(path: Path, content: bytes) -> None:
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as temporary:
        try:
            temporary.write(content)
            temporary.close()
            # A temporary file is readable by its owner only.
            os.chmod(temporary.name, path.stat().st_mode if path.exists() else 0o644)
            os.replace(temporary.name, path)
        except BaseException:
            temporary.close()
            Path(temporary.name).unlink(missing_ok=True)
            raise


def pool_text(pool: Pool) -> str:
    """The JSON text of a pool."""
    systems = pool.systems
    position = {name: number for number, name in enumerate(systems)}
    topics: dict[str, list[Any]] = {}
    for query_id, doc_id, names, best_rank, *values in zip(*(pool.frame[name] for name in COLUMNS), strict=True):
        rank = None if pd.isna(best_rank) else int(best_rank)
        topics.setdefault(query_id, []).append([doc_id, [position[name] for name in names], rank, *values])
    head = {"format": FORMAT, "strategy": pool.strategy, "parameters": pool.parameters, "seed": pool.seed}
    head |= {"inputs": dict(sorted(pool.inputs.items())), "score_precision": pool.score_precision}
    content = head | {"systems": systems, "topics": topics}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def read_pool(path: str | PathLike[str]) -> Pool:
    """Read a pool from a JSON file that `write_pool` has written.

    `pooling.pools.files` specifies the format.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Pool
        The pool, its rows sorted by query_id and doc_id as bytes.

    Raises
    ------
    FormatError
        If the file is not valid JSON of this format: a value has the wrong type or is out of range, an id is invalid,
        or a topic, a document, or a system of a document occurs twice.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> from pooling import pool, read_pool, write_pool
    >>> runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "pool.json")
    ...     write_pool(pool(runs, "rrf", size=2), path)
    ...     read_pool(path).parameters
    {'size': 2, 'k': 60, 'depth': None}
    """
    refuse_unless(path, (str, PathLike), "path", "the path of a file")
    data = Path(path).read_bytes()
    try:
        content = json.loads(data, object_pairs_hook=without_duplicate_keys)
        if content.get("format") != FORMAT:
            raise FormatError(f"the format is {content.get('format')!r}", f"it must be {FORMAT!r}", str(path))
        frame = _frame(content)
        return Pool(frame, **checked_head(content), runs=tuple(sorted(content["systems"])))
    except FormatError:
        raise
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as problem:
        what = f"this is not a valid pool ({problem})"
        raise FormatError(what, "a pool file is written by write_pool", str(path)) from None


def _frame(content: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(checked_rows(content["systems"], content["topics"]), columns=COLUMNS)
    types: dict[str, Any] = {"query_id": "str", "doc_id": "str", "systems": object, "best_rank": "Int64"}
    types |= {"stratum": "str", "inclusion_probability": "float64", "priority": "float64"}
    return by_bytes(frame.astype(types))
