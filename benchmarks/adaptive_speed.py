"""The time of adaptive strategies for the next document, on a topic of 129 runs x 1,000 documents.

(a) with the state in memory: target 2 ms for `next` and for `step`
(b) with the state read from its bytes before, and written after: target 50 ms

Judgements are made one after the other; the table shows the median and the slowest. cal trains a classifier in the
last step of each batch. Its texts consist of random words, and relevant documents contain more words of the topic.
"""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks import synthetic
from benchmarks.tiny import size

JUDGEMENTS, STORED_JUDGEMENTS = size((200, 30), (5, 3))
SEED = 1
WORDS, LENGTH = 5_000, 60
COLUMNS = f"{'':18} {'start ms':>9} {'next ms':>16} {'step ms':>16} {'kB':>7} {'kB with runs':>13}"


def topic() -> tuple:
    """Return prepared runs of one topic, and the relevance of each document by doc_id."""
    from pooling import pool
    from pooling.ranking import prepare

    runs = prepare(synthetic.run_frames(n_topics=1))
    judged = synthetic.judgements(pool(runs, "depth", depth=synthetic.DEPTH), n_judges=1)
    return runs, dict(zip(judged["doc_id"], judged["relevance"], strict=True))


def texts(relevance: dict[str, int]) -> dict[str, str]:
    """Return random words for each document; relevant documents contain more of the topic's hundred words."""
    rng = np.random.default_rng(SEED)
    made = {}
    for doc_id, grade in relevance.items():
        words = rng.zipf(1.3, LENGTH) % WORDS
        words[: 10 * grade] = rng.integers(0, 100, 10 * grade)
        made[doc_id] = " ".join(f"word{number}" for number in words)
    return made


def strategies(relevance: dict[str, int]) -> dict:
    """Return every adaptive strategy, with a seed if it takes one."""
    from pooling.adaptive import ADAPTIVE

    made = {}
    for name, strategy in ADAPTIVE.items():
        options = {"texts": texts(relevance)} if name == "cal" else {}
        seed = {"seed": SEED} if "seed" in strategy.__dataclass_fields__ else {}
        made[name] = strategy(**options, **seed)
    return made


def in_memory(strategy, runs, relevance: dict[str, int]) -> str:
    state, started = _timed(lambda: strategy.start(runs, runs.query_ids[0]))
    nexts, steps = [], []
    for _ in range(JUDGEMENTS):
        doc_id, spent = _timed(lambda state=state: strategy.next(state))
        nexts.append(spent)
        state, spent = _timed(lambda state=state, doc_id=doc_id: strategy.step(state, {doc_id: relevance[doc_id]}))
        steps.append(spent)
    without_runs, with_runs = len(state.to_bytes(rankings=False)), len(state.to_bytes())
    times = f"{started:>9.1f} {_median_and_max(nexts):>16} {_median_and_max(steps):>16}"
    return f"{times} {without_runs / 1e3:>7.1f} {with_runs / 1e3:>13.1f}"


def stored(strategy, runs, relevance: dict[str, int]) -> str:
    from pooling.adaptive import State

    content = strategy.start(runs, runs.query_ids[0]).to_bytes()
    nexts, steps = [], []
    for _ in range(STORED_JUDGEMENTS):
        doc_id, spent = _timed(lambda content=content: strategy.next(State.from_bytes(content)))
        nexts.append(spent)
        judged = {doc_id: relevance[doc_id]}
        content, spent = _timed(
            lambda content=content, judged=judged: _step(strategy, State.from_bytes(content), judged)
        )
        steps.append(spent)
    return f"{'':>9} {_median_and_max(nexts):>16} {_median_and_max(steps):>16}"


def _step(strategy, state, judged: dict[str, int]) -> bytes:
    return strategy.step(state, judged).to_bytes()


def _timed(call: Callable[[], object]) -> tuple:
    """Return the result of a call, and its milliseconds."""
    begin = time.perf_counter()
    result = call()
    return result, 1e3 * (time.perf_counter() - begin)


def _median_and_max(milliseconds: list[float]) -> str:
    return f"{np.median(milliseconds):.2f} ({max(milliseconds):.2f})"


def main() -> None:
    runs, relevance = topic()
    relevant = pd.Series(relevance).ge(1).sum()
    print(f"A topic of {len(runs.systems)} runs, {len(relevance):,} documents, {relevant} relevant: median (slowest)")
    for title, measure in (("(a) state in memory", in_memory), ("(b) state read and written", stored)):
        print(f"{title}\n{COLUMNS}")
        for name, strategy in strategies(relevance).items():
            print(f"{name:18} {measure(strategy, runs, relevance)}")


if __name__ == "__main__":
    main()
