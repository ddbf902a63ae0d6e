"""The golds of a collection, cached."""

import pandas as pd

from assess.analysis.data import collection_gold, judgements_state
from assess.analysis.selection import EVERYTHING, Selection
from assess.jobs import results
from assess.models import Collection


def cached_gold(collection: Collection, rule: str, selection: Selection = EVERYTHING) -> pd.DataFrame:
    """Return the gold of a rule from the selected judgements. It is cached until a judgement is added."""
    key = results.key_of("gold", judgements_state(collection, ()), rule, selection)
    gold: pd.DataFrame | None = results.get(key)
    if gold is None:
        gold = collection_gold(collection, rule, selection=selection)
        results.keep(key, gold)
    return gold
