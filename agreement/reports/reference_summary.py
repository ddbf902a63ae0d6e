"""The headline of an agreement report with a reference: which judge is closest to it, and which is farthest.

The headline uses the judges with enough data in common with the reference, as that of all pairs does. If none has
enough, it is preliminary.
"""

import pandas as pd

from agreement.reports.agreement_summary import AgreementSummary, PairOfJudges
from agreement.reports.listed_pairs import in_order_of
from agreement.thresholds import preliminary


def reference_headline(summary: AgreementSummary, pairs: pd.DataFrame, reference: str) -> str:
    """Return one answer to the question how close the judges are to a reference.

    `pairs` are the pairs with the reference, one row for each, and `summary` is theirs.
    """
    defined = [pair for pair in summary.compared if pair.kappa is not None]
    if not defined:
        return f"Cannot be determined: no judge has a kappa with {reference}. {summary.needed()}"
    ordered = sorted(defined, key=lambda pair: -(pair.kappa or 0))
    closest, farthest = (_described(pair, pairs, reference) for pair in (ordered[0], ordered[-1]))
    answer = f"Of {len(ordered)} judges, the closest to {reference} is {closest}, and the farthest is {farthest}."
    if len(ordered) == 1:
        answer = f"The one judge to compare with {reference} is {closest}."
    return preliminary(answer, summary.there_is(), summary.needed()) if summary.preliminary else answer


def _described(pair: PairOfJudges, pairs: pd.DataFrame, reference: str) -> str:
    """The judge of a pair with the reference, with pooled kappa and its interval."""
    name = pair.b if pair.a == reference else pair.a
    row = in_order_of(pairs, pd.DataFrame({"assessor_a": [pair.a], "assessor_b": [pair.b]})).iloc[0]
    low, high = row.get("pooled_kappa_low"), row.get("pooled_kappa_high")
    interval = "" if pd.isna(low) else f", 95% interval {low:z.2f} to {high:z.2f}"
    return f"{name} (pooled kappa {pair.kappa:z.2f}{interval})"
