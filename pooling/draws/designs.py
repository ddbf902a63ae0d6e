"""Draw the pairs that people grade: a fixed number of each stratum, or each pair by itself.

The random number of a pair depends on the seed, the topic and the document only, so that a larger draw with the same
seed and strata contains the smaller one.

W. G. Cochran, Sampling Techniques, 3rd edition, Wiley, 1977, chapters 2, 5 and 10; C.-E. Särndal, B. Swensson and
J. Wretman, Model Assisted Survey Sampling, Springer, 1992, section 3.5 (Poisson sampling).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from pooling.draws.draw import COLUMNS, Draw
from pooling.inputs import Input
from pooling.pools.pairs import checked_pairs
from pooling.ranking import check_whole, places
from pooling.strategies.lots import random_numbers


def draw_by_stratum(pairs: Input, sizes: int | Mapping[str, int], *, seed: int, strata: str = "query_id") -> Draw:
    """Draw a simple random sample without replacement of each stratum.

    Parameters
    ----------
    pairs : table
        Columns query_id and doc_id, and the column that names the strata.
    sizes : int or mapping of str to int
        Pairs to draw of each stratum, at least 1: one number for all, or one for each. A smaller stratum gives all.
    seed : int
        Seed of the random numbers, from 0.
    strata : str, optional
        Column of the strata. By default each topic is one.

    Returns
    -------
    Draw

    Raises
    ------
    ValueError
        A size or the seed is out of range, the column of the strata is missing, or a stratum has no size.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.draws import draw_by_stratum
    >>> pairs = pd.DataFrame({"query_id": ["1"] * 4, "doc_id": list("abcd")})
    >>> draw_by_stratum(pairs, 2, seed=1).drawn["inclusion_probability"].tolist()
    [0.5, 0.5]
    """
    frame = _checked(pairs, strata)
    check_whole("seed", seed, least=0)
    codes, names = pd.factorize(frame["stratum"])
    wanted = np.array([_size_of(sizes, name) for name in names], dtype=np.int64)
    n_pairs = np.bincount(codes, minlength=len(names))
    n_drawn = np.minimum(wanted, n_pairs)
    rows = np.lexsort((random_numbers(seed, frame["query_id"], frame["doc_id"]), codes))
    drawn = np.zeros(len(frame), dtype=bool)
    drawn[rows] = places(codes[rows]) <= n_drawn[codes[rows]]
    frame = frame.assign(inclusion_probability=(n_drawn / n_pairs)[codes], drawn=drawn)
    return Draw(frame[COLUMNS], is_fixed=True, drawn_topics=None, seed=seed)


def _checked(pairs: Input, strata: str) -> pd.DataFrame:
    """The pairs with their stratum, sorted."""
    frame = checked_pairs(pairs, "the pairs to draw from")
    if strata in frame.columns:
        frame = frame.assign(stratum=frame[strata])
    elif isinstance(pairs, pd.DataFrame) and strata in pairs.columns:
        frame = frame.assign(stratum=pairs.loc[frame.index, strata].astype("str"))
    else:
        raise ValueError(f"The pairs to draw from need the column {strata!r}, which names the strata.")
    return frame.sort_values(["query_id", "doc_id"], ignore_index=True)


def _size_of(sizes: int | Mapping[str, int], name: str) -> int:
    if isinstance(sizes, Mapping):
        if name not in sizes:
            raise ValueError(f"The stratum {name!r} has no size.")
        return _size_of(sizes[name], name)
    check_whole(f"the size of the stratum {name!r}", sizes)
    return sizes
