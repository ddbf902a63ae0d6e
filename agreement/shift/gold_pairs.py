"""Two rankings of the same systems, compared by every figure of the shift.

The rankings come from two *views*: a gold and a measure each. All figures use the scores of the same systems:

=========== ==========================================================================================
tau         Kendall's tau; only if no systems are tied
tau_b       Kendall's tau, corrected for ties
tau_ap      AP correlation, which gives more weight to the top; only if no systems are tied. The first view
            is the truth
tau_ap_sym  mean of tau_ap in both directions; only if no systems are tied
tau_ap_a    AP correlation, mean over all ways to break ties
tau_ap_b    symmetric AP correlation, corrected for ties in both rankings
rbo         rank-biased overlap, extrapolated, p = 0.9, mean over all ways to break ties
spearman    Pearson's correlation of the mean ranks
pearson     Pearson's correlation of the scores
rms_change  root mean square of the systems' score changes, in units of the measure
=========== ==========================================================================================

`agreement.rank_correlation` gives the source of each coefficient.

A pair has an orientation: everything with the suffix _a belongs to `gold_a`, and everything with _b to `gold_b`. A
`RankingShift` puts its reference first in each pair that contains it, and `RankingShift.pair(a, b)` returns the pair in
the order that was asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation import (
    competition_ranks,
    order_signs,
    pearson,
    ranking_of,
    rbo,
    spearman,
    tau,
    tau_ap,
    tau_ap_a,
    tau_ap_b,
    tau_ap_sym,
    tau_b,
    tied_pairs,
)
from pooling.result import Result

PERSISTENCE = 0.9  # of rbo: the first ten systems have 86 % of the weight
UNTIED_ONLY = ("tau", "tau_ap", "tau_ap_sym")
CORRELATIONS = ("tau", "tau_b", "tau_ap", "tau_ap_sym", "tau_ap_a", "tau_ap_b", "rbo", "spearman", "pearson")


@dataclass(frozen=True, repr=False)
class GoldPair(Result):
    """Two golds (or views) and the comparison of their rankings; part of a `RankingShift`.

    Attributes
    ----------
    gold_a, gold_b : str
        Names of the first and the second gold. The reference is the first one.
    n_topics, n_systems : int
        Number of topics and systems compared. With `topics="own"`, n_topics counts the topics of either gold.
    truth : str
        Name of the gold that tau_ap and tau_ap_a take as the truth: the reference, or in a pair without it the gold
        that stands first among the golds of the shift.
    tau, tau_ap, tau_ap_sym : Estimate or None
        None if systems are tied under one of the golds; undefined (reason "no_topics") without a common topic.
    tau_b, tau_ap_a, tau_ap_b, rbo, spearman, pearson : Estimate
        Undefined without a common topic ("no_topics"), with one system ("one_system"; not rbo), and, for all but
        tau_ap_a and rbo, if one of the golds ties all systems ("all_tied").
    rms_change : float or None
        Root mean square of the changes of the systems' scores; None without a common topic.
    swapped : int or None
        Number of system pairs that the golds put in opposite order; None without a common topic.
    n_pairs : int
        Number of system pairs.
    swapped_within, n_within : int or None
        Number of swapped pairs and of all pairs whose systems are in the same group; None without groups.
    top_a, top_b : tuple of str
        Systems at rank 1 under each gold.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import ranking_shift
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> shift = ranking_shift(runs, {"A": gold, "B": gold.assign(relevance=[0, 1])}, "AP")
    >>> pair = shift.pair("A", "B")
    >>> pair.swapped, pair.n_pairs, pair.tau_b.value, pair.top_changed
    (1, 1, -1.0, True)
    """

    gold_a: str
    gold_b: str
    n_topics: int
    n_systems: int
    truth: str
    tau: Estimate | None
    tau_b: Estimate
    tau_ap: Estimate | None
    tau_ap_sym: Estimate | None
    tau_ap_a: Estimate
    tau_ap_b: Estimate
    rbo: Estimate
    spearman: Estimate
    pearson: Estimate
    rms_change: float | None
    swapped: int | None
    n_pairs: int
    swapped_within: int | None
    n_within: int | None
    top_a: tuple[str, ...]
    top_b: tuple[str, ...]

    @property
    def top_changed(self) -> bool | None:
        """Whether the systems at rank 1 differ; None without a common topic."""
        return None if self.swapped is None else set(self.top_a) != set(self.top_b)

    def reversed(self) -> "GoldPair":
        """Return the same comparison with the other gold first. The truth of tau_ap and tau_ap_a stays."""
        return replace(self, gold_a=self.gold_b, gold_b=self.gold_a, top_a=self.top_b, top_b=self.top_a)

    def to_frame(self) -> pd.DataFrame:
        """One row with the figures of `to_dict`."""
        return pd.DataFrame([self.to_dict()])

    def _sentence(self) -> str:
        swapped = "" if self.swapped is None else f", {self.swapped:,} of {self.n_pairs:,} pairs swap"
        return f"{self.gold_a} and {self.gold_b}: tau_b {self.tau_b.shown()}, {self.n_topics} topics{swapped}"

    def _paper_table(self) -> pd.DataFrame:
        figures = {name: getattr(self, name) for name in CORRELATIONS}
        rows = [(name, "undefined (ties)" if one is None else one.shown()) for name, one in figures.items()]
        return pd.DataFrame(rows, columns=["correlation", "value"])

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as one row of a table.

        Returns
        -------
        dict
            One key for each attribute, and top_changed. Each correlation has a second key with the suffix _reason. If
            the correlation is undefined, its value is None and the reason is set. The systems at rank 1 are joined
            by spaces.
        """
        row: dict[str, Any] = {
            "gold_a": self.gold_a,
            "gold_b": self.gold_b,
            "n_topics": self.n_topics,
            "n_systems": self.n_systems,
        }
        row["truth"] = self.truth
        for name in CORRELATIONS:
            estimate = getattr(self, name)
            row |= {name: estimate.value if estimate else None}
            row |= {f"{name}_reason": estimate.reason if estimate else "ties"}
        row |= {"rms_change": self.rms_change, "swapped": self.swapped, "n_pairs": self.n_pairs}
        row |= {"swapped_within": self.swapped_within, "n_within": self.n_within}
        return row | {
            "top_a": " ".join(self.top_a),
            "top_b": " ".join(self.top_b),
            "top_changed": self.top_changed,
        }


def compare_views(
    a: str,
    b: str,
    tables: Mapping[str, pd.DataFrame],
    groups: Mapping[str, str] | None,
    lower_is_better: Sequence[str] = (),
) -> GoldPair:
    """Compare two views.

    Shapes: `tables` (n_systems, n_topics).
    """
    first, second = tables[a], tables[b]
    systems = list(first.index)
    fixed: dict[str, Any] = {
        "gold_a": a,
        "gold_b": b,
        "n_topics": len(first.columns.union(second.columns)),
        "truth": a,
    }
    fixed |= {"n_systems": len(systems), "n_pairs": len(systems) * (len(systems) - 1) // 2}
    if not (first.shape[1] and second.shape[1]):
        return GoldPair(**fixed, **_undefined_figures(len(systems)))
    x, y = first.mean(axis=1).to_numpy(), second.mean(axis=1).to_numpy()
    sign = {view: -1 if view in lower_is_better else 1 for view in (a, b)}
    swapped = order_signs(x) * order_signs(y) < 0
    same = _same_group(systems, groups)
    return GoldPair(
        **fixed,
        **_correlations(x, y, systems),
        rms_change=float(np.sqrt(np.mean((y * sign[b] - x * sign[a]) ** 2))),
        swapped=int(swapped.sum()) // 2,
        swapped_within=None if same is None else int((swapped & same).sum()) // 2,
        n_within=None if same is None else int(same.sum()) // 2,
        top_a=tuple(first.index[competition_ranks(x) == 1]),
        top_b=tuple(second.index[competition_ranks(y) == 1]),
    )


def _correlations(truth: np.ndarray, estimate: np.ndarray, systems: list[str]) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "tau_b": tau_b(truth, estimate),
        "tau_ap_a": tau_ap_a(truth, estimate),
        "tau_ap_b": tau_ap_b(truth, estimate),
        "rbo": rbo(ranking_of(truth, systems), ranking_of(estimate, systems), p=PERSISTENCE, ties="a"),
        "spearman": spearman(truth, estimate),
        "pearson": pearson(truth, estimate),
    }
    if tied_pairs(truth) or tied_pairs(estimate):
        return figures | dict.fromkeys(UNTIED_ONLY)
    untied = {"tau": tau, "tau_ap": tau_ap, "tau_ap_sym": tau_ap_sym}
    return figures | {name: function(truth, estimate) for name, function in untied.items()}


def _undefined_figures(n_systems: int) -> dict[str, Any]:
    figures: dict[str, Any] = {name: undefined(name, "no_topics", n=n_systems) for name in CORRELATIONS}
    figures |= dict.fromkeys(("rms_change", "swapped", "swapped_within", "n_within"))
    return figures | {"top_a": (), "top_b": ()}


def _same_group(systems: list[str], groups: Mapping[str, str] | None) -> np.ndarray | None:
    """Whether two different systems are in the same group, shape (n_systems, n_systems); None without groups."""
    if groups is None:
        return None
    codes, _ = pd.factorize(pd.Index([groups[system] for system in systems]))
    same: np.ndarray = (codes[:, None] == codes[None, :]) & ~np.eye(len(codes), dtype=bool)
    return same
