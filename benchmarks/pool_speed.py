"""Pools of 129 runs x 50 topics x 1,000 documents, beside trectools, and what is worked out about them.

(a) the depth-100 pool: to reach, 1.5 s, and 5 times faster than trectools
(b) every strategy that needs no judgements, 100 documents a topic or 5,000 in all: 5 s each, and 5 times faster than
    trectools where trectools has it (rrf and rbp)
(c) leave-one-out of all runs, by AP at depth 100: 10 s

Everything begins with frames of runs in memory, made by `benchmarks.synthetic`, and ends with a pool: Assay's work on
arrays is a part of its time. trectools gets its own run objects, made before. It goes by the rank column, which is in
THE order here, so that both make the same depth pool: by how many documents they differ is printed.
"""

import pandas as pd

from benchmarks import synthetic
from benchmarks.measuring import Measured, compare_calls, table

DEPTH, SIZE, SEED = 100, 100, 1
BUDGET = SIZE * synthetic.N_TOPICS
OPTIONS = {
    "depth": {"depth": DEPTH},
    "take": {"budget": BUDGET},
    "fair_take": {"budget": BUDGET},
    "random": {"size": SIZE, "seed": SEED},
    "stratified": {"strata": [(10, 1.0), (DEPTH, 0.1)], "seed": SEED},
}
OF_TRECTOOLS = {"depth": "topX", "rrf": "rrf", "rbp": "rbp"}


def options_of(strategy: str) -> dict:
    return OPTIONS.get(strategy, {"size": SIZE})


def trectools_runs(runs: list[pd.DataFrame]) -> list | None:
    """The runs as trectools has them; None where it is not installed."""
    try:
        from trectools import TrecRun
    except ImportError:
        return None
    from pooling import ranked

    made = []
    for run in runs:
        names = {"query_id": "query", "doc_id": "docid"}
        frame = ranked(run).rename(columns=names).assign(q0="Q0").astype({"query": int})
        one = TrecRun()
        one.run_data = frame[["query", "q0", "docid", "rank", "score", "system"]]
        made.append(one)
    return made


def trectools_pool(runs: list, strategy: str):
    from trectools import TrecPoolMaker

    options = {"strategy": OF_TRECTOOLS[strategy], "topX": SIZE}
    return TrecPoolMaker().make_pool(runs, **options)


def depth_pool(runs: list[pd.DataFrame], peers: list | None) -> str:
    from pooling import pool

    contestants = {"Assay: pool(runs, 'depth', depth=100)": lambda: pool(runs, **_call("depth"))}
    if peers is None:
        return f"{_timed('(a) the depth-100 pool', contestants)}\n    trectools is not installed"
    contestants["trectools: TrecPoolMaker, topX"] = lambda: trectools_pool(peers, "depth")
    said = _timed("(a) the depth-100 pool", contestants)
    ours = pool(runs, **_call("depth")).frame
    theirs = {(str(topic), doc_id) for topic, found in trectools_pool(peers, "depth").pool.items() for doc_id in found}
    differ = len(theirs ^ set(zip(ours["query_id"], ours["doc_id"], strict=True)))
    return f"{said}\n    {len(ours):,} documents; the two pools differ by {differ}"


def every_strategy(runs: list[pd.DataFrame], peers: list | None) -> str:
    from pooling import pool
    from pooling.strategies import STRATEGIES

    contestants = {f"Assay: {name}": lambda name=name: pool(runs, **_call(name)) for name in STRATEGIES}
    if peers is not None:
        for name in ("rrf", "rbp"):
            contestants[f"trectools: {name}"] = lambda name=name: trectools_pool(peers, name)
    return _timed("(b) every strategy, from frames", contestants, rounds=1)


def leaving_out(runs: list[pd.DataFrame]) -> str:
    from agreement.effectiveness import prepare
    from agreement.effectiveness.scores import score_table
    from pooling import pool
    from pooling.evaluation.leave_one_out import leave_one_out

    pooled = pool(runs, **_call("depth"))
    judged = synthetic.judgements(pooled, n_judges=1)[["query_id", "doc_id", "relevance"]]
    prepared = prepare(runs)

    def average_precision(_, gold) -> pd.Series:
        return score_table(prepared, gold, "AP").mean(axis=1)

    def from_arrays():
        return leave_one_out(prepared, judged, average_precision, depth=DEPTH)

    said = _timed("(c) leave-one-out of 129 runs by AP", {"Assay: leave_one_out, prepared runs": from_arrays}, rounds=1)
    return f"{said}\n    {from_arrays().describe()}"


def _call(strategy: str) -> dict:
    return {"strategy": strategy, **options_of(strategy)}


def _timed(title: str, contestants: dict, rounds: int = 3) -> str:
    results: dict[str, list[Measured]] = compare_calls(contestants, rounds)
    return table(title, results)


def main() -> None:
    runs = list(synthetic.run_frames())
    peers = trectools_runs(runs)
    print(depth_pool(runs, peers), "\n")
    print(every_strategy(runs, peers), "\n")
    print(leaving_out(runs))


if __name__ == "__main__":
    main()
