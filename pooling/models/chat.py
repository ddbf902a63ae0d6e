"""Asks an endpoint that speaks OpenAI's contract of chat completions (also vLLM, Ollama, llama.cpp, LM Studio, Azure).

The grade is asked for as structured output, with a JSON schema made from the scale. Servers differ in what they
accept. If one refuses a parameter with 400, the request is sent again without it or under its older name, and this is
remembered for the next requests. 429 and 5xx are repeated by the client (`pooling.outgoing`), but an exhausted quota is
not.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pooling.errors import shown
from pooling.models.grades import ModelGrade, grade_probabilities, read_grade
from pooling.outgoing import Client, Failed, Response

MAX_TOKENS = 2_000
QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
Body = dict[str, Any]


class ChatFailed(Exception):  # noqa: N818 - not a fault of the program
    """The endpoint gave no answer. The message has no secret. `is_permanent` if asking again brings the same."""

    def __init__(self, message: str, *, is_permanent: bool) -> None:
        super().__init__(message)
        self.is_permanent = is_permanent


@dataclass(frozen=True)
class ChatAnswer:
    """What an endpoint answered: the grade, the raw answer, and what it cost.

    `model` is the version that the endpoint reports. `reasoning_tokens` are among the completion tokens, and are paid
    for. `dropped` are the parameters that the endpoint does not know.
    """

    grade: ModelGrade
    raw: bytes = field(repr=False)
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    request_id: str = ""
    seconds: float = 0.0
    attempts: int = 1
    dropped: tuple[str, ...] = ()


class ChatEndpoint:
    """An endpoint with a model.

    Parameters
    ----------
    address : str
        The address up to `/v1`, without secrets.
    model : str
        The name of the model.
    secret : str
        The key, sent as `Authorization: Bearer`; never shown.
    parameters : mapping
        Further parameters, such as `temperature` (0 by default), `seed` or `reasoning_effort`.

    Examples
    --------
    >>> ChatEndpoint("http://localhost:8000/v1", "small", "very-secret")
    <ChatEndpoint small at http://localhost:8000/v1>
    """

    def __init__(self, address: str, model: str, secret: str = "", parameters: Mapping[str, Any] | None = None) -> None:
        self.address, self.model, self._secret = address.rstrip("/"), model, secret
        self.parameters = {"temperature": 0, "max_completion_tokens": MAX_TOKENS, "logprobs": True, "top_logprobs": 20}
        self.parameters |= dict(parameters or {})
        self._learned: dict[str, str] = {}  # refused parameters, each with its older name or ""

    def __repr__(self) -> str:
        return f"<ChatEndpoint {self.model} at {self.address}>"

    def ask(self, client: Client, messages: Sequence[Mapping[str, str]], scale: Sequence[int]) -> ChatAnswer:
        """Return the answer to messages.

        Parameters
        ----------
        client : Client
            Sends the request, with its limits and allowed hosts.
        messages : sequence of mappings
            As `Prompt.messages` returns them.
        scale : sequence of int
            The grades that are allowed.

        Returns
        -------
        ChatAnswer
            The grade is None if the answer has none, with the reason.

        Raises
        ------
        ChatFailed
            If the endpoint gave no answer.
        """
        while True:
            response = self._send(client, self._body(messages, scale))
            refused = self._refused_parameter(response)
            if not refused:
                return self._answer(response, scale)
            self._learned[refused] = "max_tokens" if refused == "max_completion_tokens" else ""

    def _send(self, client: Client, body: Body) -> Response:
        headers = {"Authorization": f"Bearer {self._secret}"} if self._secret else {}
        try:
            return client.send(
                "POST", f"{self.address}/chat/completions", json=body, headers=headers, is_final=_is_over_quota
            )
        except Failed as error:
            raise ChatFailed(str(error), is_permanent=False) from None

    def _body(self, messages: Sequence[Mapping[str, str]], scale: Sequence[int]) -> Body:
        body: Body = {
            "model": self.model,
            "messages": [dict(message) for message in messages],
            "response_format": {"type": "json_schema", "json_schema": grade_schema(scale)},
            **self.parameters,
        }
        for name, older in self._learned.items():
            value = body.pop(name, None)
            if older and value is not None:
                body[older] = value
        return body

    def _refused_parameter(self, response: Response) -> str:
        """Return the parameter of the last request that the endpoint does not know, or "" if there is none."""
        if response.status not in (400, 422):
            return ""
        text = response.body[:5_000].decode(errors="replace")
        removable = ("max_completion_tokens", "response_format", "top_logprobs", "logprobs", "temperature", "seed")
        known = [name for name in removable if name not in self._learned]
        return next((name for name in known if name in text), "")

    def _answer(self, response: Response, scale: Sequence[int]) -> ChatAnswer:
        payload = _payload(response)
        if response.status != 200:
            raise ChatFailed(_refusal(response, payload), is_permanent=response.status not in (408, 429, 500, 502, 503))
        try:
            choice = payload["choices"][0]
            message = choice["message"]
        except (KeyError, IndexError, TypeError):
            raise ChatFailed("The answer has no choices.", is_permanent=False) from None
        return ChatAnswer(
            _grade(choice, message, scale),
            response.body,
            str(payload.get("model") or "")[:200],
            *_usage(payload.get("usage")),
            response.headers.get("x-request-id", "")[:100],
            response.seconds,
            response.attempts,
            tuple(self._learned),
        )


def grade_schema(scale: Sequence[int]) -> Body:
    """Return the strict JSON schema of an answer.

    Examples
    --------
    >>> grade_schema([0, 1])["schema"]["properties"]
    {'grade': {'type': 'integer', 'enum': [0, 1]}}
    """
    grade = {"type": "integer", "enum": list(scale)}
    schema = {"type": "object", "properties": {"grade": grade}, "required": ["grade"], "additionalProperties": False}
    return {"name": "judgement", "strict": True, "schema": schema}


def _is_over_quota(response: Response) -> bool:
    return response.status == 429 and any(word in response.body[:5_000].decode(errors="replace") for word in QUOTA)


def _payload(response: Response) -> Any:
    try:
        payload = json.loads(response.body)
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        if response.status == 200:
            raise ChatFailed("The endpoint's answer is no JSON object.", is_permanent=False)
        return {}
    return payload


def _refusal(response: Response, payload: Body) -> str:
    """Return what the endpoint says of an error: servers name it in four ways."""
    error = payload.get("error") or payload.get("detail") or payload.get("message") or ""
    reason = error.get("message", "") if isinstance(error, dict) else error
    said = f": {shown(str(reason))}" if reason else ""
    over = " The quota is exhausted." if _is_over_quota(response) else ""
    return f"The endpoint answered {response.status}{said}.{over}"


def _grade(choice: Any, message: Any, scale: Sequence[int]) -> ModelGrade:
    read: Callable[[str], str] = lambda name: value if isinstance(value := message.get(name), str) else ""  # noqa: E731
    if not isinstance(message, dict):
        return ModelGrade(None, "the answer has no message")
    found = read_grade(read("content"), scale, str(choice.get("finish_reason") or "stop"), read("refusal"))
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if found.grade is None or not isinstance(tokens, list):
        return found
    known = [token for token in tokens if isinstance(token, dict)]
    return ModelGrade(found.grade, "", grade_probabilities(known, scale))


def _usage(usage: Any) -> tuple[int, int, int]:
    """Return the tokens of prompt, completion and reasoning; 0 for what the endpoint does not say."""
    numbers = usage if isinstance(usage, dict) else {}
    details = numbers.get("completion_tokens_details")
    reasoning = details.get("reasoning_tokens") if isinstance(details, dict) else 0
    values = (numbers.get("prompt_tokens"), numbers.get("completion_tokens"), reasoning)
    prompt, completion, thought = (value if isinstance(value, int) and value >= 0 else 0 for value in values)
    return prompt, completion, thought
