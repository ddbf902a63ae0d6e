"""Compare every two systems by a paired test over the topics of one gold.

The sign test asks whether one system wins as many topics as the other. Tied topics are left out. Of the n remaining
topics the first system wins k. The two-sided p is exact, from the binomial distribution with probability 1/2: min(1, 2
P(X <= min(k, n - k))). It is undefined if all topics are tied.

Effect size: the share of the topics won, k / n, 0 to 1. The interval is Student's t interval of
the mean difference, which does not depend on this test.

Student's paired t test asks whether the mean scores of two systems are the same. t = mean(d) / (s / sqrt(n)), with s
the standard deviation of the n differences; two-sided p from Student's distribution with n - 1 degrees of freedom. It
is undefined with fewer than two topics, and if the difference is the same on every topic (0 or not). Effect size d_z =
mean(d) / s; interval mean(d) -+ t(1 - alpha/2) s / sqrt(n).

The randomisation test asks whether the two systems could have swapped their scores on any topic. Under the null
hypothesis the two scores of a topic belong to either system, so that the sign of every difference is free. p is the
share of settings of the signs whose absolute mean difference is at least the observed one:

- over all 2^n settings of the n topics if there are at most `draws` of them: exact, and no seed is used;
- otherwise (1 + c) / (1 + draws), where c of `draws` random settings are at least as extreme. The observed setting
  is counted as one of them, so that p is never 0. All pairs use the same settings.

Differences of less than 1e-12 of the largest possible sum are ties. p is undefined without topics; two equal systems
have p = 1. The effect size is d_z. The interval is Student's t interval of the mean difference.

References
----------
W. J. Conover (1999). Practical nonparametric statistics, 3rd ed., section 3.4 (the sign test).
Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd ed., section 2.3 (d_z).
R. A. Fisher (1935). The design of experiments, section 21.
M. D. Smucker, J. Allan & B. Carterette (2007), CIKM 2007, 623-632.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pandas as pd

from agreement.checks import choice, float_column
from agreement.significance.corrections import adjusted_of_all, check_options
from agreement.significance.noted_frame import NotedFrame
from agreement.significance.pairs import D_Z, T_INTERVAL, Pairs, Request, Tested, score_rows
from agreement.significance.power import paired_power
from agreement.significance.tukey import tukey_test
from agreement.significance.wilcoxon import wilcoxon_test
from pooling.inputs import Input

BLOCK = 4_000_000  # numbers in memory at the same time
ALIKE = 1e-12


def randomisation_test(pairs: Pairs, request: Request) -> Tested:
    """Run the paired randomisation test for every pair."""
    exact = 2**pairs.n_topics <= request.draws
    if exact:
        draws = 2**pairs.n_topics
        p = 2 * _at_least_as_extreme(pairs.differences, [_half_of_all_signs(pairs.n_topics)]) / draws
    else:
        draws = request.draws
        signs = _random_signs(request.generator("randomisation"), draws, pairs.n_topics)
        p = (1 + _at_least_as_extreme(pairs.differences, signs)) / (1 + draws)
    return Tested(
        p,
        pairs.standardised(),
        *pairs.t_interval(request.alpha),
        effect_size=D_Z,
        interval=T_INTERVAL,
        exact=exact,
        seed=None if exact else request.seed,
        draws=draws,
    )


def _at_least_as_extreme(differences: np.ndarray, blocks_of_signs: Iterable[np.ndarray]) -> np.ndarray:
    """Count the settings of the signs whose sum is at least as extreme as the observed one, shape (n_pairs,)."""
    least = np.abs(differences.sum(axis=1)) - ALIKE * np.abs(differences).sum(axis=1)
    count = np.zeros(len(differences), dtype=np.int64)
    for signs in blocks_of_signs:
        step = max(BLOCK // len(signs), 1)
        for start in range(0, len(differences), step):
            block = slice(start, start + step)
            sums = differences[block] @ signs.T
            count[block] += np.count_nonzero(np.abs(sums, out=sums) >= least[block, None], axis=1)
    return count


def _half_of_all_signs(n_topics: int) -> np.ndarray:
    """Return all settings in which the first sign is +; the others are their negatives, and as extreme."""
    free = n_topics - 1
    bits = np.arange(2**free)[:, None] >> np.arange(free) & 1
    return np.hstack([np.ones((2**free, 1)), 1.0 - 2 * bits])


def _random_signs(rng: np.random.Generator, draws: int, n_topics: int) -> Iterator[np.ndarray]:
    step = max(BLOCK // n_topics, 1)
    for start in range(0, draws, step):
        size = (min(step, draws - start), n_topics)
        yield 1.0 - 2 * rng.integers(2, size=size, dtype=np.int8)


def sign_test(pairs: Pairs, request: Request) -> Tested:
    """Run the sign test for every pair."""
    from scipy.special import bdtr  # takes a second to import, and most callers do not test

    won, lost = (pairs.differences > 0).sum(axis=1), (pairs.differences < 0).sum(axis=1)
    n = won + lost
    p = np.where(n > 0, np.minimum(1, 2 * bdtr(np.minimum(won, lost), n, 0.5)), np.nan)
    share = np.divide(won, n, out=pairs.unknown(), where=n > 0)
    limits = pairs.t_interval(request.alpha)
    return Tested(p, share, *limits, effect_size="share of untied topics won", interval=T_INTERVAL, exact=True)


def t_test(pairs: Pairs, request: Request) -> Tested:
    """Run Student's paired t test for every pair."""
    from scipy.special import stdtr  # takes a second to import, and most callers do not test

    effect = pairs.standardised()
    p = 2 * stdtr(pairs.n_topics - 1, -np.abs(effect) * pairs.n_topics**0.5)
    return Tested(p, effect, *pairs.t_interval(request.alpha), effect_size=D_Z, interval=T_INTERVAL)


TUKEY = "tukey"
TESTS: dict[str, Callable[[Pairs, Request], Tested]] = {
    "t": t_test,
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "randomisation": randomisation_test,
    TUKEY: tukey_test,
}


def compare_systems(
    scores: Input,
    test: str = "t",
    correction: str | None = None,
    alpha: float = 0.05,
    seed: int | None = None,
    draws: int = 10_000,
) -> NotedFrame:
    """Compare every two systems by a paired test over topics.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.
    test : {"t", "wilcoxon", "sign", "randomisation", "tukey"}
        Student's paired t test, Wilcoxon's signed rank test, the sign test, the paired randomisation test, or Tukey's
        honestly significant difference by randomisation.
    correction : {"none", "bonferroni", "holm", "benjamini-hochberg"}, optional
        Correction for the number of tests. The default is "holm". For "tukey", whose p-values hold for all pairs
        together, only "none" is allowed.
    alpha : float
        Level of significance, between 0 and 1.
    seed : int, optional
        Seed of the random draws. It is needed for "tukey", and for "randomisation" unless 2**n_topics <= draws.
    draws : int
        Number of random draws, at least 1.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each pair; system_a is the system that is earlier in the table.

        =================  ======================================================================================
        system_a, _b       names
        n_topics           number of topics
        difference         mean score of a minus mean score of b
        effect_size        effect size; `attrs["effect_size"]` names it
        low, high          interval of the mean difference at level 1 - alpha; `attrs["interval"]` names it
        p                  two-sided p-value, from 0 to 1; 1 under every test for the same score on every topic
        p_adjusted         p-value after the correction for all pairs, also those without a p
        significant        whether p_adjusted <= alpha; False without a p
        reason             why a figure of the row is missing, else NA: "no_topics", "one_topic", "no_difference" (the
                           same score on every topic), "same_difference" (the same difference on every topic) or
                           "few_draws" (too few draws to reach the level)
        =================  ======================================================================================

        `attrs` holds test, correction, alpha, seed and draws (None if nothing was drawn), exact, effect_size,
        interval, n_systems, n_tests (the number of pairs, 0 without a p) and note, which states the power of the
        comparison if there are fewer than 50 topics, else None.

    Raises
    ------
    ValueError
        An unknown test or correction, a correction for "tukey", an invalid alpha or number of draws, a missing or
        invalid seed, a system or a topic that occurs twice, also as a number and as a string, or a score that is not
        finite.

    References
    ----------
    M. D. Smucker, J. Allan & B. Carterette (2007). A comparison of statistical significance tests for information
    retrieval evaluation. CIKM 2007, 623-632.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import compare_systems
    >>> scores = pd.DataFrame([[0.5, 0.6, 0.9], [0.4, 0.4, 0.5]], index=["bm25", "lsa"], columns=["1", "2", "3"])
    >>> compare_systems(scores)[["system_a", "system_b", "difference", "p"]].round(3)
      system_a system_b  difference      p
    0     bm25      lsa       0.233  0.118
    <BLANKLINE>
    Note: With 3 topics, fewer than 50, a true difference of 0.499 is significant
    with a probability of 80%. A smaller one is significant less often. A difference
    that is not significant may still be real. The power is that of a paired t test
    at level 0.05 before correction, with a standard error of 0.088.
    """
    correction, request = _checked(test, correction, alpha), Request.checked(alpha, seed, draws)
    table = score_rows(scores)
    pairs = Pairs.from_scores(table)
    tested = TESTS[test](pairs, request) if len(pairs) and pairs.n_topics else _untested(pairs)
    # Some tests leave it undefined.
    p = np.where(pairs.identical, 1, tested.p)
    p_adjusted, known = adjusted_of_all(p, correction), ~np.isnan(p)
    frame = NotedFrame(
        {
            "system_a": table.index.take(pairs.first),
            "system_b": table.index.take(pairs.second),
            "n_topics": pairs.n_topics,
            "difference": float_column(pairs.means),
            "effect_size": float_column(tested.effect),
            "low": float_column(tested.low),
            "high": float_column(tested.high),
            "p": float_column(p),
            "p_adjusted": float_column(p_adjusted),
            "significant": known & (np.where(known, p_adjusted, 1) <= alpha),
            "reason": _reasons(pairs, tested),
        }
    )
    frame.attrs = {"test": test, "correction": correction, "alpha": alpha, "seed": tested.seed}
    frame.attrs |= {"draws": tested.draws, "exact": tested.exact, "effect_size": tested.effect_size}
    frame.attrs |= {"interval": tested.interval, "n_systems": len(table), "n_tests": len(pairs) if known.any() else 0}
    frame.attrs["note"] = paired_power(pairs, alpha).note
    return frame


def _checked(test: str, correction: str | None, alpha: float) -> str:
    """Return the correction to use; raise ValueError for an invalid option."""
    choice("test", test, TESTS)
    check_options(correction, alpha)
    if test == TUKEY and correction not in (None, "none"):
        raise ValueError(
            f"correction must be 'none' for test 'tukey', which already adjusts for all pairs, not {correction!r}."
        )
    return correction or ("none" if test == TUKEY else "holm")


def _untested(pairs: Pairs) -> Tested:
    """Return the result without a pair or without a topic."""
    missing = pairs.unknown()
    return Tested(missing, missing, missing, missing, effect_size="", interval="")


def _reasons(pairs: Pairs, tested: Tested) -> pd.api.extensions.ExtensionArray:
    missing = np.isnan(np.stack([tested.p, tested.effect, tested.low, tested.high])).any(axis=0)
    reasons = pairs.reasons if tested.reason is None else np.full(len(pairs), tested.reason, dtype=object)
    shown = [reason if is_missing else None for reason, is_missing in zip(reasons, missing, strict=True)]
    return pd.array(shown, dtype="string")
