"""From the collection's judgements and runs to what `agreement` says of them.

This module imports pandas and is itself imported only inside the functions that need it, so that the processes
that serve the judging page start fast and stay small.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd
from django.core.cache import cache

import agreement
from agreement.report import agreement_frame
from assess import runfiles
from assess.collections import scale_of
from assess.errors import Refused
from assess.models import Collection, Judgement, JudgementEvent, State

MIXED = ("union", "intersection", "majority")
CACHED_SECONDS = 3600
COEFFICIENTS = ("percent_agreement", "pooled_kappa", "cohen_kappa")


def judgements(collection: Collection) -> pd.DataFrame:
    """All grades as a DataFrame (assessor, query_id, doc_id, relevance), first judgements only."""
    rows = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=0, member__role="assessor"
    ).values_list("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    frame = pd.DataFrame.from_records(list(rows), columns=["assessor", "query_id", "doc_id", "relevance"])
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})


def ratings(collection: Collection, rel: int | None = None) -> agreement.Ratings:
    """The judgements on the declared scale, or cut in two at `rel`."""
    scale = scale_of(collection)
    all_grades = agreement.Ratings.from_judgements(judgements(collection), scale)
    if rel is None:
        return all_grades
    if rel not in scale[1:]:
        raise Refused(f"Relevant from grade {rel} cuts nothing; it is one of {', '.join(map(str, scale[1:]))}.")
    return all_grades.binary(rel)


def gold(collection: Collection, rule: str, rel: int | None = None) -> pd.DataFrame:
    """The gold that a rule makes of the judgements."""
    try:
        return agreement.make_gold(judgements(collection), rule, rel)
    except ValueError as error:
        raise Refused(str(error)) from None


def gold_rules(frame: pd.DataFrame) -> list[str]:
    """The golds that the judgements allow: each judge, the one with most judgements first, and their mixtures."""
    judges = frame["assessor"].value_counts().sort_index().sort_values(ascending=False, kind="stable").index
    return [f"judge:{name}" for name in judges] + (list(MIXED) if len(judges) > 1 else [])


def shift(
    collection: Collection, measure: str, rules: Sequence[str] = (), reference: str | None = None
) -> agreement.RankingShift:
    """The systems ranked under every gold. Kept for an hour, as long as no run and no judgement is added."""
    runs = list(collection.runs.all())
    if not runs:
        raise Refused("There are no runs yet, so there is no ranking of systems: import_runs brings them.")
    key = _fingerprint(collection, runs, measure, rules, reference)
    found = cache.get(key)
    if found is None:
        found = _shift(collection, runs, measure, rules, reference)
        cache.set(key, found, CACHED_SECONDS)
    return found


def _shift(collection, runs, measure, rules, reference) -> agreement.RankingShift:
    frame = judgements(collection)
    if frame.empty:
        raise Refused("Nobody has judged yet, so there is no gold to rank the systems under.")
    try:
        golds = [agreement.make_gold(frame, rule) for rule in rules or gold_rules(frame)]
        return agreement.ranking_shift(map(runfiles.load, runs), golds, measure, reference)
    except ValueError as error:
        raise Refused(str(error)) from None


def _fingerprint(collection: Collection, runs, *asked) -> str:
    last_event = JudgementEvent.objects.filter(member__collection=collection).order_by("-pk").values_list("pk").first()
    content = repr((collection.pk, [run.file_checksum for run in runs], last_event, asked))
    return f"shift:{hashlib.sha256(content.encode()).hexdigest()}"


@dataclass(frozen=True)
class PairRow:
    """Two judges: over all topics in one table, and as means over topics."""

    a: str
    b: str
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
    """What the agreement page shows."""

    rel: int | None
    judges: tuple[str, ...]
    n_judgements: int
    pairs: list[PairRow]
    topics: list[TopicRow]
    raw: agreement.Estimate
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
        return (
            f"{words[self.pooled.band]}: the average pair says the same of {self.raw.value:.0%} of the documents that "
            f"both judged, and pooled kappa, which takes chance off, is {self.pooled.value:.2f} "
            f"({self.pooled.band}) over {self.pooled.n_averaged} pairs."
        )


def agreement_figures(collection: Collection, rel: int | None) -> AgreementFigures:
    """Every pair of judges, every topic, and the average pair."""
    found = ratings(collection, rel)
    raw, pooled, cohen = (agreement.mean_pairwise(found, name) for name in COEFFICIENTS)
    return AgreementFigures(
        rel=rel,
        judges=found.assessors,
        n_judgements=int((found.codes >= 0).sum()),
        pairs=[_pair_row(found, a, b) for a, b in combinations(found.assessors, 2)],
        topics=[_topic_row(query_id, part) for query_id, part in _topics_in_order(collection, found)],
        raw=raw,
        pooled=pooled,
        cohen=cohen,
    )


def _topics_in_order(collection: Collection, found: agreement.Ratings) -> list[tuple[str, agreement.Ratings]]:
    """The judgements of each topic, topics in the order in which they were imported."""
    parts = found.by_topic()
    query_ids = collection.topics.order_by("pk").values_list("query_id", flat=True)
    return [(query_id, parts[query_id]) for query_id in query_ids if query_id in parts]


def _pair_row(found: agreement.Ratings, a: str, b: str) -> PairRow:
    def over(across, name):
        return agreement.overall(found, name, across, a, b)

    return PairRow(
        a,
        b,
        *(over("pooled", name) for name in COEFFICIENTS),
        *(over("topics", name) for name in COEFFICIENTS[1:]),
    )


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
    found = ratings(collection, rel)
    if missing := [name for name in (a, b) if name not in found.assessors]:
        raise Refused(f"{missing[0]} has not judged anything yet.")
    labels = grade_labels(collection, rel)
    return PairFigures(
        row=_pair_row(found, a, b),
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
    return agreement_frame(ratings(collection, rel), per_topic=True)


@dataclass(frozen=True)
class Cell:
    """One system under one gold."""

    rank: int | None
    score: float | None
    change: int | None

    @property
    def moved(self) -> str:
        """`+2` for two ranks better than under the reference; empty where it kept its rank."""
        return f"{self.change:+d}".replace("-", "−") if self.change else ""


@dataclass(frozen=True)
class GoldNote:
    """What the ranking under one gold rests on."""

    name: str
    n_topics: int
    judged: int
    retrieved: int

    @property
    def judged_share(self) -> str:
        return f"{self.judged / self.retrieved:.0%}" if self.retrieved else "nothing retrieved"


@dataclass(frozen=True)
class ShiftFigures:
    """What the shift page shows."""

    shift: agreement.RankingShift
    golds: list[GoldNote]
    rows: list[tuple[str, list[Cell]]]


def shift_figures(found: agreement.RankingShift) -> ShiftFigures:
    """Ranks side by side, a row a system, the best under the reference first."""
    golds = list(found.to_frame().columns)
    by_gold = {name: found.of(name).set_index("system") for name in golds}
    notes = [GoldNote(name, int(by_gold[name]["n_topics"].iloc[0]), *found.judged_of(name)) for name in golds]
    rows = [(system, [_cell(by_gold[name].loc[system]) for name in golds]) for system in found.to_frame().index]
    return ShiftFigures(found, notes, rows)


def _cell(row: pd.Series) -> Cell:
    def known(value):
        return None if pd.isna(value) else value

    return Cell(known(row["rank"]), known(row["score"]), known(row["change"]))


def slope_chart(collection: Collection, measure: str, reference: str, against: str, kind: str) -> bytes:
    """The ranks under the reference beside those under another gold, as "svg" or "pdf"."""
    from agreement import plots  # matplotlib costs a second

    return plots.slope_chart(shift(collection, measure, (reference, against), reference), kind=kind)
