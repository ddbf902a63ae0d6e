"""Discriminative power: which share of the pairs of systems a measure separates, with a given set of topics.

Every pair of systems is tested, and the discriminative power is the share of all pairs with p <= alpha, without a
correction. The p-values in ascending order are the curve of the achieved significance levels: the lower it is, the more
the measure discriminates. The required difference is the largest one that any pair needs to be significant.

Two measures, or two numbers of topics, can be compared by these figures on the same runs. A measure that discriminates
more is more consistent over topics, which does not make it a better measure of what users want.

With the test "tukey", the randomised Tukey HSD test, the probability that any pair of equal systems is significant is
at most alpha; with "bootstrap", this holds only for each single pair.

The test "bootstrap" is the paired bootstrap test of two systems. The differences d of the scores on n topics are
shifted so that their mean is 0, as under the null hypothesis. A draw takes n of them with replacement and computes its
Student's t. p is (1 + c) / (1 + draws), where c draws have a t that is at least as far from 0 as the observed one;
Sakai (2006) calls c / draws the achieved significance level. All pairs use the same draws of topics. A draw without
variance has an infinite t, or none if its mean is 0.

The required difference of a pair is the (alpha * draws)-th largest absolute mean of the draws: a mean difference of
this size would be significant, with this variance and this number of topics. The interval is the mean difference -+ the
required difference. p is undefined with fewer than two topics, and if the difference is the same on every topic.

References
----------
B. Efron & R. J. Tibshirani (1993). An introduction to the bootstrap, section 16.4.
T. Sakai (2006). Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532.
T. Sakai (2012). Evaluation with informational and navigational intents. WWW 2012, 499-508 (with Tukey's test).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import choice, float_column
from agreement.estimate import format_value
from agreement.significance.pairs import D_Z, Pairs, Request, Tested, score_rows
from agreement.significance.power import paired_power
from agreement.significance.tukey import tukey_test
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count

BLOCK = 4_000_000  # numbers in memory at the same time
ALIKE = 1e-12


def bootstrap_test(pairs: Pairs, request: Request) -> Tested:
    """Run the paired bootstrap test for every pair."""
    n = pairs.n_topics
    times = request.generator("bootstrap").multinomial(n, np.full(n, 1 / n), request.draws).astype(np.float64)
    p, required = pairs.unknown(), pairs.unknown()
    known = np.flatnonzero(~np.isnan(pairs.deviations))
    step = max(BLOCK // request.draws, 1)
    for start in range(0, len(known), step):
        block = known[start : start + step]
        shifted = pairs.differences[block] - pairs.means[block, None]
        p[block], required[block] = _of_block(times, shifted, pairs.standardised()[block], request)
    limits = pairs.means - required, pairs.means + required
    name = "mean difference -+ the difference that the bootstrap requires"
    reason = None if _n_beyond(request) else "few_draws"
    return Tested(
        p,
        pairs.standardised(),
        *limits,
        effect_size=D_Z,
        interval=name,
        seed=request.seed,
        draws=request.draws,
        reason=reason,
    )


def _of_block(
    times: np.ndarray, shifted: np.ndarray, observed: np.ndarray, request: Request
) -> tuple[np.ndarray, np.ndarray]:
    """Return p and the required difference of some pairs; `observed` is their mean over their standard deviation."""
    n = shifted.shape[1]
    means = times @ shifted.T / n
    squares = times @ (shifted**2).T
    variances = np.maximum(squares - n * means**2, 0) / (n - 1)
    rounding = ALIKE * squares
    extreme = (means**2 >= observed**2 * variances - rounding) & ((means**2 > rounding) | (observed == 0))
    beyond = _n_beyond(request)
    absolute = np.abs(means)
    required = np.partition(absolute, -beyond, axis=0)[-beyond] if beyond else np.full(len(shifted), np.nan)
    return (1 + extreme.sum(axis=0)) / (1 + request.draws), required


def _n_beyond(request: Request) -> int:
    """Return how many draws may have a significant mean; 0 if there are too few draws for the level."""
    return int(request.alpha * request.draws + ALIKE)


DISCRIMINATION_TESTS: dict[str, Callable[[Pairs, Request], Tested]] = {
    "bootstrap": bootstrap_test,
    "tukey": tukey_test,
}


@dataclass(frozen=True, repr=False)
class DiscriminativePower(Result):
    """Which pairs of systems are significantly different; returned by `discriminative_power`.

    Attributes
    ----------
    value : float or None
        Share of all pairs of systems with p <= alpha, from 0 to 1.
    n_significant, n_pairs, n_topics : int
        Number of these pairs, of all pairs, and of topics.
    required_difference : float or None
        The largest difference that any pair of systems needs to be significant, in units of the measure.
    pairs : DataFrame
        One row for each pair, the smallest p first: system_a, system_b, difference, p, required_difference,
        significant, and reason (why a figure is missing: "one_topic", "no_difference", "same_difference" or
        "few_draws").
    test : str
        "bootstrap" or "tukey".
    alpha : float
        Level of significance.
    seed, draws : int
        Seed and number of the draws.
    reason : str or None
        Why there is no value: "one_system", "no_topics" or "one_topic".
    note : str or None
        States the power of the tests if there are fewer than 50 topics.

    Examples
    --------
    >>> from agreement.meta_evaluation import discriminative_power
    >>> scores = {"bm25": {"1": 0.5, "2": 0.6, "3": 0.9, "4": 0.5}, "lsa": {"1": 0.4, "2": 0.4, "3": 0.5, "4": 0.3}}
    >>> discriminative_power(scores, seed=1).pairs[["system_a", "system_b", "difference"]]
      system_a system_b  difference
    0     bm25      lsa       0.225
    """

    value: float | None
    n_significant: int
    n_pairs: int
    n_topics: int
    required_difference: float | None
    pairs: pd.DataFrame
    test: str
    alpha: float
    seed: int | None
    draws: int
    reason: str | None
    note: str | None

    def to_frame(self) -> pd.DataFrame:
        """The pairs of systems in ascending order of p: the curve of the achieved significance levels."""
        return self.pairs

    def _sentence(self) -> str:
        topics = count(self.n_topics, "topic", zero="no")
        if self.value is None:
            return f"undefined, {topics}, {count(self.n_pairs, 'pair')} of systems"
        share = f"{self.n_significant:,} of {count(self.n_pairs, 'pair')} of systems ({self.value:.1%})"
        verb = "is" if self.n_significant == 1 else "are"
        test = f"test {self.test}, level {self.alpha:g}, {topics}, {self.draws:,} draws, seed {self.seed}"
        required = f"required difference {format_value(self.required_difference)}"
        lines = [f"{share} {verb} significantly different, {required} ({test})", self.note]
        return "\n".join(filter(None, lines))


def discriminative_power(
    scores: Input, test: str = "bootstrap", alpha: float = 0.05, seed: int | None = None, draws: int = 1000
) -> DiscriminativePower:
    """Compute the share of the pairs of systems that a test separates.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.
    test : {"bootstrap", "tukey"}
        The paired bootstrap test of every pair, or the randomised Tukey HSD test of all pairs together.
    alpha : float
        Level of significance, between 0 and 1.
    seed : int
        Seed of the random draws; required.
    draws : int
        Number of random draws, at least 1.

    Returns
    -------
    DiscriminativePower
        A pair without a p is not significant, but counts as a pair. Undefined with fewer than two systems
        ("one_system") or topics ("no_topics", "one_topic").

    Raises
    ------
    ValueError
        There is no seed, the test is unknown, alpha or draws is out of range, a system or a topic occurs twice, or a
        score is missing or not finite.

    References
    ----------
    T. Sakai (2006). Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532.

    Examples
    --------
    >>> from agreement.meta_evaluation import discriminative_power
    >>> scores = {"bm25": {"1": 0.5, "2": 0.6, "3": 0.9, "4": 0.5}, "lsa": {"1": 0.4, "2": 0.4, "3": 0.5, "4": 0.3}}
    >>> power = discriminative_power(scores, seed=1)
    >>> power.n_significant, power.n_pairs
    (0, 1)
    """
    choice("test", test, DISCRIMINATION_TESTS)
    request, table = Request.checked(alpha, seed, draws), score_rows(scores)
    pairs = Pairs.from_scores(table)
    request.generator(test)  # a missing seed is refused whatever the scores are
    can_test = len(pairs) > 0 and pairs.n_topics > 1
    tested = DISCRIMINATION_TESTS[test](pairs, request) if can_test else _untested(pairs)
    frame = _frame(table.index, pairs, tested, alpha)
    n_significant, known = int(frame["significant"].sum()), frame["required_difference"].dropna()
    return DiscriminativePower(
        value=n_significant / len(pairs) if can_test else None,
        n_significant=n_significant,
        n_pairs=len(pairs),
        n_topics=pairs.n_topics,
        required_difference=float(known.max()) if len(known) else None,
        pairs=frame,
        test=test,
        alpha=alpha,
        seed=request.seed,
        draws=request.draws,
        reason=None if can_test else _reason(pairs),
        note=paired_power(pairs, alpha).note,
    )


def _reason(pairs: Pairs) -> str:
    if not len(pairs):
        return "one_system"
    return "one_topic" if pairs.n_topics else "no_topics"


def _untested(pairs: Pairs) -> Tested:
    missing = pairs.unknown()
    return Tested(missing, missing, missing, missing, effect_size="", interval="")


def _frame(systems: pd.Index, pairs: Pairs, tested: Tested, alpha: float) -> pd.DataFrame:
    """Return the pairs in ascending order of p, those without a p last."""
    required = (tested.high - tested.low) / 2
    missing = np.isnan(tested.p) | np.isnan(required)
    reasons = pairs.reasons if tested.reason is None else np.full(len(pairs), tested.reason, dtype=object)
    columns: dict[str, Any] = {"system_a": systems.take(pairs.first), "system_b": systems.take(pairs.second)}
    columns |= {"difference": float_column(pairs.means), "p": float_column(tested.p)}
    columns |= {"required_difference": float_column(required), "significant": tested.p <= alpha}
    columns |= {"reason": pd.array([r if m else None for r, m in zip(reasons, missing, strict=True)], dtype="string")}
    order = np.argsort(tested.p, kind="stable")
    return pd.DataFrame(columns).take(order).reset_index(drop=True)
