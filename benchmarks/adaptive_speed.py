"""Adaptive strategies on a topic of 129 runs x 1,000 documents: nobody should wait for the next document.

(a) with the state in memory: to reach, 2 ms for `next` and for `step`
(b) with the state read from its bytes before, and written after: 50 ms

One judgement after the other, as an assessor makes them; medians over all of them, and the slowest. cal learns a
classifier from time to time, in the step that its batch ends with; it has texts of words that are drawn at random,
more of them of the topic where the document is relevant.
"""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks import synthetic

JUDGEMENTS, STORED_JUDGEMENTS, SEED = 200, 30, 1
WORDS, LENGTH = 5_000, 60
COLUMNS = f"{'':18} {'start ms':>9} {'next ms':>16} {'step ms':>16} {'kB':>7} {'kB with runs':>13}"


def topic() -> tuple:
    """Prepared runs of one topic, and the relevance of each document by doc_id."""
    from pooling import pool
    from pooling.ranking import prepare

    runs = prepare(synthetic.run_frames(n_topics=1))
    judged = synthetic.judgements(pool(runs, "depth", depth=synthetic.DEPTH), n_judges=1)
    return runs, dict(zip(judged["doc_id"], judged["relevance"], strict=True))


def texts(relevance: dict[str, int]) -> dict[str, str]:
    """Words drawn at random, in relevant documents a part of them from the topic's hundred."""
    rng = np.random.default_rng(SEED)
    made = {}
    for doc_id, grade in relevance.items():
        words = rng.zipf(1.3, LENGTH) % WORDS
        words[: 10 * grade] = rng.integers(0, 100, 10 * grade)
        made[doc_id] = " ".join(f"word{number}" for number in words)
    return made


def strategies(relevance: dict[str, int]) -> dict:
    """Every adaptive strategy, with a seed where it wants one."""
    from pooling.adaptive import ADAPTIVE

    made = {}
    for name, strategy in ADAPTIVE.items():
        options = {"texts": texts(relevance)} if name == "cal" else {}
        seed = {"seed": SEED} if "seed" in strategy.__dataclass_fields__ else {}
        made[name] = strategy(**options, **seed)
    return made


def in_memory(strategy, runs, relevance: dict[str, int]) -> str:
    state, begun = _timed(lambda: strategy.start(runs, runs.query_ids[0]))
    nexts, steps = [], []
    for _ in range(JUDGEMENTS):
        doc_id, spent = _timed(lambda state=state: strategy.next(state))
        nexts.append(spent)
        state, spent = _timed(lambda state=state, doc_id=doc_id: strategy.step(state, {doc_id: relevance[doc_id]}))
        steps.append(spent)
    small, whole = len(state.to_bytes(rankings=False)), len(state.to_bytes())
    return f"{begun:>9.1f} {_shown(nexts):>16} {_shown(steps):>16} {small / 1e3:>7.1f} {whole / 1e3:>13.1f}"


def stored(strategy, runs, relevance: dict[str, int]) -> str:
    from pooling.adaptive import State

    kept = strategy.start(runs, runs.query_ids[0]).to_bytes()
    nexts, steps = [], []
    for _ in range(STORED_JUDGEMENTS):
        doc_id, spent = _timed(lambda kept=kept: strategy.next(State.from_bytes(kept)))
        nexts.append(spent)
        judged = {doc_id: relevance[doc_id]}
        kept, spent = _timed(lambda kept=kept, judged=judged: _stepped(strategy, State.from_bytes(kept), judged))
        steps.append(spent)
    return f"{'':>9} {_shown(nexts):>16} {_shown(steps):>16}"


def _stepped(strategy, state, judged: dict[str, int]) -> bytes:
    return strategy.step(state, judged).to_bytes()


def _timed(deed: Callable[[], object]) -> tuple:
    """What it gives, and the milliseconds."""
    begin = time.perf_counter()
    given = deed()
    return given, 1e3 * (time.perf_counter() - begin)


def _shown(milliseconds: list[float]) -> str:
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
