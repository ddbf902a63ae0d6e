"""Kendall's tau of one or several references with many rankings of the same systems, all at once.

`tau_batch`, `tau_a_batch` and `tau_b_batch` give for every ranking what `tau`, `tau_a` and `tau_b` give for one,
to the last bit, and are undefined where those are. The rankings are a matrix of scores, or their `levels`, which
are made once and used with any number of references (see `agreement.rank_correlation.rank_levels`).

How: the systems are put in the order of the reference. Every system is then compared with all those that the
reference has behind it, in all rankings of a block at once, as bytes; what is counted is C, the concordant
pairs, and where the reference has ties T_xy, the pairs tied in both. With N pairs, T_x tied in the reference and
T_y in the ranking, the discordant ones are N - T_x - C - (T_y - T_xy).
"""

from collections.abc import Callable

import numpy as np

from agreement.rank_correlation import kendall
from agreement.rank_correlation.rank_levels import Levels, levels
from agreement.rank_correlation.batch import Batch, Reference, count, in_order, no_ties, over_references


def tau_batch(reference: np.ndarray, rankings: np.ndarray | Levels) -> Batch:
    """Kendall's tau of every ranking with the reference, all without ties.

    Parameters
    ----------
    reference : ndarray of float, shape (n_systems,) or (n_references, n_systems)
        Higher is better.
    rankings : ndarray of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order.

    Returns
    -------
    Batch
        Range -1 to 1; shape (n_rankings,), or (n_references, n_rankings) for several references.

    Raises
    ------
    ValueError
        A reference or ranking has ties, the number of systems differs, or a score is not finite.
    """
    compact = levels(rankings)
    no_ties("tau", "tau_a_batch or tau_b_batch", reference, compact)
    return _kendall_batch("tau", kendall.tau, reference, compact)


def tau_a_batch(reference: np.ndarray, rankings: np.ndarray | Levels) -> Batch:
    """`tau_a` of every ranking with the reference; arguments and result as for `tau_batch`, ties allowed."""
    return _kendall_batch("tau_a", kendall.tau_a, reference, levels(rankings))


def tau_b_batch(reference: np.ndarray, rankings: np.ndarray | Levels) -> Batch:
    """`tau_b` of every ranking with the reference; arguments and result as for `tau_batch`, ties allowed."""
    return _kendall_batch("tau_b", kendall.tau_b, reference, levels(rankings))


def _kendall_batch(name: str, single: Callable, reference: np.ndarray, compact: Levels) -> Batch:
    def each(one: Reference) -> tuple[np.ndarray, np.ndarray]:
        excess = _excess(one, compact)
        pairs = compact.n_systems * (compact.n_systems - 1) // 2
        if name == "tau_b":
            untied = (pairs - one.tied) * (pairs - compact.tied)
            return excess / np.sqrt(np.maximum(untied, 1)), untied > 0
        return excess / max(pairs, 1), np.full(compact.n_rankings, pairs > 0)

    return over_references(name, each, single, reference, compact)


def _excess(reference: Reference, compact: Levels) -> np.ndarray:
    """Concordant less discordant pairs, shape (n_rankings,)."""
    concordant = np.zeros(compact.n_rankings, dtype=np.int64)
    tied_in_both = np.zeros(compact.n_rankings, dtype=np.int64)
    for block, rows in in_order(reference, compact):
        for place, end in enumerate(reference.ends):
            concordant[block] += count(rows[end:] > rows[place])
            if end > place + 1:
                tied_in_both[block] += count(rows[place + 1 : end] == rows[place])
    pairs = compact.n_systems * (compact.n_systems - 1) // 2
    return 2 * concordant - (pairs - reference.tied) + (compact.tied - tied_in_both)
