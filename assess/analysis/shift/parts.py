"""The parts of the shift pages that a job may compute, by name.

One of them puts several measures and thresholds side by side: how much the ranking shifts under each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from assess.analysis.documents.leverage import leverage_of
from assess.analysis.shift.charts import heat_map_of
from assess.analysis.shift.draws import correlations_of, intervals_of, mixed_of
from assess.analysis.shift.leaders import leaders_of
from assess.analysis.shift.ranking import seconds_kept, shift_of
from assess.analysis.shift.swaps import differences_of, explain_swap, swaps_of
from assess.analysis.shift_query import ShiftInputs
from assess.jobs import results
from assess.lib import long_work
from assess.models import Collection


def measures_of(collection: Collection, inputs: ShiftInputs, *, measures: Sequence[str]) -> pd.DataFrame:
    """Compare each gold with the reference under every measure.

    Returns
    -------
    DataFrame
        gold_a (the reference), gold_b, measure, n_topics; tau_b and tau_b_reason; swapped and n_pairs; top_a and top_b,
        the best systems under the two golds.
    """
    frames = [
        _of_measure(collection, replace(inputs, measure=each)) for each in long_work.reported(measures, "Measures")
    ]
    return pd.concat(frames, ignore_index=True)


def _of_measure(collection: Collection, inputs: ShiftInputs) -> pd.DataFrame:
    shift = shift_of(collection, inputs)
    rows = []
    for gold in shift.others:
        pair = shift.pair(shift.reference, gold)
        rows.append(
            {
                "gold_a": pair.gold_a,
                "gold_b": pair.gold_b,
                "measure": shift.measure,
                "n_topics": pair.n_topics,
                "tau_b": pair.tau_b.value,
                "tau_b_reason": pair.tau_b.reason,
                "swapped": pair.swapped,
                "n_pairs": pair.n_pairs,
                "top_a": " ".join(pair.top_a),
                "top_b": " ".join(pair.top_b),
            }
        )
    columns = [
        "gold_a",
        "gold_b",
        "measure",
        "n_topics",
        "tau_b",
        "tau_b_reason",
        "swapped",
        "n_pairs",
        "top_a",
        "top_b",
    ]
    return pd.DataFrame(rows, columns=columns).astype({"tau_b": "Float64", "swapped": "Int64"})


PARTS: dict[str, Callable[..., Any]] = {
    "swap": explain_swap,
    "swaps": swaps_of,
    "leverage": leverage_of,
    "mixed": mixed_of,
    "intervals": intervals_of,
    "correlations": correlations_of,
    "measures": measures_of,
    "differences": differences_of,
    "leaderboard": leaders_of,
    "heat_map": heat_map_of,
}


def part_key(name: str, state: tuple[Any, ...], inputs: ShiftInputs, options: Mapping[str, Any]) -> str:
    """Return the key of a part in the cache of results. `state` is that of the judgements."""
    return results.key_of("shift", name, state, inputs, sorted(options.items()))


def keep_part(name: str, collection: Collection, key: str, inputs: ShiftInputs, options: Mapping[str, Any]) -> Any:
    """Compute a part, store it in the cache of results, and return it."""
    result = PARTS[name](collection, inputs, **options)
    results.keep(key, result, seconds_kept(collection))
    return result
