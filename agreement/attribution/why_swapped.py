"""Why do two systems swap? Which topics cause it, and which documents in them.

Two systems are compared by the difference of their scores, averaged over the common topics of both golds:

    D(gold) = mean over topics t of d(t, gold),     d(t, gold) = score(a, t, gold) - score(b, t, gold)

They swap if D is positive under one gold and negative under the other. Within 1e-12 of 0 they are tied. The change
D(gold_2) - D(gold_1) is explained, whether or not the systems swap.

*Topics.* The change is the mean of the topics' changes d(t, gold_2) - d(t, gold_1). The contribution of a topic is its
change divided by the number of topics. The contributions sum to the change exactly.

*Documents.* Within a topic there is no such sum. The effect of one document's new grade on AP or nDCG depends on which
other documents already have their new grade: it changes the precision at later ranks, the number of relevant documents
and the ideal ranking. Therefore the contribution of a document is its Shapley value (`agreement.attribution.shapley`):
the mean, over all orders in which the documents of the topic can be regraded one by one from gold_1 to gold_2, of the
change of d(t) when this document is regraded. The values sum to the topic's change. The Shapley value differs from the
effect of regrading this document alone (`agreement.attribution.leverage`), and from the effect of leaving it out. A
document also counts as regraded if only one of the golds has it, and if neither system retrieved it, because it can
still change the number of relevant documents.

The summary gives an answer only if there is enough data (`agreement.shift.thresholds`): by default 10 common topics,
and half of the first 10 documents of the two systems judged under each gold.

Interchangeable documents (the same change of grade, at no rank that the measure sees in either ranking) form a class,
so that values are exact for a topic with up to 2**exact_limit distinct coalitions. For more, orders are drawn with a
seed. The sampled values still sum to the topic's change, and each has a standard error.

References
----------
L. S. Shapley (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.attribution.frames import documents_frame, scores_frame, topics_frame
from agreement.attribution.rescoring import Rescoring, grades_of
from agreement.attribution.summary import MAIN_SHARE, swap_summary
from agreement.attribution.topic_change import EXACT_LIMIT, PERMUTATIONS, Effort, TopicChange
from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns, Runs, prepare
from agreement.golds.make_gold import as_golds
from agreement.rank_correlation import TIE
from agreement.reports.results import records
from agreement.shift.thresholds import MIN_JUDGED, MIN_TOPICS, TOP, Thresholds, share_of
from pooling.inputs import Input, named_golds
from pooling.ranking import check_common_topic
from pooling.result import Result


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

        If there is too little data for an answer, the headline says so, and the figures are in a second line.
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


def why_swapped(
    runs: Runs,
    system_a: str,
    system_b: str,
    gold_1: Input,
    gold_2: Input,
    measure: MeasureLike,
    *,
    seed: int | None = None,
    permutations: int = PERMUTATIONS,
    exact_limit: int = EXACT_LIMIT,
    scale: Sequence[float] | None = None,
    collection_size: int | None = None,
    min_topics: int = MIN_TOPICS,
    min_judged: float = MIN_JUDGED,
) -> WhySwapped:
    """Explain by topics and documents why the order of two systems differs under two golds.

    The contribution of a document is its Shapley value: the mean, over all orders in which the documents of its topic
    can be regraded one by one, of the change of the difference between the systems when this document is regraded.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    system_a, system_b : str
        The two systems to compare.
    gold_1, gold_2 : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or from a
        column gold; otherwise the names are "gold 1" and "gold 2".
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5".
    seed : int, optional
        Seed of the drawn orders, at least 0. It is only needed if a topic has too many regraded documents for exact
        values.
    permutations : int
        Number of orders to draw in such a topic, an even number of at least 4. The standard error falls with the
        square root of this number.
    exact_limit : int
        Values are exact for a topic with up to 2**exact_limit distinct coalitions of regraded documents, that is for
        at least exact_limit documents; 0 to 20.
    scale : sequence of numbers, optional
        Declared grades, lowest first, for measures that need them.
    collection_size : int, optional
        Number of documents in the collection, for measures that need it.
    min_topics : int
        The summary gives an answer only if the golds have at least this many topics in common; 1 or more.
    min_judged : float
        The summary gives an answer only if each gold judges at least this share of the first 10 documents of the two
        systems on the common topics; from 0 to 1.

    Returns
    -------
    WhySwapped

    Raises
    ------
    ValueError
        There is no run of a system, or it is named twice; the golds have the same name; an unknown measure; a number
        is out of range; orders must be drawn and there is no seed.

    References
    ----------
    L. S. Shapley (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import why_swapped
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> other = gold.assign(relevance=[0, 1])
    >>> why = why_swapped(runs, "lsa", "bm25", {"A": gold}, {"B": other}, "AP", min_topics=1)
    >>> print(why.summary().split(".")[0])
    Yes, lsa and bm25 swap
    """
    ranked_runs, scored = prepare(runs), parse_measure(measure)
    _check_systems(ranked_runs, system_a, system_b)
    effort, thresholds = Effort(exact_limit, permutations, seed), Thresholds(min_topics, min_judged)
    names, first, second = _two_golds(gold_1, gold_2)
    matrices = [ranked_runs.under(gold, scale, collection_size) for gold in (first, second)]
    for name, matrix in zip(names, matrices, strict=True):
        check_common_topic(ranked_runs, matrix.query_ids, f"the gold {name!r}")
    rescoring = Rescoring(ranked_runs, scored, matrices[0], (system_a, system_b))
    changes = _changes(first, second, rescoring)
    _check_seed(changes, effort)
    scores = [_scores(rescoring, matrix, changes) for matrix in matrices]
    topics = topics_frame(changes, scores, effort)
    return WhySwapped(
        systems=(system_a, system_b),
        golds=names,
        measure=scored.name,
        lower_is_better=scored.lower_is_better,
        n_topics=len(changes),
        scores=scores_frame(names, scores),
        topics=topics,
        documents=documents_frame(changes, topics, rescoring, effort),
        permutations=permutations,
        exact_limit=exact_limit,
        seed=seed,
        judged_shares=(_judged_share(rescoring, matrices[0], changes), _judged_share(rescoring, matrices[1], changes)),
        thresholds=thresholds,
    )


def _check_systems(runs: RankedRuns, *systems: str) -> None:
    for system in systems:
        if system not in runs.systems:
            raise ValueError(f"There is no run of system {system!r}. There are runs of {', '.join(runs.systems)}.")
    if len(set(systems)) < len(systems):
        raise ValueError(f"Name two different systems, not {systems[0]!r} twice.")


def _check_seed(changes: list[TopicChange], effort: Effort) -> None:
    sampled = [change for change in changes if not effort.is_exact(change.classes)]
    if sampled and effort.seed is None:
        raise ValueError(
            f"Topic {sampled[0].query_id} has {len(sampled[0].classes)} regraded documents, too many for exact values "
            f"with exact_limit={effort.exact_limit}. Orders must be drawn, which needs a seed."
        )


def _named(gold: Input, default: str) -> dict[str, pd.DataFrame]:
    """Return the golds by name; one without a name gets the default."""
    named: dict[str, pd.DataFrame] = {}
    for name, rows in named_golds(gold):
        has_names = name is None and "gold" in rows.columns
        named |= as_golds(rows) if has_names else {name or default: rows}
    return named


def _two_golds(gold_1: Input, gold_2: Input) -> tuple[tuple[str, str], pd.DataFrame, pd.DataFrame]:
    """Return the names of the two golds, and the golds."""
    golds: dict[str, pd.DataFrame] = {}
    for number, gold in ((1, gold_1), (2, gold_2)):
        named = _named(gold, f"gold {number}")
        if len(named) > 1 or set(named) & set(golds):
            raise ValueError(
                f"gold_1 and gold_2 must be one gold each, with different names, but gold_{number} is "
                f"{', '.join(named)}."
            )
        golds |= named
    first, second = golds
    return (first, second), golds[first], golds[second]


def _changes(gold_1: pd.DataFrame, gold_2: pd.DataFrame, rescoring: Rescoring) -> list[TopicChange]:
    """Return the changes of the common topics, ascending by query_id."""
    first, second = grades_of(gold_1), grades_of(gold_2)
    common = [query_id for query_id in first if query_id in second]
    return [TopicChange.between(query_id, first[query_id], second[query_id], rescoring) for query_id in common]


def _scores(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> np.ndarray:
    """Return the scores of the two systems on the topics, shape (2, n_topics)."""
    scores: np.ndarray = rescoring.measure(matrix)[_positions(rescoring, matrix, changes)]
    return scores


def _judged_share(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> float | None:
    """Return the judged share of the first documents of the two systems on the topics."""
    at = _positions(rescoring, matrix, changes)
    return share_of(int(matrix.judged(TOP)[at].sum()), int(np.minimum(matrix.retrieved, TOP)[at].sum()))


def _positions(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> tuple[np.ndarray, ...]:
    """Return the positions of the two systems and of the topics in an array of shape (n_systems, n_topics)."""
    systems = pd.Index(matrix.systems).get_indexer(pd.Index(rescoring.systems))
    topics = pd.Index(matrix.query_ids).get_indexer(pd.Index([change.query_id for change in changes]))
    return np.ix_(systems, topics)
