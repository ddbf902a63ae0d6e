"""What a search engine answers for a topic: documents in their order, checked and never guessed."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pooling.errors import shown
from pooling.ids import id_problem

MAX_TEXT = 1_000_000  # characters of a text that comes along


class BadAnswer(ValueError):  # noqa: N818 - not a fault of the program
    """An answer that is no result. The message is a sentence for the user. `is_partial` if a part is missing."""

    def __init__(self, message: str, *, is_partial: bool = False) -> None:
        super().__init__(message)
        self.is_partial = is_partial


@dataclass(frozen=True)
class Hit:
    """A document as an engine returned it. `score`, `title` and `text` are None if the answer has none."""

    doc_id: str
    score: float | None = None
    title: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class Answer:
    """The documents of a topic. `counts` says how often something should be known, by the words that say what."""

    hits: list[Hit] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def hit(doc_id: Any, score: Any = None, title: Any = None, text: Any = None) -> Hit:
    """Return a hit with the values of an answer. Raises BadAnswer if one of them cannot be such a value."""
    return Hit(_doc_id(doc_id), _score(score, doc_id), _text(title), _text(text))


def checked(hits: Iterable[Hit], depth: int, chunk_separator: str = "") -> Answer:
    """Return the first `depth` documents in the order of the answer, each once.

    With a separator, the id of a chunk is cut at its last one (`d1#3` is a part of `d1`); the first chunk counts.
    """
    counts: Counter[str] = Counter()
    found: dict[str, Hit] = {}
    for each in hits:
        parent = each.doc_id.rpartition(chunk_separator)[0] if chunk_separator else ""
        doc_id = _doc_id(parent or each.doc_id)
        if doc_id in found:
            counts["chunks of a document that came before" if parent else "documents that came twice"] += 1
        elif len(found) < depth:
            found[doc_id] = Hit(doc_id, each.score, each.title, each.text)
        else:
            counts["documents below the depth"] += 1
    return Answer(list(found.values()), counts)


def scores_of(hits: Sequence[Hit], depth: int, scores: str) -> list[float]:
    """Return scores in whose order the documents stand: those of the engine, or depth minus rank.

    Raises BadAnswer if those of the engine are missing for some documents, or rise.
    """
    own = [each.score for each in hits]
    if scores == "rank" or all(score is None for score in own):
        return [float(depth - rank) for rank in range(len(hits))]
    known = [score for score in own if score is not None]
    if len(known) < len(own):
        raise BadAnswer("Some documents have a score and others have none. Choose the ranks as scores.")
    if any(later > earlier for earlier, later in pairwise(known)):
        raise BadAnswer(
            "The scores rise from one document to the next, as distances do. Choose the ranks as scores, which keep "
            "the order of the answer."
        )
    return known


def _doc_id(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadAnswer(
            f"The id of a document is {shown(str(value))}; it must be a text or an integer. Is the path right?"
        )
    text = str(value)
    if problem := id_problem(text):
        raise BadAnswer(f"The id {shown(text)} of a document {problem}.")
    return text


def _score(value: Any, doc_id: Any) -> float | None:
    if value is None:
        return None
    try:
        score = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise BadAnswer(f"The score of {shown(str(doc_id))} is {shown(str(value))}; it must be a finite number.")
    return score


def _text(value: Any) -> str | None:
    """Return a text, or the texts of a field with several values, one a line. NUL characters are no text."""
    if isinstance(value, list):
        value = "\n".join(str(part) for part in value if isinstance(part, str | int | float))
    if isinstance(value, int | float):
        value = str(value)
    return value[:MAX_TEXT].replace("\0", " ").strip() or None if isinstance(value, str) else None
