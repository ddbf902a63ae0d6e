"""Leave-one-out: the score that every run would have if it had not been pooled.

A collection is reusable if a system that comes later is scored as if it had been pooled. Zobel (1998) tests this with
the pooled runs: each run is scored twice, with the complete gold, and with the gold without the run's own contribution,
that is, without the documents that it alone contributed. If one site has contributed several similar runs, leaving out
one of them shows too little. `by="group"` leaves out all runs of a group, and scores each of them (Buckley et al.
2007).

The gold without a contribution has the rows of the complete one; documents without judgement have relevance -1, which
means "not judged" everywhere in Assay. So no topic disappears, and means are over the same topics. (Do not use
estimators that read -1 as "pooled, but not drawn", such as infAP.) All systems are scored under each gold. The rank of
a run is its competition rank (1, 2, 2, 4) among all of them; scores closer than 1e-12 are tied.

    change           score without its contribution - score; mostly below 0
    relative_change  change / score; undefined if the score is 0
    rank_change      rank without its contribution - rank; above 0 if the run falls

A score can rise: if a gold loses relevant documents, others that were found earlier count for more. With strategies of
fixed size, other documents replace those that a run contributed; the gold without the run is then the pool of the other
runs.

J. Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998, 307-314.
C. Buckley, D. Dimmick, I. Soboroff and E. Voorhees, Bias and the limits of pooling for large collections, Information
Retrieval 10 (2007), 491-508.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import units_of
from pooling.evaluation.judged_items import IDS, NOT_JUDGED, JudgedItems, judged_items, with_text_ids
from pooling.evaluation.leave_one_out_pools import pool_and_pools_without, runs_and_prepared, strategy_options
from pooling.evaluation.leave_one_out_result import TIE, LeaveOneOut
from pooling.inputs import Input
from pooling.ranking import RankedRuns, Runs

__all__ = ["LeaveOneOut", "competition_ranks", "leave_one_out"]
BY = ("system", "group")
OUTSIDE = ("not judged", "kept")
Score: TypeAlias = "Callable[[Any, pd.DataFrame], pd.Series[float] | np.ndarray]"


def leave_one_out(
    runs: Runs,
    qrels: Input,
    score: Score,
    strategy: str = "depth",
    depth: int | None = None,
    by: str = "system",
    *,
    groups: Mapping[str, str] | None = None,
    rel: int = 1,
    outside: str = "not judged",
    seed: int | None = None,
    **parameters: Any,
) -> LeaveOneOut:
    """Score and rank every run with and without its own contribution to the pool (Zobel 1998).

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        The runs that were pooled: columns system, query_id, doc_id and score. An iterable is consumed once.
    qrels : table, path or dictionary
        Columns query_id, doc_id and relevance. A negative relevance means "not judged".
    score : callable
        ``score(runs, gold)`` returns a finite number for each system: a Series by system, or an array in ascending
        order of the systems. It is called once for the complete gold, and once for each run (or group) without which
        a judgement is lost. It gets `runs` unchanged (for an iterable: the prepared runs). Every `gold` has the rows
        of `qrels` in the same order and differs only in relevance.
    strategy : str
        The name of a strategy in `pooling.STRATEGIES`.
    depth : int, optional
        The depth of the strategy, at least 1. The default is 100 for the strategy "depth".
    by : {"system", "group"}
        Whether to leave out one run, or all runs of a group.
    groups : mapping of str to str, optional
        The group of each system. Required for `by="group"`, otherwise not used.
    rel : int
        The lowest relevant grade for the count `n_lost_relevant`. It does not affect scores.
    outside : {"not judged", "kept"}
        How to treat judged documents outside of the pool of all runs (found by hand, or by deeper pools). "not judged":
        they count as not judged in every gold, as if this pool had been the only one. "kept": they stay in every gold.
    seed : int, optional
        The seed from 0 for strategies that draw at random; not allowed for others.
    **parameters
        Other parameters of the strategy.

    Returns
    -------
    LeaveOneOut
        Scores, ranks and their changes.

    Raises
    ------
    ValueError
        If an argument is invalid, a system has no group, the gold is empty or invalid, or `score` does not return one
        finite number for each system.

    Notes
    -----
    The slow part is `score`. To use the measures of `agreement`, prepare the runs once::

        prepared = agreement.effectiveness.prepare(runs)
        leave_one_out(runs, qrels, lambda _, gold: score_table(prepared, gold, "AP").mean(axis=1))

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import leave_one_out
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c"], "relevance": [1, 1, 0]})
    >>> def relevant_retrieved(runs, gold):
    ...     joined = runs.merge(gold, on=["query_id", "doc_id"])
    ...     return (joined["relevance"] > 0).groupby(joined["system"]).sum()
    >>> result = leave_one_out(runs, gold, relevant_retrieved, depth=2)
    >>> result.frame[["system", "score", "score_without", "change"]]
      system  score  score_without  change
    0      s    2.0            1.0    -1.0
    1      t    1.0            1.0     0.0
    """
    _check_choices(by, groups, outside)
    if not callable(score):
        raise ValueError(f"score must be a function of runs and gold that scores every system, not {score!r}")
    options = strategy_options(strategy, depth, seed, parameters)
    runs, ranked = runs_and_prepared(runs, strategy, options)
    qrels = with_text_ids(qrels)
    gold = judged_items(ranked, qrels)
    if not len(gold.items):
        raise ValueError("the gold is empty; it needs at least one row")
    units, names = units_of(ranked, groups if by == "group" else None)
    pooled, without = pool_and_pools_without(ranked, strategy, options, units)
    in_pool = rows_in_pool(gold, pooled)
    always = ~in_pool if outside == "kept" else np.zeros_like(in_pool)
    scores = _scoring_function(score, runs, ranked, qrels, gold)
    complete = scores(in_pool | always)
    frames = []
    for unit, items in enumerate(without):
        remaining = rows_in_pool(gold, items)
        # If no judgement is lost or gained, the gold and the scores are the same.
        has_changed = ((remaining != in_pool) & (gold.relevance >= 0)).any()
        new = scores(remaining | always) if has_changed else complete
        members = np.flatnonzero(units == unit)
        frames.append(_compared(ranked, members, complete, new).assign(**_differences(gold, in_pool, remaining, rel)))
    frame = pd.concat(frames).sort_index().reset_index(drop=True)
    return _result(frame, names[units] if by == "group" else None, strategy, options, gold, in_pool, outside)


def competition_ranks(scores: np.ndarray) -> np.ndarray:
    """The rank of every score, 1 for the highest. Scores closer than 1e-12 share their best rank (1, 2, 2, 4)."""
    return np.asarray(1 + (scores[None, :] - scores[:, None] > TIE).sum(axis=1))


def rows_in_pool(gold: JudgedItems, pooled: np.ndarray) -> np.ndarray:
    """Whether each row of the gold is in a pool; `pooled` has one bool per item."""
    return np.asarray(np.append(pooled, False)[gold.items])  # the position is -1, the last, if no run has the document


def _scoring_function(
    score: Score, runs: Runs, ranked: RankedRuns, qrels: pd.DataFrame, gold: JudgedItems
) -> Callable[[np.ndarray], np.ndarray]:
    """A function from the rows of the gold that stay judged to the scores of all systems."""
    ids = qrels[IDS]

    def scores(kept: np.ndarray) -> np.ndarray:
        reduced = ids.assign(relevance=np.where(kept, gold.relevance, NOT_JUDGED))
        return _checked_scores(score(runs, reduced), ranked.systems)

    return scores


def _checked_scores(scores: pd.Series | np.ndarray, systems: pd.Index) -> np.ndarray:
    if isinstance(scores, pd.Series):
        missing = systems.difference(scores.index)
        if len(missing):
            raise ValueError(
                f"score(runs, gold) must return a score for every system; system {missing[0]!r} is missing"
            )
        scores = scores.loc[list(systems)]
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(systems),):
        raise ValueError(
            f"score(runs, gold) must return one number for each of {len(systems)} systems, not shape {scores.shape}"
        )
    if not np.isfinite(scores).all():
        raise ValueError(
            f"score(runs, gold) must return finite numbers; that of {systems[~np.isfinite(scores)][0]!r} is not"
        )
    return scores


def _compared(ranked: RankedRuns, members: np.ndarray, complete: np.ndarray, new: np.ndarray) -> pd.DataFrame:
    """The rows of the systems that were left out together."""
    score, without = complete[members], new[members]
    change, defined = without - score, np.abs(score) > TIE
    relative = np.divide(change, score, out=np.zeros_like(change), where=defined)
    rank, rank_without = competition_ranks(complete)[members], competition_ranks(new)[members]
    columns = {
        "system": ranked.systems[members].astype("str"),
        "score": score,
        "score_without": without,
        "change": change,
        "relative_change": pd.Series(relative, dtype="Float64").mask(~defined).array,
        "reason": np.where(defined, "", "the score is 0"),
        "rank": rank,
        "rank_without": rank_without,
        "rank_change": rank_without - rank,
    }
    return pd.DataFrame(columns, index=members).astype({"reason": "str"})


def _differences(gold: JudgedItems, in_pool: np.ndarray, remaining: np.ndarray, rel: int) -> dict[str, int]:
    lost, judged = in_pool & ~remaining, gold.relevance >= 0
    return {
        "n_lost": int((lost & judged).sum()),
        "n_lost_relevant": int((lost & judged & (gold.relevance >= rel)).sum()),
        "n_gained": int((remaining & ~in_pool & judged).sum()),
    }


def _result(
    frame: pd.DataFrame,
    groups: pd.Index | None,
    strategy: str,
    options: dict[str, Any],
    gold: JudgedItems,
    in_pool: np.ndarray,
    outside: str,
) -> LeaveOneOut:
    counts = ["n_lost", "n_lost_relevant", "n_gained"]
    frame = frame[["system", *counts, *(name for name in frame if name not in ("system", *counts))]]
    if groups is not None:
        frame.insert(1, "group", groups)
    judged = gold.relevance >= 0
    return LeaveOneOut(
        frame=frame,
        by="system" if groups is None else "group",
        strategy=strategy,
        parameters=options,
        n_topics=len(gold.query_ids),
        n_judged=int((in_pool & judged).sum()),
        n_outside=int((~in_pool & judged).sum()),
        outside=outside,
    )


def _check_choices(by: str, groups: Mapping[str, str] | None, outside: str) -> None:
    if by not in BY:
        raise ValueError(f"by must be {' or '.join(map(repr, BY))}, not {by!r}")
    if by == "group" and groups is None:
        raise ValueError("by='group' needs groups, the group of each system")
    if outside not in OUTSIDE:
        raise ValueError(f"outside must be {' or '.join(map(repr, OUTSIDE))}, not {outside!r}")
