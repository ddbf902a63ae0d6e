"""Which comparisons of runs could change if the unjudged documents at the top of the rankings were judged.

Two runs are compared on the topics of a gold, with the paired t interval of the gate. The unjudged documents among the
first k of either run are free, as in `agreement.gate.bounds`: k is the cutoff of the measure, or 10. The comparison is
made three times: with the scores as they are, with the lowest and with the highest difference that is possible on each
topic.

can_swap          the lowest mean difference is below 0 and the highest is above it: the order of the runs is open
can_change        the interval is on another side of 0, or not on one side any more, at one of the two ends. Some
                  judgements between the ends could change the significance where the ends do not: False is no proof
note              why the pair has no bounds, such as a measure without them; both answers are then undefined (NA)

Two scores closer than 1e-12 are equal. The lowest and highest differences are exact, or outer bounds on topics with
many free documents: an outer bound may say that a swap is possible where it is not, never the reverse.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import prepare
from agreement.gate.bounds import grades_of_scale
from agreement.gate.difference import mean_difference
from agreement.gate.under_gold import GateOptions, under_gold
from agreement.rank_correlation import TIE
from pooling.inputs import Input, as_gold

COLUMNS = (
    "system",
    "other",
    "n_topics",
    "difference",
    "lowest",
    "highest",
    "can_swap",
    "can_change",
    "n_outer",
    "note",
)
NO_BOUNDS = "this measure has no bounds"


def open_conclusions(
    runs: pd.DataFrame,
    gold: Input,
    measure: MeasureLike,
    systems: Iterable[str] = (),
    *,
    scale: Sequence[float] | None = None,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Say for pairs of runs whether judging their unjudged documents could change how they compare.

    Parameters
    ----------
    runs : DataFrame
        Columns system, query_id, doc_id and score, of at least two systems.
    gold : table, path or dictionary
        Columns query_id, doc_id and relevance. A negative relevance means "not judged".
    measure : str, ir_measures.Measure, or Measure
        The measure. Its cutoff is the number of documents at the top that are free; without one, 10.
    systems : iterable of str
        The systems that are compared with all others, such as new ones. None means all.
    scale : sequence of numbers, optional
        Declared grades, lowest first; by default 0 to the highest grade of the gold.
    alpha : float
        One minus the level of the interval, between 0 and 1.

    Returns
    -------
    DataFrame
        One row per pair with the columns system, other (str), n_topics (int), difference (the mean score of system
        minus that of other), lowest, highest (Float64, NA without bounds), can_swap, can_change (boolean, NA without
        bounds), n_outer (topics whose bounds are outer ones) and note.

    Raises
    ------
    ValueError
        A system is unknown, alpha is not between 0 and 1, or the measure or the gold is invalid.

    Examples
    --------
    y is not judged. If it is relevant, s has two relevant documents and t one, otherwise both have one.

    >>> import pandas as pd
    >>> from agreement import open_conclusions
    >>> rows = [("s", "1", "x", 2.0), ("s", "1", "y", 1.0), ("t", "1", "x", 2.0), ("t", "1", "z", 1.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame([("1", "x", 1), ("1", "z", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> found = open_conclusions(runs, gold, "P@2")
    >>> found[["system", "other", "difference", "lowest", "highest", "can_swap"]]
      system other  difference  lowest  highest  can_swap
    0      s     t         0.0     0.0      0.5     False
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha!r}.")
    parsed, table = parse_measure(measure), as_gold(gold)
    options = GateOptions(parsed, 0.0, alpha, 1.0, "", tuple(grades_of_scale(table, scale)))
    by_system = {str(name): rows for name, rows in runs.groupby("system", sort=True)}
    chosen = _checked(systems, by_system)
    rows = [_pair(by_system, one, other, table, options) for one, other in _pairs(chosen, list(by_system))]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    floats, flags = (
        dict.fromkeys(("lowest", "highest"), "Float64"),
        dict.fromkeys(("can_swap", "can_change"), "boolean"),
    )
    return frame.astype({"system": "str", "other": "str", "difference": "float64", **floats, **flags})


def _checked(systems: Iterable[str], known: Iterable[str]) -> list[str]:
    names = list(known)
    chosen = list(dict.fromkeys(systems)) or names
    if unknown := [name for name in chosen if name not in names]:
        raise ValueError(f"systems must be among {', '.join(names[:5])}, not {unknown[0]!r}.")
    return chosen


def _pairs(chosen: Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Return each pair with a chosen system once."""
    seen = set(chosen)
    inner = [(one, other) for at, one in enumerate(chosen) for other in chosen[at + 1 :]]
    return inner + [(one, other) for one in chosen for other in names if other not in seen]


def _pair(
    by_system: dict[str, pd.DataFrame], one: str, other: str, gold: pd.DataFrame, options: GateOptions
) -> dict[str, Any]:
    # The gate subtracts the first system from the second, and systems are ranked in the order of their names.
    frames = [by_system[other].assign(system="1"), by_system[one].assign(system="2")]
    figures, table = under_gold(prepare(pd.concat(frames, ignore_index=True)), "gold", gold, options)
    row = {"system": one, "other": other, "n_topics": figures.n_topics, "difference": figures.difference}
    if figures.lowest is None or figures.highest is None:
        return row | {"n_outer": 0, "note": NO_BOUNDS}
    ends = [table[name].to_numpy(dtype=np.float64) for name in ("difference", "lowest", "highest")]
    return row | {
        "lowest": figures.lowest,
        "highest": figures.highest,
        "can_swap": figures.lowest < -TIE and figures.highest > TIE,
        "can_change": len({_side(each, options.alpha) for each in ends}) > 1,
        "n_outer": figures.n_outer,
        "note": "",
    }


def _side(differences: np.ndarray, alpha: float) -> int:
    """Return 1 or -1 if the interval is above or below 0, otherwise 0."""
    found = mean_difference(differences, alpha)
    if found.low is None or found.high is None:
        return 0
    return int(found.low > TIE) - int(found.high < -TIE)
