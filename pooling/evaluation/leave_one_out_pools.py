"""The pool of all runs, and the pools without some of them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import contributed_items
from pooling.pools.pool import pool
from pooling.ranking import RankedRuns, Runs, opened, prepare
from pooling.strategies import NEED_SCORES, STRATEGIES

DEPTH = 100
ONE_DOCUMENT = {"system": ["s"], "query_id": ["q"], "doc_id": ["d"], "score": [0.0]}


def strategy_options(strategy: str, depth: int | None, seed: int | None, parameters: dict[str, Any]) -> dict[str, Any]:
    """All parameters of a strategy; ValueError if one is unknown, missing or not allowed."""
    if depth is None and strategy == "depth":
        depth = DEPTH
    options = parameters if depth is None else {"depth": depth, **parameters}
    trial = pool(pd.DataFrame(ONE_DOCUMENT), strategy, seed=seed, **options)
    return trial.parameters | ({} if trial.seed is None else {"seed": trial.seed})


def runs_and_prepared(runs: Runs, strategy: str, options: dict[str, Any]) -> tuple[Runs, RankedRuns]:
    """The runs that the scoring function gets, and the runs prepared for the strategy."""
    runs = opened(runs)
    if strategy in NEED_SCORES:
        ranked = prepare(runs, keep_scores=True)
    else:
        # An iterable can be consumed only once, so all ranks are prepared: scoring needs more depth than the pool.
        ranked = prepare(runs, depth=options.get("depth") if isinstance(runs, pd.DataFrame) else None)
    return (runs if isinstance(runs, pd.DataFrame | RankedRuns) else ranked), ranked


def pool_and_pools_without(
    runs: RankedRuns, strategy: str, options: dict[str, Any], units: np.ndarray
) -> tuple[np.ndarray, Iterator[np.ndarray]]:
    """The items of the pool of all runs, and for each unit the items of the pool of all other runs.

    Shapes: `units` (n_systems,); `pooled`, `without` (n_items,).
    """
    n_units = int(units.max()) + 1
    if strategy == "depth":
        # In a depth pool, the contribution of a run does not depend on the other runs, so one count is enough.
        contributed, owners = contributed_items(runs, units, n_units, options["depth"])
        pooled = np.asarray(contributed.any(axis=0))
        return pooled, (pooled & (owners != unit) for unit in range(n_units))
    pools = (_pooled(_without(runs, units == unit), strategy, options) for unit in range(n_units))
    return _pooled(runs, strategy, options), pools


def _pooled(runs: RankedRuns, strategy: str, options: dict[str, Any]) -> np.ndarray:
    pooled = np.zeros(len(runs.keys), dtype=bool)
    if len(runs.systems):
        pooled[STRATEGIES[strategy](runs, **options).items] = True
    return pooled


def _without(runs: RankedRuns, left_out: np.ndarray) -> RankedRuns:
    """The other runs. Items keep their numbers, even if no run has them any more."""
    kept = ~left_out
    scores = None if runs.scores is None else runs.scores[kept]
    return replace(
        runs, systems=runs.systems[kept], items=runs.items[kept], retrieved=runs.retrieved[kept], scores=scores
    )
