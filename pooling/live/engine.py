"""A search engine with its template: makes the request of a topic, and reads its answer."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self
from urllib.parse import parse_qsl

import httpx2

from pooling.errors import shown
from pooling.live.answer import Answer, BadAnswer, Hit, checked, hit
from pooling.live.kinds import KINDS, Kind, hits_at, vespa_id
from pooling.live.paths import compiled, value_at
from pooling.live.template import escape_lucene, fill, fill_text, has_query, parse_body, values_of
from pooling.outgoing import Client, Failed, Response
from pooling.outgoing.addresses import checked_url
from pooling.outgoing.secrets import HEADER, check_header, refuse_secret_parameters

SCORES = ("engine", "rank")
ESCAPES = ("", "lucene")
MAX_DEPTH = 10_000
PATHS = ("results", "id", "score", "title", "text")
MAX_SEPARATOR = 10


class UnusableAnswer(Exception):  # noqa: N818 - not a fault of the program
    """A topic has no result. The message is a sentence for the user; `response` is what came, if anything."""

    def __init__(self, message: str, response: Response | None = None) -> None:
        super().__init__(message)
        self.response = response


@dataclass(frozen=True)
class Engine:
    """How to ask a search engine for the documents of a topic.

    Parameters
    ----------
    kind : str
        A key of `pooling.live.KINDS`: "elasticsearch", "solr", "vespa" or "json".
    address : str
        The address of the index, without secrets; of the kind "json" the whole address, in whose parameters values of
        the topic may stand.
    body : str
        The template, a JSON object; empty for the kind "json" if the address says everything.
    results, id, score, title, text : str
        Where the list of documents stands in the answer, and where the values stand in a document, by JMESPath. Empty
        for `score`, `title` and `text`: the answer has none.
    scores : str
        "engine" for the scores of the answer, "rank" for depth minus rank.
    escape : str
        "lucene" escapes the values for Lucene's query syntax.
    chunk_separator : str
        What stands between a document's id and the number of its chunk. Empty: the answer has documents.
    header, secret : str
        The name and the value of a header that the engine requires, such as "ApiKey ...". The secret is never shown.

    Raises
    ------
    ValueError
        If a value is invalid.

    Examples
    --------
    >>> Engine.of("solr", "https://search.example.org/solr/news").body
    '{"query": "{query}", "fields": "id,score,title,text"}'
    """

    kind: str
    address: str
    body: str = ""
    results: str = ""
    id: str = ""
    score: str = ""
    title: str = ""
    text: str = ""
    scores: str = "engine"
    escape: str = ""
    chunk_separator: str = ""
    header: str = HEADER
    secret: str = field(default="", repr=False)

    @classmethod
    def of(cls, kind: str, address: str, **settings: str) -> Self:
        """Return an engine of a kind, with the usual template and paths for those that are not stated."""
        usual = _kind(kind)
        return cls(kind, address, **({"body": usual.body, **usual.fields} | settings))

    def __post_init__(self) -> None:
        kind = _kind(self.kind)
        self._check_address()
        _check_choice("scores", self.scores, SCORES)
        _check_choice("escape", self.escape, ESCAPES)
        for name in PATHS:
            path = getattr(self, name)
            if path or name in ("results", "id"):
                compiled(path)
        if len(self.chunk_separator) > MAX_SEPARATOR:
            raise ValueError(f"The separator must have at most {MAX_SEPARATOR} characters.")
        if self.body or kind.body:
            parse_body(self.body)
        if not has_query([self.address, json.loads(self.body or "{}")]):
            raise ValueError("Neither the address nor the template has a field such as {query}.")
        check_header(self.header, self.secret)

    def record(self) -> dict[str, str]:
        """Return the settings without the secret: what is kept with a run."""
        return {name: value for name, value in asdict(self).items() if name != "secret"}

    @property
    def most(self) -> int:
        return min(_kind(self.kind).most, MAX_DEPTH)

    def ask(self, client: Client, topic: Mapping[str, str], depth: int) -> Response:
        """Return the engine's answer for a topic. Raises UnusableAnswer if it is none of 200."""
        values = values_of(topic, depth)
        if not values["query"]:
            raise UnusableAnswer("The topic has neither title nor description.")
        url, params = self._target(values)
        body = self._body(values, depth)
        method = "GET" if body is None else "POST"
        try:
            response = client.send(method, url, params=params, json=body, headers=self._headers())
        except Failed as error:
            raise UnusableAnswer(str(error)) from None
        if response.status != 200:
            raise UnusableAnswer(_refusal(response), response)
        return response

    def read(self, body: bytes, depth: int) -> Answer:
        """Return the documents of an answer. Raises BadAnswer if it is incomplete or has another form."""
        payload, kind = _payload(body), _kind(self.kind)
        if isinstance(payload, dict):
            kind.refuse(payload)
        found = kind.hits(payload, self.results) if kind.hits else hits_at(payload, self.results)
        return checked(map(self._hit, found), depth, self.chunk_separator)

    def version(self, client: Client) -> str:
        """Return the version of the engine, or "" if it does not say."""
        version = _kind(self.kind).version
        if not version:
            return ""
        try:
            url = str(httpx2.URL(self.address).copy_with(path=version[0], query=None))
            response = client.send("GET", url, headers=self._headers(), attempts=1)
            return str(value_at(version[1], _payload(response.body)) or "")[:100]
        except (Failed, BadAnswer):
            return ""

    def shown_request(self, topic: Mapping[str, str], depth: int) -> dict[str, Any]:
        """Return the request of a topic without the secret, to look at."""
        values = values_of(topic, depth)
        url, params = self._target(values)
        body = self._body(values, depth)
        full = str(httpx2.URL(url).copy_merge_params(params))
        return {"method": "GET" if body is None else "POST", "address": full, "body": body}

    def _target(self, values: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the address without its parameters, and these with the values in them."""
        base, _, query = self.address.partition("?")
        own = {name: fill_text(text, values, self._escape) for name, text in parse_qsl(query, keep_blank_values=True)}
        kind = _kind(self.kind)
        return base.rstrip("/") + kind.path if kind.path else base, {**kind.params, **own}

    def _body(self, values: Mapping[str, str], depth: int) -> Any:
        if not self.body:
            return None
        filled = fill(parse_body(self.body), values, self._escape)
        size = _kind(self.kind).size
        return {**filled, size: depth} if size else filled

    def _escape(self, text: str) -> str:
        return escape_lucene(text) if self.escape == "lucene" else text

    def _headers(self) -> dict[str, str]:
        return {self.header: self.secret} if self.secret else {}

    def _hit(self, found: Any) -> Hit:
        texts = [value_at(path, found) if path else None for path in (self.score, self.title, self.text)]
        doc_id = value_at(self.id, found)
        return hit(vespa_id(doc_id) if self.kind == "vespa" else doc_id, *texts)

    def _check_address(self) -> None:
        base, _, query = self.address.partition("?")
        checked_url(base)
        if "{" in base or "#" in self.address:
            raise ValueError(
                "Fields such as {query} may stand in the parameters of an address, after the question mark."
            )
        refuse_secret_parameters(query)


def with_secret(engine: Engine, secret: str) -> Engine:
    """Return an engine with its secret, which is stored apart."""
    return replace(engine, secret=secret)


def _kind(name: str) -> Kind:
    _check_choice("kind", name, tuple(KINDS))
    return KINDS[name]


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        options = ", ".join(repr(option) for option in allowed)
        raise ValueError(f"{name} must be one of {options}, not {shown(str(value))}.")


def _payload(body: bytes) -> Any:
    try:
        payload = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadAnswer(f"The answer is no JSON; it begins with {shown(body[:60].decode(errors='replace'))}.") from None
    return payload


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


def _refusal(response: Response) -> str:
    """Return what the engine says of a status other than 200, shortened."""
    begin = response.body[:200].decode(errors="replace")
    kind = {401: "the secret is missing or wrong", 403: "the secret does not allow it", 404: "nothing has this address"}
    reason = kind.get(response.status, shown(begin) if begin.strip() else "without a reason")
    return f"The engine answered {response.status}: {reason}."
