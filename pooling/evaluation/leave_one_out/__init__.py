"""Leave-one-out: what every run would have scored, had it not been pooled.

A collection is reusable where a system that comes later is scored as if it had been there. Zobel (1998) tests this with
the runs at hand: each run is scored twice, with the gold of the whole pool and with the gold that there would be
without the run's own contribution, the documents that it alone brought. Leaving out one run of a site that sent
several says too little, for its sister runs bring the same documents: `by="group"` leaves out all runs of a group, and
scores each of them (Buckley et al. 2007).

The gold without a contribution has the rows of the whole one; what is taken back has relevance -1, which is "not
judged" everywhere in Assay. So no topic disappears, and means stay means over the same topics. (Estimators that read
-1 as "in the pool, and not drawn", such as infAP, are no use here.) All systems are scored under each gold: a run's
rank is its competition rank (1, 2, 2, 4) among all of them, scores closer than 1e-12 being tied.

    change           score without its contribution - score: mostly below 0, what the run owes to having been pooled
    relative_change  change / score, undefined where the score is 0
    rank_change      rank without its contribution - rank: above 0 where the run falls

A score can rise: where a gold loses relevant documents, others that were found earlier count for more. With strategies
of fixed size, other documents take the place of those that a run brought; the gold without the run then is what the
pool of the other runs holds.

J. Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998, 307-314.
C. Buckley, D. Dimmick, I. Soboroff and E. Voorhees, Bias and the limits of pooling for large collections, Information
Retrieval 10 (2007), 491-508.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import units_of
from pooling.evaluation.judged_items import IDS, NOT_JUDGED, JudgedItems, Runs, judged_items
from pooling.evaluation.leave_one_out.pools import pool_and_pools_without, runs_for, strategy_options
from pooling.evaluation.leave_one_out.result import TIE, LeaveOneOut
from pooling.ranking import RankedRuns

__all__ = ["LeaveOneOut", "competition_ranks", "leave_one_out"]
BY = ("system", "group")
OUTSIDE = ("not judged", "kept")


def leave_one_out(
    runs: Runs,
    qrels: pd.DataFrame,
    score: Callable,
    strategy: str = "depth",
    depth: int | None = None,
    by: str = "system",
    *,
    groups: Mapping[str, str] | None = None,
    rel: int = 1,
    outside: str = "not judged",
    seed: int | None = None,
    **parameters,
) -> LeaveOneOut:
    """Score and rank of every run with and without its own contribution to the pool.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
        The runs that were pooled, as for `pooling.ranking.prepare`. An iterable is gone through once.
    qrels : DataFrame
        query_id, doc_id, relevance.
    score : callable
        ``score(runs, gold)`` gives a finite number for each system: a Series by system, or an array in ascending
        order of the systems. It is called once for the whole gold, and once for each run (or group) without which
        a judgement is lost. `runs` is handed on as it came (of an iterable: the prepared runs). Every `gold` has the
        same rows in the same order as `qrels`, only other relevances: what was looked up for one holds for all.
    strategy : str
        A name in `pooling.strategies.STRATEGIES`.
    depth : int, optional
        The strategy's depth; for strategy "depth" 100 where it is left out.
    by : {"system", "group"}
        Leave out one run, or all runs of a group.
    groups : mapping of str to str, optional
        The group of each system; needed by group, and not used else.
    rel : int
        From which grade `n_lost_relevant` counts; scores are not concerned.
    outside : {"not judged", "kept"}
        What is done with judged documents outside the pool of all runs (found by hand, or by deeper pools): they
        count as not judged with and without, as if this pool had been the only one; or they stay in every gold.
    seed : int, optional
        For strategies that use chance.
    **parameters
        The strategy's own.

    Returns
    -------
    LeaveOneOut

    Raises
    ------
    ValueError
        An argument is not allowed, a system has no group, the gold is empty, or the scores are not one finite number
        for each system.

    Notes
    -----
    The slow part is `score`. With the measures of `agreement`, prepare the runs once, outside::

        prepared = agreement.effectiveness.prepare(runs)
        leave_one_out(runs, qrels, lambda _, gold: score_table(prepared, gold, "AP").mean(axis=1))
    """
    _check_choices(by, groups, outside)
    options = strategy_options(strategy, depth, seed, parameters)
    runs, ranked = runs_for(runs, strategy, options)
    gold = judged_items(ranked, qrels)
    if not len(gold.items):
        raise ValueError("the gold is empty; one row or more is needed")
    units, names = units_of(ranked, groups if by == "group" else None)
    pooled, without = pool_and_pools_without(ranked, strategy, options, units)
    held = held_rows(gold, pooled)
    always = ~held if outside == "kept" else np.zeros_like(held)
    scores = _scores_of(score, runs, ranked, qrels, gold)
    whole = scores(held | always)
    frames = []
    for unit, items in enumerate(without):
        left = held_rows(gold, items)
        # Where no judgement is lost or gained, the gold is the same one, and so are the scores.
        new = scores(left | always) if ((left != held) & (gold.relevance >= 0)).any() else whole
        members = np.flatnonzero(units == unit)
        frames.append(_compared(ranked, members, whole, new).assign(**_differences(gold, held, left, rel)))
    frame = pd.concat(frames).sort_index().reset_index(drop=True)
    return _result(frame, names[units] if by == "group" else None, strategy, options, gold, held, outside)


def competition_ranks(scores: np.ndarray) -> np.ndarray:
    """Rank of every score, 1 for the highest; those closer than 1e-12 share the best of their ranks (1, 2, 2, 4)."""
    return 1 + (scores[None, :] - scores[:, None] > TIE).sum(axis=1)


def held_rows(gold: JudgedItems, pooled: np.ndarray) -> np.ndarray:
    """Which rows of the gold are documents that a pool holds; `pooled` is one bool for each item."""
    return np.append(pooled, False)[gold.items]  # -1, so the last, where no run has the document


def _scores_of(
    score: Callable, runs: Runs, ranked: RankedRuns, qrels: pd.DataFrame, gold: JudgedItems
) -> Callable[[np.ndarray], np.ndarray]:
    """A function from the rows of the gold that are kept to the scores of all systems."""
    ids = qrels[IDS]

    def scores(kept: np.ndarray) -> np.ndarray:
        left = ids.assign(relevance=np.where(kept, gold.relevance, NOT_JUDGED))
        return _checked_scores(score(runs, left), ranked.systems)

    return scores


def _checked_scores(scores: pd.Series | np.ndarray, systems: pd.Index) -> np.ndarray:
    if isinstance(scores, pd.Series):
        missing = systems.difference(scores.index)
        if len(missing):
            raise ValueError(f"the scores lack system {missing[0]!r}; score(runs, gold) scores every system")
        scores = scores.loc[list(systems)]
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(systems),):
        raise ValueError(
            f"scores of shape {scores.shape} came; allowed is one number for each of {len(systems)} systems"
        )
    if not np.isfinite(scores).all():
        raise ValueError(f"the score of system {systems[~np.isfinite(scores)][0]!r} is not finite; every score is")
    return scores


def _compared(ranked: RankedRuns, members: np.ndarray, whole: np.ndarray, new: np.ndarray) -> pd.DataFrame:
    """The rows of the systems that were left out together."""
    score, without = whole[members], new[members]
    change, defined = without - score, np.abs(score) > TIE
    share = np.divide(change, score, out=np.zeros_like(change), where=defined)
    rank, rank_without = competition_ranks(whole)[members], competition_ranks(new)[members]
    columns = {
        "system": ranked.systems[members].astype("str"),
        "score": score,
        "score_without": without,
        "change": change,
        "relative_change": pd.Series(share, dtype="Float64").mask(~defined).array,
        "reason": np.where(defined, "", "the score is 0"),
        "rank": rank,
        "rank_without": rank_without,
        "rank_change": rank_without - rank,
    }
    return pd.DataFrame(columns, index=members).astype({"reason": "str"})


def _differences(gold: JudgedItems, held: np.ndarray, left: np.ndarray, rel: int) -> dict[str, int]:
    lost, judged = held & ~left, gold.relevance >= 0
    return {
        "n_lost": int((lost & judged).sum()),
        "n_lost_relevant": int((lost & judged & (gold.relevance >= rel)).sum()),
        "n_gained": int((left & ~held & judged).sum()),
    }


def _result(frame, groups, strategy, options, gold: JudgedItems, held: np.ndarray, outside: str) -> LeaveOneOut:
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
        n_judged=int((held & judged).sum()),
        n_outside=int((~held & judged).sum()),
        outside=outside,
    )


def _check_choices(by: str, groups: Mapping[str, str] | None, outside: str) -> None:
    if by not in BY:
        raise ValueError(f"by {by!r} is not allowed; it is {' or '.join(BY)}")
    if by == "group" and groups is None:
        raise ValueError("by group needs groups, the group of each system; none were given")
    if outside not in OUTSIDE:
        raise ValueError(f"outside {outside!r} is not allowed; it is {' or '.join(map(repr, OUTSIDE))}")
