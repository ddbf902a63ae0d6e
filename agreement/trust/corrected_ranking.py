"""The ranking under a model next to that by corrected scores, when people graded only a draw.

The corrected scores have errors of the draw, so that their ranking differs from the model's also where both are right,
and tau_b is too low rather than too high. So each two of the best systems are also compared: a pair is decided if the
interval of its corrected difference is reliable and does not contain 0, and then the model orders it the same way or
the other way.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from agreement.rank_correlation import tau_b
from agreement.rank_correlation.orders import TIE
from agreement.trust.few_grades.result import FewGrades
from pooling.words import count

MOST_COMPARED = 50  # systems; a difference of two costs some milliseconds


def corrected_ranking(scores: Mapping[str, FewGrades]) -> pd.DataFrame:
    """Compare the ranking under each model with that by its corrected scores.

    Parameters
    ----------
    scores : mapping of str to FewGrades
        The corrected scores by the name of the model.

    Returns
    -------
    DataFrame
        One row for each model: model, n_systems, tau_b, pairs (of the 50 best systems), decided (by corrected
        differences), same_order and opposite_order (of the decided pairs, under the model alone), best_corrected,
        best_model, and sentence.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust.corrected_ranking import corrected_ranking
    >>> from agreement.trust.few_grades.few_human_grades import few_human_grades
    >>> from pooling.draws import draw_by_stratum
    >>> runs = {"good": {"1": {"a": 2, "b": 1}}, "bad": {"1": {"a": 1, "b": 2}}}
    >>> grades = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b"], "relevance": [1, 0]})
    >>> draw = draw_by_stratum(grades[["query_id", "doc_id"]], 2, seed=1)
    >>> found = corrected_ranking({"llm": few_human_grades(runs, grades, grades, draw, "P@1", seed=1)})
    >>> found[["model", "tau_b", "pairs", "decided", "same_order"]].to_dict("records")
    [{'model': 'llm', 'tau_b': 1.0, 'pairs': 1, 'decided': 1, 'same_order': 1}]
    """
    return pd.DataFrame([_row(model, found) for model, found in scores.items()])


def _row(model: str, found: FewGrades) -> dict[str, Any]:
    table = found.to_frame()
    tau = tau_b(table["value"].to_numpy(float), table["model_alone"].to_numpy(float))
    row = {
        "model": model,
        "n_systems": len(table),
        "tau_b": tau.value if tau.defined else pd.NA,
        **_decisions(found.differences(systems=_compared(table)).to_frame()),
        "best_corrected": _best(table, "value"),
        "best_model": _best(table, "model_alone"),
    }
    return row | {"sentence": _sentence(row)}


def _compared(table: pd.DataFrame) -> list[str]:
    """The best systems by corrected score, ascending by name."""
    best = table.sort_values(["value", "system"], ascending=[False, True]).head(MOST_COMPARED)
    return sorted(best["system"])


def _decisions(differences: pd.DataFrame) -> dict[str, int]:
    """The pairs of systems, those that corrected differences decide, and how the model orders these."""
    low, high, by_model = (differences[name].to_numpy(float) for name in ("low", "high", "model_alone"))
    sign = np.where(low > TIE, 1, np.where(high < -TIE, -1, 0)) * differences["reason"].isna().to_numpy()
    model_sign = np.where(np.abs(by_model) < TIE, 0, np.sign(by_model))
    return {
        "pairs": len(differences),
        "decided": int((sign != 0).sum()),
        "same_order": int((sign * model_sign > 0).sum()),
        "opposite_order": int((sign * model_sign < 0).sum()),
    }


def _best(table: pd.DataFrame, column: str) -> str:
    scores = table[column].astype(float)
    return ", ".join(table["system"][scores >= scores.max() - TIE])


def _sentence(row: Mapping[str, Any]) -> str:
    text = (
        f"Corrected scores decide {row['decided']:,} of {count(row['pairs'], 'pair')} of systems; {row['model']} orders"
        f" {row['same_order']:,} of these the same way and {row['opposite_order']:,} the other way."
    )
    if row["best_model"] == row["best_corrected"]:
        return f"{text} The best system is {row['best_corrected']} for both."
    return (
        f"{text} The best system is {row['best_corrected']} by corrected scores, and {row['best_model']} by the model."
    )
