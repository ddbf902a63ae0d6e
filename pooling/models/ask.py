"""Asks a judge for the grades of pairs, in an order drawn with a seed, several at a time, within a budget.

work = ask(judge, pairs, seed=1, budget=Budget(cost=5, price=Price(0.4, 1.6)))
for answer in work:
    save(answer)
work.stopped, work.spent, work.cost

Each answer is yielded as soon as it arrives. A caller who saves it at once loses at most those in flight when the
program ends, and skips the saved ones the next time by their keys (`is_saved`), so that none is paid for twice.
"""

import hashlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Self

from pooling.models.answers import Answer, Judge, OnAttempt, Pair, Usage, failed
from pooling.models.budget import Budget, Ledger
from pooling.models.chat import LIMITS
from pooling.outgoing import ANY_HOST, AllowedHosts, Client, Limits, Stopped
from pooling.outgoing.transport import MAX_CONNECTIONS
from pooling.words import count

WAIT = 1.0  # seconds, at most, between two calls of `on_wait`
MOST_FAILURES = 20  # requests in a row without an answer, after which a server is taken for unreachable
STOPPED = "Stopped on request."
OVER_BUDGET = "The budget does not allow another request."


def in_drawn_order(pairs: Iterable[Pair], seed: int) -> list[Pair]:
    """Return pairs in an order that depends on the seed and the ids, not on the order in which they come.

    Parameters
    ----------
    pairs : iterable of Pair
        Each with another query_id, doc_id or repeat.
    seed : int
        Draws the order.

    Raises
    ------
    ValueError
        If a pair occurs twice.

    Examples
    --------
    >>> from pooling.models import Pair, in_drawn_order
    >>> pairs = [Pair("1", doc_id, {}, "text") for doc_id in "abcd"]
    >>> [pair.doc_id for pair in in_drawn_order(pairs, seed=1)]
    ['d', 'b', 'c', 'a']
    >>> in_drawn_order(pairs, 1) == in_drawn_order(pairs[::-1], 1)
    True
    """
    listed = list(pairs)
    by_name = {(pair.query_id, pair.doc_id, pair.repeat): pair for pair in listed}
    if len(by_name) < len(listed):
        twice = _first_twice(listed)
        raise ValueError(f"The pair of {twice.name} occurs twice with repeat {twice.repeat}.")
    return [by_name[name] for name in sorted(by_name, key=lambda name: _drawn(seed, *name))]


class Asking:
    """The answers of a judge, to iterate over once. `stop` may be called from another thread.

    As a context, it stops at the end: a caller whose saving fails leaves no request behind.

    Attributes
    ----------
    stopped : str
        Why the work ended before all pairs were asked for; empty if it did not.
    asked, skipped : int
        How many pairs have an answer or are in flight, and how many were saved before.
    spent : Usage
        The tokens so far.

    Examples
    --------
    >>> from pooling.models import CallableJudge, Pair, ask, checked_scale
    >>> judge = CallableJudge(lambda topic, text: 1, checked_scale([(0,), (1,)]), "always 1")
    >>> work = ask(judge, [Pair("1", doc_id, {}, "text") for doc_id in "abc"], seed=1)
    >>> len(list(work)), work.asked, work.left, work.stopped
    (3, 3, 0, '')
    """

    def __init__(
        self,
        judge: Judge,
        pairs: list[Pair],
        client: Client,
        concurrency: int,
        budget: Budget,
        is_saved: Callable[[str], bool],
        on_attempt: OnAttempt,
        on_wait: Callable[[], object],
    ) -> None:
        self._judge, self._client, self._concurrency = judge, client, concurrency
        self._is_saved, self._on_attempt, self._on_wait = is_saved, on_attempt, on_wait
        self._left, self._total = deque(pairs), len(pairs)
        self._ledger = Ledger(budget, judge.most_output)
        self._sizes: dict[str, int] = {}
        self._failures = 0
        self._stop = threading.Event()
        self.stopped, self.asked, self.skipped = "", 0, 0

    @property
    def spent(self) -> Usage:
        """The tokens so far."""
        return self._ledger.spent

    @property
    def cost(self) -> float:
        """What the tokens so far cost by the price of the budget."""
        return self._ledger.cost

    @property
    def left(self) -> int:
        """How many pairs were not asked for."""
        return self._total - self.asked - self.skipped

    def stop(self) -> None:
        """Ask for no further pair, and give up what waits for another attempt."""
        self._stop.set()
        self._client.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __iter__(self) -> Iterator[Answer]:
        threads = ThreadPoolExecutor(self._concurrency, thread_name_prefix="judging")
        running: dict[Future[Answer], None] = {}
        try:
            while True:
                yield from self._fill(threads, running)
                if not running:
                    return
                self._on_wait()
                done, _ = wait(running, timeout=WAIT, return_when=FIRST_COMPLETED)
                ended = [each for each in running if each in done]  # in the order in which they began
                for each in ended:
                    del running[each]
                yield from self._settled(ended)
        finally:
            self.stop()
            threads.shutdown(wait=False, cancel_futures=True)
            self._client.close()

    def _fill(self, threads: ThreadPoolExecutor, running: dict[Future[Answer], None]) -> Iterator[Answer]:
        """Start requests until twice as many wait as run, so that no thread is idle while the caller saves."""
        while self._left and not self._ends() and len(running) < 2 * self._concurrency:
            pair = self._left[0]
            pair = pair._replace(text=pair.document())
            if not pair.has_text():
                self._left.popleft()
                self.asked += 1
                yield failed(pair, self._judge.key(pair), "no_text")
                continue
            key, size = self._judge.key(pair), self._judge.size(pair)
            if self._is_saved(key):
                self._left.popleft()
                self.skipped += 1
            elif self._ledger.reserve(key, size):
                self._left.popleft()
                self._sizes[key] = size
                self.asked += 1
                running[threads.submit(self._ask, pair)] = None
            else:  # what is in flight may cost less than reserved
                self.stopped = self.stopped if running else OVER_BUDGET
                return

    def _ends(self) -> bool:
        if self._stop.is_set() and self._left:
            self.stopped = self.stopped or STOPPED
        return bool(self.stopped)

    def _ask(self, pair: Pair) -> Answer:
        if self._stop.is_set():
            raise Stopped
        return self._judge.ask(self._client, pair, self._on_attempt)

    def _settled(self, done: Iterable[Future[Answer]]) -> Iterator[Answer]:
        for future in done:
            try:
                answer = future.result()
            except Stopped:
                self.asked -= 1
                self.stopped = self.stopped or STOPPED
                continue
            self._ledger.settle(answer, self._sizes.pop(answer.key))
            self._note_failure(answer)
            yield answer

    def _note_failure(self, answer: Answer) -> None:
        self._failures = self._failures + 1 if answer.reason == "not_answered" else 0
        if self.stopped or not (answer.is_fatal or self._failures >= MOST_FAILURES):
            return
        row = f"{count(self._failures, 'request')} in a row had no answer: "
        self.stopped = answer.detail if answer.is_fatal else row + answer.detail
        self._stop.set()  # those that wait for a thread are not sent


def ask(
    judge: Judge,
    pairs: Iterable[Pair],
    *,
    seed: int,
    concurrency: int = 4,
    budget: Budget | None = None,
    limits: Limits = LIMITS,
    allowed: AllowedHosts = ANY_HOST,
    is_saved: Callable[[str], bool] = lambda _: False,
    on_attempt: OnAttempt = lambda _, __: None,
    on_wait: Callable[[], object] = lambda: None,
) -> Asking:
    """Ask a judge for the grades of pairs.

    Parameters
    ----------
    judge : Judge
        A `ChatJudge`, an `UmbrelaJudge` or a `CallableJudge`.
    pairs : iterable of Pair
        What to judge. A pair without a text is not asked for: its answer is "cannot judge".
    seed : int
        Draws the order.
    concurrency : int
        How many requests run at the same time, from 1 to 100.
    budget : Budget, optional
        The most tokens and money; no limit by default.
    limits : Limits
        Time, size, attempts and pace of requests.
    allowed : AllowedHosts
        The hosts that may be asked; by default all.
    is_saved : callable
        Whether the answer with a request key is saved, so that the pair is skipped.
    on_attempt : callable
        Called with the pair and each attempt, in the thread that sends.
    on_wait : callable
        Called at least once a second while answers are awaited, in the thread that iterates. An exception ends the
        work: what is in flight is given up.

    Returns
    -------
    Asking
        To iterate over. It asks while it is iterated over, and ends when the caller stops.

    Raises
    ------
    ValueError
        If a pair occurs twice, or the concurrency is not from 1 to 100.
    pooling.outgoing.Forbidden
        While iterating, if the host is not allowed.

    Examples
    --------
    >>> from pooling.models import CallableJudge, Pair, ask, checked_scale
    >>> judge = CallableJudge(lambda topic, text: int(topic["title"] in text), checked_scale([(0,), (1,)]), "words")
    >>> pairs = [Pair("1", "a", {"title": "tea"}, "green tea"), Pair("1", "b", {"title": "tea"}, "stone")]
    >>> sorted((answer.doc_id, answer.grade) for answer in ask(judge, pairs, seed=1))
    [('a', 1), ('b', 0)]
    """
    if type(concurrency) is not int or not 1 <= concurrency <= MAX_CONNECTIONS:
        raise ValueError(f"concurrency must be an integer from 1 to {MAX_CONNECTIONS}, not {concurrency!r}.")
    ordered = in_drawn_order(pairs, seed)
    client = Client(allowed, limits)
    return Asking(judge, ordered, client, concurrency, budget or Budget(), is_saved, on_attempt, on_wait)


def _drawn(seed: int, query_id: str, doc_id: str, repeat: int) -> bytes:
    return hashlib.sha256(f"{seed}\n{repeat}\n{query_id}\n{doc_id}".encode()).digest()


def _first_twice(pairs: list[Pair]) -> Pair:
    seen = set()
    for pair in pairs:
        name = (pair.query_id, pair.doc_id, pair.repeat)
        if name in seen:
            return pair
        seen.add(name)
    raise AssertionError("a pair occurs twice")
