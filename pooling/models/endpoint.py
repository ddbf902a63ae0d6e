"""A model at an address, with its parameters: what a request of chat completions has besides its messages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from pooling.errors import shown
from pooling.models.prompts import Message
from pooling.models.replies import OPTIONAL
from pooling.outgoing.addresses import checked_url
from pooling.outgoing.secrets import HEADER, check_header, refuse_secret_parameters

PATH = "/chat/completions"
MOST_OUTPUT, MOST_LOGPROBS, HOTTEST, MOST_SEED = 200_000, 20, 2, 2**31 - 1
MAX_NAME, MAX_EXTRA = 200, 10_000
TOKEN_LIMITS = ("auto", "max_completion_tokens", "max_tokens")
_OWN = ("model", "messages", "stream", "n", *OPTIONAL)


@dataclass(frozen=True)
class ChatEndpoint:
    """A model at an address, with its parameters.

    Parameters
    ----------
    address : str
        The address before `/chat/completions`, such as http://localhost:11434/v1. Parameters such as `?api-version=1`
        stay at the end.
    model : str
        The name of the model.
    temperature : float, optional
        From 0 to 2; None leaves it to the server.
    max_tokens : int
        The most tokens of an answer, including those of reasoning.
    token_limit : {"auto", "max_completion_tokens", "max_tokens"}
        The name under which `max_tokens` is sent. "auto" sends max_completion_tokens, and max_tokens to a server that
        refuses this name. Some servers ignore max_completion_tokens without a word; they need "max_tokens".
    logprobs : int
        How many alternatives of each token to ask for, from 0 to 20; 0 asks for no probabilities.
    seed : int, optional
        Sent with each request; repeat 1 gets the next seed, and so on.
    reasoning_effort : str
        Such as "low"; empty leaves it to the server.
    extra : mapping
        Further parameters that the server knows, as JSON values.
    header, secret : str
        The name and the value of a header that the server requires, such as "Bearer ...". The secret is never shown.

    Raises
    ------
    ValueError
        If a value is invalid.

    Examples
    --------
    >>> from pooling.models import ChatEndpoint
    >>> ChatEndpoint("http://localhost:11434/v1", "qwen3:4b", secret="Bearer abcdefgh")
    ChatEndpoint(address='http://localhost:11434/v1', model='qwen3:4b', temperature=0.0, max_tokens=500, logprobs=10, \
seed=None, reasoning_effort='', extra={}, header='Authorization', token_limit='auto')
    """

    address: str
    model: str
    temperature: float | None = 0.0
    max_tokens: int = 500
    logprobs: int = 10
    seed: int | None = None
    reasoning_effort: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    header: str = HEADER
    secret: str = field(default="", repr=False)
    token_limit: str = TOKEN_LIMITS[0]

    def __post_init__(self) -> None:
        base, _, query = self.address.partition("?")
        checked_url(base)
        if "#" in self.address:
            raise ValueError(f"The address {shown(self.address)} must have no #.")
        refuse_secret_parameters(query)
        check_header(self.header, self.secret)
        for name, text in (("model", self.model), ("reasoning_effort", self.reasoning_effort)):
            if len(text) > MAX_NAME or not text.isprintable():
                raise ValueError(f"{name} must have at most {MAX_NAME} printable characters.")
        if not self.model:
            raise ValueError("The model needs a name.")
        _check_number("temperature", self.temperature, 0, HOTTEST)
        _check_number("max_tokens", self.max_tokens, 1, MOST_OUTPUT)
        _check_number("logprobs", self.logprobs, 0, MOST_LOGPROBS)
        _check_number("seed", self.seed, 0, MOST_SEED)
        if self.token_limit not in TOKEN_LIMITS:
            raise ValueError(
                f"token_limit must be one of {', '.join(TOKEN_LIMITS)}, not {shown(str(self.token_limit))}."
            )
        self._check_extra()

    @property
    def target(self) -> tuple[str, dict[str, str]]:
        """The whole address without its parameters, and these."""
        base, _, query = self.address.partition("?")
        base = base.rstrip("/")
        return base if base.endswith(PATH) else base + PATH, dict(parse_qsl(query, keep_blank_values=True))

    def record(self) -> dict[str, Any]:
        """Return the settings without the secret."""
        return {name: value for name, value in asdict(self).items() if name != "secret"}

    def body(self, messages: Sequence[Message], schema: Any, repeat: int, refused: set[str]) -> dict[str, Any]:
        """Return the body of a request, without the parameters that the server refused before.

        Parameters
        ----------
        messages : sequence of Message
            What the model reads.
        schema : dict or None
            The JSON schema of the answer.
        repeat : int
            Added to the seed.
        refused : set of str
            The parameters that the server does not know.
        """
        names = TOKEN_LIMITS[1:] if self.token_limit == TOKEN_LIMITS[0] else (self.token_limit,)
        limit = next((name for name in names if name not in refused), "")
        seed = None if self.seed is None else self.seed + repeat
        format_of = {"name": "judgement", "strict": True, "schema": schema}
        optional = {
            "temperature": self.temperature,
            limit: self.max_tokens,
            "response_format": {"type": "json_schema", "json_schema": format_of} if schema else None,
            "logprobs": True if self.logprobs else None,
            "top_logprobs": self.logprobs or None,
            "seed": seed,
            "reasoning_effort": self.reasoning_effort or None,
        }
        sent = {name: value for name, value in optional.items() if name and name not in refused and value is not None}
        return {"model": self.model, "messages": [m._asdict() for m in messages], **sent, **self.extra}

    def _check_extra(self) -> None:
        if taken := next((name for name in self.extra if name in _OWN), None):
            raise ValueError(f"extra must not have {taken!r}, which has a field of its own or is not allowed.")
        try:
            size = len(json.dumps(dict(self.extra), allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            raise ValueError("extra must have values of JSON.") from None
        if size > MAX_EXTRA:
            raise ValueError(f"extra must have at most {MAX_EXTRA:,} characters, not {size:,}.")


def _check_number(name: str, value: object, least: float, most: float) -> None:
    """Raise ValueError unless a number lies between two limits. Only a temperature may have a fraction."""
    if value is None and name in ("temperature", "seed"):
        return
    is_number = type(value) is int or (type(value) is float and name == "temperature")
    if not is_number or not least <= float(str(value)) <= most:
        kind = "a number" if name == "temperature" else "an integer"
        raise ValueError(f"{name} must be {kind} from {least:g} to {most:,}, not {shown(repr(value))}.")
