"""Agreement of two assessors, corrected for chance or not.

From a K x K table of counts (rows: what the first assessor said, columns: the second) with n items:

    P(A)  = sum of the diagonal / n                                      observed agreement
    kappa = (P(A) - P(E)) / (1 - P(E))                                   range -1 to 1; 0 is chance

One formula; the coefficients differ in P(E), the agreement expected by chance. With r_k and c_k the totals of
row and column k:

    pooled     P(E) = sum over k of ((r_k + c_k) / 2n)^2     one distribution for both assessors
    unpooled   P(E) = sum over k of (r_k / n) (c_k / n)      each assessor has a distribution of their own

Pooled kappa is Scott's pi, and the kappa of Manning, Raghavan and Schuetze, *Introduction to Information
Retrieval* (2008), section 8.5, table 8.2. Unpooled kappa is Cohen's.

Counts are integers and everything up to the last division is exact, so that a coefficient is the float64
nearest to the true fraction. P(E) = 1 happens where both assessors gave one and the same grade to every item;
kappa is then 0/0: undefined, reason `one_category`. Other undefined cases are those of `agreement.estimate`.

References
----------
W. A. Scott (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion
Quarterly 19(3), 321-325.
J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement
20(1), 37-46, equation 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Number

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.ratings import MISSING, Ratings

GOOD, FAIR = 0.8, 0.67

Counts = list[list[int]]


def band(value: float | None) -> str | None:
    """How good a kappa is held to be: "good" above 0.8, "fair" from 0.67 to 0.8, else "dubious".

    None for None. Manning, Raghavan and Schuetze (2008), section 8.5.
    """
    if value is None:
        return None
    if value > GOOD:
        return "good"
    return "fair" if value >= FAIR else "dubious"


def percent_agreement(data, a: str | None = None, b: str | None = None) -> Estimate:
    """P(A), the share of jointly judged items that got the same grade from both. Range 0 to 1.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
    a, b : str, optional
        Two assessors of the Ratings; may be left out where there are only two.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        The table is no square of counts, or the assessors are not named unambiguously.
    """
    pair = _pair(data, a, b)
    if pair.reason:
        return undefined("percent_agreement", pair.reason, **pair.fields)
    observed = float(observed_agreement(pair.counts))
    return Estimate(observed, "percent_agreement", observed=observed, **pair.fields)


def pooled_kappa(data, a: str | None = None, b: str | None = None) -> Estimate:
    """Kappa with one distribution of grades for both assessors (Scott's pi). Range -1 to 1.

    Parameters, result and errors are those of `percent_agreement`. Scott (1955); Manning, Raghavan and
    Schuetze (2008), section 8.5.
    """
    return _kappa("pooled_kappa", "pooled", _pair(data, a, b))


def cohen_kappa(data, a: str | None = None, b: str | None = None) -> Estimate:
    """Kappa with a distribution of grades for each assessor (unpooled). Range -1 to 1.

    Parameters, result and errors are those of `percent_agreement`. Cohen (1960), equation 1.
    """
    return _kappa("cohen_kappa", "unpooled", _pair(data, a, b))


def kappa_from_proportions(observed, a, b, chance: str = "unpooled") -> Estimate:
    """Kappa from what textbooks state: P(A), and how often each assessor used each grade.

    Parameters
    ----------
    observed : number or str
        P(A). Decimals are taken as written: 0.85 is 17/20. A string may be a fraction, "17/20".
    a, b : number or str, or a sequence of them
        The share of one of two grades, or the shares of all grades (they sum to 1), of each assessor.
    chance : {"unpooled", "pooled"}
        Cohen's form, or Scott's.

    Raises
    ------
    ValueError
        A proportion is none, shares do not sum to 1, or `chance` is unknown.
    """
    if chance not in CHANCE:
        raise ValueError(f"chance is one of {', '.join(CHANCE)}; got {chance!r}")
    first, second = _shares(a), _shares(b)
    if len(first) != len(second):
        raise ValueError(f"both assessors use one scale; got {len(first)} and {len(second)} grades")
    agreed = _proportion(observed)
    expected = CHANCE[chance](first, second)
    name = "pooled_kappa" if chance == "pooled" else "cohen_kappa"
    return _corrected(name, agreed, expected, convention=chance)


def observed_agreement(counts: Counts) -> Fraction:
    """P(A) of a table that is not all zeros, exactly."""
    return Fraction(sum(counts[k][k] for k in range(len(counts))), total(counts))


def expected_agreement(counts: Counts, chance: str) -> Fraction:
    """P(E) of a table that is not all zeros, exactly; `chance` is a key of `CHANCE`."""
    n = total(counts)
    rows = [Fraction(sum(row), n) for row in counts]
    columns = [Fraction(sum(column), n) for column in zip(*counts, strict=True)]
    return CHANCE[chance](rows, columns)


def total(counts: Counts) -> int:
    """The number of items in a table."""
    return sum(map(sum, counts))


def counts_of(table) -> Counts:
    """A square table of counts as Python integers, which never overflow; ValueError where it is none."""
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise ValueError(f"a table has as many rows as columns, one per grade; got the shape {cells.shape}")
    rows = cells.tolist()
    if not all(isinstance(cell, Integral) and cell >= 0 for row in rows for cell in row):
        raise ValueError(f"a table holds counts, whole numbers from 0; got {rows}")
    return rows


def _pooled(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum(((p + q) / 2) ** 2 for p, q in zip(first, second, strict=True))


def _unpooled(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum(p * q for p, q in zip(first, second, strict=True))


CHANCE = {"pooled": _pooled, "unpooled": _unpooled}


@dataclass(frozen=True)
class _Pair:
    """A table of two assessors, or the reason why there is none, and the fields an Estimate says about it."""

    counts: Counts
    reason: str | None
    fields: dict


def _pair(data, a: str | None, b: str | None) -> _Pair:
    if not isinstance(data, Ratings):
        counts = counts_of(data)
        n = total(counts)
        return _Pair(counts, None if n else "no_overlap", {"n": n})
    a, b = _two_of(data, a, b)
    if a is None:
        reason = "one_assessor" if data.n_judgements else "empty"
        return _Pair([], reason, {"n": 0, "n_dropped": data.n_judgements, "assessors": data.assessors})
    counts = data.table(a, b).tolist()
    first, second = data.row(a) != MISSING, data.row(b) != MISSING
    fields = {
        "n": total(counts),
        "n_dropped": int(np.count_nonzero(first != second)),
        "assessors": (a, b),
        "topics": tuple(sorted(set(data.query_ids[first & second]))),
    }
    if fields["n"]:
        return _Pair(counts, None, fields)
    return _Pair(counts, "no_overlap" if data.n_judgements else "empty", fields)


def _two_of(ratings: Ratings, a: str | None, b: str | None) -> tuple[str | None, str | None]:
    """The two assessors meant; (None, None) where there are not two."""
    if a is not None and b is not None:
        return a, b
    if a is None and b is None and len(ratings.assessors) == 2:
        return ratings.assessors
    if a is None and b is None and len(ratings.assessors) < 2:
        return None, None
    raise ValueError(f"name two of the assessors: {', '.join(ratings.assessors)}")


def _kappa(name: str, chance: str, pair: _Pair) -> Estimate:
    if pair.reason:
        return undefined(name, pair.reason, convention=chance, **pair.fields)
    agreed, expected = observed_agreement(pair.counts), expected_agreement(pair.counts, chance)
    return _corrected(name, agreed, expected, convention=chance, **pair.fields)


def _corrected(name: str, observed: Fraction, expected: Fraction, **fields) -> Estimate:
    fields |= {"observed": float(observed), "expected": float(expected)}
    if expected == 1:
        return undefined(name, "one_category", **fields)
    value = float((observed - expected) / (1 - expected))
    return Estimate(value, name, band=band(value), **fields)


def _shares(proportions) -> list[Fraction]:
    if isinstance(proportions, (str, Number)):
        share = _proportion(proportions)
        return [share, 1 - share]
    shares = [_proportion(share) for share in proportions]
    if sum(shares) != 1:
        raise ValueError(f"the shares of all grades sum to 1; got {float(sum(shares))}")
    return shares


def _proportion(value) -> Fraction:
    share = Fraction(str(value))
    if not 0 <= share <= 1:
        raise ValueError(f"a proportion lies between 0 and 1; got {value}")
    return share
