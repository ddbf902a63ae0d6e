"""Asks a chat endpoint for the grades of pairs: in a drawn order, within a budget, each pair once.

The order is drawn with a seed, so that a budget that ends early has spent itself on a random sample. A *request key*
names what is asked: endpoint, model, prompt, parameters, pair and repeat. Who has saved the answer to a key need not
ask again.
"""

import hashlib
import json
import random
import threading
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pooling.models.chat import ChatAnswer, ChatEndpoint, ChatFailed
from pooling.models.prompts import Prompt, ScaleGrade
from pooling.outgoing import Client
from pooling.outgoing.threads import gather

MAX_CONCURRENCY = 64


class Pair(NamedTuple):
    """A topic and a document to judge. `topic` has `title`, and optionally `description` and `narrative`."""

    query_id: str
    doc_id: str
    topic: dict[str, str]
    text: str
    repeat: int = 0


@dataclass(frozen=True)
class PairAnswer:
    """The answer for a pair, or why there is none. `is_permanent` if asking again brings the same."""

    pair: Pair
    key: str
    answer: ChatAnswer | None = None
    problem: str = ""
    is_permanent: bool = False


@dataclass
class Budget:
    """What may be spent: `tokens` in all, or `cost` at prices for a million tokens. None: no limit.

    A request is sent only if what was spent, and what the requests under way will cost at the mean so far, is below the
    limit. So the limit is exceeded at most by what the last requests cost more than the mean.

    Examples
    --------
    >>> budget = Budget(cost=1.0, prompt_price=2.0, completion_price=8.0)
    >>> budget.cost_of(100_000, 10_000)
    0.28
    """

    tokens: int | None = None
    cost: float | None = None
    prompt_price: float = 0.0
    completion_price: float = 0.0
    spent_prompt: int = 0
    spent_completion: int = 0
    answers: int = 0
    _under_way: int = field(default=0, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def cost_of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of so many tokens."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1_000_000

    @property
    def spent(self) -> float:
        """The cost so far."""
        return self.cost_of(self.spent_prompt, self.spent_completion)

    def estimate(self, pairs: int) -> tuple[int, float]:
        """Return the tokens and the cost of so many pairs, at the mean of the answers so far."""
        share = pairs / self.answers if self.answers else 0.0
        return round((self.spent_prompt + self.spent_completion) * share), self.spent * share

    def reserve(self) -> bool:
        """Whether one more request may be sent; if so, it counts as under way."""
        with self._lock:
            ahead = (self.answers + self._under_way) / self.answers if self.answers else 1.0
            tokens = (self.spent_prompt + self.spent_completion) * ahead
            if self.tokens is not None and tokens >= self.tokens:
                return False
            if self.cost is not None and self.spent * ahead >= self.cost:
                return False
            self._under_way += 1
            return True

    def settle(self, answer: ChatAnswer | None) -> None:
        """Count what a request under way has cost; None if it failed."""
        with self._lock:
            self._under_way -= 1
            if answer:
                self.answers += 1
                self.spent_prompt += answer.prompt_tokens
                self.spent_completion += answer.completion_tokens


def request_key(endpoint: ChatEndpoint, prompt: Prompt, scale: Sequence[ScaleGrade], pair: Pair) -> str:
    """Return the key of what is asked, 64 letters and digits.

    Parameters
    ----------
    endpoint, prompt, scale, pair
        What is asked. The text of the document is part of it: another text is another question.

    Returns
    -------
    str
        The SHA-256 of all parts.
    """
    parts = [
        endpoint.address,
        endpoint.model,
        endpoint.parameters,
        prompt.version,
        [list(grade) for grade in scale],
        [pair.query_id, pair.doc_id, sorted(pair.topic.items()), pair.text, pair.repeat],
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def ask_pairs(
    endpoint: ChatEndpoint,
    client: Client,
    prompt: Prompt,
    pairs: Sequence[Pair],
    scale: Sequence[ScaleGrade],
    *,
    seed: int,
    concurrency: int = 4,
    budget: Budget | None = None,
    known: Collection[str] = (),
    guidelines: str = "",
) -> Generator[PairAnswer, None, None]:
    """Yield the answer for each pair when it arrives, in an order drawn with the seed.

    Parameters
    ----------
    endpoint, client, prompt, scale
        What is asked, and how.
    pairs : sequence of Pair
        What to judge.
    seed : int
        The seed of the order.
    concurrency : int
        Requests at the same time, from 1 to 64.
    budget : Budget, optional
        When it is spent, no further request is sent; the pairs that are left have no answer and are not yielded.
    known : collection of str
        Request keys that are answered: these pairs are not asked for.
    guidelines : str
        The guidelines of the collection.

    Yields
    ------
    PairAnswer
        With the answer, or the problem.
    """
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise ValueError(f"concurrency must be between 1 and {MAX_CONCURRENCY}, not {concurrency:,}.")
    limit, grades = budget or Budget(), [grade.value for grade in scale]
    waiting = [(pair, request_key(endpoint, prompt, scale, pair)) for pair in pairs]
    waiting = [(pair, key) for pair, key in waiting if key not in known]
    random.Random(seed).shuffle(waiting)

    def ask(item: tuple[Pair, str]) -> PairAnswer | None:
        pair, key = item
        if not limit.reserve():
            return None
        answer = None
        try:
            answer = endpoint.ask(client, prompt.messages(pair.topic, pair.text, scale, guidelines), grades)
            return PairAnswer(pair, key, answer)
        except ChatFailed as error:
            return PairAnswer(pair, key, problem=str(error), is_permanent=error.is_permanent)
        finally:
            limit.settle(answer)

    for answer in gather(ask, waiting, concurrency, client.stop):
        if answer is not None:
            yield answer
