"""A pooling strategy: the first documents of every run, from a rank on."""

NAME = "window"
STRATEGY = f"pooling/strategies/{NAME}.py"
STRATEGIES = "pooling/strategies/__init__.py"
NAMES = "pooling/choices.py"

NEW = {
    STRATEGY: '''"""A window of ranks: the documents of every run from one rank to another."""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.selection import Selection, best_ranks


def window(runs: RankedRuns, *, depth: int, first_rank: int = 1, nearest: bool = True) -> Selection:
    """The documents of every run from `first_rank` to `depth`.

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    depth : int
        The last rank of each run, at least 1.
    first_rank : int
        The first rank of each run, at least 1.
    nearest : bool
        Whether documents near the top are judged first.

    Returns
    -------
    Selection
        The union over runs of the documents whose best rank is in the window.

    Raises
    ------
    ValueError
        If `depth` or `first_rank` is not a positive whole number.
    """
    check_whole("depth", depth)
    check_whole("first_rank", first_rank)
    ranks = best_ranks(runs, depth)
    items = np.flatnonzero(ranks >= first_rank)
    return Selection(items, ranks[items].astype(np.float64) * (-1 if nearest else 1), depth)
'''
}
CHANGES = [
    (
        STRATEGIES,
        "from pooling.strategies.take import take\n",
        f"from pooling.strategies.take import take\nfrom pooling.strategies.{NAME} import {NAME}\n",
    ),
    (STRATEGIES, "stat_ap, ask_people),\n", f"stat_ap, ask_people, {NAME}),\n"),
    (NAMES, '"stat_ap", "ask_people"),\n', f'"stat_ap", "ask_people", "{NAME}"),\n'),
]
