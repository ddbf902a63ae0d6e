"""The fourfold table of two assessors: what both, one or neither of them found relevant.

Views of agreement that are particular to information retrieval ask not which grade a document got but whether
it is in the set of the relevant ones. Of the n items that both assessors judged:

                      b: relevant    b: not
    a: relevant       both           only_a
    a: not            only_b         neither

A document is relevant from grade `rel` on. `rel` may be left out where the scale has two grades: the higher
one is relevant then. Where a plain table of counts is given instead of Ratings, its grades are 0, 1, ... in
the order of its rows and columns, and `rel` is one of these.
"""

from dataclasses import dataclass

from agreement.coefficients.pairs import pair_of
from agreement.estimate import Estimate, undefined


@dataclass(frozen=True)
class Fourfold:
    """Two assessors on relevant and not relevant, or the reason why there is nothing to compare.

    Attributes
    ----------
    both, only_a, only_b, neither : int
        Numbers of items (see the module).
    reason : str or None
        A key of `agreement.estimate.REASONS` where no item was judged by both.
    convention : str
        What counts as relevant, in words.
    fields : dict
        What an `Estimate` says about the pair: n, n_values, n_dropped, assessors, topics.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    reason: str | None
    convention: str
    fields: dict

    @property
    def n(self) -> int:
        """Number of items that both judged."""
        return self.both + self.only_a + self.only_b + self.neither

    def share(self, name: str, part: int, whole: int, reason: str = "no_relevant") -> Estimate:
        """`part / whole` as an Estimate; undefined for `reason` where the whole is 0."""
        return share(name, part, whole, self.reason or reason, self.convention, self.fields)


def fourfold(data, a: str | None = None, b: str | None = None, rel=None) -> Fourfold:
    """The fourfold table of two assessors.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
    a, b : str, optional
        Two assessors of the Ratings; may be left out where there are only two.
    rel : grade, optional
        The lowest grade that is relevant; may be left out where there are two grades.

    Raises
    ------
    ValueError
        The table is no square of counts, the assessors are not named unambiguously, `rel` is not on the scale
        or lacks.
    """
    pair = pair_of(data, a, b)
    rel = relevant_from(pair.scale, rel)
    cut = pair.scale.index(rel)
    low, high = slice(cut), slice(cut, None)
    return Fourfold(
        both=int(pair.table[high, high].sum()),
        only_a=int(pair.table[high, low].sum()),
        only_b=int(pair.table[low, high].sum()),
        neither=int(pair.table[low, low].sum()),
        reason=pair.reason,
        convention=said_relevant(rel),
        fields=pair.fields,
    )


def relevant_from(scale: tuple, rel):
    """The lowest grade that is relevant: `rel`, or the higher one of two grades; ValueError where that fails."""
    if rel is None and len(scale) == 2:
        return scale[1]
    if rel is None:
        raise ValueError(f"say with rel= from which grade on a document is relevant: {_listed(scale)}")
    if rel not in scale:
        raise ValueError(f"rel is a grade of the scale {_listed(scale)}; got {rel!r}")
    return rel


def said_relevant(rel) -> str:
    """What counts as relevant, in words."""
    return f"relevant from grade {rel}"


def share(name: str, part: int, whole: int, reason: str, convention: str, fields: dict) -> Estimate:
    """`part / whole` as an Estimate that tells both; undefined for `reason` where the whole is 0."""
    if not whole:
        return undefined(name, reason, convention=convention, **fields)
    return Estimate(part / whole, name, convention=f"{convention}, {part} of {whole}", **fields)


def _listed(scale: tuple) -> str:
    return ", ".join(map(str, scale))
