"""How far the judges of a collection agree: the figures of every pair, every topic, and the average pair."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import pandas as pd

import agreement
from agreement.reports.agreement_report import agreement_frame
from assess.analysis.data import collection_ratings
from assess.errors import Refused
from assess.models import Collection, Judgement, Role, State

COEFFICIENTS = ("percent_agreement", "pooled_kappa", "cohen_kappa")
ASIDE = (State.CANNOT_JUDGE, State.LATER)

Met = Mapping[str, dict[str, set[int]]]  # judge -> state -> tasks


@dataclass(frozen=True)
class ExcludedJudgements:
    """How many documents were met and have no grade: those that could not be judged, and those put off."""

    cannot_judge: int
    later: int


@dataclass(frozen=True)
class PairRow:
    """Two judges: over all topics in one table, and as means over topics.

    `aside` counts the documents that both met and that one or both could not judge, else put off; they are in none
    of the figures.
    """

    a: str
    b: str
    aside: ExcludedJudgements
    raw: agreement.Estimate
    pooled: agreement.Estimate
    cohen: agreement.Estimate
    pooled_topics: agreement.Estimate
    cohen_topics: agreement.Estimate


@dataclass(frozen=True)
class TopicRow:
    """One topic: the mean over the pairs of judges who both judged in it, or one pair's figures."""

    query_id: str
    raw: agreement.Estimate
    pooled: agreement.Estimate
    cohen: agreement.Estimate


@dataclass(frozen=True)
class AgreementFigures:
    """What the agreement page shows. `pairs` have a document in common, `pairs_apart` counts those that have none."""

    rel: int | None
    judges: tuple[str, ...]
    n_judgements: int
    aside: ExcludedJudgements
    pairs: list[PairRow]
    pairs_apart: int
    topics: list[TopicRow]
    pooled: agreement.Estimate
    cohen: agreement.Estimate

    @property
    def sentence(self) -> str:
        """The answer in words: do the judges agree?"""
        if not self.pooled.defined:
            return f"Whether the judges agree cannot be told yet: {self.pooled.shown()}."
        words = {
            "good": "The judges agree well",
            "fair": "The judges agree fairly",
            "dubious": "The judges agree little",
        }
        pairs = "pair" if self.pooled.n_averaged == 1 else "pairs"
        return (
            f"{words[self.pooled.band]}: the average pair says the same of {self.pooled.observed:.0%} of the documents "
            f"that both judged, and pooled kappa, which takes chance off, is {self.pooled.value:.2f} "
            f"({self.pooled.band}) over {self.pooled.n_averaged} {pairs}."
        )


def agreement_figures(collection: Collection, rel: int | None) -> AgreementFigures:
    """Every pair of judges, every topic, and the average pair."""
    found = collection_ratings(collection, rel)
    met = _met(collection)
    pairs = [_pair_row(found, a, b, met) for a, b in combinations(found.assessors, 2)]
    joint = [row for row in pairs if row.raw.n]
    return AgreementFigures(
        rel=rel,
        judges=found.assessors,
        n_judgements=int((found.codes >= 0).sum()),
        aside=_in_all(met),
        pairs=joint,
        pairs_apart=len(pairs) - len(joint),
        topics=[_topic_row(query_id, part) for query_id, part in _topics_in_order(collection, found)],
        pooled=agreement.mean_pairwise(found, "pooled_kappa", **_interval(collection)),
        cohen=agreement.mean_pairwise(found, "cohen_kappa", **_interval(collection)),
    )


def excluded_judgements(collection: Collection) -> ExcludedJudgements:
    """How often any judge could not judge a document, and how often one was put off."""
    return _in_all(_met(collection))


def _in_all(met: Met) -> ExcludedJudgements:
    return ExcludedJudgements(*(sum(len(states[state]) for states in met.values()) for state in ASIDE))


def _interval(collection: Collection) -> dict:
    """Topics are resampled, then documents: the collection's topics stand for all that people may ask."""
    return {"interval": "topics", "seed": collection.seed}


def _topics_in_order(collection: Collection, found: agreement.Ratings) -> list[tuple[str, agreement.Ratings]]:
    """The judgements of each topic, topics in the order in which they were imported."""
    parts = found.by_topic()
    query_ids = collection.topics.order_by("pk").values_list("query_id", flat=True)
    return [(query_id, parts[query_id]) for query_id in query_ids if query_id in parts]


def _pair_row(found: agreement.Ratings, a: str, b: str, met: Met, **interval) -> PairRow:
    def over(across, name):
        return agreement.overall(found, name, across, a, b, **interval)

    return PairRow(
        a,
        b,
        _aside(met[a], met[b]),
        *(over("pooled", name) for name in COEFFICIENTS),
        *(over("topics", name) for name in COEFFICIENTS[1:]),
    )


def _met(collection: Collection) -> Met:
    """What every judge said of the tasks that somebody put aside; all others are not asked for."""
    said = Judgement.objects.filter(task__topic__collection=collection, repeat=0, member__role=Role.ASSESSOR)
    aside = said.filter(state__in=ASIDE).values("task")
    met = defaultdict(lambda: {state: set() for state in (State.JUDGED, *ASIDE)})
    rows = said.filter(task__in=aside).exclude(state=State.UNDONE).values_list("member__name", "state", "task")
    for name, state, task in rows:
        met[name][state].add(task)
    return met


def _aside(a: dict[str, set[int]], b: dict[str, set[int]]) -> ExcludedJudgements:
    both = set().union(*a.values()) & set().union(*b.values())
    cannot, later = (both & (a[state] | b[state]) for state in ASIDE)
    return ExcludedJudgements(len(cannot), len(later - cannot))


def _topic_row(query_id: str, part: agreement.Ratings) -> TopicRow:
    return TopicRow(query_id, *(agreement.mean_pairwise(part, name) for name in COEFFICIENTS))


@dataclass(frozen=True)
class PairFigures:
    """Two judges' table worked out, and their figures topic by topic."""

    row: PairRow
    worked: agreement.Worked
    topics: list[TopicRow]

    @property
    def sentence(self) -> str:
        """The answer in words: how often do the two say the same, and what would chance give?"""
        a, b, n = self.row.a, self.row.b, self.worked.n
        if not n:
            return f"{a} and {b} have judged no document in common"
        chance = self.worked.pooled.expected
        return (
            f"{a} and {b} agree on {self.row.raw.observed:.1%} of {n} documents; chance alone would give {chance:.1%}"
        )


def pair_figures(collection: Collection, a: str, b: str, rel: int | None) -> PairFigures:
    """The contingency table of two judges, worked out step by step."""
    found = collection_ratings(collection, rel)
    if missing := [name for name in (a, b) if name not in found.assessors]:
        raise Refused(f"{missing[0]} has not judged anything yet.")
    labels = grade_labels(collection, rel)
    return PairFigures(
        row=_pair_row(found, a, b, _met(collection), **_interval(collection)),
        worked=agreement.worked(found.table(a, b), labels=labels, judges=(a, b)),
        topics=[
            TopicRow(query_id, *(agreement.overall(part, name, "pooled", a, b) for name in COEFFICIENTS))
            for query_id, part in _topics_in_order(collection, found)
            if not {a, b} & set(part.idle)
        ],
    )


def grade_labels(collection: Collection, rel: int | None) -> list[str]:
    """What the rows of a contingency table are called."""
    if rel is not None:
        return ["nonrelevant", "relevant"]
    return [str(grade) for grade in collection.grades.all()]


def pairwise(collection: Collection, rel: int | None) -> pd.DataFrame:
    """Every pair over all topics both ways, and in every topic, unrounded."""
    return agreement_frame(collection_ratings(collection, rel), per_topic=True)
