"""The maximum drop: the largest number of ranks by which a system falls from one ranking to another.

A coefficient such as tau averages over all pairs of systems. The maximum drop is about the one system that the other
ranking treats worst: a tau of 0.95 hides that a single good system is at the end. It was introduced to find test
collections that are unfair to a system that did not contribute to the pool. It is not symmetric: the fall is from the
first ranking, the truth, to the second.

Ranks are competition ranks: 1 for the best, and tied systems share the best of their ranks (1, 2, 2, 4). Scores closer
than 1e-12 are tied. A system whose rank stays or improves has a drop of 0. The range is 0 to n - 1.

Reference: E. M. Voorhees (2018). On building fair and reusable test collections using bandit techniques. CIKM 2018,
407-416.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import Scores, both_orders, competition_ranks

NAME = "maximum_drop"


def maximum_drop(truth: Scores, other: Scores, names: Sequence[object] | None = None) -> Estimate:
    """Compute the largest number of ranks by which a system falls from one ranking to another.

    Parameters
    ----------
    truth, other : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores closer than 1e-12 are tied, and tied
        systems share the best of their ranks.
    names : sequence, shape (n_systems,), optional
        Names of the systems. The default is the index of a Series, else positions from 0.

    Returns
    -------
    Estimate
        Number of ranks from 0 to n_systems - 1; `n` is the number of systems, and `convention` names the systems that
        fall most. Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        The lists differ in length, or have other names, or a score is not finite.

    References
    ----------
    E. M. Voorhees (2018). On building fair and reusable test collections using bandit techniques. CIKM 2018, 407-416.

    Examples
    --------
    >>> from agreement.rank_correlation import maximum_drop
    >>> drop = maximum_drop([0.9, 0.8, 0.7], [0.4, 0.6, 0.5], names=["bm25", "dense", "lsa"])
    >>> drop.value, drop.convention
    (2.0, 'bm25 (rank 1 to 3)')
    """
    n = len(both_orders(truth, other)[0])
    if names is None:
        names = list(truth.index if isinstance(truth, pd.Series) else range(n))
    if len(names) != n:
        raise ValueError(f"Every system needs one score and one name, not {n} scores, {len(names)} names.")
    if n < 2:
        return undefined(NAME, "one_system", n=n)
    before, after = competition_ranks(truth), competition_ranks(other)
    drop = int(np.max(after - before).clip(0))
    fallen: list[int] = np.flatnonzero(after - before == drop).tolist() if drop else []
    systems = ", ".join(f"{names[row]} (rank {before[row]} to {after[row]})" for row in fallen)
    return Estimate(float(drop), NAME, n=n, convention=systems or "no system falls")
