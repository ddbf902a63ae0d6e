"""The gain curve of a review: relevant documents found by number of documents judged."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from pooling.assignment.number_checks import is_number
from pooling.ranking import check_whole
from pooling.result import Figure, Result
from pooling.words import count

TIE = 1e-9  # 0.07 * 100 is 7.000000000000001, and 7 documents are enough


@dataclass(frozen=True, eq=False, repr=False)
class GainCurve(Result):
    """The relevant documents found by number judged; the result of `gain_curve`.

    Attributes
    ----------
    found : ndarray of int64, shape (n_judged + 1,)
        The relevant documents among the first 0, 1, 2, ... judged ones.
    n_relevant : int or None
        The number of relevant documents that exist; None if it is unknown.
    name : str
        What the curve shows, such as the name of a strategy.

    Examples
    --------
    >>> from pooling import gain_curve
    >>> curve = gain_curve([1, 0, 1], n_relevant=4)
    >>> curve.n_judged, curve.n_found, curve.recall
    (3, 2, 0.5)
    """

    found: np.ndarray
    n_relevant: int | None
    name: str = "review"

    @property
    def n_judged(self) -> int:
        """The number of judged documents."""
        return len(self.found) - 1

    @property
    def n_found(self) -> int:
        """The number of relevant documents found."""
        return int(self.found[-1])

    @property
    def recall(self) -> float | None:
        """The share found of the relevant documents, 0 to 1; None if their number is unknown or 0."""
        return self.n_found / self.n_relevant if self.n_relevant else None

    def judgements_to(self, share: float) -> int | None:
        """The number of judgements that reach a share of the relevant documents.

        Parameters
        ----------
        share : float
            The share, above 0 and at most 1, of `n_relevant`; of those found if `n_relevant` is None.

        Returns
        -------
        int or None
            The smallest sufficient number of judgements; None if the share is not reached or nothing is relevant.

        Raises
        ------
        ValueError
            If the share is out of its range.
        """
        if not is_number(share) or not 0 < share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, not {share!r}")
        total = self.n_found if self.n_relevant is None else self.n_relevant
        needed = ceil(share * total - TIE)
        return None if not total or needed > self.n_found else int(np.searchsorted(self.found, needed))

    def to_frame(self) -> pd.DataFrame:
        """One row per number of judgements from 0: n_judged, found, share (Float64; NA if the total is unknown)."""
        total = self.n_relevant or None
        share = pd.array([pd.NA] * len(self.found) if total is None else self.found / total, dtype="Float64")
        return pd.DataFrame({"n_judged": np.arange(len(self.found)), "found": self.found, "share": share})

    def plot(self) -> Figure:
        """Draw the relevant documents found against the documents judged.

        Returns
        -------
        Figure
            A notebook shows it; `save(path)` writes SVG, PDF or PNG.
        """
        from pooling.evaluation.found_curves import found_curves  # importing matplotlib takes a second

        points = {self.name: self.to_frame()[["n_judged", "found"]].to_numpy()}
        total = self.n_found if self.n_relevant is None else self.n_relevant
        return Figure(lambda kind: found_curves(points, total, kind=kind))

    def _sentence(self) -> str:
        total = "" if self.n_relevant is None else f" of {self.n_relevant:,}"
        return f"{self.n_found:,}{total} relevant found in {count(self.n_judged, 'judgement')}"


def gain_curve(
    relevance: Iterable[Any], *, rel: float = 1, n_relevant: int | None = None, name: str = "review"
) -> GainCurve:
    """Count the relevant documents found by number of documents judged.

    Parameters
    ----------
    relevance : iterable of number or bool
        The relevance of each judged document, in the order of judging. An unjudged document must not be listed.
    rel : float
        Documents with this relevance or more are relevant. True is 1.
    n_relevant : int, optional
        The number of relevant documents that exist, if it is known; at least the number found.
    name : str
        What the curve shows.

    Returns
    -------
    GainCurve
        The curve, from 0 judgements.

    Raises
    ------
    ValueError
        If a relevance is missing, negative or not a number, or more documents are found than exist.

    Examples
    --------
    >>> from pooling import gain_curve
    >>> curve = gain_curve([1, 0, 2, 0, 1], n_relevant=4)
    >>> curve.found.tolist(), curve.recall
    ([0, 1, 1, 2, 2, 3], 0.75)
    >>> curve.judgements_to(0.5), curve.judgements_to(0.8)
    (3, None)
    """
    if not is_number(rel):
        raise ValueError(f"rel must be a number, not {rel!r}")
    if isinstance(relevance, str | bytes | Mapping | Set | pd.DataFrame) or not isinstance(relevance, Iterable):
        raise ValueError(f"relevance must be a list of numbers, not {type(relevance).__name__}")
    values = list(relevance)
    for place, value in enumerate(values, 1):
        if not (is_number(value) or isinstance(value, (bool, np.bool_))) or not value >= 0:
            raise ValueError(f"relevance {place} must be a number from 0, not {value!r}")
    found = np.concatenate([[0], np.cumsum([value >= rel for value in values], dtype=np.int64)]).astype(np.int64)
    if n_relevant is not None:
        check_whole("n_relevant", n_relevant, 0)
        if found[-1] > n_relevant:
            raise ValueError(f"n_relevant must be at least {found[-1]}, the number found, not {n_relevant!r}")
        n_relevant = int(n_relevant)
    return GainCurve(found, n_relevant, name)
