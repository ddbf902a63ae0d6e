"""A leaderboard: the mean score of every system by several measures under one gold, and which systems may be best.

For each measure, the system with the highest mean is the best one (the lowest for E and RBPResidual). Student's paired
t test compares every other system with it over the topics; the p-values are adjusted for the number of these tests. A
system whose p is not below the level is in the best group: the topics do not show that it is worse. The best system was
chosen by the same scores, so the group is a description, and no test of a hypothesis that was stated before.

References
----------
T. Sakai (2014). Statistical reform in information retrieval? SIGIR Forum 48(1), 3-12.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import level
from agreement.effectiveness import judged_share, parse_measure, score_table
from agreement.significance.compare import t_test
from agreement.significance.corrections import adjusted
from agreement.significance.pairs import Pairs, Request, checked_scores, differences_of

JUDGED_DEPTH = 10
PARTS = ("", "_low", "_high", "_p", "_is_in_best_group")


def leaderboard(
    runs: Any,
    gold: Any,
    measures: Sequence[str] = ("AP", "nDCG@10"),
    *,
    correction: str = "holm",
    alpha: float = 0.05,
    **score_options: Any,
) -> pd.DataFrame:
    """Score all systems by several measures under one gold, the best system by the first measure at the top.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance.
    measures : sequence of str
        Names such as "AP", "nDCG@10" or "P(rel=2)@5"; at least one.
    correction : {"holm", "bonferroni", "benjamini-hochberg", "none"}
        Correction for the tests of one measure.
    alpha : float
        Level of the tests, and 1 - the level of the intervals, between 0 and 1.
    **score_options
        scale, collection_size and known, for the measures that need them (`score_table`).

    Returns
    -------
    DataFrame
        One row for each system: system; and for each measure M the columns M (mean over the topics of the gold), M_low
        and M_high (Student's t interval of the mean over topics; NA with one topic), M_p (adjusted p of the paired t
        test against the best system; NA for the best system, and if every topic has the same difference), and
        M_is_in_best_group (NA if p is not known). `judged` is the share of the first 10 documents that the gold judges.

    Raises
    ------
    ValueError
        No measure or one twice, an unknown correction, a level outside 0 to 1, or invalid runs or golds.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.significance import leaderboard
    >>> rows = [("a", "1", "x", 2), ("a", "1", "y", 1), ("b", "1", "y", 2), ("b", "1", "x", 1)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["x", "y"], "relevance": [1, 0]})
    >>> leaderboard(runs, gold, ["AP", "P@1"])[["system", "AP", "P@1", "judged"]]
      system   AP  P@1  judged
    0      a  1.0  1.0     1.0
    1      b  0.5  0.0     1.0
    """
    scores = {measure: score_table(runs, gold, measure, **score_options) for measure in _checked(measures)}
    shares = judged_share(runs, gold, k=JUDGED_DEPTH).set_index("system")["value"]
    return leaderboard_of_scores(scores, shares, correction=correction, alpha=alpha)


def leaderboard_of_scores(
    scores: Mapping[str, pd.DataFrame], judged: pd.Series, *, correction: str = "holm", alpha: float = 0.05
) -> pd.DataFrame:
    """Return the leaderboard of scores that are known already.

    Parameters
    ----------
    scores : mapping of str to DataFrame, shape (n_systems, n_topics)
        The scores by each measure: a row for each system and a column for each topic (`score_table`).
    judged : Series
        Share of judged documents of each system (the index).
    correction : {"holm", "bonferroni", "benjamini-hochberg", "none"}
        Correction for the tests of one measure.
    alpha : float
        Level of the tests, and 1 - the level of the intervals, between 0 and 1.

    Returns
    -------
    DataFrame
        One row for each system, with the columns of a leaderboard from runs: system; for each measure M its mean,
        M_low, M_high, M_p and M_is_in_best_group; and judged. `attrs` has the measures, the correction, alpha and
        n_topics.

    Raises
    ------
    ValueError
        There is no measure, the correction is unknown, or the level is outside 0 to 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.significance.leaderboard import leaderboard_of_scores
    >>> table = pd.DataFrame([[0.1, 0.2, 0.4], [0.5, 0.7, 0.6]], index=["a", "b"], columns=["1", "2", "3"])
    >>> board = leaderboard_of_scores({"AP": table}, pd.Series({"a": 1.0, "b": 0.9}))
    >>> board[["system", "AP", "AP_p", "AP_is_in_best_group", "judged"]].round(3)
      system     AP   AP_p  AP_is_in_best_group  judged
    0      b    0.6   <NA>                 True     0.9
    1      a  0.233  0.053                 True     1.0
    """
    level("alpha", alpha, 0.05)
    measures = _checked(list(scores))
    systems = scores[measures[0]].index
    board = pd.DataFrame({"system": systems})
    for measure, table in scores.items():
        columns = _columns(table.loc[systems], _sign(measure), correction, alpha)
        for part, values in zip(PARTS, columns, strict=True):
            board[f"{measure}{part}"] = values
    board["judged"] = judged.reindex(systems).astype("Float64").to_numpy()
    is_ascending = _sign(measures[0]) < 0
    board = board.sort_values([measures[0], "system"], ascending=[is_ascending, True], kind="stable", ignore_index=True)
    n_topics = scores[measures[0]].shape[1]
    board.attrs = {"measures": tuple(measures), "correction": correction, "alpha": alpha, "n_topics": n_topics}
    return board


def _checked(measures: Sequence[str]) -> Sequence[str]:
    if not len(measures):
        raise ValueError("A leaderboard needs at least one measure.")
    if len(set(measures)) < len(measures):
        raise ValueError("Each measure of a leaderboard must occur once.")
    return measures


def _sign(measure: str) -> int:
    return -1 if parse_measure(measure).lower_is_better else 1


def _columns(table: pd.DataFrame, sign: int, correction: str, alpha: float) -> list[pd.Series]:
    """Return the mean of each system with its interval, its p, and whether it is in the best group."""
    scores = checked_scores(table)
    means = scores.mean(axis=1)
    low, high = _interval(scores, means, alpha)
    best = int(np.argmax(sign * means))
    p = _p_against(scores, best, correction)
    same = np.isclose(means, means[best], rtol=0, atol=1e-12)
    group = pd.Series(p >= alpha, dtype="boolean").mask(pd.isna(p) & ~same).where(~same, True)
    numbers = [pd.Series(values, dtype="Float64") for values in (means, low, high, p)]
    return [*numbers, group]


def _interval(scores: np.ndarray, means: np.ndarray, alpha: float) -> tuple[Any, Any]:
    """Return the limits of Student's t interval of each mean over topics; NA with one topic."""
    from scipy.special import stdtrit  # takes a second to import

    n = scores.shape[1]
    if n < 2:
        return pd.array([pd.NA] * len(means), dtype="Float64"), pd.array([pd.NA] * len(means), dtype="Float64")
    margin = stdtrit(n - 1, 1 - alpha / 2) * scores.std(axis=1, ddof=1) / n**0.5
    return means - margin, means + margin


def _p_against(scores: np.ndarray, best: int, correction: str) -> Any:
    """Return the adjusted p of each system against the best one; NA for that one, and where a p is not defined."""
    others = np.array([row for row in range(len(scores)) if row != best], dtype=int)
    p = np.full(len(scores), np.nan)
    first = np.full(len(others), best)
    pairs = Pairs(scores, first, others, differences_of(scores[first], scores[others]))
    found = t_test(pairs, Request.checked(0.05, None, 1)).p
    found = np.where(pairs.identical, 1.0, found)  # as every test of `compare_systems`
    known = ~np.isnan(found)
    # All tests count, also those without a p.
    padded = adjusted(np.where(known, found, 1.0), correction)
    p[others[known]] = padded[known]
    return pd.array(p, dtype="Float64")
