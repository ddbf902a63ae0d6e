"""Draws the fixed set of pairs that a model is asked again and again, to see whether its answers change.

The topics take turns, in an order drawn with the seed, and each gives its next pair, in an order drawn with the seed.
So the topics have equally many pairs as far as they have them, and the set for a larger number contains the set for a
smaller one. The order in which the pairs come does not count.
"""

from collections import Counter
from collections.abc import Iterable

from pooling.models.answers import Pair
from pooling.models.ask import in_drawn_order


def anchor_pairs(pairs: Iterable[Pair], n: int, seed: int) -> list[Pair]:
    """Return n of the pairs, with equally many from each topic as far as possible.

    Parameters
    ----------
    pairs : iterable of Pair
        The pairs to draw from, for example all pairs of a pool. Each has another query_id, doc_id or repeat.
    n : int
        How many to draw, from 1 to the number of pairs.
    seed : int
        Draws topics and pairs. The same pairs, number and seed give the same set.

    Returns
    -------
    list of Pair
        The first pair of each topic first.

    Raises
    ------
    ValueError
        If n is no integer from 1 to the number of pairs, or a pair occurs twice.

    Examples
    --------
    >>> from pooling.models import Pair, anchor_pairs
    >>> pairs = [Pair(query_id, doc_id, {}, "text") for query_id in "12" for doc_id in "abc"]
    >>> [(pair.query_id, pair.doc_id) for pair in anchor_pairs(pairs, 4, seed=1)]
    [('2', 'b'), ('1', 'b'), ('2', 'c'), ('1', 'c')]
    """
    ordered = in_drawn_order(pairs, seed)
    if type(n) is not int or not 1 <= n <= len(ordered):
        raise ValueError(f"n must be an integer from 1 to the number of pairs, {len(ordered):,}, not {n!r}.")
    turns = Counter[str]()
    places = []
    for place, pair in enumerate(ordered):
        places.append((turns[pair.query_id], place))
        turns[pair.query_id] += 1
    return [ordered[place] for _, place in sorted(places)[:n]]
