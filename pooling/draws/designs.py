"""Draw the pairs that people grade: a fixed number of each stratum, in all topics or in drawn ones.

The random number of a pair depends on the seed, the topic and the document only, and that of a topic on the seed and
the topic. So a larger draw with the same seed and strata contains the smaller one.

W. G. Cochran, Sampling Techniques, 3rd edition, Wiley, 1977, chapters 2 (simple random sampling), 5 (strata) and 10
(two stages).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from pooling.draws.draw import COLUMNS, Draw
from pooling.draws.pairs import pairs_with_strata
from pooling.inputs import Input
from pooling.ranking import check_whole, places
from pooling.strategies.lots import random_numbers
from pooling.words import first_names

FOR_TOPICS = ("topic",)


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
        A size or the seed is out of range, the column of the strata is missing or has no value in a row, a stratum has
        no size, a size is of no stratum, or a pair is in two strata.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.draws import draw_by_stratum
    >>> pairs = pd.DataFrame({"query_id": ["1"] * 4, "doc_id": list("abcd")})
    >>> draw_by_stratum(pairs, 2, seed=1).drawn["inclusion_probability"].tolist()
    [0.5, 0.5]
    """
    frame = pairs_with_strata(pairs, strata)
    check_whole("seed", seed, least=0)
    wanted = _checked_sizes(sizes, frame["stratum"].unique().tolist())
    probability, drawn = _first_of_each(frame, frame["stratum"].map(wanted).to_numpy(), seed)
    frame = frame.assign(inclusion_probability=probability, drawn=drawn)
    return Draw(frame[COLUMNS], is_fixed=True, drawn_topics=None, seed=seed)


def draw_two_stage(
    pairs: Input, n_topics: int, sizes: int | Mapping[str, int], *, seed: int, strata: str = "query_id"
) -> Draw:
    """Draw topics, and then a simple random sample of each stratum of the drawn topics.

    Both stages draw without replacement. The inclusion probability of a pair is the product of the two stages.

    Parameters
    ----------
    pairs : table
        Columns query_id and doc_id, and the column that names the strata.
    n_topics : int
        Topics to draw, from 1 to the number of topics of the pairs.
    sizes : int or mapping of str to int
        Pairs to draw of each stratum of a drawn topic, at least 1: one number for all, or one for each name of a
        stratum. A smaller stratum gives all.
    seed : int
        Seed of the random numbers, from 0.
    strata : str, optional
        Column of the strata. By default each topic is one. Other strata are divided by topic, and the draw names them
        by the topic and their name, such as "301 2".

    Returns
    -------
    Draw

    Raises
    ------
    ValueError
        A number or the seed is out of range, the column of the strata is missing or has no value in a row, a stratum
        has no size, a size is of no stratum, or a pair is in two strata.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.draws import draw_two_stage
    >>> pairs = pd.DataFrame({"query_id": list("112233"), "doc_id": list("ababab")})
    >>> draw = draw_two_stage(pairs, 2, 1, seed=1)
    >>> draw.drawn_topics, draw.drawn["inclusion_probability"].round(3).tolist()
    (('2', '3'), [0.333, 0.333])
    """
    frame = pairs_with_strata(pairs, strata)
    check_whole("seed", seed, least=0)
    topics = _drawn_topics(frame["query_id"].unique(), n_topics, seed)
    wanted = frame["stratum"].map(_checked_sizes(sizes, frame["stratum"].unique().tolist())).to_numpy()
    if strata != "query_id":
        frame["stratum"] = frame["query_id"] + " " + frame["stratum"]
    probability, drawn = _first_of_each(frame, wanted, seed)
    share = n_topics / frame["query_id"].nunique()
    drawn &= frame["query_id"].isin(topics).to_numpy()
    frame = frame.assign(inclusion_probability=probability * share, drawn=drawn)
    return Draw(frame[COLUMNS], is_fixed=True, drawn_topics=topics, seed=seed)


def _drawn_topics(query_ids: np.ndarray, n_topics: int, seed: int) -> tuple[str, ...]:
    check_whole("n_topics", n_topics)
    if n_topics > len(query_ids):
        raise ValueError(f"n_topics must be at most {len(query_ids)}, the number of topics, not {n_topics}")
    numbers = random_numbers(seed, query_ids, [""] * len(query_ids), FOR_TOPICS)
    return tuple(sorted(map(str, query_ids[np.argsort(numbers, kind="stable")[:n_topics]]), key=str.encode))


def _first_of_each(frame: pd.DataFrame, wanted: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The probability of each row, and whether it is one of the `wanted` rows of its stratum with the least numbers."""
    codes, names = pd.factorize(frame["stratum"])
    n_pairs = np.bincount(codes, minlength=len(names))[codes]
    n_drawn = np.minimum(wanted, n_pairs)
    rows = np.lexsort((random_numbers(seed, frame["query_id"], frame["doc_id"]), codes))
    drawn = np.zeros(len(frame), dtype=bool)
    drawn[rows] = places(codes[rows]) <= n_drawn[rows]
    return n_drawn / n_pairs, drawn


def _checked_sizes(sizes: int | Mapping[str, int], names: list[str]) -> dict[str, int]:
    """The size of each stratum."""
    given = (
        {str(name): size for name, size in sizes.items()} if isinstance(sizes, Mapping) else dict.fromkeys(names, sizes)
    )
    for name in names:
        if name not in given:
            raise ValueError(f"The stratum {name!r} has no size.")
    for name, size in given.items():
        if name not in names:
            raise ValueError(f"There is no stratum {name!r}. The strata are {first_names(names)}.")
        check_whole(f"the size of the stratum {name!r}", size)
    return given
