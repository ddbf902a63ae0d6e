"""The disputed documents of a collection, with their effect on the ranking of the systems."""

from typing import Any

import pandas as pd

import agreement
from assess.analysis.data import collection_judgements, judgements_state
from assess.analysis.documents.effect import checked_leverage
from assess.analysis.documents.golds import cached_gold
from assess.analysis.documents.systems import ranked_runs
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection


def leverage_of(collection: Collection, measure: str, rule: str) -> agreement.Leverage:
    """Return the effect of each disputed document on the ranking of the systems. The result is cached."""
    runs = list(collection.runs.all())
    if not runs:
        raise Refused("There are no runs yet, so no document can change a ranking. Import runs first.")
    key = leverage_key(judgements_state(collection, runs), measure, rule)
    leverage: agreement.Leverage | None = results.get(key)
    if leverage is None:
        gold = cached_gold(collection, rule)
        judgements = collection_judgements(collection)
        leverage = checked_leverage(collection, ranked_runs(runs), judgements, measure, gold)
        results.keep(key, leverage)
    return leverage


def leverage_key(state: tuple[Any, ...], measure: str, rule: str) -> str:
    """Return the key of a leverage in the cache of results. `state` is that of judgements and runs."""
    return results.key_of("leverage", state, measure, rule)


def strongest_grades(leverage: agreement.Leverage) -> pd.DataFrame:
    """Return for each disputed document the grade that changes the ranking most, the largest effect first.

    The columns are query_id, doc_id, gold_grade, grade, tau, reason, pairs_swapped, top_changed and largest_change.
    """
    columns = ["gold_grade", "grade", "tau", "reason", "pairs_swapped", "top_changed", "largest_change"]
    return leverage.documents.drop_duplicates(["query_id", "doc_id"])[["query_id", "doc_id", *columns]]
