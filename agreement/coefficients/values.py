"""From P(A) and P(E) to an estimate, and how good a kappa is held to be."""

from fractions import Fraction

from agreement.estimate import Estimate, undefined

GOOD, FAIR = 0.8, 0.67
BANDED = ("pooled_kappa", "cohen_kappa", "fleiss_kappa", "conger_kappa")


def band(value: float | None) -> str | None:
    """How good a kappa is held to be: "good" above 0.8, "fair" from 0.67 to 0.8, else "dubious".

    None for None. Manning, Raghavan and Schuetze (2008), section 8.5; of kappas (`BANDED`) only.
    """
    if value is None:
        return None
    if value > GOOD:
        return "good"
    return "fair" if value >= FAIR else "dubious"


def estimated(
    name: str, observed: Fraction | float, expected: Fraction | float, convention: str, fields: dict
) -> Estimate:
    """(P(A) - P(E)) / (1 - P(E)) as an estimate, undefined where P(E) = 1.

    Parameters
    ----------
    name : str
        Of the coefficient; for "percent_agreement" P(E) is 0 and not told.
    observed, expected : Fraction or float
    convention : str
    fields : dict
        What else the estimate says.
    """
    told = None if name == "percent_agreement" else float(expected)
    fields = fields | {"observed": float(observed), "expected": told, "convention": convention}
    if expected == 1:
        return undefined(name, "one_category", **fields)
    value = float((observed - expected) / (1 - expected))
    return Estimate(value, name, band=band(value) if name in BANDED else None, **fields)
