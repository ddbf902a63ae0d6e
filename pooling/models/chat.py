"""Asks a server with OpenAI's contract of chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp, LM Studio.

The grade is asked for as structured output (`response_format`) if the prompt has the form "json". A parameter that the
server refuses as unknown is left out from then on, and each answer records what was sent: `max_tokens` takes the place
of `max_completion_tokens`; without `response_format`, the prompt alone asks for JSON.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pooling.errors import shown
from pooling.models.answers import Answer, OnAttempt, Pair, failed, request_key
from pooling.models.confidence import confidence_of
from pooling.models.endpoint import TOKEN_LIMITS, ChatEndpoint
from pooling.models.grades import read_grade, repeats_instruction
from pooling.models.prompts import Example, Message, Prompt, answer_schema, check_examples
from pooling.models.replies import Problem, UnusableReply, read_problem, read_reply
from pooling.models.scale import Scale
from pooling.outgoing import Attempt, Client, Failed, Limits, Response
from pooling.outgoing.client import now
from pooling.outgoing.secrets import without_secret

LIMITS = Limits(seconds=120.0, max_bytes=5_000_000, attempts=5)
FATAL = (401, 402, 404)


class ChatJudge:
    """A chat endpoint with a prompt and a scale. It can be used from several threads.

    Parameters
    ----------
    endpoint : ChatEndpoint
        Where the model is.
    prompt : Prompt
        What it is asked.
    scale : tuple of PoolGrade
        The scale, as `checked_scale` returns it.
    guidelines : str
        The guidelines that people have.
    examples : sequence of Example
        Documents with known grades, for prompts with `{examples}`.

    Raises
    ------
    ValueError
        If examples and prompt do not fit.

    Examples
    --------
    >>> from pooling.models import PROMPTS, ChatEndpoint, ChatJudge, Pair, checked_scale
    >>> endpoint = ChatEndpoint("http://localhost:11434/v1", "qwen3:4b")
    >>> judge = ChatJudge(endpoint, PROMPTS["direct"], checked_scale([(0, "Not relevant"), (1, "Relevant")]))
    >>> body = judge.body(Pair("1", "d1", {"title": "green tea"}, "Tea is made from leaves."))
    >>> body["model"], body["temperature"], [message["role"] for message in body["messages"]]
    ('qwen3:4b', 0.0, ['system', 'user'])
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        prompt: Prompt,
        scale: Scale,
        guidelines: str = "",
        examples: Sequence[Example] = (),
    ) -> None:
        check_examples(prompt, scale, examples)
        self.endpoint, self.prompt, self.scale = endpoint, prompt, scale
        self.guidelines, self.examples = guidelines, tuple(examples)
        self._schema = answer_schema(prompt, scale) if prompt.form == "json" else None
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    @property
    def most_output(self) -> int:
        """The most tokens of an answer."""
        return self.endpoint.max_tokens

    @property
    def refused(self) -> list[str]:
        """The parameters that the server does not know, by name."""
        return sorted(self._refused)

    def record(self) -> dict[str, Any]:
        """Return what is kept of the judge, without the secret."""
        scale = [list(grade) for grade in self.scale]
        return {"kind": "chat", **self.endpoint.record(), "prompt": self.prompt.record(), "scale": scale}

    def messages(self, pair: Pair) -> list[Message]:
        """Return what the model reads of a pair.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return self.prompt.messages(
            self.scale, pair.topic, pair.document(), pair.passage, self.guidelines, self.examples
        )

    def key(self, pair: Pair) -> str:
        """Return the request key of a pair. What a server refuses does not change it.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        about = {name: value for name, value in self.endpoint.record().items() if name != "header"}
        if about["token_limit"] == TOKEN_LIMITS[0]:
            del about["token_limit"]  # so that answers saved before it was a setting keep their keys
        about |= {"prompt": self.prompt.hash, "schema": self._schema}
        return request_key(about, self.messages(pair), pair)

    def size(self, pair: Pair) -> int:
        """Return the number of characters that the model reads.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return sum(len(message.content) for message in self.messages(pair))

    def body(self, pair: Pair) -> dict[str, Any]:
        """Return the body of the request of a pair.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        with self._lock:
            refused = set(self._refused)
        return self.endpoint.body(self.messages(pair), self._schema, pair.repeat, refused)

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

        def seen(attempt: Attempt) -> None:
            attempts.append(attempt)
            on_attempt(pair, attempt)

        try:
            response, body = self._send(client, pair, seen)
        except Failed as error:
            detail = without_secret(str(error).encode(), self.endpoint.secret).decode()
            return failed(pair, key, "not_answered", detail, attempts, asked_at=asked_at)
        about = {name: value for name, value in body.items() if name != "messages"}
        answer = self.read(pair, key, response.status, response.body, response.headers.get("x-request-id", ""))
        seconds = response.seconds
        return replace(answer, parameters=about, asked_at=asked_at, seconds=seconds, attempts=tuple(attempts))

    def read(self, pair: Pair, key: str, status: int, body: bytes, request_id: str = "") -> Answer:
        """Return what an answer of the server says.

        Parameters
        ----------
        pair : Pair
            What was asked for.
        key : str
            Its request key.
        status : int
            The status of HTTP.
        body : bytes
            The answer.
        request_id : str
            What the server calls the request.
        """
        raw = without_secret(body, self.endpoint.secret)
        if status != 200:
            return _refusal(pair, key, status, raw)
        try:
            reply = read_reply(raw, request_id)
        except UnusableReply as error:
            return failed(pair, key, "not_answered", str(error), raw=raw)
        form = self.prompt.form
        reading = read_grade(reply.text, self.scale, form, reply.finish, reply.refusal)
        sure = None if reading.grade is None else confidence_of(reply.tokens, reading.grade, self.scale, form)
        return Answer(
            key,
            pair.query_id,
            pair.doc_id,
            pair.repeat,
            text=reply.text,
            raw=raw,
            reported=reply.reported,
            usage=reply.usage,
            confidence=sure,
            repeats_instruction=repeats_instruction(pair.document(), reply.text),
        ).with_reading(reading)

    def _send(self, client: Client, pair: Pair, seen: Any) -> tuple[Response, dict[str, Any]]:
        """Send a request, and again without a parameter that the server does not know."""
        url, params = self.endpoint.target
        secret = {self.endpoint.header: self.endpoint.secret} if self.endpoint.secret else {}
        while True:
            body = self.body(pair)
            response = client.send(
                "POST", url, params=params, json=body, headers=secret, is_final=is_final, on_attempt=seen
            )
            if response.status not in (400, 422) and not _is_validation(response):
                return response, body
            name = read_problem(response.body).refused_parameter(body)
            if not name:
                return response, body
            with self._lock:  # each turn adds a name, so there are at most as many as OPTIONAL has
                self._refused |= {"logprobs", "top_logprobs"} if name.endswith("logprobs") else {name}


def is_final(response: Response) -> bool:
    """Whether an answer will stay the same, however long one waits."""
    if response.headers.get("x-should-retry", "").lower() == "false":
        return True
    is_quota = response.status == 429 and read_problem(response.body).is_quota
    return is_quota or _is_validation(response)


def _is_validation(response: Response) -> bool:
    """Whether a server answers 500 because it does not accept the form of the request."""
    return response.status == 500 and read_problem(response.body).is_validation


def _refusal(pair: Pair, key: str, status: int, raw: bytes) -> Answer:
    """Return the answer to a status other than 200."""
    problem = read_problem(raw)
    reason = shown(problem.message) if problem.message else "without a reason"
    is_fatal = status in FATAL or problem.is_quota
    detail = f"The server answered {status}: {reason}."
    return failed(pair, key, _reason(status, problem), detail, raw=raw, is_fatal=is_fatal)


def _reason(status: int, problem: Problem) -> str:
    if problem.is_filtered:
        return "content_filter"
    return "too_long" if status == 413 or (status in (400, 422) and problem.is_too_long) else "not_answered"
