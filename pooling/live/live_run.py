"""Makes a run from a search engine or a function: one request for each topic, in several threads.

A topic that fails is named and never scored as if nothing had been found; then there is no run. A topic for which the
engine found nothing is an answer: it is listed as empty.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from pooling.ids import ALLOWED_ID, id_problem
from pooling.live.answer import BadAnswer, Hit, scores_of
from pooling.live.callables import ask_callable, search_of
from pooling.live.engine import MAX_DEPTH, SCORES, Engine
from pooling.live.topic import TopicAnswer, ask_topic, write_answers
from pooling.outgoing import ANY_HOST, AllowedHosts, Client, Forbidden, Limits
from pooling.outgoing.threads import gather
from pooling.words import count, first_names

Ask = Callable[[Mapping[str, str]], TopicAnswer]
MAX_CONCURRENCY = 32
RUN_COLUMNS = ["system", "query_id", "doc_id", "score"]


class IncompleteRun(ValueError):  # noqa: N818 - not a fault of the program
    """Some topics have no result, so there is no run."""


@dataclass(frozen=True)
class LiveRun:
    """The answers of an engine or a function for all topics.

    Attributes
    ----------
    system : str
        The name of the system.
    depth : int
        How many documents were asked for, at most.
    answers : list of TopicAnswer
        One for each topic, in the order of the topics.
    scores : str
        "engine" or "rank".
    """

    system: str
    depth: int
    answers: list[TopicAnswer] = field(repr=False)
    scores: str = "engine"
    record: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def failed(self) -> dict[str, str]:
        """Why topics have no result, by query_id."""
        return {answer.query_id: answer.problem for answer in self._checked if answer.problem}

    @property
    def empty(self) -> list[str]:
        """The topics for which nothing was found."""
        return [answer.query_id for answer in self._checked if not (answer.hits or answer.problem)]

    @property
    def run(self) -> pd.DataFrame:
        """The run: `system, query_id, doc_id, score`. Raises IncompleteRun if a topic has no result."""
        if self.failed:
            query_id, problem = next(iter(self.failed.items()))
            raise IncompleteRun(
                f"{count(len(self.failed), 'topic')} of {len(self.answers):,} {_have(len(self.failed))} no result, so "
                f"there is no run. Topic {query_id}: {problem}"
            )
        rows = [
            (self.system, answer.query_id, hit.doc_id, score)
            for answer in self.answers
            for hit, score in zip(answer.hits, scores_of(answer.hits, self.depth, self._used_scores), strict=True)
        ]
        return pd.DataFrame(rows, columns=RUN_COLUMNS).astype({"score": "float64"})

    @property
    def documents(self) -> pd.DataFrame:
        """The documents whose text came along: `doc_id, title, text`. Those with two different texts are left out."""
        two_texts = self.changing_texts
        rows = {
            hit.doc_id: (hit.doc_id, hit.title or "", hit.text)
            for hit in self._hits()
            if hit.text and hit.doc_id not in two_texts
        }
        return pd.DataFrame(list(rows.values()), columns=["doc_id", "title", "text"])

    @property
    def changing_texts(self) -> list[str]:
        """The documents that have one text in one answer and another in the next."""
        first: dict[str, bytes] = {}
        changed = {
            hit.doc_id: None for hit in self._hits() if first.setdefault(hit.doc_id, _digest(hit)) != _digest(hit)
        }
        return list(changed)

    @property
    def notes(self) -> list[str]:
        """Sentences about what should be known of the run."""
        return list(_notes(self))

    def write_answers(self, path: Path | str) -> str:
        """Write the raw answers as compressed lines of JSON, and return the checksum of the file."""
        return write_answers(self.answers, Path(path))

    @property
    def _used_scores(self) -> str:
        """Ranks if no answer has a score, because then some topics would have scores of another kind."""
        return self.scores if any(hit.score is not None for hit in self._hits()) else "rank"

    @property
    def _checked(self) -> list[TopicAnswer]:
        return [_with_scores(answer, self.depth, self._used_scores) for answer in self.answers]

    def _hits(self) -> Iterator[Hit]:
        return (hit for answer in self.answers for hit in answer.hits)


def run(
    search: Any,
    topics: pd.DataFrame,
    depth: int = 100,
    *,
    system: str = "live",
    scores: str | None = None,
    concurrency: int = 2,
    limits: Limits | None = None,
    allowed: AllowedHosts = ANY_HOST,
    chunk_separator: str = "",
    progress: Callable[[TopicAnswer], object] | None = None,
) -> LiveRun:
    """Ask a search engine or a function for each topic.

    Parameters
    ----------
    search : Engine or callable
        An engine; or a function of the words of a topic, and of `depth` if it has this parameter, that returns ids,
        (id, score), (id, text), mappings or a DataFrame; or an object with such a method `search`, as of PyTerrier.
    topics : DataFrame
        `query_id` and `title`, optionally `description` and `narrative`, as `read_topics` returns them.
    depth : int
        How many documents to ask for.
    system : str
        The name of the system.
    scores : {"engine", "rank"}, optional
        Those of the answer, or depth minus rank; by default what the engine states, or "engine".
    concurrency : int
        How many topics are asked for at the same time, from 1 to 32. Use 1 if a function is not safe for threads.
    limits : Limits, optional
        Time, size, attempts and pace of requests.
    allowed : AllowedHosts
        The hosts that may be asked; by default all.
    chunk_separator : str
        For functions: what stands between the id of a document and the number of its chunk.
    progress : callable, optional
        Called with each answer when it arrives.

    Returns
    -------
    LiveRun
        `run`, `documents`, `failed`, `empty` and `notes`.

    Raises
    ------
    ValueError
        If a parameter is invalid, or a topic occurs twice.
    pooling.outgoing.Forbidden
        If the host is not allowed.

    Examples
    --------
    >>> import pandas as pd
    >>> topics = pd.DataFrame({"query_id": ["1", "2"], "title": ["bread", "stone"]})
    >>> found = run(lambda query: [("d2", 3.5), ("d1", 3.0)] if query == "bread" else [], topics, depth=10)
    >>> found.run
      system query_id doc_id  score
    0   live        1     d2    3.5
    1   live        1     d1    3.0
    >>> found.empty
    ['2']
    """
    rows = _topic_rows(topics)
    _check(depth, concurrency, system, scores, search)
    used = scores or (search.scores if isinstance(search, Engine) else "engine")
    if not isinstance(search, Engine):
        function = search_of(search)
        ask: Ask = lambda topic: ask_callable(function, topic, depth, chunk_separator)  # noqa: E731
        return LiveRun(system, depth, _in_order(rows, gather(ask, rows, concurrency), progress), used)
    with Client(allowed, limits) as client:
        ask = lambda topic: ask_topic(search, client, topic, depth)  # noqa: E731
        answers = _in_order(rows, gather(ask, rows, concurrency, client.stop), progress)
        record = {**search.record(), "version": search.version(client)}
    return LiveRun(system, depth, answers, used, record)


def _in_order(
    topics: list[dict[str, str]], answers: Iterator[TopicAnswer], progress: Callable[[TopicAnswer], object] | None
) -> list[TopicAnswer]:
    found = {}
    for answer in answers:
        found[answer.query_id] = answer
        if progress:
            progress(answer)
    return [found[topic["query_id"]] for topic in topics]


def _topic_rows(topics: pd.DataFrame) -> list[dict[str, str]]:
    rows = [{str(name): value for name, value in row.items()} for row in topics.to_dict("records")]
    twice = [query_id for query_id, number in Counter(row["query_id"] for row in rows).items() if number > 1]
    if twice:
        raise ValueError(f"Topic {twice[0]} occurs twice.")
    if not rows:
        raise ValueError("There are no topics.")
    return rows


def _check(depth: int, concurrency: int, system: str, scores: str | None, search: Any) -> None:
    most = search.most if isinstance(search, Engine) else MAX_DEPTH
    if not 1 <= depth <= most:
        raise ValueError(f"depth must be between 1 and {most:,}, not {depth:,}.")
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise ValueError(f"concurrency must be between 1 and {MAX_CONCURRENCY}, not {concurrency:,}.")
    if problem := id_problem(system):
        raise ValueError(f"System {system!r} {problem}; {ALLOWED_ID}.")
    if scores not in (None, *SCORES):
        raise ValueError(f"scores must be 'engine' or 'rank', not {scores!r}.")


def _with_scores(answer: TopicAnswer, depth: int, scores: str) -> TopicAnswer:
    """Return an answer, or one with a problem if its scores cannot order its documents."""
    try:
        scores_of(answer.hits, depth, scores)
    except BadAnswer as error:
        return TopicAnswer(answer.query_id, problem=str(error), body=answer.body, asked_at=answer.asked_at)
    return answer


def _notes(live: LiveRun) -> Iterator[str]:
    if live.empty:
        yield f"The engine found nothing for {count(len(live.empty), 'topic')} ({first_names(live.empty)})."
    totals: Counter[str] = sum((answer.counts for answer in live.answers), Counter())
    yield from (f"Left out: {words} ({number:,})." for words, number in sorted(totals.items()))
    if live.scores == "engine" and live._used_scores == "rank" and not live.failed:
        yield "The answers have no scores. The run has depth minus rank instead."
    tied = [answer.query_id for answer in live.answers if live._used_scores == "engine" and _has_ties(answer)]
    if tied:
        yield (
            f"{count(len(tied), 'topic')} ({first_names(tied)}) {_have(len(tied))} equal scores, which are ordered "
            "by doc_id. Choose the ranks as scores to keep the order of the engine."
        )
    if live.changing_texts:
        yield (
            f"{count(len(live.changing_texts), 'document')} ({first_names(live.changing_texts)}) came with different "
            "texts; their texts are left out."
        )


def _has_ties(answer: TopicAnswer) -> bool:
    scores = [hit.score for hit in answer.hits]
    return len(set(scores)) < len(scores)


def _digest(hit: Hit) -> bytes:
    return hashlib.sha256(f"{hit.title}\n{hit.text}".encode()).digest()


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


__all__ = ["Forbidden", "IncompleteRun", "LiveRun", "run"]
