"""Pairs of near-duplicates, the groups that they form, and examples of pairs near a threshold."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from pooling.result import Result
from pooling.words import count

PAIR_COLUMNS = ["doc_id", "other", "similarity"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class NearDuplicates(Result):
    """Pairs of documents whose similarity is at least `threshold`.

    Attributes
    ----------
    pairs : DataFrame
        Columns doc_id, other (both str; the pair once, doc_id before other in UTF-8 bytes) and similarity (float64, the
        Jaccard similarity of the shingles, from `threshold` to 1), ordered by similarity, highest first.
        Of documents with the same shingles, each is paired with the first one only.
    threshold : float
        The lowest similarity of a pair, above 0 and at most 1.
    documents : int
        Documents that were compared: those with at least one word.
    without_words : tuple of str
        Documents without a word, which are in no pair.
    shingle_size : int
        Words in a shingle.
    seed : int
        Seed of MinHash.

    Examples
    --------
    >>> from pooling import near_duplicates
    >>> texts = {"a": "one two three four five", "b": "one two three four six", "c": "one two three four"}
    >>> found = near_duplicates(texts, 0.5)
    >>> found.groups()
    (('a', 'b', 'c'),)
    >>> above, below = found.examples(0.6)
    >>> above["similarity"].round(3).tolist(), below["similarity"].tolist()
    ([0.667, 0.667], [0.5])
    """

    pairs: pd.DataFrame
    threshold: float
    documents: int
    without_words: tuple[str, ...]
    shingle_size: int
    seed: int

    def to_frame(self) -> pd.DataFrame:
        """Return `pairs`."""
        return self.pairs

    def _sentence(self) -> str:
        found = f"{count(len(self.pairs), 'pair')} in {count(len(self.groups()), 'group')}"
        empty = f", {len(self.without_words):,} without words" if self.without_words else ""
        return f"{found} among {count(self.documents, 'document')}{empty} (similarity {self.threshold:g} or more)"

    def groups(self, threshold: float | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the groups of near-duplicates: the connected components of the pairs.

        Two documents of a group need not be similar themselves: a chain of similar pairs connects them.

        Parameters
        ----------
        threshold : float, optional
            Use only pairs with at least this similarity, from `self.threshold` to 1. By default all pairs.

        Returns
        -------
        tuple of tuple of str
            The doc_ids of each group of two documents or more, in the order of UTF-8 bytes; groups by their first one.

        Raises
        ------
        ValueError
            If `threshold` is below that of the pairs, or above 1.
        """
        return connected(self._from(threshold)[["doc_id", "other"]].itertuples(index=False, name=None))

    def examples(self, threshold: float, number: int = 5) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the pairs nearest to a threshold, which show what it separates.

        Parameters
        ----------
        threshold : float
            From `self.threshold` to 1.
        number : int
            Most pairs on each side, from 0.

        Returns
        -------
        above, below : DataFrame
            Columns doc_id, other and similarity: the pairs at or above the threshold and those below it, each with the
            nearest pair first.

        Raises
        ------
        ValueError
            If `threshold` is below that of the pairs, or above 1.
        """
        above = self._from(threshold)
        below = self.pairs[self.pairs["similarity"] < threshold]
        return above.iloc[::-1].head(number).reset_index(drop=True), below.head(number).reset_index(drop=True)

    def _from(self, threshold: float | None) -> pd.DataFrame:
        if threshold is None:
            return self.pairs
        if not self.threshold <= threshold <= 1:
            raise ValueError(f"threshold must be from {self.threshold:g} to 1, not {threshold!r}")
        return self.pairs[self.pairs["similarity"] >= threshold]


def connected(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return the connected components of a graph.

    Examples
    --------
    >>> from pooling.duplicates.result import connected
    >>> connected([("a", "b"), ("c", "d"), ("b", "e")])
    (('a', 'b', 'e'), ('c', 'd'))
    """
    parent: dict[str, str] = {}
    for a, b in pairs:
        parent[_root(parent, a)] = _root(parent, b)
    members: dict[str, list[str]] = {}
    for node in sorted(parent, key=str.encode):
        members.setdefault(_root(parent, node), []).append(node)
    return tuple(tuple(group) for group in members.values())


def _root(parent: dict[str, str], node: str) -> str:
    parent.setdefault(node, node)
    while parent[node] != node:
        parent[node] = parent[parent[node]]  # halves the path, so that long chains stay fast
        node = parent[node]
    return node
