"""The two runs under one gold: scores, interval, power, unjudged documents and their bounds, and the decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from agreement.choices import GATE_BOUNDS, TOP
from agreement.effectiveness.grade_matrix import GradeMatrix
from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.effectiveness.scores import check_judged
from agreement.gate.bounds import DifferenceBounds, difference_bounds, grades_of_scale
from agreement.gate.decision import TOO_MANY_UNJUDGED, decide
from agreement.gate.difference import MeanDifference, mean_difference, power_of_gate, topics_needed
from agreement.gate.result import JudgeShift, RunsUnderGold
from agreement.significance.pairs import differences_of


@dataclass(frozen=True)
class GateOptions:
    """What the gate was asked for; the attributes are the parameters of `gate_candidate`."""

    measure: Measure
    margin: float
    alpha: float
    max_unjudged: float
    bounds: str
    scale: Sequence[float] | None

    @property
    def k(self) -> int:
        """Number of documents at the top of which the unjudged ones are counted and bounded."""
        return self.measure.depth or TOP

    def decide(self, differences: np.ndarray) -> tuple[MeanDifference, str]:
        """Return the mean of some differences with its interval, and what the interval says."""
        found = mean_difference(differences, self.alpha)
        return found, decide(found.low, found.high, self.margin)


def under_gold(
    runs: RankedRuns, name: str, gold: pd.DataFrame, options: GateOptions
) -> tuple[RunsUnderGold, pd.DataFrame]:
    """Return the figures of a gold, and a table of its topics."""
    matrix = runs.under(gold, scale=options.scale)
    check_judged(matrix, f"the gold {name!r}")
    baseline, candidate = options.measure(matrix)
    bounds = difference_bounds(
        _to_depth(runs, options.measure.depth),
        gold,
        options.measure,
        options.k,
        grades_of_scale(gold, options.scale),
    )
    table = _topic_table(matrix, baseline, candidate, bounds, options.k)
    table.insert(0, "gold", name)
    found, decision = options.decide(table["difference"].to_numpy())
    ends = _ends(bounds, options)
    shares = _unjudged_shares(matrix, options.k)
    figures = RunsUnderGold(
        gold=name,
        decision=TOO_MANY_UNJUDGED if _has_too_many(decision, shares, ends, options) else decision,
        n_topics=found.n_topics,
        baseline=float(baseline.mean()),
        candidate=float(candidate.mean()),
        difference=found.mean,
        low=found.low,
        high=found.high,
        interval_decision=decision,
        reason=found.reason,
        **_power(found, options),
        **shares,
        **ends,
        n_outer=bounds.n_outer if bounds else 0,
    )
    return figures, table


def judge_shift(reference: pd.DataFrame, other: pd.DataFrame, alpha: float) -> JudgeShift:
    """Return how much another gold moves the difference, from two tables of the same topics."""
    moved = differences_of(other["difference"].to_numpy(), reference["difference"].to_numpy())
    found = mean_difference(moved, alpha)
    name, first = (str(table["gold"].iloc[0]) for table in (other, reference))
    return JudgeShift(name, first, found.n_topics, found.mean, found.low, found.high)


def _to_depth(runs: RankedRuns, depth: int | None) -> RankedRuns:
    """Return the rankings down to the last rank that the measure uses."""
    if depth is None:
        return runs
    return replace(runs, items=runs.items[..., :depth], retrieved=np.minimum(runs.retrieved, depth))


def _topic_table(
    matrix: GradeMatrix, baseline: np.ndarray, candidate: np.ndarray, bounds: DifferenceBounds | None, k: int
) -> pd.DataFrame:
    unjudged = np.minimum(matrix.retrieved, k) - matrix.judged(k)
    unknown = pd.array([pd.NA] * len(baseline), dtype="Float64")
    return pd.DataFrame(
        {
            "query_id": pd.Index(matrix.query_ids, dtype="str"),
            "baseline": baseline,
            "candidate": candidate,
            "difference": differences_of(candidate, baseline),
            "lowest": pd.array(bounds.lowest, dtype="Float64") if bounds else unknown,
            "highest": pd.array(bounds.highest, dtype="Float64") if bounds else unknown,
            "baseline_unjudged": unjudged[0],
            "candidate_unjudged": unjudged[1],
        }
    )


def _unjudged_shares(matrix: GradeMatrix, k: int) -> dict[str, Any]:
    retrieved, judged = np.minimum(matrix.retrieved, k).sum(axis=1), matrix.judged(k).sum(axis=1)
    pairs = zip(judged.tolist(), retrieved.tolist(), strict=True)
    baseline, candidate = ((whole - one) / whole if whole else None for one, whole in pairs)
    return {"baseline_unjudged": baseline, "candidate_unjudged": candidate}


def _power(found: MeanDifference, options: GateOptions) -> dict[str, Any]:
    if found.deviation is None:
        return {"power": None, "topics_needed": None}
    power = power_of_gate(found.deviation, found.n_topics, options.margin, options.alpha)
    return {"power": power, "topics_needed": topics_needed(found.deviation, options.margin, options.alpha)}


def _ends(bounds: DifferenceBounds | None, options: GateOptions) -> dict[str, Any]:
    """Return the mean of the lowest and of the highest differences, and what their intervals say."""
    if bounds is None:
        return dict.fromkeys(("lowest", "highest", "lowest_decision", "highest_decision"))
    (low, at_low), (high, at_high) = options.decide(bounds.lowest), options.decide(bounds.highest)
    return {"lowest": low.mean, "highest": high.mean, "lowest_decision": at_low, "highest_decision": at_high}


def _has_too_many(
    decision: str, shares: Mapping[str, float | None], ends: Mapping[str, Any], options: GateOptions
) -> bool:
    if any(share is not None and share > options.max_unjudged for share in shares.values()):
        return True
    at_ends = {ends["lowest_decision"], ends["highest_decision"]} - {None}
    return options.bounds == GATE_BOUNDS[0] and bool(at_ends - {decision})
