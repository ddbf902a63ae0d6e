"""Which topics decide a comparison of two systems.

Of systems A and B on n topics, d is the score of A minus that of B on a topic, D the mean of the d, sd their standard
deviation (divisor n - 1), and t = D / (sd / sqrt(n)) Student's paired t. A topic contributes

    to the mean difference     d / n                        the contributions sum to D
    to t                       d / (n sd / sqrt(n))         they sum to t
    to the variance            (d - D)^2 / sum (d - D)^2    they sum to 1

Leaving out a topic gives the difference, t and p of the other n - 1 topics. A topic is *decisive* if the comparison
ends differently without it: the order of the systems changes, or whether the difference is significant at the level
alpha. The order also changes if the systems are tied either with or without the topic.

The fewest topics without which the order is reversed say how firm it is. These are the topics that favour the leading
system most, left out one after the other until the sum of the other differences has the opposite sign. If
every topic favours the leading system or is tied, no such set of topics exists.

Each p is that of one test, without a correction: leaving out topics until a result changes is a description of the
data, not a test. Differences closer to 0 than 1e-12 are ties.

References
----------
Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.
D. Banks, P. Over & N.-F. Zhang (1999). Blind men and elephants: six approaches to TREC data. Information Retrieval
1, 7-34.
B. Efron & R. J. Tibshirani (1993). An introduction to the bootstrap, chapter 11 (leaving out one observation).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import flag, float_column, level
from agreement.estimate import format_value
from agreement.meta_evaluation.topic_difficulty import sorted_topics
from agreement.rank_correlation import TIE
from agreement.significance.pairs import REASONS, checked_scores, deviations_of, differences_of, score_rows
from agreement.significance.power import few_topics_note
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count, first_names, shown_p

NUMBERS = (
    *("score_a", "score_b", "difference", "contribution", "share", "t_contribution", "variance_share"),
    *("difference_without", "t_without", "p_without"),
)


@dataclass(frozen=True, eq=False, repr=False)
class DecisiveTopics(Result):
    """What each topic contributes to the comparison of two systems; returned by `decisive_topics`.

    Attributes
    ----------
    systems : (str, str)
        Systems A and B. All differences are A minus B.
    n_topics : int
        Number of topics.
    difference : float or None
        Mean difference; None without topics.
    t, p : float or None
        Student's paired t and its two-sided p-value.
    alpha : float
        Level of significance.
    lower_is_better : bool
        Whether a lower score is better.
    topics : DataFrame
        One row for each topic, the largest contribution first, by absolute value: query_id; score_a, score_b and
        difference; contribution to the mean difference; share of the mean difference, negative if the topic has the
        opposite sign, NA if the mean is 0; t_contribution; variance_share; difference_without, t_without and p_without,
        the figures of the other topics; order_changes and significance_changes, without the topic; reason (why a figure
        without the topic is missing, else NA: "no_topics", "one_topic", "no_difference" or "same_difference").
    topics_to_reverse : tuple of str or None
        The fewest topics without which the order of the systems is reversed; None if there is no such set.
    reason : str or None
        Why there is no p: "no_topics", "one_topic", "no_difference" or "same_difference".
    note : str or None
        States the power of the test if there are fewer than 50 topics.

    Examples
    --------
    >>> from agreement.meta_evaluation import decisive_topics
    >>> scores = {"bm25": {"1": 0.9, "2": 0.5, "3": 0.4}, "lsa": {"1": 0.3, "2": 0.6, "3": 0.5}}
    >>> decisive = decisive_topics(scores, "bm25", "lsa")
    >>> decisive.topics[["query_id", "difference", "contribution", "difference_without", "order_changes"]].round(3)
      query_id  difference  contribution  difference_without  order_changes
    0        1         0.6           0.2                -0.1           True
    1        2        -0.1        -0.033                0.25          False
    2        3        -0.1        -0.033                0.25          False
    """

    systems: tuple[str, str]
    n_topics: int
    difference: float | None
    t: float | None
    p: float | None
    alpha: float
    lower_is_better: bool
    topics: pd.DataFrame
    topics_to_reverse: tuple[str, ...] | None
    reason: str | None
    note: str | None

    @property
    def significant(self) -> bool:
        """Whether the difference is significant at the level alpha; False without a p."""
        return self.p is not None and self.p <= self.alpha

    @property
    def decisive(self) -> tuple[str, ...]:
        """The topics without which the order or the significance changes, in the order of `topics`."""
        changes = self.topics["order_changes"] | self.topics["significance_changes"]
        return tuple(self.topics["query_id"][changes])

    def to_frame(self) -> pd.DataFrame:
        """Return `topics`."""
        return self.topics

    def _sentence(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Return which system leads, and whether single topics decide that, in a few sentences."""
        a, b = self.systems
        if self.difference is None:
            return f"{a} and {b} cannot be compared: there is no topic."
        return "\n".join(filter(None, [self._lead(), self._changes(), self._reverse(), self.note]))

    def _lead(self) -> str:
        a, b = self.systems
        difference = self.difference or 0.0
        p = shown_p(self.p) if self.p is not None else f"p undefined, {REASONS[self.reason or 'one_topic']}"
        basis = f"({count(self.n_topics, 'topic')}, paired t test, {p})"
        if not difference:
            return f"{a} and {b} are tied {basis}."
        ahead, behind = (a, b) if (difference > 0) != self.lower_is_better else (b, a)
        return f"{ahead} leads {behind} by {format_value(abs(difference))} {basis}."

    def _changes(self) -> str:
        """Whether the comparison ends differently without a single topic."""
        if self.n_topics < 2:
            return ""
        order = list(self.topics["query_id"][self.topics["order_changes"]])
        tested = list(self.topics["query_id"][self.topics["significance_changes"]])
        first = f"Leaving out {_some(order)} changes the order." if order else "No single topic changes the order."
        becomes = "is not" if self.significant else "is"
        second = f"Without {_some(tested)}, the difference {becomes} significant at the level {self.alpha:g}."
        return f"{first} {second if tested else self._same_significance()}".rstrip()

    def _same_significance(self) -> str:
        if self.p is None:
            return ""
        return f"No single topic changes whether the difference is significant at the level {self.alpha:g}."

    def _reverse(self) -> str:
        if not self.difference:
            return ""
        if self.topics_to_reverse is None:
            return "No topic favours the other system, so the order cannot be reversed by leaving out topics."
        n = len(self.topics_to_reverse)
        which = "the topic that favours" if n == 1 else f"the {n} topics that favour"
        names = first_names(self.topics_to_reverse)
        return f"Without {which} the leading system most ({names}), the order is reversed."

    def _paper_table(self) -> pd.DataFrame:
        from pooling.text_tables import rounded

        names = {"query_id": "topic", "score_a": self.systems[0], "score_b": self.systems[1]}
        shown = self.topics[
            ["query_id", "score_a", "score_b", "difference", "share", "difference_without", "p_without"]
        ]
        return rounded(shown.rename(columns=names))


def decisive_topics(
    scores: Input, system_a: str, system_b: str, alpha: float = 0.05, *, lower_is_better: bool = False
) -> DecisiveTopics:
    """Compute what each topic contributes to the difference of two systems, and which topics decide the comparison.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table` or a table of ``ranking_shift(...).scores``; or a table with the columns system,
        query_id and value, of one gold and one measure.
    system_a, system_b : str
        The two systems to compare.
    alpha : float
        Level of significance of Student's paired t test, between 0 and 1.
    lower_is_better : bool
        Whether a lower score is better. It changes which system the summary says leads, and no figure.

    Returns
    -------
    DecisiveTopics
        One row for each topic. There is no p with fewer than two topics ("no_topics", "one_topic"), and if the
        difference is the same on every topic ("no_difference" if it is 0, else "same_difference"); so it is for the
        figures without a topic.

    Raises
    ------
    TypeError
        The scores are no table and no dictionary.
    ValueError
        There are no scores of a system, or it is named twice; a system or a topic occurs twice; a score is missing or
        not finite; an option is invalid.

    References
    ----------
    D. Banks, P. Over & N.-F. Zhang (1999). Blind men and elephants: six approaches to TREC data. Information Retrieval
    1, 7-34.

    Examples
    --------
    >>> from agreement.meta_evaluation import decisive_topics
    >>> scores = {"bm25": {"1": 0.9, "2": 0.5, "3": 0.4}, "lsa": {"1": 0.3, "2": 0.6, "3": 0.5}}
    >>> decisive = decisive_topics(scores, "bm25", "lsa")
    >>> decisive.difference, decisive.p
    (0.133..., 0.62...)
    >>> decisive.decisive, decisive.topics_to_reverse
    (('1',), ('1',))
    """
    alpha, lower = level("alpha", alpha, 0.05), flag("lower_is_better", lower_is_better)
    table = score_rows(scores)
    values = checked_scores(table)
    rows = _rows_of(table, system_a, system_b)
    names = (str(table.index[rows[0]]), str(table.index[rows[1]]))
    topics, own = sorted_topics(table), values[rows]
    differences = differences_of(own[:1], own[1:2])
    mean, t, p, reason = (column[0] for column in _tested(differences))
    frame = _frame(topics, own, differences[0], alpha)
    return DecisiveTopics(
        systems=names,
        n_topics=len(topics),
        difference=_known(mean),
        t=_known(t),
        p=_known(p),
        alpha=alpha,
        lower_is_better=lower,
        topics=frame,
        topics_to_reverse=_to_reverse(topics, differences[0]),
        reason=reason,
        note=few_topics_note(own, alpha),
    )


def _rows_of(table: pd.DataFrame, *systems: str) -> list[int]:
    """Return the rows of two systems; raise ValueError if one is unknown, or they are the same."""
    names = [str(name) for name in table.index]
    for system in systems:
        if str(system) not in names:
            raise ValueError(f"There are no scores of system {system!r}. There are scores of {', '.join(names)}.")
    if len({str(system) for system in systems}) < len(systems):
        raise ValueError(f"Name two different systems, not {systems[0]!r} twice.")
    return [names.index(str(system)) for system in systems]


def _tested(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean, t, p and the reason of a missing p of each row of differences; nan is missing."""
    from scipy.special import stdtr  # takes a second to import, and most callers do not test

    n_rows, n = differences.shape
    reasons = np.full(n_rows, None, dtype=object)
    if not n:
        missing = np.full(n_rows, np.nan)
        reasons[:] = "no_topics"
        return missing, missing, missing, reasons
    means = differences.mean(axis=1)
    means[np.abs(means) < TIE] = 0
    deviations = deviations_of(differences)
    t = means / (deviations / n**0.5)
    reasons[np.isnan(deviations)] = "one_topic" if n < 2 else "same_difference"
    if n > 1:
        reasons[(differences == 0).all(axis=1)] = "no_difference"
    return means, t, 2 * stdtr(n - 1, -np.abs(t)), reasons


def _frame(topics: list[str], own: np.ndarray, differences: np.ndarray, alpha: float) -> pd.DataFrame:
    n = len(topics)
    mean, t, p, _ = (column[0] for column in _tested(differences[None]))
    means, ts, ps, reasons = _without_each(differences)
    squares = (differences - mean) ** 2
    parts: dict[str, Any] = {"score_a": own[0], "score_b": own[1], "difference": differences}
    parts["contribution"] = differences / max(n, 1)
    parts["share"] = parts["contribution"] / mean + 0.0 if n and mean else np.full(n, np.nan)  # + 0.0: no -0.0
    parts["t_contribution"] = parts["contribution"] * (t / mean if n and mean else 1 / _error(differences)) + 0.0
    parts["variance_share"] = squares / squares.sum() if not np.isnan(t) else np.full(n, np.nan)
    parts |= {"difference_without": means, "t_without": ts, "p_without": ps}
    frame = pd.DataFrame({"query_id": pd.Series(topics, dtype="str")})
    frame = frame.assign(**{name: float_column(np.asarray(parts[name], dtype=np.float64)) for name in NUMBERS})
    frame["order_changes"] = np.sign(means) != np.sign(mean) if n > 1 else np.zeros(n, dtype=bool)
    changes = (ps <= alpha) != (p <= alpha)
    frame["significance_changes"] = changes & ~np.isnan(ps) & ~np.isnan(p)
    frame["reason"] = pd.array(list(reasons), dtype="string")
    order = np.lexsort((np.arange(n), -np.abs(np.where(np.abs(differences) < TIE, 0, differences))))
    return frame.iloc[order].reset_index(drop=True)


def _error(differences: np.ndarray) -> float:
    """Return the standard error of the mean difference; nan if nothing varies."""
    return float(deviations_of(differences[None])[0] / max(len(differences), 1) ** 0.5)


def _without_each(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return what `_tested` returns for the other topics, for each topic."""
    n = len(differences)
    parts = [_tested(np.delete(differences, at)[None]) for at in range(n)]
    if not parts:
        empty = np.zeros(0)
        return empty, empty, empty, empty
    mean, t, p, reasons = (np.concatenate(column) for column in zip(*parts, strict=True))
    return mean, t, p, reasons


def _to_reverse(topics: list[str], differences: np.ndarray) -> tuple[str, ...] | None:
    """Return the fewest topics without which the sum of the other differences has the opposite sign."""
    direction = np.sign(differences.sum()) if abs(differences.mean() if len(differences) else 0) >= TIE else 0
    if not direction:
        return None
    order = np.argsort(-differences * direction, kind="stable")
    left = (differences * direction)[order][::-1].cumsum()[::-1]  # the sum from each topic on
    reversed_at = np.flatnonzero(left <= -TIE)
    return tuple(topics[at] for at in order[: reversed_at[0]]) if len(reversed_at) else None


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _some(topics: list[str]) -> str:
    return f"topic {topics[0]}" if len(topics) == 1 else f"any of the topics {first_names(topics)}"
