"""How the ranking of a collection's systems changes with the gold."""

from collections.abc import Sequence
from typing import Any

import agreement
from agreement.thresholds import Thresholds
from assess.analysis.data import judgements_state
from assess.analysis.measures import check_measure, scale_for
from assess.analysis.shift.golds import chosen_judgements, default_rules, evidence_of, golds_of
from assess.analysis.shift_query import ShiftInputs, with_reference
from assess.analysis.thresholds import site_thresholds
from assess.collections import runfiles
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, Exercise, Run

CLASS_CACHE_SECONDS = 120  # contains nicknames


def collection_shift(
    collection: Collection,
    measure: str,
    rules: Sequence[str] = (),
    reference: str | None = None,
    thresholds: Thresholds | None = None,
    topic_set: str = "",
) -> agreement.RankingShift:
    """Rank all systems under every gold.

    By default, the reference is that of `assess.analysis.reference`, the thresholds are those of the settings, and all
    topics count.
    """
    topics = topics_in_set(collection, topic_set)
    needed = thresholds or site_thresholds()
    return shift_of(collection, ShiftInputs(measure, tuple(rules), reference, (), (), topic_set, topics, needed))


def shift_of(collection: Collection, inputs: ShiftInputs) -> agreement.RankingShift:
    """Rank the systems under every gold.

    The result is cached (two minutes for a class exercise), until a run or a judgement is added.
    """
    inputs = with_reference(collection, inputs)
    runs = chosen_runs(collection, inputs)
    key = shift_key(judgements_state(collection, runs), inputs)
    shift: agreement.RankingShift | None = results.get(key)
    if shift is None:
        shift = _compute_shift(collection, runs, inputs)
        results.keep(key, shift, seconds_kept(collection))
    return shift.with_thresholds(inputs.thresholds)


def seconds_kept(collection: Collection) -> int:
    """Return how long the cache keeps a result of the collection."""
    return CLASS_CACHE_SECONDS if Exercise.objects.filter(collection=collection).exists() else results.SECONDS


def shift_key(state: tuple[Any, ...], inputs: ShiftInputs) -> str:
    """Return the key of a ranking shift in the cache of results. `state` is that of the judgements."""
    return results.key_of("shift", state, inputs)


def chosen_runs(collection: Collection, inputs: ShiftInputs) -> list[Run]:
    """Return the runs that are not left out. Refused if there are none."""
    runs = [run for run in collection.runs.all() if run.system not in inputs.without_systems]
    if not runs:
        raise Refused("There are no runs yet, so there is no ranking of systems. Import runs first.")
    return runs


def _compute_shift(collection: Collection, runs: Sequence[Run], inputs: ShiftInputs) -> agreement.RankingShift:
    frame = chosen_judgements(collection, inputs)
    check_measure(collection, inputs.measure)
    rules = inputs.rules or default_rules(collection, frame, inputs.topics)
    if inputs.reference and not inputs.rules and inputs.reference not in rules:
        rules = (inputs.reference, *rules)
    try:
        golds = golds_of(collection, frame, rules, topics=inputs.topics)
        evidence = evidence_of(collection, frame, rules, inputs.topics)
        loaded = map(runfiles.load, runs)
        scale = scale_for(collection, inputs.measure)
        return agreement.ranking_shift(loaded, golds, inputs.measure, inputs.reference, evidence=evidence, scale=scale)
    except ValueError as error:
        raise Refused(str(error)) from None


def evidence_note(shift: agreement.RankingShift) -> str:
    """Return what the evidence of a gold is; empty if all golds count completely."""
    if not shift.basis["has_evidence"].any():
        return ""
    return "The evidence of a gold that combines judges is its documents with two or more judges."
