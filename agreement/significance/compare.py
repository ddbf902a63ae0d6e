"""Every pair of systems compared by one paired test over the topics of one gold.

Columns of the result, one row a pair, the system that stands earlier in the table first:

system_a, system_b   names
n_topics             number of topics
difference           mean score of a minus mean score of b
effect_size          which one is told in `attrs`
low, high            limits of the interval of the mean difference at level 1 - alpha; which one is told in `attrs`
p                    two-sided
p_adjusted           by the correction, over all pairs that have a p
significant          whether p_adjusted <= alpha; False where there is no p
reason               why a figure of the row is missing (a key of `REASONS`), NA where none is

`attrs` holds test, correction, alpha, seed and samples (None where nothing was drawn), exact, effect_size, interval,
n_systems and n_tests (the pairs that have a p).
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from agreement.significance.corrections import CORRECTIONS, adjusted
from agreement.significance.pairs import Pairs, Request, Tested
from agreement.significance.randomisation import randomisation_test
from agreement.significance.sign import sign_test
from agreement.significance.t_test import t_test
from agreement.significance.tukey import tukey_test
from agreement.significance.wilcoxon import wilcoxon_test

TUKEY = "tukey"
TESTS: dict[str, Callable[[Pairs, Request], Tested]] = {
    "t": t_test,
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "randomisation": randomisation_test,
    TUKEY: tukey_test,
}


def compare_systems(
    scores: pd.DataFrame,
    test: str = "t",
    correction: str | None = None,
    alpha: float = 0.05,
    seed: int | None = None,
    samples: int = 10_000,
) -> pd.DataFrame:
    """Compare every two systems.

    Parameters
    ----------
    scores : DataFrame, shape (n_systems, n_topics)
        Index system, columns query_id, as `agreement.effectiveness.scores.score_table` gives it.
    test : {"t", "wilcoxon", "sign", "randomisation", "tukey"}
    correction : {"none", "bonferroni", "holm", "benjamini-hochberg"}, optional
        "holm" where left out; for "tukey", whose p-values hold for all pairs together, only "none".
    alpha : float
        Level of significance, between 0 and 1.
    seed : int, optional
        Needed where samples are drawn: for "tukey", and for "randomisation" unless all signs can be enumerated.
    samples : int
        Number of samples, 1 or more.

    Returns
    -------
    DataFrame
        As the module says.

    Raises
    ------
    ValueError
        An unknown test or correction, a correction on top of "tukey", a bad alpha or number of samples, a missing
        seed, or a table that has a system or a topic twice or a score that is not finite.
    """
    correction = _checked(test, correction, alpha, samples)
    pairs, request = Pairs.of(scores), Request(alpha, seed, int(samples))
    tested = TESTS[test](pairs, request) if len(pairs) and pairs.n_topics else _nothing(pairs)
    p_adjusted, known = pairs.unknown(), ~np.isnan(tested.p)
    p_adjusted[known] = adjusted(tested.p[known], correction)
    frame = pd.DataFrame(
        {
            "system_a": scores.index.take(pairs.first),
            "system_b": scores.index.take(pairs.second),
            "n_topics": pairs.n_topics,
            "difference": _or_na(pairs.means),
            "effect_size": _or_na(tested.effect),
            "low": _or_na(tested.low),
            "high": _or_na(tested.high),
            "p": _or_na(tested.p),
            "p_adjusted": _or_na(p_adjusted),
            "significant": known & (np.where(known, p_adjusted, 1) <= alpha),
            "reason": _reasons(pairs, tested),
        }
    )
    frame.attrs = {"test": test, "correction": correction, "alpha": alpha, "seed": tested.seed}
    frame.attrs |= {"samples": tested.samples, "exact": tested.exact, "effect_size": tested.effect_size}
    frame.attrs |= {"interval": tested.interval, "n_systems": len(scores), "n_tests": int(known.sum())}
    return frame


def _checked(test: str, correction: str | None, alpha: float, samples: int) -> str:
    """The correction that is meant; ValueError for an option that is not allowed."""
    if test not in TESTS:
        raise ValueError(f"test is one of {', '.join(TESTS)}; got {test!r}")
    if correction is not None and correction not in CORRECTIONS:
        raise ValueError(f"correction is one of {', '.join(CORRECTIONS)}; got {correction!r}")
    if test == TUKEY and correction not in (None, "none"):
        raise ValueError(f"test 'tukey' is adjusted for all pairs already: correction is 'none'; got {correction!r}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, such as 0.05; got {alpha}")
    if samples < 1 or int(samples) != samples:
        raise ValueError(f"samples is a whole number from 1; got {samples}")
    return correction or ("none" if test == TUKEY else "holm")


def _nothing(pairs: Pairs) -> Tested:
    """Without a pair or a topic there is nothing to test."""
    none = pairs.unknown()
    return Tested(none, none, none, none, effect_size="", interval="")


def _or_na(values: np.ndarray) -> pd.arrays.FloatingArray:
    missing = np.isnan(values)
    return pd.arrays.FloatingArray(np.where(missing, 0, values), missing)


def _reasons(pairs: Pairs, tested: Tested) -> pd.api.extensions.ExtensionArray:
    missing = np.isnan([tested.p, tested.effect, tested.low, tested.high]).any(axis=0)
    reasons = pairs.reasons if tested.reason is None else np.full(len(pairs), tested.reason, dtype=object)
    return pd.array(np.where(missing, reasons, None), dtype="string")
