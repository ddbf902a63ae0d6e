"""From P(A) and P(E) to an estimate, and the band of a kappa."""

from collections.abc import Mapping
from fractions import Fraction
from numbers import Real
from typing import Any

from agreement.coefficients.formulas import kappa
from agreement.estimate import Estimate, undefined
from pooling.value_types import refuse_unless

GOOD, FAIR = 0.8, 0.67
# How well judges agree, by band.
AGREE: Mapping[str | None, str] = {"good": "well", "fair": "fairly well", "dubious": "poorly"}
BANDED = ("pooled_kappa", "cohen_kappa", "fleiss_kappa", "conger_kappa")


def band(value: float | None) -> str | None:
    """The band of a kappa: how good the agreement of relevance judges is by convention.

    Parameters
    ----------
    value : float or None
        A kappa, at most 1; None if it is undefined.

    Returns
    -------
    {"good", "fair", "dubious"} or None
        "good" above 0.8, "fair" from 0.67 to 0.8, "dubious" below 0.67; None for None.

    Notes
    -----
    The bands apply to kappas only, not to percent agreement, Gwet's AC or Krippendorff's alpha.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.5. Cambridge
    University Press.

    Examples
    --------
    >>> from agreement import band
    >>> band(0.81), band(0.8), band(0.5)
    ('good', 'fair', 'dubious')
    """
    if value is None:
        return None
    refuse_unless(value, Real, "value", "a number or None")
    if value > GOOD:
        return "good"
    return "fair" if value >= FAIR else "dubious"


def estimated(
    name: str, observed: Fraction | float, expected: Fraction | float, convention: str, fields: dict[str, Any]
) -> Estimate:
    """(P(A) - P(E)) / (1 - P(E)) as an estimate; undefined if P(E) = 1."""
    shown_expected = None if name == "percent_agreement" else float(expected)
    fields = fields | {"observed": float(observed), "expected": shown_expected, "convention": convention}
    if expected == 1:
        return undefined(name, "one_category", **fields)
    value = kappa(observed, expected)
    return Estimate(value, name, band=band(value) if name in BANDED else None, **fields)
