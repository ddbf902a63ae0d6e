"""The result of `why_swapped`, and its headline: do the two systems swap, and which topics and documents cause it?

Without enough data (`agreement.thresholds`) the headline begins with what there is and what is needed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.rank_correlation import TIE
from agreement.ratings import MISSING
from agreement.reports.results import records
from agreement.thresholds import TOP, Thresholds, lower_share, preliminary
from pooling.result import Result
from pooling.words import count

# The headline names as few topics as make this share of the change.
MAIN_SHARE = 0.8


@dataclass(frozen=True, eq=False, repr=False)
class WhySwapped(Result):
    """Why the order of two systems differs under two golds; returned by `why_swapped`.

    Attributes
    ----------
    systems : (str, str)
        Systems a and b. All differences are a minus b.
    golds : (str, str)
        Names of gold 1 and gold 2. All changes are from 1 to 2.
    measure : str
        Name of the measure.
    lower_is_better : bool
        Whether a lower score is better.
    n_topics : int
        Number of common topics.
    scores : DataFrame
        One row for each gold: gold, score_a, score_b (means over the topics), difference. NA without common topics.
    topics : DataFrame
        One row for each topic: query_id; difference_1 and difference_2; change of the difference; contribution, the
        change divided by the number of topics (contributions sum to the change of the mean difference); share of that
        change, negative if the topic has the opposite sign, NA if the change is 0; n_regraded, the number of documents
        whose grade changed; method ("exact", or the number of orders drawn). The largest contribution first, by
        absolute value.
    documents : DataFrame
        One row for each document whose grade changed: query_id, doc_id; grade_1 and grade_2, NA if the document is not
        in the gold (-1 means pooled and not judged); rank_a and rank_b, NA if it was not retrieved; change, its
        Shapley value in the topic's change; contribution, the change divided by the number of topics; error, the
        standard error of the contribution (0 if it is exact); method. Topics in the order of `topics`; within each,
        the largest contribution first, by absolute value.
    permutations : int
        Number of orders drawn in a topic that is not exact. Every second order is the reverse of the one before.
    exact_limit : int
        Values are exact for up to 2**exact_limit distinct coalitions.
    seed : int or None
        Seed of the drawn orders.
    judged_shares : (float or None, float or None)
        Share of the first 10 documents of the two systems that gold 1 and gold 2 judge on the common topics; None if
        nothing was retrieved.
    thresholds : Thresholds
        The data that the summary needs for an answer: min_topics and min_judged.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import why_swapped
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> why = why_swapped(runs, "lsa", "bm25", {"A": gold}, {"B": gold.assign(relevance=[0, 1])}, "AP")
    >>> why.differences, why.change, why.swapped
    ((0.5, -0.5), -1.0, True)
    >>> why.documents[["doc_id", "grade_1", "grade_2", "contribution"]]
      doc_id  grade_1  grade_2  contribution
    0     d1        1        0          -0.5
    1     d2        0        1          -0.5
    """

    systems: tuple[str, str]
    golds: tuple[str, str]
    measure: str
    lower_is_better: bool
    n_topics: int
    scores: pd.DataFrame
    topics: pd.DataFrame
    documents: pd.DataFrame
    permutations: int
    exact_limit: int
    seed: int | None
    judged_shares: tuple[float | None, float | None]
    thresholds: Thresholds

    @property
    def enough(self) -> bool:
        """Whether there is enough data for an answer in a sentence."""
        return self.thresholds.met(self.n_topics, *self.judged_shares)

    @property
    def differences(self) -> tuple[float, float] | None:
        """Mean difference under gold 1 and under gold 2; None without common topics."""
        if not self.n_topics:
            return None
        first, second = self.scores["difference"]
        return float(first), float(second)

    @property
    def change(self) -> float | None:
        """Mean difference under gold 2 minus under gold 1, the sum of the contributions; None without common topics."""
        differences = self.differences
        return differences[1] - differences[0] if differences else None

    @property
    def swapped(self) -> bool:
        """Whether one system leads under gold 1 and the other under gold 2."""
        first, second = self.differences or (0.0, 0.0)
        return min(first, second) <= -TIE and max(first, second) >= TIE

    @property
    def main_topics(self) -> tuple[str, ...]:
        """The smallest set of topics that makes 80 % of the change; empty if nothing changes."""
        rows = self.topics.dropna(subset=["share"]).sort_values("share", ascending=False, kind="stable")
        before = rows["share"].cumsum() - rows["share"]
        return tuple(rows["query_id"][before.to_numpy(np.float64) < MAIN_SHARE - TIE])

    def summary(self) -> str:
        """Return the headline: whether the systems swap, and which topics and documents cause it.

        If there is too little data, the headline begins with what there is and what is needed.
        """
        return swap_summary(self)

    def to_frame(self) -> pd.DataFrame:
        """Return `topics`."""
        return self.topics

    def _sentence(self) -> str:
        return self.summary()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return every table by name, not rounded: scores, topics and documents."""
        return {"scores": self.scores, "topics": self.topics, "documents": self.documents}

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON types; undefined figures are None."""
        names = ("measure", "lower_is_better", "n_topics", "change", "swapped", "permutations", "exact_limit", "seed")
        tables = {name: records(table) for name, table in self.tables().items()}
        pairs = {"systems": list(self.systems), "golds": list(self.golds)}
        return pairs | {name: getattr(self, name) for name in names} | {"summary": self.summary()} | tables


def swap_summary(why: WhySwapped) -> str:
    """Return the headline of a `WhySwapped`, computed from its figures."""
    first, second = why.golds
    differences, change = why.differences, why.change
    if differences is None or change is None:
        return f"Cannot be determined: {first} and {second} have no topic in common."
    a, b = why.systems
    before, after = (-difference if why.lower_is_better else difference for difference in differences)
    answer = f"Yes, {a} and {b} swap. " if why.swapped else f"No, {a} and {b} do not swap. "
    basis = f"{why.measure}, {count(why.n_topics, 'topic')}"
    leads = f"{a} {_lead(before)} under {first} and {_lead(after)} under {second} ({basis})"
    sentences = f"{answer}{leads}. {_cause(why, change)}."
    return sentences if why.enough else preliminary(sentences, _there_is(why), why.thresholds.tag())


def _there_is(why: WhySwapped) -> str:
    """Return what there is."""
    share = why.thresholds.shown(lower_share(*why.judged_shares))
    return f"{count(why.n_topics, 'topic')} in common, {share} of the first {TOP} documents of the systems judged"


def _lead(difference: float) -> str:
    if abs(difference) < TIE:
        return "is tied"
    return f"{'leads' if difference > 0 else 'trails'} by {abs(difference):.3f}"


def _cause(why: WhySwapped, change: float) -> str:
    if abs(change) < TIE:
        return "Their difference does not change"
    main, n_topics = why.main_topics, count(why.n_topics, "topic")
    part = why.topics.set_index("query_id")["contribution"][main[0]]
    verb = "accounts" if len(main) == 1 else "account"
    share = f"{len(main)} of {n_topics} {verb} for at least {MAIN_SHARE:.0%} of the change"
    return f"{share}, topic {main[0]} for most ({part:+.3f} of {change:+.3f}{_document(why, main[0], change)})"


def _document(why: WhySwapped, query_id: str, change: float) -> str:
    """Name the document that adds most to a topic's change, in the direction of the whole change."""
    rows = why.documents[why.documents["query_id"] == query_id]
    aligned = rows["contribution"] * (1 if change > 0 else -1)
    if not (aligned > 0).any():
        return ""
    row = rows.iloc[int(aligned.to_numpy().argmax())]
    return f", most of it by document {row['doc_id']}, {_grade(row['grade_1'])} to {_grade(row['grade_2'])}"


def _grade(grade: float | None) -> str:
    return "unjudged" if pd.isna(grade) or grade == MISSING else f"{grade:g}"
