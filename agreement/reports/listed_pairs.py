"""Which pairs of judges a report lists, and in which order."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from agreement.choices import SORTS
from agreement.coefficients.overall import KAPPAS, check_known
from pooling.words import count

CLOSENESS = KAPPAS[0]


@dataclass(frozen=True)
class ListedPairs:
    """The choice of the pairs of judges that a report lists.

    Attributes
    ----------
    reference : str or None
        Only the pairs with this judge. None lists the pairs of all judges.
    sort : {"name", "value", "n"}
        The order: by the names of the judges, by pooled kappa, or by the number of documents in common. The highest
        pooled kappa and the largest number are first, and pairs without a value are last.
    top : int or None
        How many pairs are listed, 1 or more; None lists all.

    Raises
    ------
    ValueError
        The order is unknown, or `top` is not a whole number of at least 1.

    Examples
    --------
    >>> from agreement import Ratings, pairwise
    >>> from agreement.reports.listed_pairs import ListedPairs
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1]], (0, 1), ("ada", "bob", "eve"))
    >>> ListedPairs("eve", "value").rows_of(pairwise(ratings))[["assessor_a", "assessor_b", "pooled_kappa"]].round(3)
      assessor_a assessor_b  pooled_kappa
    2        bob        eve          -0.6
    1        ada        eve          -1.0
    """

    reference: str | None = None
    sort: str = SORTS[0]
    top: int | None = None

    def __post_init__(self) -> None:
        check_known("sort", self.sort, SORTS)
        if self.top is not None and (not isinstance(self.top, int) or isinstance(self.top, bool) or self.top < 1):
            raise ValueError(f"top must be a whole number of at least 1, not {self.top!r}.")

    def check_reference(self, judges: tuple[str, ...]) -> None:
        """Raise ValueError if the reference is not one of the judges."""
        if self.reference is not None and self.reference not in judges:
            raise ValueError(f"reference must be one of the judges {', '.join(judges)}, not {self.reference!r}.")

    def of_reference(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """Return the pairs with the reference, or all pairs without one."""
        if self.reference is None:
            return pairs
        return pairs[(pairs["assessor_a"] == self.reference) | (pairs["assessor_b"] == self.reference)]

    def rows_of(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """Return the listed pairs in their order; `pairs` has one row for each pair."""
        rows = self.of_reference(pairs)
        if self.sort != "name":
            by = CLOSENESS if self.sort == "value" else "n"
            rows = rows.sort_values(by, ascending=False, kind="stable", na_position="last")
        return rows if self.top is None else rows[: self.top]

    def describe(self, shown: int, total: int) -> str:
        """Return the sentence about the order, and about the pairs that are not listed."""
        what = "judge" if self.reference is not None else "pair"
        order = {"name": "by name", "value": "the highest pooled kappa first", "n": "the most documents first"}[
            self.sort
        ]
        listed = count(total, what) if shown == total else f"{shown:,} of {count(total, what)}"
        return f"{listed}, {order}."


def other_judge(pairs: pd.DataFrame, reference: str) -> "pd.Series[Any]":
    """Return the judge of each pair who is not the reference."""
    first = pairs["assessor_a"]
    return first.where(first != reference, pairs["assessor_b"])


def in_order_of(rows: pd.DataFrame, listed: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the listed pairs, in their order; `rows` has one row for each pair."""
    places = {pair: place for place, pair in enumerate(_names(listed))}
    order = [places.get(pair, -1) for pair in _names(rows)]
    chosen = [row for row, place in enumerate(order) if place >= 0]
    return rows.iloc[sorted(chosen, key=order.__getitem__)]


def _names(rows: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(rows["assessor_a"], rows["assessor_b"], strict=True))
