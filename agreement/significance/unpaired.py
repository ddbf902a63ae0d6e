"""Compare systems that were measured on different topics, by an unpaired test.

With n scores of mean m and variance v (divisor n - 1) for each of two systems a and b:

student         t = (m_a - m_b) / sqrt(v (1 / n_a + 1 / n_b)) with v = ((n_a - 1) v_a + (n_b - 1) v_b) / (n_a + n_b - 2)
                and n_a + n_b - 2 degrees of freedom. It assumes equal variances.
welch           t = (m_a - m_b) / sqrt(w_a + w_b) with w = v / n of each system, and the degrees of freedom
                (w_a + w_b)^2 / (w_a^2 / (n_a - 1) + w_b^2 / (n_b - 1)). The variances may differ.
mann-whitney    U = the number of pairs of a score of a and one of b in which a's is higher; a tie counts 1/2.

The p of U is exact without tied scores if one of the systems has at most 8 topics, and in any case if there are at most
10,000 ways to divide the scores between the systems. Otherwise it is the normal approximation with continuity
correction and the variance for ties. Scores closer than 1e-12 are tied.

Both t tests need two topics of each system and some variance. If all scores of both systems are tied, p is 1 under
every test. Effect sizes:

student         Hedges' g = (1 - 3 / (4 (n_a + n_b) - 9)) (m_a - m_b) / sqrt(v)
welch           d = (m_a - m_b) / sqrt((v_a + v_b) / 2)
mann-whitney    rank-biserial correlation 2 U / (n_a n_b) - 1, from -1 to 1

References
----------
Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.
B. L. Welch (1947). The generalization of "Student's" problem when several different population variances are involved.
Biometrika 34(1-2), 28-35.
H. B. Mann & D. R. Whitney (1947). On a test of whether one of two random variables is stochastically larger than the
other. Annals of Mathematical Statistics 18(1), 50-60.
L. V. Hedges (1981). Distribution theory for Glass's estimator of effect size. Journal of Educational Statistics 6(2),
107-128 (g).
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd ed., section 2.3 (d of unequal variances).
E. E. Cureton (1956). Rank-biserial correlation. Psychometrika 21(3), 287-290.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import choice, float_column
from agreement.rank_correlation import TIE
from agreement.significance.corrections import adjusted_of_all, check_options
from agreement.significance.noted_frame import NotedFrame
from agreement.significance.pairs import Tested, checked_scores, score_rows
from agreement.significance.power import FEW_TOPICS, UNPAIRED, Power, median_power
from pooling.inputs import Input
from pooling.words import count

EXACT_TOPICS = 8  # of the smaller system, without ties; scipy's limit too
EXACT_DIVISIONS = 10_000
WELCH_INTERVAL = "Welch's t interval of the difference of the means"
STUDENT_INTERVAL = "Student's t interval of the difference of the means"


@dataclass(frozen=True, eq=False)
class Samples:
    """The scores of systems on topics of their own, and all pairs of systems.

    Attributes
    ----------
    scores : list of ndarray of float, shape (n_topics of the system,)
        Scores of every system.
    first, second : ndarray of int, shape (n_pairs,)
        Positions in `scores`; first < second.
    n, means, variances : ndarray, shape (n_systems,)
        Number of topics, mean and variance (divisor n - 1) of every system; nan if there are too few topics.
    n_common : ndarray of int, shape (n_pairs,)
        Number of topics on which both systems of a pair have scores.
    """

    scores: list[np.ndarray]
    first: np.ndarray
    second: np.ndarray
    n: np.ndarray
    means: np.ndarray
    variances: np.ndarray
    n_common: np.ndarray

    @classmethod
    def from_scores(cls, table: pd.DataFrame) -> "Samples":
        """Return the samples of a table of scores in which a score may be missing, shape (n_systems, n_topics)."""
        values = checked_scores(table, allow_missing=True)
        known = ~np.isnan(values)
        scores = [row[measured] for row, measured in zip(values, known, strict=True)]
        first, second = np.triu_indices(len(scores), 1)
        n_common = (known.astype(np.float64) @ known.T)[first, second].astype(np.int64)
        n = np.array([len(values) for values in scores], dtype=np.int64)
        means = np.array([values.mean() if len(values) else np.nan for values in scores])
        return cls(scores, first, second, n, means, np.array([_variance(values) for values in scores]), n_common)

    def both(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a figure of the first and of the second system of each pair."""
        return values[self.first], values[self.second]

    @property
    def differences(self) -> np.ndarray:
        """Mean of the first minus mean of the second, exactly 0 if the two are tied, shape (n_pairs,)."""
        a, b = self.both(self.means)
        return np.where(np.abs(a - b) < TIE, 0, a - b)

    @property
    def identical(self) -> np.ndarray:
        """Whether all scores of both systems are tied, shape (n_pairs,); False without topics."""
        low, high = (np.array([end(row) if len(row) else np.nan for row in self.scores]) for end in (np.min, np.max))
        tied = np.maximum(*self.both(high)) - np.minimum(*self.both(low)) < TIE
        return np.asarray(tied)

    @property
    def reasons(self) -> np.ndarray:
        """Why a figure of each pair may be missing, a key of `REASONS`, shape (n_pairs,)."""
        least = np.minimum(*self.both(self.n))
        constant = np.where(self.identical, "no_difference", "no_variance")
        reasons: np.ndarray = np.where(least > 1, constant, np.where(least, "one_topic", "no_topics"))
        return reasons


def _variance(values: np.ndarray) -> float:
    if len(values) < 2:
        return np.nan
    return 0.0 if np.ptp(values) < TIE else float(values.var(ddof=1))


def student_test(samples: Samples, alpha: float) -> Tested:
    """Run Student's unpaired t test for every pair; the effect size is Hedges' g."""
    n_a, n_b = samples.both(samples.n)
    v_a, v_b = samples.both(samples.variances)
    freedom = n_a + n_b - 2
    pooled = _or_nan(((n_a - 1) * v_a + (n_b - 1) * v_b) / np.maximum(freedom, 1))
    error = np.sqrt(pooled * (1 / np.maximum(n_a, 1) + 1 / np.maximum(n_b, 1)))
    effect = (1 - 3 / (4 * freedom - 1)) * samples.differences / np.sqrt(pooled)
    name = "g: mean difference / pooled standard deviation, corrected for few topics"
    return Tested(*_t_figures(samples, effect, error, freedom, alpha), effect_size=name, interval=STUDENT_INTERVAL)


def welch_test(samples: Samples, alpha: float) -> Tested:
    """Run Welch's t test for every pair; the effect size is d with the mean of both variances."""
    v_a, v_b = samples.both(samples.variances)
    effect = samples.differences / np.sqrt(_or_nan((v_a + v_b) / 2))
    name = "d: mean difference / root of the mean of both variances"
    figures = _t_figures(samples, effect, *_welch_error(samples), alpha)
    return Tested(*figures, effect_size=name, interval=WELCH_INTERVAL)


def mann_whitney_test(samples: Samples, alpha: float) -> Tested:
    """Run the test of Mann and Whitney for every pair; the effect size is the rank-biserial correlation."""
    rows = [
        _mann_whitney(samples.scores[i], samples.scores[j]) for i, j in zip(samples.first, samples.second, strict=True)
    ]
    p, effect, exact = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    *_, low, high = _t_figures(samples, effect, *_welch_error(samples), alpha)
    name = "rank-biserial correlation"
    return Tested(p, effect, low, high, effect_size=name, interval=WELCH_INTERVAL, exact=bool(exact.all()))


def _mann_whitney(a: np.ndarray, b: np.ndarray) -> tuple[float, float, bool]:
    """Return p, the effect size, and whether p is exact."""
    from scipy.stats import mannwhitneyu  # takes a second to import, and most callers do not test

    if not (len(a) and len(b)):
        return np.nan, np.nan, True
    levels = _levels(np.concatenate([a, b]))
    if not levels.any():
        return 1.0, 0.0, True
    untied = len(np.unique(levels)) == len(levels) and min(len(a), len(b)) <= EXACT_TOPICS
    result = mannwhitneyu(levels[: len(a)], levels[len(a) :], method="exact" if untied else "asymptotic")
    effect = float(2 * result.statistic / (len(a) * len(b)) - 1)
    if not untied and comb(len(levels), len(a)) <= EXACT_DIVISIONS:
        return _p_over_all_divisions(levels, len(a)), effect, True
    return float(result.pvalue), effect, untied


def _p_over_all_divisions(levels: np.ndarray, n: int) -> float:
    """Return the exact p of the rank sum of the first n scores, over all ways to choose n of them."""
    from scipy.stats import rankdata  # takes a second to import, and most callers do not test

    # Twice the ranks are whole numbers, also where tied scores share the mean of their ranks.
    doubled = np.rint(2 * rankdata(levels)).astype(np.int64)
    sums = doubled[np.array(list(combinations(range(len(levels)), n)))].sum(axis=1)
    observed = doubled[:n].sum()
    return float(min(1, 2 * min((sums <= observed).mean(), (sums >= observed).mean())))


def _levels(values: np.ndarray) -> np.ndarray:
    """Return the scores as whole numbers from 0 in the same order, equal for scores that are tied."""
    order = np.argsort(values, kind="stable")
    levels = np.empty(len(values), dtype=np.int64)
    levels[order] = np.concatenate([[0], np.cumsum(np.diff(values[order]) >= TIE)])
    return levels


def _or_nan(variances: np.ndarray) -> np.ndarray:
    return np.where(variances > 0, variances, np.nan)


def _welch_error(samples: Samples) -> tuple[np.ndarray, np.ndarray]:
    """Return the standard error of the difference and its degrees of freedom; nan without variance."""
    n_a, n_b = samples.both(samples.n)
    v_a, v_b = samples.both(samples.variances)
    w_a, w_b = v_a / np.maximum(n_a, 1), v_b / np.maximum(n_b, 1)
    total = _or_nan(w_a + w_b)
    return np.sqrt(total), total**2 / (w_a**2 / np.maximum(n_a - 1, 1) + w_b**2 / np.maximum(n_b - 1, 1))


def _t_figures(
    samples: Samples, effect: np.ndarray, error: np.ndarray, freedom: np.ndarray, alpha: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return p, the effect size and both limits of the interval."""
    from scipy.special import stdtr, stdtrit  # takes a second to import, and most callers do not test

    p = 2 * stdtr(freedom, -np.abs(samples.differences / error))
    margin = stdtrit(freedom, 1 - alpha / 2) * error
    return p, effect, samples.differences - margin, samples.differences + margin


UNPAIRED_TESTS: dict[str, Callable[[Samples, float], Tested]] = {
    "welch": welch_test,
    "student": student_test,
    "mann-whitney": mann_whitney_test,
}


def compare_unpaired(
    scores: Input, test: str = "welch", correction: str | None = None, alpha: float = 0.05
) -> NotedFrame:
    """Compare every two systems that were measured on different topics, by an unpaired test.

    Systems with the same topics are compared by `compare_systems`. The tests here assume independent samples, which the
    scores of two systems on the same topics are not, and a paired test finds smaller differences.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, in which the scores of the topics of other
        systems are missing; or ``{system: {query_id: score}}``, each system with its own topics.
    test : {"welch", "student", "mann-whitney"}
        Welch's t test, Student's t test (which assumes equal variances), or the test of Mann and Whitney, also called
        Wilcoxon's rank sum test.
    correction : {"none", "bonferroni", "holm", "benjamini-hochberg"}, optional
        Correction for the number of tests. The default is "holm".
    alpha : float
        Level of significance, between 0 and 1.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each pair; system_a is the system that is earlier in the table.

        ==================  =====================================================================================
        system_a, _b        names
        n_topics_a, _b      number of topics of each system
        n_common            number of topics on which both systems have scores
        difference          mean score of a minus mean score of b
        effect_size         effect size; `attrs["effect_size"]` names it
        low, high           interval of the difference of the means at level 1 - alpha; `attrs["interval"]` names it
        p                   two-sided p-value, from 0 to 1; 1 under every test if all scores of both are the same
        p_adjusted          p-value after the correction for all pairs, also those without a p
        significant         whether p_adjusted <= alpha; False without a p
        reason              why a figure of the row is missing, else NA: "no_topics" or "one_topic" (of one of the
                            systems), "no_variance" (each system has the same score on all its topics), or
                            "no_difference" (both have the same score on all topics)
        ==================  =====================================================================================

        `attrs` holds test, correction, alpha, exact, effect_size, interval, n_systems, n_tests (the number of pairs,
        0 without a p) and note, which states the power of the comparison if a system has fewer than 50 topics, and
        that systems have common topics; else None.

    Raises
    ------
    ValueError
        An unknown test or correction, an invalid alpha, a system or a topic that occurs twice, also as a number and as
        a string, or an infinite score.

    References
    ----------
    B. L. Welch (1947). The generalization of "Student's" problem when several different population variances are
    involved. Biometrika 34(1-2), 28-35.
    H. B. Mann & D. R. Whitney (1947). On a test of whether one of two random variables is stochastically larger than
    the other. Annals of Mathematical Statistics 18(1), 50-60.

    Examples
    --------
    >>> from agreement import compare_unpaired
    >>> scores = {"bm25": {"1": 0.5, "2": 0.6, "3": 0.9}, "lsa": {"4": 0.4, "5": 0.4, "6": 0.5}}
    >>> compare_unpaired(scores)[["system_a", "system_b", "n_topics_a", "difference", "p"]].round(3)
      system_a system_b  n_topics_a  difference      p
    0     bm25      lsa           3       0.233  0.185
    <BLANKLINE>
    Note: With 3 topics, fewer than 50, a true difference of 0.626 is significant
    with a probability of 80%. A smaller one is significant less often. A difference
    that is not significant may still be real. The power is that of Welch's t test
    at level 0.05 before correction, with a standard error of 0.125.
    """
    choice("test", test, UNPAIRED_TESTS)
    check_options(correction, alpha)
    correction, table = correction or "holm", score_rows(scores)
    samples = Samples.from_scores(table)
    tested = UNPAIRED_TESTS[test](samples, alpha) if len(samples.first) else _untested()
    tested = replace(tested, p=np.where(samples.identical, 1, tested.p))
    frame = _frame(table.index, samples, tested, correction, alpha)
    frame.attrs = {"test": test, "correction": correction, "alpha": alpha, "exact": tested.exact}
    frame.attrs |= {"effect_size": tested.effect_size, "interval": tested.interval}
    frame.attrs |= {"n_systems": len(table), "n_tests": len(frame) if frame["p"].notna().any() else 0}
    frame.attrs["note"] = " ".join(filter(None, [_power(samples, alpha).note, _common_note(samples)])) or None
    return frame


def _common_note(samples: Samples) -> str | None:
    """Return sentences on the common topics of systems; None without any."""
    shared = samples.n_common[samples.n_common > 0]
    if not len(shared):
        return None
    most = count(int(shared.max()), "topic")
    return (
        f"{count(len(shared), 'pair')} of systems with common topics (up to {most}; column n_common): the test assumes"
        " independent samples, and scores on the same topics are not independent. Compare such systems on their common"
        " topics with compare_systems."
    )


def _power(samples: Samples, alpha: float) -> Power:
    """Return the power of Welch's test of all pairs of systems."""
    n_topics = int(samples.n.min(initial=FEW_TOPICS))
    return median_power(UNPAIRED, n_topics, *_welch_error(samples), alpha)


def _untested() -> Tested:
    """Return the result without a pair."""
    none = np.zeros(0)
    return Tested(none, none, none, none, effect_size="", interval="")


def _frame(systems: pd.Index, samples: Samples, tested: Tested, correction: str, alpha: float) -> NotedFrame:
    known = ~np.isnan(tested.p)
    p_adjusted = adjusted_of_all(tested.p, correction)
    missing = np.isnan(np.stack([tested.p, tested.effect, tested.low, tested.high])).any(axis=0)
    n_a, n_b = samples.both(samples.n)
    columns: dict[str, Any] = {"system_a": systems.take(samples.first), "system_b": systems.take(samples.second)}
    columns |= {"n_topics_a": n_a, "n_topics_b": n_b, "n_common": samples.n_common}
    columns |= {"difference": float_column(samples.differences)}
    columns |= {"effect_size": float_column(tested.effect), "low": float_column(tested.low)}
    columns |= {"high": float_column(tested.high), "p": float_column(tested.p)}
    columns |= {"p_adjusted": float_column(p_adjusted)}
    columns |= {"significant": known & (np.where(known, p_adjusted, 1) <= alpha)}
    reasons = [reason if gone else None for reason, gone in zip(samples.reasons, missing, strict=True)]
    return NotedFrame(columns | {"reason": pd.array(reasons, dtype="string")})
