"""The disputed documents of a collection, with their effect on the ranking of the systems."""

from typing import Any

import pandas as pd

import agreement
from agreement.thresholds import Thresholds, preliminary
from assess.analysis.data import judgements_state
from assess.analysis.documents.effect import checked_leverage
from assess.analysis.documents.systems import ranked_runs
from assess.analysis.shift.golds import chosen_judgements, golds_of
from assess.analysis.shift.ranking import chosen_runs, seconds_kept
from assess.analysis.shift_query import ShiftInputs
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, Run
from pooling.words import count


def leverage_sentence(leverage: agreement.Leverage, thresholds: Thresholds) -> str:
    """Return how many disputed documents matter to the ranking; preliminary if the gold has few topics."""
    sentence, topics = leverage.summary(), leverage.n_topics
    if topics >= thresholds.min_topics:
        return sentence
    return preliminary(sentence, count(topics, "topic"), thresholds.tag_of_topics())


def leverage_of(collection: Collection, inputs: ShiftInputs, *, gold: str) -> agreement.Leverage:
    """Return the effect of each disputed document on the ranking of the systems under a gold. The result is cached.

    Of the inputs, the measure and the topics count, and the judges and systems that are left out.
    """
    runs = chosen_runs(collection, inputs)
    key = leverage_key(judgements_state(collection, runs), inputs, gold)
    leverage: agreement.Leverage | None = results.get(key)
    if leverage is None:
        leverage = _compute(collection, runs, inputs, gold)
        results.keep(key, leverage, seconds_kept(collection))
    return leverage


def _compute(collection: Collection, runs: list[Run], inputs: ShiftInputs, gold: str) -> agreement.Leverage:
    judgements = chosen_judgements(collection, inputs)
    try:
        golds = golds_of(collection, judgements, [gold], topics=inputs.topics)
    except ValueError as error:
        raise Refused(str(error)) from None
    return checked_leverage(collection, ranked_runs(runs), judgements, inputs.measure, golds[gold])


def leverage_key(state: tuple[Any, ...], inputs: ShiftInputs, gold: str) -> str:
    """Return the key of a leverage in the cache of results. `state` is that of judgements and runs."""
    left_out = inputs.without_judges, inputs.without_systems
    return results.key_of("leverage", state, inputs.measure, *left_out, gold, inputs.topics)


def strongest_grades(leverage: agreement.Leverage) -> pd.DataFrame:
    """Return for each disputed document the grade that changes the ranking most, the largest effect first.

    The columns are query_id, doc_id, gold_grade, grade, tau, reason, pairs_swapped, top_changed and largest_change.
    """
    columns = ["gold_grade", "grade", "tau", "reason", "pairs_swapped", "top_changed", "largest_change"]
    return leverage.documents.drop_duplicates(["query_id", "doc_id"])[["query_id", "doc_id", *columns]]
