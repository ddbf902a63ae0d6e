"""The speed of pools of 129 runs x 50 topics x 1,000 documents, compared with trectools, and of leave-one-out.

(a) the depth-100 pool: target 1.5 s, and 5 times faster than trectools
(b) every strategy that needs no judgements, 100 documents for each topic or 5,000 in all: target 5 s each, and 5 times
    faster than trectools for rrf and rbp, which trectools has
(c) leave-one-out of all runs, by AP at depth 100: target 10 s

Runs are frames in memory, made by `benchmarks.synthetic`; Assay's time includes converting them to arrays. trectools
gets run objects made in advance. It uses the rank column, which has Assay's document order here, so both make the same
depth pool; the number of documents by which they differ is printed.
"""

from inspect import signature

import pandas as pd

from benchmarks import synthetic
from benchmarks.measuring import Measurement, compare_calls, table
from benchmarks.tiny import size

DEPTH, SIZE, SEED = size(100, 10), size(100, 10), 1
BUDGET = SIZE * synthetic.N_TOPICS
VALUES = {"depth": DEPTH, "size": SIZE, "budget": BUDGET, "strata": [(size(10, 5), 1.0), (DEPTH, 0.1)], "seed": SEED}
TRECTOOLS_STRATEGIES = {"depth": "topX", "rrf": "rrf", "rbp": "rbp"}


def options_of(strategy: str) -> dict:
    """Return the parameters that the strategy requires."""
    from pooling.strategies import STRATEGIES

    parameters = signature(STRATEGIES[strategy]).parameters.values()
    required = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.default is each.empty]
    return {name: VALUES[name] for name in required}


def trectools_runs(runs: list[pd.DataFrame]) -> list | None:
    """Return the runs as trectools objects; None if trectools is not installed."""
    try:
        from trectools import TrecRun
    except ImportError:
        return None
    from pooling import ranked

    result = []
    for run in runs:
        names = {"query_id": "query", "doc_id": "docid"}
        frame = ranked(run).rename(columns=names).assign(q0="Q0").astype({"query": int})
        one = TrecRun()
        one.run_data = frame[["query", "q0", "docid", "rank", "score", "system"]]
        result.append(one)
    return result


def trectools_pool(runs: list, strategy: str):
    from trectools import TrecPoolMaker

    options = {"strategy": TRECTOOLS_STRATEGIES[strategy], "topX": SIZE}
    return TrecPoolMaker().make_pool(runs, **options)


def depth_pool(runs: list[pd.DataFrame], peers: list | None) -> str:
    from pooling import pool

    contestants = {"Assay: pool(runs, 'depth', depth=100)": lambda: pool(runs, **_call("depth"))}
    if peers is None:
        return f"{_timed('(a) the depth-100 pool', contestants)}\n    trectools is not installed"
    contestants["trectools: TrecPoolMaker, topX"] = lambda: trectools_pool(peers, "depth")
    text = _timed("(a) the depth-100 pool", contestants)
    ours = pool(runs, **_call("depth")).frame
    theirs = {
        (str(topic), doc_id) for topic, doc_ids in trectools_pool(peers, "depth").pool.items() for doc_id in doc_ids
    }
    differ = len(theirs ^ set(zip(ours["query_id"], ours["doc_id"], strict=True)))
    return f"{text}\n    {len(ours):,} documents; the two pools differ by {differ}"


def every_strategy(runs: list[pd.DataFrame], peers: list | None) -> str:
    from pooling import pool
    from pooling.strategies import STRATEGIES

    contestants = {f"Assay: {name}": lambda name=name: pool(runs, **_call(name)) for name in STRATEGIES}
    if peers is not None:
        for name in ("rrf", "rbp"):
            contestants[f"trectools: {name}"] = lambda name=name: trectools_pool(peers, name)
    return _timed("(b) every strategy, from frames", contestants, rounds=1)


def leave_one_out_speed(runs: list[pd.DataFrame]) -> str:
    from agreement.effectiveness import prepare
    from agreement.effectiveness.scores import score_table
    from pooling import pool
    from pooling.evaluation.leave_one_out import leave_one_out

    pooled = pool(runs, **_call("depth"))
    judged = synthetic.judgements(pooled, n_judges=1)[["query_id", "doc_id", "relevance"]]
    prepared = prepare(runs)

    def average_precision(_, gold) -> pd.Series:
        return score_table(prepared, gold, "AP").mean(axis=1)

    def leave_out():
        return leave_one_out(prepared, judged, average_precision, depth=DEPTH)

    text = _timed("(c) leave-one-out of 129 runs by AP", {"Assay: leave_one_out, prepared runs": leave_out}, rounds=1)
    return f"{text}\n    {leave_out().describe()}"


def _call(strategy: str) -> dict:
    return {"strategy": strategy, **options_of(strategy)}


def _timed(title: str, contestants: dict, rounds: int = 3) -> str:
    results: dict[str, list[Measurement]] = compare_calls(contestants, rounds)
    return table(title, results)


def main() -> None:
    runs = list(synthetic.run_frames())
    peers = trectools_runs(runs)
    print(depth_pool(runs, peers), "\n")
    print(every_strategy(runs, peers), "\n")
    print(leave_one_out_speed(runs))


if __name__ == "__main__":
    main()
