"""How the ranking of a collection's systems changes with the gold."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
from django.conf import settings

import agreement
from agreement.shift.thresholds import Thresholds
from assess.analysis.data import collection_judgements, gold_rules, judgements_state
from assess.collections import runfiles
from assess.collections.scale import check_threshold
from assess.collections.score_precision import describe_precision
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, Exercise, Run

CLASS_CACHE_SECONDS = 120  # contains nicknames


def site_thresholds() -> Thresholds:
    """Return the thresholds of the settings: the data that a sentence needs to compare a gold with the reference."""
    return Thresholds(settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_JUDGED)


def collection_shift(
    collection: Collection,
    measure: str,
    rules: Sequence[str] = (),
    reference: str | None = None,
    thresholds: Thresholds | None = None,
) -> agreement.RankingShift:
    """Rank the systems under every gold. By default, the thresholds are those of the settings.

    The result is cached (two minutes for a class exercise), until a run or a judgement is added.
    """
    runs = list(collection.runs.all())
    if not runs:
        raise Refused("There are no runs yet, so there is no ranking of systems. Import runs first.")
    thresholds = thresholds or site_thresholds()
    state = judgements_state(collection, runs)
    key = shift_key(state, measure, rules, reference, thresholds)
    shift: agreement.RankingShift | None = results.get(key)
    if shift is None:
        shift = _compute_shift(collection, runs, measure, rules, reference, thresholds)
        is_class = Exercise.objects.filter(collection=collection).exists()
        seconds = CLASS_CACHE_SECONDS if is_class else results.SECONDS
        results.keep(key, shift, seconds)
        # The chart's request names the reference that the page chose.
        results.keep(shift_key(state, measure, rules, shift.reference, thresholds), shift, seconds)
    return shift


def shift_key(
    state: tuple[Any, ...],
    measure: str,
    rules: Sequence[str] = (),
    reference: str | None = None,
    thresholds: Thresholds | None = None,
) -> str:
    """Return the key of a ranking shift in the cache of results. `state` is that of the judgements."""
    return results.key_of("shift", state, thresholds or site_thresholds(), measure, tuple(rules), reference)


def _compute_shift(
    collection: Collection,
    runs: Sequence[Run],
    measure: str,
    rules: Sequence[str],
    reference: str | None,
    thresholds: Thresholds,
) -> agreement.RankingShift:
    frame = collection_judgements(collection)
    if frame.empty:
        raise Refused("There are no judgements yet, so there is no gold to rank the systems under.")
    try:
        rel = agreement.parse_measure(measure).parameters.get("rel")
        if rel is not None:
            check_threshold(collection, rel)
        names = rules or gold_rules(frame)
        golds = [agreement.make_gold(frame, rule) for rule in names]
        evidence = combined_part(frame, names)
        return agreement.ranking_shift(
            map(runfiles.load, runs), golds, measure, reference, evidence=evidence, **asdict(thresholds)
        )
    except ValueError as error:
        raise Refused(str(error)) from None


def combined_part(judgements: pd.DataFrame, rules: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return the part of each combined gold that has two or more judges. The rest is the judgement of one judge."""
    combined = [rule for rule in rules if not rule.startswith("judge:")]
    return {rule: agreement.make_gold(judgements, rule, at_least_judges=2) for rule in combined}


def evidence_note(shift: agreement.RankingShift) -> str:
    """Return what the evidence of a gold is; empty if all golds count completely."""
    if not shift.basis["has_evidence"].any():
        return ""
    return "The evidence of a gold that combines judges is its documents with two or more judges."


@dataclass(frozen=True)
class Cell:
    """One system under one gold."""

    rank: int | None
    score: float | None
    change: int | None

    @property
    def moved(self) -> str:
        """`+2` if the system is two ranks better than under the reference; empty if the rank is the same."""
        return f"{self.change:+d}".replace("-", "−") if self.change else ""


@dataclass(frozen=True)
class GoldNote:
    """How much data the ranking under one gold is based on."""

    name: str
    n_topics: int
    judged: int
    retrieved: int

    @property
    def judged_share(self) -> str:
        return f"{self.judged / self.retrieved:.0%}" if self.retrieved else "nothing retrieved"


@dataclass(frozen=True)
class ShiftFigures:
    """The content of the shift page. `precision` and `evidence` are sentences on the runs and on combined golds.

    `baselines` are the systems whose runs were computed here.
    """

    shift: agreement.RankingShift
    precision: str
    evidence: str
    golds: list[GoldNote]
    rows: list[tuple[str, list[Cell]]]
    baselines: set[str]


def shift_figures(shift: agreement.RankingShift, runs: Sequence[Run]) -> ShiftFigures:
    """Return the ranks of the runs under all golds, one row per system, the best under the reference first."""
    golds = list(shift.to_frame().columns)
    by_gold = {name: shift.ranks_under(name).set_index("system") for name in golds}
    notes = [GoldNote(name, int(by_gold[name]["n_topics"].iloc[0]), *shift.judged_counts(name)) for name in golds]
    rows = [(system, [_cell(by_gold[name].loc[system]) for name in golds]) for system in shift.to_frame().index]
    baselines = {run.system for run in runs if run.is_baseline}
    return ShiftFigures(shift, describe_precision(runs), evidence_note(shift), notes, rows, baselines)


def _cell(row: pd.Series) -> Cell:
    def value_or_none(value: Any) -> Any:
        return None if pd.isna(value) else value

    return Cell(*(value_or_none(row[name]) for name in ("rank", "score", "change")))


def slope_chart(shift: agreement.RankingShift, against: str, kind: str) -> bytes:
    """Draw the ranks under the reference and under another gold, as "svg", "pdf" or "png"."""
    from agreement import plots  # importing matplotlib takes a second

    try:
        return plots.slope_chart(shift.only(against), kind=kind)
    except ValueError as error:
        raise Refused(str(error)) from None
