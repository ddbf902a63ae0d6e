"""Intraclass correlation: how much of the variance of the grades is between items.

Of n items that all k judges judged, with the mean squares B between items, W within items, J between judges and E of
the residual (`agreement.coefficients.mean_squares`):

======== =========================================== ================================
kind     one judge: ICC(m,1)                         mean of the k judges: ICC(m,k)
======== =========================================== ================================
ICC(1,.) (B - W) / (B + (k - 1) W)                   (B - W) / B
ICC(2,.) (B - E) / (B + (k - 1) E + k (J - E) / n)   (B - E) / (B + (J - E) / n)
ICC(3,.) (B - E) / (B + (k - 1) E)                   (B - E) / B
======== =========================================== ================================

ICC(1) is for items that are each judged by other judges, ICC(2) for judges that are a sample of all judges, ICC(3) for
these judges and no others; it ignores that one judge gives higher grades than another.

The limits of an interval are those of McGraw and Wong (1996), table 7: from the distribution of F = B / W or B / E, and
for ICC(2) from an F distribution with degrees of freedom that Satterthwaite's approximation gives.

References
----------
P. E. Shrout and J. L. Fleiss (1979). Intraclass correlations: uses in assessing rater reliability. Psychological
Bulletin 86(2), 420-428.
K. O. McGraw and S. P. Wong (1996). Forming inferences about some intraclass correlation coefficients. Psychological
Methods 1(1), 30-46.
"""

from __future__ import annotations  # help() shows the names of type aliases

from dataclasses import dataclass
from fractions import Fraction
from math import nan

from agreement.checks import choice, level
from agreement.coefficients.mean_squares import Crossed, crossed, two_way
from agreement.estimate import Estimate, undefined
from agreement.ratings import Ratings, check_ratings

KINDS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
NO_INTERVAL = "no interval, because F gives no finite limits"
Limits = tuple[float, float]


def icc(ratings: Ratings, kind: str = "ICC(2,1)", *, confidence: float = 0.95) -> Estimate:
    """Intraclass correlation of two or more judges whose grades are numbers.

    With the mean squares B between items, W within items, J between judges and E of the residual, for n items and k
    judges: ICC(1,1) = (B - W) / (B + (k - 1) W), ICC(2,1) = (B - E) / (B + (k - 1) E + k (J - E) / n) and
    ICC(3,1) = (B - E) / (B + (k - 1) E). For the mean of the k judges ICC(1,k) = (B - W) / B,
    ICC(2,k) = (B - E) / (B + (J - E) / n) and ICC(3,k) = (B - E) / B. At most 1; negative if the judges agree less than
    by chance.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors. Items that not all of them judged are left out.
    kind : {"ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"}, optional
        1: other judges for each item. 2: the judges are a sample, and their different strictness counts as
        disagreement. 3: only these judges, and their strictness does not count. Then 1 for the grades of one judge, k
        for the mean of all.
    confidence : float, optional
        The confidence level of the interval, between 0 and 1.

    Returns
    -------
    Estimate
        With the interval from the F distribution; with a warning instead if its limits are equal or not finite, such as
        if all judges agree. `n` counts the items that all judged, `n_dropped` those that only some of them judged.
        Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by all.
        * "one_item": only one item was judged by all.
        * "no_variance": the denominator is not above 0, such as if all grades are equal.

    Raises
    ------
    TypeError
        It is not Ratings.
    ValueError
        The grades are not numbers, the kind is unknown, or the confidence is not between 0 and 1.

    References
    ----------
    P. E. Shrout and J. L. Fleiss (1979). Intraclass correlations: uses in assessing rater reliability. Psychological
    Bulletin 86(2), 420-428.
    K. O. McGraw and S. P. Wong (1996). Forming inferences about some intraclass correlation coefficients. Psychological
    Methods 1(1), 30-46.

    Examples
    --------
    >>> from agreement import Ratings, icc
    >>> grades = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> ratings = Ratings.from_matrix(grades, scale=range(1, 11), axis="assessors")
    >>> print(icc(ratings))
    icc 0.290, 95% interval 0.019 to 0.761 (F distribution), n = 6, ICC(2,1), 4 judges
    >>> icc(ratings, "ICC(3,k)").shown()
    '0.909'
    """
    check_ratings(ratings, "icc")
    choice("kind", kind, KINDS)
    confidence = level("confidence", confidence, 0.95)
    return _estimate(crossed(ratings, "icc"), kind, confidence)


def every_icc(ratings: Ratings) -> dict[str, Estimate]:
    """Each kind of intraclass correlation, from one analysis of variance.

    Examples
    --------
    >>> from agreement import Ratings
    >>> grades = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> every_icc(Ratings.from_matrix(grades, scale=range(1, 11), axis="assessors"))["ICC(3,k)"].shown()
    '0.909'
    """
    data = crossed(ratings, "icc")
    squares = None if _reason(data) else _MeanSquares.of(data)
    return {kind: _estimate(data, kind, 0.95, squares) for kind in KINDS}


def _reason(data: Crossed) -> str | None:
    return data.reason or ("one_item" if data.n < 2 else None)


def _estimate(data: Crossed, kind: str, confidence: float, squares: _MeanSquares | None = None) -> Estimate:
    """One kind, from the mean squares if they are known."""
    fields = data.fields | {"convention": f"{kind}, {data.n_judges} judges"}
    if reason := _reason(data):
        return undefined("icc", reason, **fields)
    squares = squares or _MeanSquares.of(data)
    over, under = squares.ratio(kind)
    if under <= 0:
        return undefined("icc", "no_variance", **fields)
    low, high = squares.limits(kind, confidence)
    if low < high:  # also false for nan
        fields |= {"low": low, "high": high, "confidence": confidence, "method": "F distribution"}
    else:
        fields["warnings"] = (NO_INTERVAL,)
    return Estimate(float(over / under), "icc", **fields)


@dataclass(frozen=True)
class _MeanSquares:
    """Mean squares of n items and k judges.

    Attributes
    ----------
    n, k : int
        Numbers of items and judges.
    b, w, j, e : Fraction
        Between items, within items, between judges, and residual.
    """

    n: int
    k: int
    b: Fraction
    w: Fraction
    j: Fraction
    e: Fraction

    @classmethod
    def of(cls, data: Crossed) -> _MeanSquares:
        """The mean squares of two or more items and judges."""
        squares, n, k = two_way(data), data.n, data.n_judges
        return cls(
            n=n,
            k=k,
            b=data.mean_square(squares.items, n - 1),
            w=data.mean_square(squares.judges + squares.residual, n * (k - 1)),
            j=data.mean_square(squares.judges, k - 1),
            e=data.mean_square(squares.residual, (n - 1) * (k - 1)),
        )

    def ratio(self, kind: str) -> tuple[Fraction, Fraction]:
        """Numerator and denominator of a kind."""
        error = self.w if kind[4] == "1" else self.e
        others = 0 if kind.endswith("k)") else self.k - 1
        between = (self.j - self.e) / self.n * (1 if kind.endswith("k)") else self.k) if kind[4] == "2" else 0
        return self.b - error, self.b + others * error + between

    def limits(self, kind: str, confidence: float) -> Limits:
        """The limits of the interval of a kind."""
        tail = (1 + confidence) / 2
        one = self._of_sample(tail) if kind[4] == "2" else self._of_f(kind, tail)
        return (_mean_of(self.k, one[0]), _mean_of(self.k, one[1])) if kind.endswith("k)") else one

    def _of_f(self, kind: str, tail: float) -> Limits:
        """The limits of ICC(1,1) and ICC(3,1), from F = B / error."""
        error, df = (self.w, self.n * (self.k - 1)) if kind[4] == "1" else (self.e, (self.n - 1) * (self.k - 1))
        low, high = float(self.b) / _f(self.n - 1, df, tail), float(self.b) * _f(df, self.n - 1, tail)
        within = float(error)
        return (low - within) / (low + (self.k - 1) * within), (high - within) / (high + (self.k - 1) * within)

    def _of_sample(self, tail: float) -> Limits:
        """The limits of ICC(2,1)."""
        n, k, b, j, e = self.n, self.k, float(self.b), float(self.j), float(self.e)
        df = self._satterthwaite()
        above, below = _f(n - 1, df, tail), _f(df, n - 1, tail)
        within = k * j + (k * n - k - n) * e
        return n * (b - above * e) / (above * within + n * b), n * (below * b - e) / (within + n * below * b)

    def _satterthwaite(self) -> float:
        """The degrees of freedom of the error of ICC(2,1)."""
        n, k = self.n, self.k
        over, under = self.ratio("ICC(2,1)")
        rho = over / under
        judges, residual = k * rho * self.j, (n * (1 + (k - 1) * rho) - k * rho) * self.e
        if not judges and not residual:  # no error at all
            return float((n - 1) * (k - 1))
        return float((k - 1) * (n - 1) * (judges + residual) ** 2 / ((n - 1) * judges**2 + residual**2))


def _f(df: float, of: float, tail: float) -> float:
    from scipy.special import fdtri  # slow to import

    return float(fdtri(df, of, tail))


def _mean_of(k: int, one: float) -> float:
    """The reliability of the mean of k judges from that of one, by Spearman and Brown; nan below their range."""
    variance = 1 + (k - 1) * one
    return k * one / variance if variance > 0 else nan
