"""The result of one topic: its documents, the raw answer, or why there is none."""

import base64
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pooling.live.answer import Answer, BadAnswer, Hit
from pooling.live.engine import Engine, UnusableAnswer
from pooling.outgoing import Client, Response
from pooling.outgoing.client import now


@dataclass(frozen=True)
class TopicAnswer:
    """`problem` says why a topic has no result; then there are no documents. `body` is the raw answer, if one came."""

    query_id: str
    hits: list[Hit] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problem: str = ""
    body: bytes = field(default=b"", repr=False)
    asked_at: str = ""
    seconds: float = 0.0
    attempts: int = 1

    @property
    def sha256(self) -> str:
        """The checksum of the raw answer."""
        return hashlib.sha256(self.body).hexdigest()


def ask_topic(engine: Engine, client: Client, topic: Mapping[str, str], depth: int) -> TopicAnswer:
    """Ask an engine for a topic. A partial answer is asked for a second time."""
    first = _ask_once(engine, client, topic, depth)
    if isinstance(first, TopicAnswer):
        return first
    again = _ask_once(engine, client, topic, depth)
    if isinstance(again, TopicAnswer):
        return again
    response, reason = again
    return _failed(topic["query_id"], reason, response)


def _ask_once(
    engine: Engine, client: Client, topic: Mapping[str, str], depth: int
) -> TopicAnswer | tuple[Response, str]:
    """Return the result of a topic, or the answer that was partial and why."""
    query_id = topic["query_id"]
    try:
        response = engine.ask(client, topic, depth)
        answer = engine.read(response.body, depth)
    except UnusableAnswer as error:
        return _failed(query_id, str(error), error.response)
    except BadAnswer as error:
        return (response, str(error)) if error.is_partial else _failed(query_id, str(error), response)
    return answered(query_id, answer, response)


def answered(query_id: str, answer: Answer, response: Response) -> TopicAnswer:
    """Return the result of a topic with its documents."""
    return TopicAnswer(
        query_id,
        answer.hits,
        answer.counts,
        body=response.body,
        asked_at=now(),
        seconds=response.seconds,
        attempts=response.attempts,
    )


def _failed(query_id: str, reason: str, response: Response | None) -> TopicAnswer:
    body, attempts = (response.body, response.attempts) if response else (b"", 1)
    return TopicAnswer(query_id, problem=reason, body=body, asked_at=now(), attempts=attempts)


def write_answers(answers: Iterable[TopicAnswer], path: Path) -> str:
    """Write raw answers as lines of JSON, compressed, and return the checksum of the file."""
    with path.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as stream:
        for answer in answers:
            stream.write(json.dumps(as_line(answer), ensure_ascii=False).encode() + b"\n")
    with path.open("rb") as stream_again:
        return hashlib.file_digest(stream_again, "sha256").hexdigest()


def read_answers(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the query_id and the raw answer of each line. Raises ValueError if a checksum differs."""
    with gzip.open(path) as stream:
        for line in stream:
            row = json.loads(line)
            body = base64.b64decode(row["base64"]) if "base64" in row else row["body"].encode()
            if hashlib.sha256(body).hexdigest() != row["sha256"]:
                raise ValueError(f"{path.name}: the answer of topic {row['query_id']} differs from its checksum.")
            yield row["query_id"], body


def as_line(answer: TopicAnswer) -> dict[str, Any]:
    about = {
        "query_id": answer.query_id,
        "asked_at": answer.asked_at,
        "seconds": round(answer.seconds, 3),
        "attempts": answer.attempts,
        "problem": answer.problem,
        "sha256": answer.sha256,
    }
    try:
        return {**about, "body": answer.body.decode()}
    except UnicodeDecodeError:
        return {**about, "base64": base64.b64encode(answer.body).decode()}
