"""Between which values a score lies, when not all is known: a score with its residual.

Two things can be unknown, and are bounded one at a time:

`unknown="ranks"`
    The ranking is known down to some rank only, and goes on over the whole collection. The gold is complete, so
    R is known: what it does not name is not relevant. The score is largest if the documents not retrieved follow
    at once, highest grade first, and smallest if they come at the very end of the collection, highest grade last
    (`agreement.effectiveness.bounds.ranks`). The score of the ranking as it is, which never finds them, is not
    above the smallest. Exercise 8.9 of Manning, Raghavan and Schuetze (2008) asks this of average precision.
`unknown="judgements"`
    Unjudged documents of the ranking may be relevant or not; for a graded measure each may have grade 0 or any
    of the declared scale. What is not in the ranking stays as the gold has it (not relevant where the gold says
    nothing), and nothing comes after the ranking. Where a measure counts the relevant documents R of the topic,
    those of the ranking that turn out relevant are counted too (`agreement.effectiveness.bounds.judgements`).

The bounds are exact: each is the score of a ranking, or a gold, that is possible. Unjudged documents are those
that the gold does not name, and those with a negative grade. Measures: AP, P, R, F, Rprec, BreakEven, RR, Success,
RBP, DCG, nDCG; with unknown judgements SetP, SetR, SetF, E and ERR too. The others have none here, among them bpref,
infAP and Q, whose extremes have no such short argument. A topic without relevant documents has the value 0. So are
both bounds with unknown ranks; with unknown judgements the largest counts the documents that may be relevant.
"""

import numpy as np
import pandas as pd

from agreement.effectiveness.bounds import judgements as judgement_bounds
from agreement.effectiveness.bounds import ranks as rank_bounds
from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, prepare
from agreement.effectiveness.registry import MEASURES

UNKNOWN = {"judgements": judgement_bounds, "ranks": rank_bounds}


def score_bounds(
    runs,
    gold: pd.DataFrame,
    measure: str | Measure,
    *,
    unknown: str = "judgements",
    scale=None,
    collection_size: int | None = None,
) -> pd.DataFrame:
    """Scores with the smallest and the largest value that they can have.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `prepare`.
    gold : DataFrame
        Columns query_id, doc_id, relevance.
    measure : str or Measure
        As for `parse_measure`.
    unknown : {"judgements", "ranks"}
        What is unknown; see the module.
    scale : sequence of numbers, optional
        The declared grades, lowest first; graded measures need it where judgements are unknown.
    collection_size : int, optional
        Number of documents that could have been retrieved; needed where ranks are unknown.

    Returns
    -------
    DataFrame
        Columns system, query_id, measure, value, low, high; by system and topic of the gold, all of them.
        low <= value <= high where judgements are unknown, value <= low <= high where ranks are.

    Raises
    ------
    ValueError
        A measure that has no bounds, or what it needs is not given; a collection that is too small.
    """
    if unknown not in UNKNOWN:
        raise ValueError(f"unknown is one of {', '.join(UNKNOWN)}; got {unknown!r}")
    if (unknown == "ranks") == (collection_size is None):
        raise ValueError(f"collection_size is given with unknown ranks, and only then; got {collection_size!r}")
    measure = parse_measure(measure) if isinstance(measure, str) else measure
    bounds = _function(UNKNOWN[unknown].BOUNDS, measure)
    matrix = prepare(runs).under(gold, scale=scale, collection_size=collection_size)
    value, (low, high) = measure(matrix), bounds(matrix, measure)
    # Bounds are sums in another order than scores, and may differ from them in the last digit.
    low = np.minimum(low, value) if unknown == "judgements" else np.maximum(low, value)
    return _frame(matrix, measure.name, {"value": value, "low": low, "high": np.maximum(high, np.maximum(low, value))})


def ap_bounds(runs, gold: pd.DataFrame, rel: int = 1, *, collection_size: int) -> pd.DataFrame:
    """Average precision with the smallest and the largest value that a ranking can still reach.

    The ranking is known down to its end, and goes on over the rest of the collection; the gold is complete. The
    same as `score_bounds` of AP with unknown ranks.

    Parameters
    ----------
    runs, gold, collection_size
        As for `score_bounds`.
    rel : int
        Lowest grade that counts as relevant.

    Returns
    -------
    DataFrame
        Columns system, query_id, value, low, high, with value <= low <= high; by system and topic of the gold.

    Raises
    ------
    ValueError
        A collection that is too small.
    """
    bounds = score_bounds(runs, gold, f"AP(rel={rel})", unknown="ranks", collection_size=collection_size)
    return bounds.drop(columns="measure")


def _function(bounds: dict, measure: Measure):
    base = measure.name.split("@")[0].split("(")[0]
    computed_here = base in bounds and measure.function is MEASURES[base].function
    if not computed_here or measure.judged_only or measure.parameters.get("relative"):
        there_are = ", ".join(bounds)
        raise ValueError(f"there are bounds of {there_are}, without judged_only and relative; got {measure.name}")
    return bounds[base]


def _frame(matrix: GradeMatrix, measure: str, columns: dict[str, np.ndarray]) -> pd.DataFrame:
    system, topic = (codes.ravel() for codes in np.indices(matrix.retrieved.shape))
    names = {
        "system": pd.Index(matrix.systems, dtype="str").take(system),
        "query_id": pd.Index(matrix.query_ids, dtype="str").take(topic),
        "measure": measure,
    }
    return pd.DataFrame({**names, **{name: values.ravel() for name, values in columns.items()}})
