"""Why did two systems change places? Which topics made it, and which documents in them.

Two systems are compared by the difference of their scores, averaged over the topics that both golds have:

    D(gold) = mean over topics t of d(t, gold),     d(t, gold) = score(a, t, gold) - score(b, t, gold)

They change places where D is positive under the one gold and negative under the other; within 1e-12 of 0 they are
tied. The change D(gold_2) - D(gold_1) is what is explained, whether or not they change places.

*Topics.* The change is the mean of the topics' changes d(t, gold_2) - d(t, gold_1): a topic contributes its change
over the number of topics, and these contributions sum to the change exactly.

*Documents.* Within a topic no such sum exists. What one document's new grade does to AP or nDCG depends on which
others have their new grade already: it moves the precision at later ranks, the number of relevant documents and
the ideal ranking. A document is therefore given its Shapley value (`regrades.shapley`): the mean, over all orders
in which the documents of the topic may be regraded one by one from gold_1 to gold_2, of what d(t) changes by at its
turn. That is attributed to the document which comes about through it and through its share in what it does
together with others; the values sum to the topic's change. It is neither what regrading this document alone would
do (`regrades.flips`), nor what leaving it as it was would undo. A document counts as regraded also where only
one of the golds has it, and where neither system retrieved it: it may still change the number of relevant
documents.

Documents that stand for each other (regraded alike, at no rank that the measure looks at in either ranking) are
counted as one class, so values are exact for a topic with up to 2**exact_limit regradings that differ. For more,
orders are drawn with a seed: the values still sum to the topic's change, and each has a standard error.

References
----------
L. S. Shapley (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.attribution.frames import documents_frame, scores_frame, topics_frame
from agreement.attribution.rescoring import Rescoring, grades_of
from agreement.attribution.summary import MAIN_SHARE, swap_sentence
from agreement.attribution.topic_change import EXACT_LIMIT, PERMUTATIONS, Effort, TopicChange
from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns, prepare
from agreement.golds.make_gold import as_golds
from agreement.rank_correlation import TIE
from agreement.reports.results import records


@dataclass(frozen=True, eq=False)
class WhySwapped:
    """Why two systems stand otherwise under one gold than under another; made by `why_swapped`.

    Attributes
    ----------
    systems : (str, str)
        a and b; all differences are a less b.
    golds : (str, str)
        1 and 2; all changes are from 1 to 2.
    measure : str
    lower_is_better : bool
        Whether a system leads by a lower score.
    n_topics : int
        Topics that both golds have.
    scores : DataFrame
        A row for each gold: gold, score_a, score_b (means over the topics), difference. NA without topics.
    topics : DataFrame
        A row for each topic: query_id; difference_1 and difference_2; change, of the topic's difference;
        contribution, the change over the number of topics (they sum to the change of the mean difference); share
        of that change, negative where the topic works against it, NA where it is 0; n_regraded (documents whose
        grade changed); method ("exact" or the number of orders drawn). Largest contribution first, by size.
    documents : DataFrame
        A row for each document whose grade changed: query_id, doc_id; grade_1 and grade_2, NA where the gold does
        not have the document (-1 is pooled and not judged); rank_a and rank_b, NA where it was not retrieved;
        change, its Shapley value in the topic's change; contribution, that over the number of topics; error, the
        standard error of the contribution (0 where it is exact); method. Topics as above, in each the largest
        contribution first.
    permutations : int
        Orders drawn in a topic that is not exact; every second is the reverse of the one before.
    exact_limit : int
    seed : int or None
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

    @property
    def differences(self) -> tuple[float, float] | None:
        """D under gold 1 and under gold 2; None without topics."""
        return tuple(map(float, self.scores["difference"])) if self.n_topics else None

    @property
    def change(self) -> float | None:
        """D under gold 2 less D under gold 1: what the contributions sum to; None without topics."""
        return self.differences[1] - self.differences[0] if self.n_topics else None

    @property
    def swapped(self) -> bool:
        """Whether the two change places: one leads under gold 1, the other under gold 2."""
        first, second = self.differences or (0.0, 0.0)
        return min(first, second) <= -TIE and max(first, second) >= TIE

    @property
    def main_topics(self) -> tuple[str, ...]:
        """As few topics as make 80 % of the change; none where nothing changes."""
        rows = self.topics.dropna(subset=["share"]).sort_values("share", ascending=False, kind="stable")
        before = rows["share"].cumsum() - rows["share"]
        return tuple(rows["query_id"][before.to_numpy(np.float64) < MAIN_SHARE - TIE])

    def summary(self) -> str:
        """One sentence: do they change places, and which topics made it?"""
        return swap_sentence(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table by its name, unrounded: scores, topics, documents."""
        return {"scores": self.scores, "topics": self.topics, "documents": self.documents}

    def to_dict(self) -> dict:
        """All figures, as JSON can hold them; None where one is undefined."""
        said = ("measure", "lower_is_better", "n_topics", "change", "swapped", "permutations", "exact_limit", "seed")
        tables = {name: records(table) for name, table in self.tables().items()}
        names = {"systems": list(self.systems), "golds": list(self.golds)}
        return names | {name: getattr(self, name) for name in said} | {"summary": self.summary()} | tables


def why_swapped(
    runs,
    system_a: str,
    system_b: str,
    gold_1,
    gold_2,
    measure: str | Measure,
    *,
    seed: int | None = None,
    permutations: int = PERMUTATIONS,
    exact_limit: int = EXACT_LIMIT,
    scale: Sequence | None = None,
    collection_size: int | None = None,
) -> WhySwapped:
    """Explain by topics and documents why two systems stand otherwise under another gold.

    What is attributed to a document is told above: its Shapley value, the mean of what its new grade changes over
    all orders of regrading the documents of its topic.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `agreement.effectiveness.prepare`.
    system_a, system_b : str
    gold_1, gold_2 : DataFrame, or mapping of one name to a DataFrame
        Columns query_id, doc_id, relevance, and perhaps gold: the name, "gold 1" and "gold 2" where none is given.
    measure : str or Measure
        As for `agreement.effectiveness.parse_measure`.
    seed : int, optional
        Needed only where a topic has too many regraded documents for exact values.
    permutations : int
        Orders to draw there: an even number from 4. The error falls with the square root.
    exact_limit : int
        Values are exact for a topic with up to 2**exact_limit regradings that differ, so with as many documents or
        more; 0 to 20.
    scale : sequence of numbers, optional
    collection_size : int, optional
        As for `RankedRuns.under`; some measures need them.

    Returns
    -------
    WhySwapped

    Raises
    ------
    ValueError
        A system that no run is of, or the same twice; golds of the same name; an unknown measure; a number out of
        its range; sampling is needed and there is no seed.
    """
    ranked_runs, scored = prepare(runs), parse_measure(measure) if isinstance(measure, str) else measure
    _check_systems(ranked_runs, system_a, system_b)
    effort = Effort(exact_limit, permutations, seed)
    golds = _two_golds(gold_1, gold_2)
    matrices = [ranked_runs.under(gold, scale, collection_size) for gold in golds.values()]
    rescoring = Rescoring(ranked_runs, scored, matrices[0], (system_a, system_b))
    changes = _changes(*golds.values(), rescoring)
    _check_seed(changes, effort)
    scores = [_scores(rescoring, matrix, changes) for matrix in matrices]
    topics = topics_frame(changes, scores, effort)
    return WhySwapped(
        systems=(system_a, system_b),
        golds=tuple(golds),
        measure=scored.name,
        lower_is_better=scored.lower_is_better,
        n_topics=len(changes),
        scores=scores_frame(tuple(golds), scores),
        topics=topics,
        documents=documents_frame(changes, topics, rescoring, effort),
        permutations=permutations,
        exact_limit=exact_limit,
        seed=seed,
    )


def _check_systems(runs: RankedRuns, *systems: str) -> None:
    for system in systems:
        if system not in runs.systems:
            raise ValueError(f"there is no run of system {system!r}; there are {', '.join(runs.systems)}")
    if len(set(systems)) < len(systems):
        raise ValueError(f"two systems are compared; got {systems[0]!r} twice")


def _check_seed(changes: list[TopicChange], effort: Effort) -> None:
    drawn = [change for change in changes if not effort.is_exact(change.classes)]
    if drawn and effort.seed is None:
        raise ValueError(
            f"topic {drawn[0].query_id} has {len(drawn[0].classes)} regraded documents that count, too many for exact "
            f"values with exact_limit={effort.exact_limit}: orders must be drawn, which needs a seed"
        )


def _two_golds(gold_1, gold_2) -> dict[str, pd.DataFrame]:
    """The two golds by name."""
    golds = {}
    for number, gold in ((1, gold_1), (2, gold_2)):
        unnamed = isinstance(gold, pd.DataFrame) and "gold" not in gold.columns
        named = as_golds({f"gold {number}": gold} if unnamed else gold)
        if len(named) > 1 or set(named) & set(golds):
            raise ValueError(f"gold_1 and gold_2 are one gold each, of different names; got {', '.join(named)}")
        golds |= named
    return golds


def _changes(gold_1: pd.DataFrame, gold_2: pd.DataFrame, rescoring: Rescoring) -> list[TopicChange]:
    """The topics that both golds have, ascending."""
    first, second = grades_of(gold_1), grades_of(gold_2)
    common = [query_id for query_id in first if query_id in second]
    return [TopicChange.of(query_id, first[query_id], second[query_id], rescoring) for query_id in common]


def _scores(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> np.ndarray:
    """Scores of the two systems on the topics, shape (2, n_topics)."""
    systems = pd.Index(matrix.systems).get_indexer(list(rescoring.systems))
    topics = pd.Index(matrix.query_ids).get_indexer([change.query_id for change in changes])
    return rescoring.measure(matrix)[np.ix_(systems, topics)]
