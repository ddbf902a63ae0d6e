"""How the ranking of a collection's systems moves with the gold."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from django.core.cache import cache
from django.db.models import Count, Max

import agreement
from assess.analysis.data import gold_rules, judgements
from assess.collections import check_threshold, runfiles
from assess.errors import Refused
from assess.models import Collection, Exercise, JudgementEvent

KEPT_SECONDS = 3600
KEPT_SECONDS_OF_CLASS = 120  # nicknames are in it, and may be erased by another process


def shift(
    collection: Collection, measure: str, rules: Sequence[str] = (), reference: str | None = None
) -> agreement.RankingShift:
    """The systems ranked under every gold. Kept for an hour (of a class two minutes), as long as no run and no
    judgement is added."""
    runs = list(collection.runs.all())
    if not runs:
        raise Refused("There are no runs yet, so there is no ranking of systems: import_runs brings them.")
    judged = state(collection, runs)
    found = cache.get(_key(judged, measure, rules, reference))
    if found is None:
        found = _shift(collection, runs, measure, rules, reference)
        is_class = Exercise.objects.filter(collection=collection).exists()
        seconds = KEPT_SECONDS_OF_CLASS if is_class else KEPT_SECONDS
        for asked in {reference, found.reference}:  # the page's chart asks again, with the reference's name
            cache.set(_key(judged, measure, rules, asked), found, seconds)
    return found


def _shift(collection, runs, measure, rules, reference) -> agreement.RankingShift:
    frame = judgements(collection)
    if frame.empty:
        raise Refused("Nobody has judged yet, so there is no gold to rank the systems under.")
    try:
        rel = agreement.parse_measure(measure).parameters.get("rel")
        if rel is not None:
            check_threshold(collection, rel)
        golds = [agreement.make_gold(frame, rule) for rule in rules or gold_rules(frame)]
        return agreement.ranking_shift(map(runfiles.load, runs), golds, measure, reference)
    except ValueError as error:
        raise Refused(str(error)) from None


def state(collection: Collection, runs) -> tuple:
    """What changes with every run, every judgement and every judge."""
    events = JudgementEvent.objects.filter(member__collection=collection)
    # The count too: events do not become visible in the order of their numbers.
    judged = events.aggregate(last=Max("pk"), count=Count("pk"))
    judges = list(collection.members.order_by("pk").values_list("pk", "name", "role"))
    return collection.pk, [run.file_checksum for run in runs], judges, judged["last"], judged["count"]


def _key(*content) -> str:
    return f"shift:{hashlib.sha256(repr(content).encode()).hexdigest()}"


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
    by_gold = {name: found.ranks_under(name).set_index("system") for name in golds}
    notes = [GoldNote(name, int(by_gold[name]["n_topics"].iloc[0]), *found.judged_counts(name)) for name in golds]
    rows = [(system, [_cell(by_gold[name].loc[system]) for name in golds]) for system in found.to_frame().index]
    return ShiftFigures(found, notes, rows)


def _cell(row: pd.Series) -> Cell:
    def known(value):
        return None if pd.isna(value) else value

    return Cell(known(row["rank"]), known(row["score"]), known(row["change"]))


def slope_chart(collection: Collection, measure: str, reference: str | None, against: str, kind: str) -> bytes:
    """The ranks under the reference beside those under another gold, as "svg", "pdf" or "png"."""
    from agreement import plots  # matplotlib costs a second

    try:
        return plots.slope_chart(shift(collection, measure, reference=reference).only(against), kind=kind)
    except ValueError as error:
        raise Refused(str(error)) from None
