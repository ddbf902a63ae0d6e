"""Write draws to JSON files and read them. This docstring specifies the format.

The file is one JSON object with these keys, in this order:

- ``format``: "assay draw, version 1";
- ``seed``: a whole number from 0, the seed of the random numbers;
- ``is_fixed``: true if a fixed number of each stratum was drawn without replacement, false if each pair has a
  probability of its own;
- ``drawn_topics``: null, or with two stages a list of the query_ids of the drawn topics, sorted as bytes;
- ``topics``: an object with, for each query_id, a list of pairs ``[doc_id, stratum, inclusion_probability, drawn]``,
  also of the topics and pairs that were not drawn. The probability is above 0 and at most 1; ``drawn`` is true or
  false.

Everything is in a fixed order, by query_id and doc_id as bytes, and numbers are written with all digits, so the same
draw gives the same bytes. Other keys of the top level are ignored.

Refused: invalid JSON, or a key that occurs twice in an object; another format; a missing key; a value of another type
or out of its range; an invalid id; a document that occurs twice in a topic; a draw without a pair. A record that
contradicts itself is refused, too: a certain pair that was not drawn; a pair drawn outside the drawn topics; and, if
the numbers are fixed, a probability that is not the number of drawn pairs over the number of pairs of its stratum
(times the drawn topics over all topics with two stages).
"""

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pooling.draws.draw import COLUMNS, Draw
from pooling.draws.pairs import sorted_by_bytes
from pooling.errors import FormatError, refuse_unless
from pooling.pools.files import (
    check_id,
    is_finite,
    is_whole,
    require,
    without_duplicate_keys,
    write_whole,
)

FORMAT = "assay draw, version 1"
CLOSE = 1e-9


def write_draw(draw: Draw, path: str | PathLike[str]) -> None:
    """Write a draw to a JSON file, completely or not at all.

    `pooling.draws.files` specifies the format. The same draw gives the same bytes.

    Parameters
    ----------
    draw : Draw
        The draw.
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
    >>> from pooling.draws import draw_by_stratum, read_draw, write_draw
    >>> pairs = pd.DataFrame({"query_id": ["1"] * 4, "doc_id": list("abcd")})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "draw.json")
    ...     write_draw(draw_by_stratum(pairs, 2, seed=1), path)
    ...     len(read_draw(path))
    2
    """
    refuse_unless(draw, Draw, "draw", "a Draw")
    write_whole(path, draw_text(draw).encode())


def draw_text(draw: Draw) -> str:
    """The JSON text of a draw."""
    topics: dict[str, list[Any]] = {}
    rows = zip(*(draw.frame[name].tolist() for name in COLUMNS), strict=True)
    for query_id, *values in rows:
        topics.setdefault(query_id, []).append(values)
    content = {
        "format": FORMAT,
        "seed": int(draw.seed),
        "is_fixed": bool(draw.is_fixed),
        "drawn_topics": None if draw.drawn_topics is None else list(draw.drawn_topics),
        "topics": topics,
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def read_draw(path: str | PathLike[str]) -> Draw:
    """Read a draw from a JSON file that `write_draw` has written.

    `pooling.draws.files` specifies the format.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Draw
        The draw, its rows sorted by query_id and doc_id as bytes.

    Raises
    ------
    FormatError
        If the file is not valid JSON of this format, or its record contradicts itself.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from pooling.draws import read_draw
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "draw.json")
    ...     _ = path.write_text('{"format": "assay draw, version 1", "seed": 1, "is_fixed": true, "drawn_topics": null,'
    ...         ' "topics": {"1": [["a", "1", 0.5, true], ["b", "1", 0.5, false]]}}')
    ...     read_draw(path).drawn["doc_id"].tolist()
    ['a']
    """
    refuse_unless(path, (str, PathLike), "path", "the path of a file")
    return parse_draw(Path(path).read_bytes(), str(path))


def parse_draw(data: bytes, file: str) -> Draw:
    """The draw of the bytes of a file; FormatError names the file."""
    try:
        content = json.loads(data, object_pairs_hook=without_duplicate_keys)
        require(isinstance(content, dict), "it is not an object")
        if content.get("format") != FORMAT:
            raise FormatError(f"the format is {content.get('format')!r:.60}", f"it must be {FORMAT!r}", file)
        return _checked_draw(content)
    except FormatError:
        raise
    except KeyError as missing:
        problem: object = f"the key {missing} is missing"
    except (IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as error:
        problem = error
    raise FormatError(f"this is not a valid draw ({problem})", "a draw file is written by `assay draw`", file)


def _checked_draw(content: dict[str, Any]) -> Draw:
    seed, is_fixed, drawn_topics = (content[name] for name in ("seed", "is_fixed", "drawn_topics"))
    require(is_whole(seed) and seed >= 0, "the seed is not a whole number from 0")
    require(isinstance(is_fixed, bool), "is_fixed is not true or false")
    require(isinstance(content["topics"], dict), "topics is not an object")
    rows = [row for query_id, pairs in content["topics"].items() for row in _topic_rows(query_id, pairs)]
    require(bool(rows), "it has no pair")
    types: dict[str, Any] = {"query_id": "str", "doc_id": "str", "stratum": "str"}
    types |= {"inclusion_probability": "float64", "drawn": "bool"}
    frame = sorted_by_bytes(pd.DataFrame(rows, columns=COLUMNS).astype(types))
    topics = _checked_topics(drawn_topics, content["topics"])
    _check_certain(frame)
    if topics is not None:
        outside = frame["drawn"] & ~frame["query_id"].isin(topics)
        require(not outside.any(), "a pair outside the drawn topics is drawn")
    if is_fixed:
        _check_shares(frame, topics)
    return Draw(frame, is_fixed=is_fixed, drawn_topics=topics, seed=seed)


def _topic_rows(query_id: str, pairs: Any) -> Iterator[tuple[Any, ...]]:
    check_id("query_id", query_id)
    require(isinstance(pairs, list), f"topic {query_id!r} is not a list of pairs")
    seen = set()
    for pair in pairs:
        require(isinstance(pair, list) and len(pair) == 4, f"a pair of topic {query_id!r} is not a list of four values")
        doc_id, stratum, probability, drawn = pair
        check_id("doc_id", doc_id)
        require(doc_id not in seen, f"topic {query_id!r} has document {doc_id!r} twice")
        seen.add(doc_id)
        require(isinstance(stratum, str), "a stratum is not a string")
        is_probability = is_finite(probability) and 0 < probability <= 1
        require(is_probability, "an inclusion probability is not above 0 and at most 1")
        require(isinstance(drawn, bool), "drawn is not true or false")
        yield query_id, doc_id, stratum, probability, drawn


def _checked_topics(drawn_topics: Any, topics: dict[str, Any]) -> tuple[str, ...] | None:
    if drawn_topics is None:
        return None
    require(isinstance(drawn_topics, list) and bool(drawn_topics), "drawn_topics is not null or a list of topics")
    require(all(isinstance(name, str) for name in drawn_topics), "a drawn topic is not a string")
    require(len(set(drawn_topics)) == len(drawn_topics), "a drawn topic occurs twice")
    require(all(name in topics for name in drawn_topics), "a drawn topic has no pairs")
    return tuple(sorted(drawn_topics, key=str.encode))


def _check_certain(frame: pd.DataFrame) -> None:
    missed = (frame["inclusion_probability"] == 1) & ~frame["drawn"]
    require(not missed.any(), "a pair with the inclusion probability 1 is not drawn")


def _check_shares(frame: pd.DataFrame, topics: tuple[str, ...] | None) -> None:
    """Check the probabilities of a fixed design against the numbers that were drawn."""
    strata = frame.groupby("stratum", sort=False)
    if topics is not None:
        require(bool((strata["query_id"].nunique() == 1).all()), "with two stages, a stratum lies in several topics")
    share = 1.0 if topics is None else len(topics) / frame["query_id"].nunique()
    probability = frame["inclusion_probability"].to_numpy()
    in_drawn = np.ones(len(frame), bool) if topics is None else frame["query_id"].isin(topics).to_numpy()
    expected = strata["drawn"].transform("mean").to_numpy() * share
    differs = in_drawn & (np.abs(probability - expected) > CLOSE)
    if differs.any():
        row = frame.iloc[int(differs.argmax())]
        raise ValueError(
            f"the inclusion probability {row['inclusion_probability']:.6g} of document {row['doc_id']!r} of topic"
            f" {row['query_id']!r} is not the {expected[differs.argmax()]:.6g} of the drawn pairs of its stratum"
        )
