"""Asks UMBRELA's server: POST /v1/judge with a query and candidates, answered by an envelope with judgements.

The judgements have no ids, so they are matched by their order and their text; if the order differs, by the text alone.
A judgement that fits no candidate, or a number of judgements that differs, is a failure of the request.

UMBRELA (0.0.7) gives the grade 0 to answers that it cannot read and to requests that its model refused. Only if the
server was started with traces, `result_status` says so: then the pair is "cannot judge". Otherwise a grade of 0 is kept
with a warning.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pooling.errors import shown
from pooling.formats.courses.pairs import encoded, json_text
from pooling.models.answers import Answer, OnAttempt, Pair, failed, request_key
from pooling.models.grades import Reading, repeats_instruction
from pooling.models.prompts import Message
from pooling.models.scale import Scale, values_of
from pooling.outgoing import Attempt, Client, Failed
from pooling.outgoing.addresses import checked_url
from pooling.outgoing.client import now
from pooling.outgoing.secrets import HEADER, check_header, without_secret
from pooling.words import count

PATH = "/v1/judge"
GRADES = [0, 1, 2, 3]
OVERRIDES = ("backend", "model", "reasoning_effort")
MAX_OVERRIDE = 200
MOST_OUTPUT = 500  # tokens, for the budget: the server does not report any
ZERO_WARNING = "UMBRELA also gives 0 to answers that it could not read and to requests that were refused."


class BadEnvelope(ValueError):  # noqa: N818 - not a fault of the program
    """An answer is not the one to the request. The message is a sentence."""


@dataclass(frozen=True)
class UmbrelaJudge:
    """UMBRELA's server. Prompt and scale (0 to 3) are those of the server.

    Parameters
    ----------
    address : str
        The address before `/v1/judge`, such as http://localhost:8084.
    scale : tuple of PoolGrade
        A scale of the grades 0, 1, 2 and 3.
    overrides : mapping
        `backend`, `model` and `reasoning_effort` for the server; those not named are the server's own.
    header, secret : str
        The name and the value of a header that a proxy requires. The secret is never shown.

    Raises
    ------
    ValueError
        If a value is invalid.

    Examples
    --------
    >>> from pooling.models import Pair, UmbrelaJudge, checked_scale
    >>> judge = UmbrelaJudge("http://localhost:8084", checked_scale([(0,), (1,), (2,), (3,)]))
    >>> judge.request([Pair("1", "d1", {"title": "green tea"}, "Tea is made from leaves.")])["query"]
    {'text': 'green tea', 'qid': '1'}
    """

    address: str
    scale: Scale
    overrides: Mapping[str, str] = field(default_factory=dict)
    header: str = HEADER
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        checked_url(self.address)
        if any(sign in self.address for sign in "?#"):
            raise ValueError(f"The address {shown(self.address)} must have neither ? nor #.")
        check_header(self.header, self.secret)
        if values_of(self.scale) != GRADES:
            raise ValueError(f"UMBRELA grades with 0, 1, 2 and 3; the scale has {values_of(self.scale)}.")
        for name, value in self.overrides.items():
            if name not in OVERRIDES or not isinstance(value, str) or len(value) > MAX_OVERRIDE:
                raise ValueError(
                    f"An override must be one of {', '.join(OVERRIDES)}, with a text of at most {MAX_OVERRIDE} "
                    f"characters, not {shown(str(name))}."
                )

    @property
    def most_output(self) -> int:
        """The tokens of an answer that the budget reserves."""
        return MOST_OUTPUT

    def record(self) -> dict[str, Any]:
        """Return what is kept of the judge, without the secret."""
        return {"kind": "umbrela", "address": self.address, "overrides": dict(self.overrides), "scale": GRADES}

    def messages(self, pair: Pair) -> list[Message]:  # noqa: ARG002 - as other judges
        """Return nothing: the prompt is the server's.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return []

    def key(self, pair: Pair) -> str:
        """Return the request key of a pair.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return request_key(self.record(), self.request([pair]), pair)

    def size(self, pair: Pair) -> int:
        """Return the number of characters that are sent.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return len(pair.topic.get("title") or "") + len(pair.document())

    def request(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """Return the body of a request for documents of one topic.

        Parameters
        ----------
        pairs : sequence of Pair
            Of the same topic.
        """
        query = {"text": str(pairs[0].topic.get("title") or ""), "qid": pairs[0].query_id}
        candidates = [{"docid": pair.doc_id, "doc": {"segment": pair.document()}} for pair in pairs]
        return _sendable(
            {"query": query, "candidates": candidates} | ({"overrides": dict(self.overrides)} if self.overrides else {})
        )

    def ask(self, client: Client, pair: Pair, on_attempt: OnAttempt = lambda _, __: None) -> Answer:
        """Ask for the grade of a pair. What goes wrong is in the answer; Forbidden is raised.

        Parameters
        ----------
        client : Client
            What sends the request.
        pair : Pair
            The topic and the document.
        on_attempt : callable
            Called with the pair and each attempt.
        """
        key, asked_at, attempts = self.key(pair), now(), list[Attempt]()
        body = self.request([pair])

        def seen(attempt: Attempt) -> None:
            attempts.append(attempt)
            on_attempt(pair, attempt)

        headers = {self.header: self.secret} if self.secret else {}
        try:
            response = client.send("POST", self.address.rstrip("/") + PATH, json=body, headers=headers, on_attempt=seen)
        except Failed as error:
            return failed(pair, key, "not_answered", str(error), attempts, asked_at=asked_at)
        raw = without_secret(response.body, self.secret)
        answer = self._read(pair, key, response.status, raw, body)
        return replace(answer, asked_at=asked_at, seconds=response.seconds, attempts=tuple(attempts))

    def _read(self, pair: Pair, key: str, status: int, raw: bytes, body: Mapping[str, Any]) -> Answer:
        try:
            texts = [candidate["doc"]["segment"] for candidate in body["candidates"]]
            (judgement,) = read_judgements(raw, status, body["query"]["text"], texts)
        except BadEnvelope as error:
            return failed(pair, key, "not_answered", str(error), raw=raw, is_fatal=status in (401, 404))
        prediction = judgement.get("prediction")
        text = prediction if isinstance(prediction, str) else ""
        reading, warning = read_judgement(judgement)
        answer = Answer(key, pair.query_id, pair.doc_id, pair.repeat, text=text, raw=raw, warning=warning)
        repeats = repeats_instruction(pair.document(), text)
        return replace(answer.with_reading(reading), repeats_instruction=repeats)


def read_judgements(body: bytes, status: int, query: str, texts: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the judgements of an envelope in the order of the texts that were sent.

    Raises BadEnvelope if they cannot be matched.

    Examples
    --------
    >>> rows = [{"query": "tea", "passage": text, "judgment": 2} for text in ("b", "a")]
    >>> body = json.dumps({"status": "success", "artifacts": [{"name": "judgments", "data": rows}]}).encode()
    >>> [row["passage"] for row in read_judgements(body, 200, "tea", ["a", "b"])]
    ['a', 'b']
    """
    rows = _rows(body, status)
    if len(rows) != len(texts):
        raise BadEnvelope(f"UMBRELA answered {count(len(rows), 'judgement')} for {count(len(texts), 'document')}.")
    if any(_words(row.get("query")) != _words(query) for row in rows):
        raise BadEnvelope("UMBRELA answered with judgements of another query.")
    sent, came = [_words(text) for text in texts], [_words(row.get("passage")) for row in rows]
    if sent == came:
        return rows
    by_text = dict(zip(came, rows, strict=True))
    if len(by_text) < len(rows) or by_text.keys() != set(sent):
        raise BadEnvelope("UMBRELA answered with judgements of other texts than those that were sent.")
    return [by_text[text] for text in sent]


def read_judgement(judgement: Mapping[str, Any]) -> tuple[Reading, str]:
    """Return the grade of a judgement, and a warning if it may be one of UMBRELA's silent zeros.

    Examples
    --------
    >>> read_judgement({"judgment": 0, "result_status": 0})[0].reason
    'no_grade'
    >>> read_judgement({"judgment": 0})[1]
    'UMBRELA also gives 0 to answers that it could not read and to requests that were refused.'
    """
    grade, status = judgement.get("judgment"), judgement.get("result_status")
    if type(grade) is not int:
        return Reading(None, "no_grade", f"UMBRELA's judgement is {shown(repr(grade)[:100])}."), ""
    if grade not in GRADES:
        return Reading(None, "off_scale", f"UMBRELA's judgement is {str(grade)[:20]}; the scale is 0, 1, 2, 3."), ""
    if status in (0, "0") or (grade == 0 and judgement.get("prediction") == ""):
        return Reading(None, "no_grade", "UMBRELA could not read the answer of its model."), ""
    return Reading(grade), "" if grade or status in (1, "1") else ZERO_WARNING


def zeros_sentence(answers: Iterable[Answer]) -> str:
    """Return a sentence about the grades of 0 that may be none, or "".

    Parameters
    ----------
    answers : iterable of Answer
        The answers of UMBRELA.

    Examples
    --------
    >>> from pooling.models import ZERO_WARNING, Answer, zeros_sentence
    >>> zeros_sentence([Answer("k", "1", "d1", grade=0, warning=ZERO_WARNING)])[:62]
    '1 grade of 0 may be none: UMBRELA also gives 0 to answers that'
    """
    doubtful = sum(answer.warning == ZERO_WARNING for answer in answers)
    grades = "1 grade" if doubtful == 1 else f"{doubtful:,} grades"
    return f"{grades} of 0 may be none: {ZERO_WARNING}" if doubtful else ""


def _rows(body: bytes, status: int) -> list[Mapping[str, Any]]:
    try:
        envelope = json.loads(body)
    except (ValueError, RecursionError):
        envelope = None
    if not isinstance(envelope, dict):
        raise BadEnvelope(
            f"UMBRELA's answer is no envelope; it begins with {shown(body[:60].decode(errors='replace'))}."
        )
    if status != 200:
        raise BadEnvelope(f"UMBRELA answered {status}: {_error(envelope)}.")
    artifacts = envelope.get("artifacts")
    data = (
        next(
            (each.get("data") for each in artifacts if isinstance(each, dict) and each.get("name") == "judgments"), None
        )
        if isinstance(artifacts, list)
        else None
    )
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise BadEnvelope(f"UMBRELA's envelope has no judgements: {_error(envelope)}.")
    return data


def _error(envelope: Mapping[str, Any]) -> str:
    errors = envelope.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    message = first.get("message") if isinstance(first, dict) else None
    return shown(message) if isinstance(message, str) and message else "without a reason"


def _words(text: Any) -> str:
    """Return a text to compare: white space may have changed on the way."""
    return " ".join(text.split()) if isinstance(text, str) else "\0"


def _sendable(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body without halves of surrogate pairs, which no request can have."""
    found: dict[str, Any] = json.loads(encoded(json_text(body)))
    return found
