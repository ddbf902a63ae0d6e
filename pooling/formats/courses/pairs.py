"""What the writers get: topics, grades, and functions that read the pairs and the documents of a pool again and again.

A pool may be larger than the memory, so the pairs are read from the start for each file that needs them.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class PooledTopic(NamedTuple):
    """A topic; description and narrative may be empty."""

    query_id: str
    title: str
    description: str = ""
    narrative: str = ""


class PooledDocument(NamedTuple):
    """A document with its words, without markup. Title and text may be empty."""

    doc_id: str
    title: str
    text: str

    @property
    def whole_text(self) -> str:
        """Title and text."""
        return "\n\n".join(part for part in (self.title.strip(), self.text) if part)

    @property
    def has_text(self) -> bool:
        """Whether there is something to judge. A title alone is not enough, as on the judging page."""
        return bool(self.text.strip())


class PooledPair(NamedTuple):
    """A topic and a document to judge."""

    topic: PooledTopic
    document: PooledDocument


class PoolGrade(NamedTuple):
    """A grade of the scale."""

    value: int
    name: str
    meaning: str = ""


@dataclass(frozen=True)
class PoolContents:
    """A pool to write.

    `pairs` takes the name of an annotator, or an empty text, and reads the pairs in an order of their own.
    `documents` reads each document of the pool once. `grades` are the scale, lowest first.
    """

    topics: Sequence[PooledTopic]
    grades: Sequence[PoolGrade]
    pairs: Callable[[str], Iterator[PooledPair]]
    documents: Callable[[], Iterator[PooledDocument]]

    def judgeable(self, annotator: str = "") -> Iterator[PooledPair]:
        """The pairs whose document has a text. Without one, nobody can judge."""
        return (pair for pair in self.pairs(annotator) if pair.document.has_text)


def json_text(value: Any) -> str:
    """A value as JSON, with every letter as it is.

    Three characters are escaped, because some programs end a line at them.
    """
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def json_line(record: dict[str, Any]) -> bytes:
    """One line of a JSONL file."""
    return encoded(json_text(record) + "\n")


def encoded(text: str) -> bytes:
    """The text in UTF-8; half a surrogate pair, which no file can have, becomes a question mark."""
    return text.encode("utf-8", "replace")
