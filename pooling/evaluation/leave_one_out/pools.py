"""The pool of all runs, and the pools of all but some of them."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import brought_by
from pooling.evaluation.judged_items import Runs
from pooling.pools.pool import pool
from pooling.ranking import RankedRuns, prepare
from pooling.strategies import NEED_SCORES, STRATEGIES

DEPTH = 100
ONE_DOCUMENT = {"system": ["s"], "query_id": ["q"], "doc_id": ["d"], "score": [0.0]}


def strategy_options(strategy: str, depth: int | None, seed: int | None, parameters: dict) -> dict:
    """All that a strategy is called with; ValueError for what it does not know, lacks or refuses."""
    if depth is None and strategy == "depth":
        depth = DEPTH
    given = parameters if depth is None else {"depth": depth, **parameters}
    tried = pool(pd.DataFrame(ONE_DOCUMENT), strategy, seed, **given)
    return tried.parameters | ({} if tried.seed is None else {"seed": tried.seed})


def runs_for(runs: Runs, strategy: str, options: dict) -> tuple[Runs, RankedRuns]:
    """The runs as a scoring function gets them, and prepared as the strategy needs them."""
    if strategy in NEED_SCORES:
        ranked = prepare(runs, keep_scores=True)
    else:
        # Runs that can be gone through once are prepared whole: the scoring function looks deeper than the pool.
        ranked = prepare(runs, depth=options.get("depth") if isinstance(runs, pd.DataFrame) else None)
    return (runs if isinstance(runs, pd.DataFrame | RankedRuns) else ranked), ranked


def pool_and_pools_without(
    runs: RankedRuns, strategy: str, options: dict, units: np.ndarray
) -> tuple[np.ndarray, Iterator[np.ndarray]]:
    """Which items the pool of all runs holds, and for each unit those that the pool of all others holds.

    Parameters
    ----------
    runs : RankedRuns
    strategy : str
    options : dict
    units : ndarray of int, shape (n_systems,)
        From 0, none left out: what is left out together.

    Returns
    -------
    pooled : ndarray of bool, shape (n_items,)
    without : iterator of ndarray of bool, shape (n_items,)
        One for each unit, in order.
    """
    n_units = int(units.max()) + 1
    if strategy == "depth":
        # Which documents a depth pool takes of a run does not depend on the other runs: one count answers for all.
        brought, owners = brought_by(runs, units, n_units, options["depth"])
        pooled = brought.any(axis=0)
        return pooled, (pooled & (owners != unit) for unit in range(n_units))
    pools = (_pooled(_without(runs, units == unit), strategy, options) for unit in range(n_units))
    return _pooled(runs, strategy, options), pools


def _pooled(runs: RankedRuns, strategy: str, options: dict) -> np.ndarray:
    pooled = np.zeros(len(runs.keys), dtype=bool)
    if len(runs.systems):
        pooled[STRATEGIES[strategy](runs, **options).items] = True
    return pooled


def _without(runs: RankedRuns, left_out: np.ndarray) -> RankedRuns:
    """The other runs; items keep their numbers, though no run may have them any more."""
    kept = ~left_out
    scores = None if runs.scores is None else runs.scores[kept]
    return replace(
        runs, systems=runs.systems[kept], items=runs.items[kept], retrieved=runs.retrieved[kept], scores=scores
    )
