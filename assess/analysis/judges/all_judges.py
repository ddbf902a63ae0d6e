"""All judges together: the mean over pairs, and the coefficients of any number of judges."""

import pandas as pd

import agreement
from agreement.estimate import ALPHA

JACKKNIFE = "jackknife_topics"
MEANS = ("pooled_kappa", "cohen_kappa")
NAMES = {
    "percent_agreement": "P(A)",
    "fleiss_kappa": "Fleiss' kappa",
    "conger_kappa": "Conger's kappa",
    "gwet_ac": "Gwet's AC1",
}
MEAN_NAMES = {"pooled_kappa": "mean pooled kappa of the pairs", "cohen_kappa": "mean unpooled kappa of the pairs"}
COLUMNS = [
    *("coefficient", "value", "value_low", "value_high", "value_reason"),
    *("observed", "n", "n_averaged", "left_out", "band", "convention", "warnings"),
]


def all_judges_frame(ratings: agreement.Ratings) -> pd.DataFrame:
    """Return a row for each coefficient, with the jackknife interval over topics.

    `n` counts documents, or for a mean over pairs the documents of all pairs; `n_averaged` counts the pairs, and
    `left_out` says how many have no value and why. `observed` is P(A) of what is counted (of alpha, NA). `convention`
    says how chance is computed, and `warnings` are the reasons for caution.
    """
    means = [agreement.mean_pairwise(ratings, name).interval(JACKKNIFE) for name in MEANS]
    rows = [_row(MEAN_NAMES[mean.coefficient], mean) for mean in means]
    rows += [_row(_name(estimate), estimate) for estimate in agreement.all_judges(ratings, JACKKNIFE)]
    types = dict.fromkeys(("value", "value_low", "value_high", "observed"), "Float64")
    types |= dict.fromkeys(("n", "n_averaged"), "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(types)


def _name(estimate: agreement.Estimate) -> str:
    level = estimate.convention.split(" ", 1)[0]
    return NAMES.get(estimate.coefficient, f"Krippendorff's alpha, {level}")


def _row(name: str, estimate: agreement.Estimate) -> list[object]:
    limits = [estimate.low, estimate.high]
    observed = None if estimate.coefficient == ALPHA else estimate.observed  # of alpha it is the disagreement
    basis = [observed, estimate.n, estimate.n_averaged, estimate.left_out]
    notes = [estimate.band, estimate.convention, "; ".join(estimate.warnings)]
    return [name, estimate.value, *limits, estimate.reason, *basis, *notes]
