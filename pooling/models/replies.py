"""The answers of servers with OpenAI's contract of chat completions: a grade's text, its tokens, and errors.

Every value may be missing or have another type, because servers differ. Numbers of tokens are integers from 0 to a
thousand million; others count as missing. Some servers count reasoning tokens apart from the completion; the larger of
the completion and the total without the prompt is what is billed.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from pooling.errors import shown
from pooling.models.answers import Usage

MOST_TOKENS = 1_000_000_000
MAX_REPORTED = 200  # characters of what a server says of itself
MAX_MESSAGE = 2_000
QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
# What may be left out, if a server does not know it.
OPTIONAL = (
    *("max_completion_tokens", "max_tokens", "response_format", "logprobs", "top_logprobs"),
    *("temperature", "seed", "reasoning_effort"),
)
_CODES = ("unsupported_parameter", "unknown_parameter", "unsupported_value", "extra_forbidden")
_REFUSED = re.compile(
    r"unsupported|not supported|(?:does not|doesn't|do not) support|unknown|unrecogni[sz]ed|unexpected|not permitted"
    r"|extra inputs|not allowed|invalid parameter|not available|no such parameter|literal_error",
    re.IGNORECASE,
)
_NAMES = re.compile(rf"(?<!\w)(?:{'|'.join(OPTIONAL)})(?!\w)")
_TOO_LONG = re.compile(r"context.length|context.size|context.window|maximum context|too many tokens", re.IGNORECASE)


class UnusableReply(ValueError):  # noqa: N818 - not a fault of the program
    """A reply is no chat completion. The message is a sentence."""


@dataclass(frozen=True)
class Reply:
    """What a chat completion says. `tokens` is the list of log-probabilities, or None."""

    text: str
    refusal: str = ""
    finish: str = ""
    reported: Mapping[str, str] = field(default_factory=dict)
    usage: Usage | None = None
    tokens: Any = None


@dataclass(frozen=True)
class Problem:
    """The error of a server: its message, code, type, and the parameter that it names."""

    message: str = ""
    code: str = ""
    kind: str = ""
    parameter: str = ""

    @property
    def is_quota(self) -> bool:
        """Whether the account has no money left, which does not change by waiting."""
        return self.code in QUOTA or self.kind in QUOTA

    @property
    def is_too_long(self) -> bool:
        return self.code == "context_length_exceeded" or bool(_TOO_LONG.search(self.message))

    @property
    def is_filtered(self) -> bool:
        return self.code in ("content_filter", "content_policy_violation")

    @property
    def is_validation(self) -> bool:
        """Whether the server did not accept the form of the request, which llama-cpp-python answers with 500."""
        return "validation error" in self.message.lower()

    def refused_parameter(self, sent: Collection[str]) -> str:
        """Return the optional parameter that the server does not know, or "".

        Examples
        --------
        >>> message = "Unsupported parameter: 'max_tokens' is not known. Use 'max_completion_tokens' instead."
        >>> Problem(message).refused_parameter(["max_tokens"])
        'max_tokens'
        >>> Problem("max_tokens is too large: 9000.").refused_parameter(["max_tokens"])
        ''
        """
        if self.code not in _CODES and not _REFUSED.search(self.message):
            return ""
        named = (self.parameter.partition(".")[0], *_NAMES.findall(self.message))
        return next((name for name in named if name in OPTIONAL and name in sent), "")


def read_reply(body: bytes, request_id: str = "") -> Reply:
    """Return what a chat completion says. Raises UnusableReply if it is none.

    Examples
    --------
    >>> read_reply(b'{"choices": [{"message": {"content": "2"}, "finish_reason": "stop"}]}').text
    '2'
    """
    payload = _json(body)
    if payload is None:
        raise UnusableReply(f"The answer is no JSON; it begins with {_begin(body)}.")
    choices = _at(payload, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _at(choice, "message")
    if not isinstance(message, dict):
        problem = read_problem(body)
        reason = shown(problem.message) if problem.message else "it has no message"
        raise UnusableReply(f"The answer is no chat completion: {reason}.")
    names = {"model": "model", "fingerprint": "system_fingerprint", "service_tier": "service_tier", "id": "id"}
    reported = {name: _text(_at(payload, key)) for name, key in names.items()}
    finish = _text(_at(choice, "finish_reason"))
    reported |= {"request_id": _text(request_id), "finish": finish}
    return Reply(
        _content(message.get("content")),
        _text(message.get("refusal")),
        finish,
        {name: value for name, value in reported.items() if value},
        _usage(_at(payload, "usage")),
        _at(_at(choice, "logprobs"), "content"),
    )


def read_problem(body: bytes) -> Problem:
    """Return the error in an answer, in the forms of OpenAI, vLLM, Ollama, llama.cpp and FastAPI.

    Examples
    --------
    >>> read_problem(b'{"error": {"message": "no money", "code": "insufficient_quota"}}').is_quota
    True
    >>> read_problem(b'{"error": "model not found"}').message
    'model not found'
    """
    payload = _json(body)
    error = _at(payload, "error")
    if error is None:
        error = payload
    if isinstance(error, str):
        return Problem(error[:MAX_MESSAGE])
    detail = _at(error, "detail")
    if isinstance(detail, list) and detail and isinstance(detail[0], dict):
        place = _at(detail[0], "loc")
        last = place[-1] if isinstance(place, list) and place else ""
        return Problem(_message(_at(detail[0], "msg")), _text(_at(detail[0], "type")), "", _text(last))
    message = _message(_at(error, "message")) or _message(detail) or _message(body.decode(errors="replace").strip())
    return Problem(message, *(_text(_at(error, name)) for name in ("code", "type", "param")))


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _at(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _content(content: Any) -> str:
    """Return the text of a message, which some servers send in parts."""
    if isinstance(content, list):
        return "".join(part for each in content if isinstance(part := _at(each, "text"), str))
    return content if isinstance(content, str) else ""


def _usage(found: Any) -> Usage | None:
    given, written, total = (
        _count(_at(found, name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    )
    if given is None or written is None:
        return None
    reasoning = _count(_at(_at(found, "completion_tokens_details"), "reasoning_tokens")) or 0
    cached = _count(_at(_at(found, "prompt_tokens_details"), "cached_tokens")) or 0
    return Usage(given, max(written, (total or 0) - given), reasoning, min(cached, given))


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def _text(value: Any) -> str:
    return value[:MAX_REPORTED] if isinstance(value, str) else ""


def _message(value: Any) -> str:
    return value[:MAX_MESSAGE] if isinstance(value, str) else ""


def _begin(body: bytes) -> str:
    return shown(body[:60].decode(errors="replace"))
