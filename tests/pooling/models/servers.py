"""Small servers on this machine that answer as chat completions and UMBRELA do."""

import json
import math
import re
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.pooling.live.servers import Asked, Reply

DOCUMENT = re.compile(r"<document>\n(.*?)\n</document>", re.DOTALL)


def document_of(asked: Asked) -> str:
    """The document that the last message asks about."""
    return DOCUMENT.findall(asked.body["messages"][-1]["content"])[-1]


def completion(text: str | None, finish: str = "stop", **changes: Any) -> Reply:
    """The body of a chat completion, as the types of OpenAI's client have it."""
    message = {"role": "assistant", "content": text, "refusal": changes.pop("refusal", None)}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": changes.pop("logprobs", None)}
    usage = {
        "prompt_tokens": 300,
        "completion_tokens": 40,
        "total_tokens": 340,
        "prompt_tokens_details": {"cached_tokens": 128},
        "completion_tokens_details": {"reasoning_tokens": 32},
    }
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "judge-2026-11-01",
        "system_fingerprint": "fp_1",
        "service_tier": "default",
        "choices": [choice],
        "usage": usage,
    }
    return Reply(body | changes, headers={"x-request-id": "req_1"})


def error(status: int, message: str = "no", headers: dict[str, str] | None = None, **about: Any) -> Reply:
    """An error in OpenAI's form."""
    return Reply(
        {"error": {"message": message, "type": "", "param": None, "code": None} | about}, status, headers or {}
    )


def logprobs(grade: int, shares: dict[int, float]) -> dict[str, Any]:
    """The log-probabilities of the answer {"grade": N}."""
    top = [{"token": str(value), "logprob": math.log(share), "bytes": None} for value, share in shares.items()]
    chosen = {"token": str(grade), "logprob": math.log(shares[grade]), "bytes": None, "top_logprobs": top}
    around = [{"token": text, "logprob": 0.0, "bytes": None, "top_logprobs": []} for text in ('{"', "grade", '":', "}")]
    return {"content": [*around[:3], chosen, around[3]]}


def grades_by(rule: Callable[[str], int]) -> Callable[[Asked], Reply]:
    """A model that grades by a rule of the document."""
    return lambda asked: completion(json.dumps({"grade": rule(document_of(asked))}))


class Counting:
    """Counts requests by their document, and the most that were answered at once."""

    def __init__(self, answer: Callable[[Asked], Reply]) -> None:
        self._answer, self._lock = answer, threading.Lock()
        self.by_document: Counter[str] = Counter()
        self._now = self.most = 0

    def __call__(self, asked: Asked) -> Reply:
        with self._lock:
            self.by_document[document_of(asked)] += 1
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return self._answer(asked)
        finally:
            with self._lock:
                self._now -= 1


def umbrela(asked: Asked) -> Reply:
    """UMBRELA's envelope. A document with "unreadable" gets its silent 0."""
    query = asked.body["query"]["text"]
    judgments = []
    for candidate in asked.body["candidates"]:
        text = candidate["doc"]["segment"]
        is_read = "unreadable" not in text
        judgments.append(
            {
                "query": query,
                "passage": text,
                "prediction": "##final score: 2" if is_read else "",
                "judgment": 2 if is_read else 0,
                "result_status": int(is_read),
            }
        )
    artifacts = [{"name": "judgments", "kind": "json", "data": judgments}]
    return Reply(
        {
            "schema_version": "castorini.cli.v1",
            "status": "success",
            "exit_code": 0,
            "artifacts": artifacts,
            "errors": [],
        }
    )
