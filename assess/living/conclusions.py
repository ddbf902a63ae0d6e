"""Which comparisons with new runs could change if their unjudged documents were judged: the function of a job."""

from dataclasses import dataclass, field
from typing import Any

from assess.errors import Refused
from assess.models import Collection

MEASURE = "nDCG@10"
MOST_ROWS = 200


@dataclass(frozen=True)
class Conclusions:
    """Pairs of a new run and another one, with the lowest and the highest possible difference."""

    systems: list[str]
    measure: str
    pairs: int = 0
    open: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)


def find_conclusions(collection: Collection, systems: list[str], measure: str, rule: str = "majority") -> Conclusions:
    """Compare these runs with all others, under the gold of a rule."""
    import pandas as pd

    from agreement import open_conclusions
    from assess.analysis.data import collection_gold
    from assess.collections import runfiles

    gold = collection_gold(collection, rule)
    if gold.empty:
        raise Refused("Nothing is judged yet, so there are no conclusions that could change.")
    runs = pd.concat([runfiles.load(run) for run in collection.runs.order_by("pk")], ignore_index=True)
    try:
        found = open_conclusions(runs, gold, measure, systems)
    except ValueError as error:
        raise Refused(str(error)) from None
    is_open = found["can_swap"].fillna(False) | found["can_change"].fillna(False)
    ordered = found.assign(is_open=is_open).sort_values("is_open", ascending=False, kind="stable")
    rows = [
        {str(name): _plain(value) for name, value in row.items()} for row in ordered.head(MOST_ROWS).to_dict("records")
    ]
    return Conclusions(systems, measure, len(found), int(is_open.sum()), rows)


def _plain(value: Any) -> Any:
    import pandas as pd

    if value is pd.NA:
        return None
    return value.item() if hasattr(value, "item") else value
