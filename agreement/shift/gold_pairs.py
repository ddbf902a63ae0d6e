"""Two rankings of the same systems, side by side: every figure that compares them.

The rankings come from two *views*: a gold and a measure each. Figures, on the scores of the same systems:

=========== ==========================================================================================
tau         Kendall's tau; only where no systems are tied
tau_b       the same, corrected for ties
tau_ap      AP correlation, which weighs the top: the reference is the truth (of two others, the first)
tau_ap_sym  the mean of both directions; these two only where no systems are tied
tau_ap_a    AP correlation, mean over the ways to break the estimate's ties
tau_ap_b    the symmetric one, corrected for ties in both
rbo         rank-biased overlap, extrapolated, p = 0.9, ties as a mean over the ways to break them
spearman    Pearson's correlation of the mid-ranks
pearson     of the scores themselves
rms_change  root mean square of the systems' changes of score; in units of the measure
=========== ==========================================================================================

The sources are those of `agreement.rank_correlation`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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

PERSISTENCE = 0.9  # of rbo: the first ten systems carry 86 % of its weight
UNTIED_ONLY = ("tau", "tau_ap", "tau_ap_sym")
CORRELATIONS = ("tau", "tau_b", "tau_ap", "tau_ap_sym", "tau_ap_a", "tau_ap_b", "rbo", "spearman", "pearson")


@dataclass(frozen=True)
class GoldPair:
    """Two golds, and how the rankings under them compare.

    Attributes
    ----------
    gold_a, gold_b : str
    n_topics, n_systems : int
        What they were compared on. With `topics="own"`, n_topics counts the topics that either has.
    truth : str
        The one of the two that tau_ap, tau_ap_a take as the truth.
    tau, tau_ap, tau_ap_sym : Estimate or None
        None where systems are tied under one of the golds; undefined, as the others, without a topic in common.
    tau_b, tau_ap_a, tau_ap_b, rbo, spearman, pearson : Estimate
    rms_change : float or None
        None where the golds have no topic in common.
    swapped, n_pairs : int
        Pairs of systems that the golds put in opposite order (None without a topic in common), and all pairs.
    swapped_within, n_within : int or None
        The same of the pairs whose systems are of one group; None where no groups were given.
    top_a, top_b : tuple of str
        The systems at rank 1 under each.
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
        """Whether other systems are at rank 1; None without a topic in common."""
        return None if self.swapped is None else set(self.top_a) != set(self.top_b)

    def to_dict(self) -> dict:
        """The figures as one row of a table; a correlation that is undefined is None, with its reason beside it."""
        row = {"gold_a": self.gold_a, "gold_b": self.gold_b, "n_topics": self.n_topics, "n_systems": self.n_systems}
        row["truth"] = self.truth
        for name in CORRELATIONS:
            found = getattr(self, name)
            row |= {name: found.value if found else None, f"{name}_reason": found.reason if found else "ties"}
        row |= {"rms_change": self.rms_change, "swapped": self.swapped, "n_pairs": self.n_pairs}
        row |= {"swapped_within": self.swapped_within, "n_within": self.n_within}
        return row | {
            "top_a": " ".join(self.top_a),
            "top_b": " ".join(self.top_b),
            "top_changed": self.top_changed,
        }


def compared(
    a: str,
    b: str,
    tables: Mapping[str, pd.DataFrame],
    truth: str,
    groups: Mapping[str, str] | None,
    lower_is_better: Sequence[str] = (),
) -> GoldPair:
    """Two views compared.

    Parameters
    ----------
    a, b : str
    tables : mapping of a and b to DataFrame, shape (n_systems, n_topics)
        The scores to compare, more is better: the systems are the same, in the same order.
    truth : str
        a or b.
    groups : mapping of system to group, or None
    lower_is_better : sequence of str
        The views whose scores were turned round; rms_change is that of the scores as they were.
    """
    first, second = tables[a], tables[b]
    systems = list(first.index)
    fixed = {"gold_a": a, "gold_b": b, "n_topics": len(first.columns.union(second.columns)), "truth": truth}
    fixed |= {"n_systems": len(systems), "n_pairs": len(systems) * (len(systems) - 1) // 2}
    if not (first.shape[1] and second.shape[1]):
        return GoldPair(**fixed, **_nothing(len(systems)))
    x, y = first.mean(axis=1).to_numpy(), second.mean(axis=1).to_numpy()
    turned = {view: -1 if view in lower_is_better else 1 for view in (a, b)}
    swapped = order_signs(x) * order_signs(y) < 0
    same = _same_group(systems, groups)
    return GoldPair(
        **fixed,
        **(_correlations(x, y, systems) if truth == a else _correlations(y, x, systems)),
        rms_change=float(np.sqrt(np.mean((y * turned[b] - x * turned[a]) ** 2))),
        swapped=int(swapped.sum()) // 2,
        swapped_within=None if same is None else int((swapped & same).sum()) // 2,
        n_within=None if same is None else int(same.sum()) // 2,
        top_a=tuple(first.index[competition_ranks(x) == 1]),
        top_b=tuple(second.index[competition_ranks(y) == 1]),
    )


def _correlations(truth: np.ndarray, estimate: np.ndarray, systems: list[str]) -> dict:
    found = {
        "tau_b": tau_b(truth, estimate),
        "tau_ap_a": tau_ap_a(truth, estimate),
        "tau_ap_b": tau_ap_b(truth, estimate),
        "rbo": rbo(ranking_of(truth, systems), ranking_of(estimate, systems), p=PERSISTENCE, ties="a"),
        "spearman": spearman(truth, estimate),
        "pearson": pearson(truth, estimate),
    }
    if tied_pairs(truth) or tied_pairs(estimate):
        return found | dict.fromkeys(UNTIED_ONLY)
    untied = {"tau": tau, "tau_ap": tau_ap, "tau_ap_sym": tau_ap_sym}
    return found | {name: function(truth, estimate) for name, function in untied.items()}


def _nothing(n_systems: int) -> dict:
    found = {name: undefined(name, "no_topics", n=n_systems) for name in CORRELATIONS}
    found |= dict.fromkeys(("rms_change", "swapped", "swapped_within", "n_within"))
    return found | {"top_a": (), "top_b": ()}


def _same_group(systems: list[str], groups: Mapping[str, str] | None) -> np.ndarray | None:
    """For every two different systems whether they are of one group, shape (n_systems, n_systems)."""
    if groups is None:
        return None
    codes, _ = pd.factorize(pd.Index([groups[system] for system in systems]))
    return (codes[:, None] == codes[None, :]) & ~np.eye(len(codes), dtype=bool)
