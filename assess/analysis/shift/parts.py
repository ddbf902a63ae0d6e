"""The parts of the shift pages that a job may compute, by name."""

from collections.abc import Callable, Mapping
from typing import Any

from assess.analysis.documents.leverage import leverage_of
from assess.analysis.shift.charts import heat_map_of
from assess.analysis.shift.draws import intervals_of, mixed_of
from assess.analysis.shift.measures import measures_of
from assess.analysis.shift.ranking import seconds_kept, site_thresholds
from assess.analysis.shift.swaps import differences_of, explain_swap, swaps_of
from assess.analysis.shift_query import ShiftInputs
from assess.jobs import results
from assess.models import Collection

PARTS: dict[str, Callable[..., Any]] = {
    "swap": explain_swap,
    "swaps": swaps_of,
    "leverage": leverage_of,
    "mixed": mixed_of,
    "intervals": intervals_of,
    "measures": measures_of,
    "differences": differences_of,
    "heat_map": heat_map_of,
}


def part_key(name: str, state: tuple[Any, ...], inputs: ShiftInputs, options: Mapping[str, Any]) -> str:
    """Return the key of a part in the cache of results. `state` is that of the judgements."""
    return results.key_of("shift", name, state, site_thresholds(), inputs, sorted(options.items()))


def keep_part(name: str, collection: Collection, key: str, inputs: ShiftInputs, options: Mapping[str, Any]) -> Any:
    """Compute a part, store it in the cache of results, and return it."""
    result = PARTS[name](collection, inputs, **options)
    results.keep(key, result, seconds_kept(collection))
    return result
