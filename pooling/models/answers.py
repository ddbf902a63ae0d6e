"""What a model is asked for, and what came of it."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from pooling.models.confidence import Confidence
from pooling.models.grades import Reading
from pooling.models.prompts import Message
from pooling.models.scale import Scale
from pooling.outgoing import Attempt, Client

OnAttempt: TypeAlias = Callable[["Pair", Attempt], object]
KEY_VERSION = 1  # counted up if the same request would get another key


class Pair(NamedTuple):
    """A topic and a document to judge.

    Parameters
    ----------
    query_id, doc_id : str
        The ids.
    topic : mapping
        title, description and narrative (str); others are ignored.
    text : str or callable
        The text of the document, or a function that reads it when it is needed, so that a large pool does not fill the
        memory.
    passage : str
        A part of the document, for prompts with `{passage}`.
    repeat : int
        0, or 1 and so on to ask again.

    Examples
    --------
    >>> from pooling.models import Pair
    >>> Pair("1", "d1", {"title": "green tea"}, lambda: "Tea is made from leaves.").document()
    'Tea is made from leaves.'
    """

    query_id: str
    doc_id: str
    topic: Mapping[str, str]
    text: str | Callable[[], str]
    passage: str = ""
    repeat: int = 0

    def document(self) -> str:
        """Return the text of the document."""
        return self.text if isinstance(self.text, str) else self.text()

    def has_text(self) -> bool:
        """Whether there is something to judge."""
        return bool(self.document().strip() or self.passage.strip())

    @property
    def name(self) -> str:
        """The pair in a sentence."""
        return f"topic {self.query_id}, document {self.doc_id}"


@dataclass(frozen=True)
class Usage:
    """Tokens of a request. `output` includes `reasoning`, which is billed, and `input` includes `cached`.

    `is_estimated` if the server did not report them.
    """

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cached: int = 0
    is_estimated: bool = False

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cached + other.cached,
            self.is_estimated or other.is_estimated,
        )


@dataclass(frozen=True)
class Answer:
    """The answer to a pair: a grade, or None with a reason (a key of `pooling.models.grades.REASONS`) and details.

    Attributes
    ----------
    key : str
        The request key: 64 hexadecimal digits.
    query_id, doc_id, repeat
        Those of the pair.
    grade : int, optional
        None if the answer has none.
    reason, detail : str
        Why it has none.
    text, raw : str, bytes
        What the model wrote, and the whole answer of the server, both without the secret.
    others : mapping
        The grades of the criteria.
    reported : mapping
        What the server says of itself: model version, fingerprint, request id, why the model stopped.
    parameters : mapping
        What was sent, without the messages.
    usage : Usage, optional
        None if the server did not report it.
    confidence : Confidence, optional
        None if the answer has no probabilities of the grades.
    repeats_instruction : bool
        Whether the answer repeats an order that the document contains.
    is_fatal : bool
        Whether every further request would fail as well: a wrong secret, an unknown model, no quota.
    warning : str
        What should be known about the grade.
    asked_at, seconds
        When it was asked for, in UTC, and how long the last attempt took.
    attempts : tuple of Attempt
        Each attempt with its status.

    Examples
    --------
    >>> from pooling.models import Answer
    >>> answer = Answer("key", "1", "d1", grade=2)
    >>> answer.to_record()["grade"]
    2
    """

    key: str
    query_id: str
    doc_id: str
    repeat: int = 0
    grade: int | None = None
    reason: str = ""
    detail: str = ""
    text: str = field(default="", repr=False)
    raw: bytes = field(default=b"", repr=False)
    others: Mapping[str, int] = field(default_factory=dict)
    reported: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict, repr=False)
    usage: Usage | None = None
    confidence: Confidence | None = None
    repeats_instruction: bool = False
    is_fatal: bool = False
    warning: str = ""
    asked_at: str = ""
    seconds: float = 0.0
    attempts: tuple[Attempt, ...] = ()

    def with_reading(self, reading: Reading) -> "Answer":
        """Return the answer with what was read from it.

        Parameters
        ----------
        reading : Reading
            A grade, or the reason why there is none.
        """
        return replace(
            self, grade=reading.grade, reason=reading.reason, detail=reading.detail, others=dict(reading.others)
        )

    def to_record(self) -> dict[str, Any]:
        """Return what is kept, as values of JSON. The whole answer of the server is kept apart, by its checksum."""
        about = {name: getattr(self, name) for name in _KEPT}
        usage = vars(self.usage) if self.usage else None
        sure = self.confidence and {
            "probabilities": {str(grade): share for grade, share in self.confidence.probabilities.items()},
            "covered": self.confidence.covered,
        }
        attempts = [vars(attempt) for attempt in self.attempts]
        sha256 = hashlib.sha256(self.raw).hexdigest()
        return {**about, "usage": usage, "confidence": sure, "attempts": attempts, "raw_sha256": sha256}


_KEPT = (
    *("key", "query_id", "doc_id", "repeat", "grade", "reason", "detail", "text", "others", "reported", "parameters"),
    *("repeats_instruction", "warning", "asked_at", "seconds"),
)


class Judge(Protocol):
    """Whatever can be asked for a grade: a chat endpoint, UMBRELA's server or a Python function."""

    @property
    def scale(self) -> Scale: ...

    @property
    def most_output(self) -> int:
        """The most tokens of an answer, for the budget."""

    def record(self) -> dict[str, Any]:
        """Return what is kept of the judge, without secrets."""

    def key(self, pair: Pair) -> str:
        """Return the request key of a pair."""

    def messages(self, pair: Pair) -> list[Message]:
        """Return what the model reads of a pair, if the judge has a prompt."""

    def size(self, pair: Pair) -> int:
        """Return the number of characters that are sent, for the budget."""

    def ask(self, client: Client, pair: Pair, on_attempt: OnAttempt) -> Answer:
        """Ask for a grade. What goes wrong is in the answer."""


def request_key(judge: Mapping[str, Any], content: Any, pair: Pair) -> str:
    """Return the checksum of all that decides on an answer: the judge, what is sent, the pair and the repeat.

    Examples
    --------
    >>> pair = Pair("1", "d1", {"title": "tea"}, "Tea is made from leaves.")
    >>> key = request_key({"model": "m"}, "text", pair)
    >>> len(key), key == request_key({"model": "m"}, "text", pair._replace(repeat=1))
    (64, False)
    """
    parts = [KEY_VERSION, judge, content, pair.query_id, pair.doc_id, pair.repeat]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def failed(
    pair: Pair, key: str, reason: str, detail: str = "", attempts: Sequence[Attempt] = (), **about: Any
) -> Answer:
    """Return the answer to a pair that has no grade."""
    repeat = pair.repeat
    return Answer(key, pair.query_id, pair.doc_id, repeat, None, reason, detail, attempts=tuple(attempts), **about)
