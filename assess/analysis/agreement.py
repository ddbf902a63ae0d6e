"""The agreement of a collection's judges: every pair, every topic, and the average pair."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from django.conf import settings
from django.db.models import Count, Max

import agreement
from agreement.coefficients.overall import mean_of
from agreement.estimate import undefined
from agreement.reports.agreement_report import agreement_frame
from agreement.reports.agreement_summary import AgreementSummary, agreement_summary
from assess.analysis.data import collection_ratings, judgements_state
from assess.analysis.estimates import TableRow, estimate_from_row
from assess.analysis.imported_judges import ImportRow, import_rows, scale_notes
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, Judgement, JudgementImport, Pilot, Role, State
from pooling.words import count

COEFFICIENTS = ("percent_agreement", "pooled_kappa", "cohen_kappa")
EXCLUDED_STATES = (State.CANNOT_JUDGE, State.LATER)

TasksByState = dict[str, set[int]]


@dataclass(frozen=True)
class ExcludedJudgements:
    """How many documents were opened but have no grade: they could not be judged, or were postponed."""

    cannot_judge: int
    later: int


@dataclass(frozen=True)
class PairRow:
    """The figures of two judges, over all topics in one table and as means over topics.

    `excluded` counts documents that both judges opened, and that at least one of them could not judge or postponed. No
    figure includes them.
    """

    a: str
    b: str
    excluded: ExcludedJudgements
    raw: agreement.Estimate
    pooled: agreement.Estimate
    cohen: agreement.Estimate
    pooled_topics: agreement.Estimate
    cohen_topics: agreement.Estimate


@dataclass(frozen=True)
class TopicRow:
    """The figures of one topic: the mean over all pairs of judges of this topic, or the figures of one pair."""

    query_id: str
    raw: agreement.Estimate
    pooled: agreement.Estimate
    cohen: agreement.Estimate


@dataclass(frozen=True)
class AgreementFigures:
    """The content of the agreement page.

    `pairs` are the pairs that have a document in common; `pairs_apart` counts the pairs that have none. `pooled` and
    `cohen` are means over all pairs, and `summary` uses the pairs with enough data. `imported` are the imports of
    judgements, and `notes` sentences about judges with fewer grades than the scale.
    """

    rel: int | None
    judges: tuple[str, ...]
    n_judgements: int
    excluded: ExcludedJudgements
    pairs: list[PairRow]
    pairs_apart: int
    topics: list[TopicRow]
    pooled: agreement.Estimate
    cohen: agreement.Estimate
    summary: AgreementSummary
    imported: list[ImportRow]
    notes: list[str]

    @property
    def early(self) -> bool:
        """Whether no pair has enough data for a conclusion."""
        return not self.summary.enough


def agreement_figures(collection: Collection, rel: int | None, pilot: Pilot | None = None) -> AgreementFigures:
    """Return the figures of every pair of judges, of every topic, and of the average pair.

    With `pilot`, only its documents count.
    """
    ratings = collection_ratings(collection, rel, pilot=pilot)
    opened = _opened_tasks(collection, pilot)
    pooled = agreement.pairwise(ratings, COEFFICIENTS)
    topics = {
        query_id: agreement.pairwise(part, COEFFICIENTS) for query_id, part in _topics_in_order(collection, ratings)
    }
    pairs = _pair_rows(pooled, agreement.pairwise(ratings, COEFFICIENTS[1:], "topics"), topics, opened)
    return AgreementFigures(
        rel=rel,
        judges=ratings.assessors,
        n_judgements=int((ratings.codes >= 0).sum()),
        excluded=_total_excluded(opened),
        pairs=pairs,
        pairs_apart=len(pooled) - len(pairs),
        topics=[_topic_row(query_id, frame) for query_id, frame in topics.items()],
        pooled=agreement.mean_pairwise(ratings, "pooled_kappa", **_interval()),
        cohen=agreement.mean_pairwise(ratings, "cohen_kappa", **_interval()),
        summary=_summary(pooled),
        imported=import_rows(collection),
        notes=scale_notes(collection, rel),
    )


def agreement_key(collection: Collection, rel: int | None) -> str:
    """Return the key of the figures in the cache of results. It changes with every judgement and import."""
    files = JudgementImport.objects.filter(member__collection=collection).aggregate(Max("pk"), Count("file"))
    thresholds = settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS
    return results.key_of("agreement", judgements_state(collection, ()), files, thresholds, rel)


def _summary(pairs: pd.DataFrame) -> AgreementSummary:
    return agreement_summary(pairs, settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS)


def excluded_judgements(collection: Collection) -> ExcludedJudgements:
    """Count over all judges how often a document could not be judged, and how often one was postponed."""
    return _total_excluded(_opened_tasks(collection))


def _total_excluded(opened: Mapping[str, TasksByState]) -> ExcludedJudgements:
    counts = (sum(len(tasks[state]) for tasks in opened.values()) for state in EXCLUDED_STATES)
    return ExcludedJudgements(*counts)


def _interval() -> dict[str, Any]:
    """Return the options of intervals over topics: the topics are a sample of all possible topics."""
    return {"interval": "jackknife_topics"}


def _topics_in_order(collection: Collection, ratings: agreement.Ratings) -> list[tuple[str, agreement.Ratings]]:
    """Return the ratings of each topic, in the order in which the topics were imported."""
    parts = ratings.by_topic()
    query_ids = collection.topics.order_by("pk").values_list("query_id", flat=True)
    return [(query_id, parts[query_id]) for query_id in query_ids if query_id in parts]


def _pair_rows(
    pooled: pd.DataFrame, means: pd.DataFrame, topics: Mapping[str, pd.DataFrame], opened: Mapping[str, TasksByState]
) -> list[PairRow]:
    """Return the pairs that have a document in common, from the tables of all pairs."""
    for name in COEFFICIENTS[1:]:
        means[f"{name}_topics"] = sum((frame[f"{name}_status"] == "ok" for frame in topics.values()), start=0)
    rows = zip(pooled.to_dict("records"), means.to_dict("records"), strict=True)
    return [
        PairRow(
            row["assessor_a"],
            row["assessor_b"],
            _excluded_by_pair(opened[row["assessor_a"]], opened[row["assessor_b"]]),
            *(estimate_from_row(row, name) for name in COEFFICIENTS),
            *(_mean_from_row(mean, name) for name in COEFFICIENTS[1:]),
        )
        for row, mean in rows
        if row["n"]
    ]


def _mean_from_row(row: TableRow, name: str) -> agreement.Estimate:
    """Return the mean of a pair over topics; `n` and `n_averaged` count the topics with a value."""
    return replace(estimate_from_row(row, name), n=int(row[f"{name}_n"]), n_averaged=int(row[f"{name}_topics"]))


def _pair_row(
    ratings: agreement.Ratings, a: str, b: str, opened: Mapping[str, TasksByState], **interval: Any
) -> PairRow:
    def estimate(across: str, name: str) -> agreement.Estimate:
        return agreement.overall(ratings, name, across, a, b, **interval)

    return PairRow(
        a,
        b,
        _excluded_by_pair(opened[a], opened[b]),
        *(estimate("pooled", name) for name in COEFFICIENTS),
        *(estimate("topics", name) for name in COEFFICIENTS[1:]),
    )


def _opened_tasks(collection: Collection, pilot: Pilot | None = None) -> Mapping[str, TasksByState]:
    """Return the tasks by judge and state, only of tasks that at least one judge could not judge or postponed."""
    judgements = Judgement.objects.filter(task__topic__collection=collection, repeat=0, member__role=Role.ASSESSOR)
    if pilot:
        judgements = judgements.filter(task__pilots=pilot)
    excluded = judgements.filter(state__in=EXCLUDED_STATES).values("task")
    opened: defaultdict[str, TasksByState] = defaultdict(
        lambda: {state: set() for state in (State.JUDGED, *EXCLUDED_STATES)}
    )
    rows = judgements.filter(task__in=excluded).exclude(state=State.UNDONE)
    for name, state, task in rows.values_list("member__name", "state", "task"):
        opened[name][state].add(task)
    return opened


def _excluded_by_pair(a: TasksByState, b: TasksByState) -> ExcludedJudgements:
    both = set().union(*a.values()) & set().union(*b.values())
    cannot_judge, later = (both & (a[state] | b[state]) for state in EXCLUDED_STATES)
    return ExcludedJudgements(len(cannot_judge), len(later - cannot_judge))


def _topic_row(query_id: str, pairs: pd.DataFrame) -> TopicRow:
    """Return the means over the pairs of one topic."""
    rows = {f"{row['assessor_a']} and {row['assessor_b']}": row for row in pairs.to_dict("records")}
    if not rows:
        return TopicRow(query_id, *(undefined(name, "one_assessor") for name in COEFFICIENTS))
    means = (mean_of(name, {pair: estimate_from_row(row, name) for pair, row in rows.items()}) for name in COEFFICIENTS)
    return TopicRow(query_id, *means)


@dataclass(frozen=True)
class PairFigures:
    """The contingency table of two judges with all steps of the calculation, and the figures of each topic."""

    row: PairRow
    worked: agreement.Worked
    topics: list[TopicRow]
    summary: AgreementSummary

    @property
    def sentence(self) -> str:
        """One sentence on how often the two judges agree, and how often they would agree by chance."""
        a, b, n = self.row.a, self.row.b, self.worked.n
        if not n:
            return f"{a} and {b} have not judged any document in common"
        chance = self.worked.pooled.expected
        return (
            f"{a} and {b} agree on {self.row.raw.observed:.1%} of {count(n, 'document')}; "
            f"chance alone would give {chance:.1%}"
        )

    @property
    def early(self) -> bool:
        """Whether the two judges have too little data in common for a conclusion."""
        return self.summary.is_early(self.row.a, self.row.b)


def pair_figures(collection: Collection, a: str, b: str, rel: int | None, pilot: Pilot | None = None) -> PairFigures:
    """Return the contingency table of two judges with all steps of the calculation; with `pilot`, of its documents."""
    ratings = collection_ratings(collection, rel, judges=(a, b), pilot=pilot)
    if missing := [name for name in (a, b) if name not in ratings.assessors]:
        raise Refused(f"{missing[0]} has no judgements yet.")
    labels = grade_labels(collection, rel)
    return PairFigures(
        row=_pair_row(ratings, a, b, _opened_tasks(collection, pilot), **_interval()),
        worked=agreement.worked(ratings.table(a, b), labels=labels, judges=(a, b)),
        topics=[
            TopicRow(query_id, *(agreement.overall(part, name, "pooled", a, b) for name in COEFFICIENTS))
            for query_id, part in _topics_in_order(collection, ratings)
            if not {a, b} & set(part.idle)
        ],
        summary=_summary(agreement.pairwise(ratings)),
    )


def grade_labels(collection: Collection, rel: int | None) -> list[str]:
    """Return the row labels of a contingency table."""
    if rel is not None:
        return ["nonrelevant", "relevant"]
    return [str(grade) for grade in collection.grades.all()]


def pairwise_frame(collection: Collection, rel: int | None, pilot: Pilot | None = None) -> pd.DataFrame:
    """Return every pair over all topics (pooled and as means) and in every topic, unrounded."""
    return agreement_frame(collection_ratings(collection, rel, pilot=pilot), per_topic=True)
