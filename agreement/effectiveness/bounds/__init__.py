"""The smallest and the largest value that a score can have if not everything is known: a score with its residual.

Two things can be unknown. They are bounded separately:

`unknown="ranks"`
    The ranking is known down to some rank only, and continues over the whole collection. The gold is complete, so that
    R is known: a document that is not in the gold is not relevant. The score is largest if the documents not retrieved
    follow directly, highest grade first, and smallest if they are at the end of the collection, highest grade last
    (`agreement.effectiveness.bounds.ranks`). The score of the known ranking, without these documents, is never above
    the smallest. Exercise 8.9 of Manning, Raghavan and Schuetze (2008) asks for these bounds of average precision.
`unknown="judgements"`
    Unjudged documents of the ranking may be relevant or not; for a graded measure each may have grade 0 or any grade of
    the declared scale. Documents that are not in the ranking keep their grade in the gold (not relevant if they are not
    in the gold), and nothing follows the ranking. If a measure counts the relevant documents R of the topic, the
    documents of the ranking that are assumed to be relevant count too (`agreement.effectiveness.bounds.judgements`).

The bounds are exact: each is the score of a possible ranking or gold. Unjudged documents are those that are not in the
gold, and those with a negative grade. Measures: AP, P, R, F, Rprec, BreakEven, RR, Success, RBP, DCG, nDCG; with
unknown judgements also SetP, SetR, SetF, E and ERR. The other measures have no bounds here, among them bpref, infAP and
Q, for which exact bounds are harder to derive. A topic without relevant documents has the value 0. With unknown ranks,
both of its bounds are 0; with unknown judgements, the largest value counts the documents that may be relevant.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from agreement.effectiveness.bounds import judgements as judgement_bounds
from agreement.effectiveness.bounds import ranks as rank_bounds
from agreement.effectiveness.measure import Measure, MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, Runs, prepare
from agreement.effectiveness.registry import MEASURES
from pooling.inputs import Input
from pooling.ranking import check_common_topic

BoundsFunction: TypeAlias = Callable[[GradeMatrix, Measure], tuple[np.ndarray, np.ndarray]]

UNKNOWN: dict[str, Mapping[str, BoundsFunction]] = {
    "judgements": judgement_bounds.BOUNDS,
    "ranks": rank_bounds.BOUNDS,
}


def score_bounds(
    runs: Runs,
    gold: Input,
    measure: MeasureLike,
    *,
    unknown: str = "judgements",
    scale: Sequence[float] | None = None,
    collection_size: int | None = None,
) -> pd.DataFrame:
    """Compute scores with the smallest and the largest value that they can have.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. A negative relevance means "not judged".
    measure : str, ir_measures.Measure, or Measure
        One of AP, P, R, F, Rprec, BreakEven, RR, Success, RBP, DCG and nDCG; with unknown judgements also SetP, SetR,
        SetF, E and ERR. Parameters are allowed, except judged_only and relative.
    unknown : {"judgements", "ranks"}
        The relevance of the unjudged documents, or the ranks after the end of the ranking.
    scale : sequence of numbers, optional
        Declared grades, lowest first; needed for graded measures with unknown judgements.
    collection_size : int, optional
        Number of documents in the collection; needed with unknown ranks, and only then allowed.

    Returns
    -------
    DataFrame
        Columns system, query_id, measure, value, low and high, sorted by system and topic, for all topics of the gold.
        low <= value <= high with unknown judgements, value <= low <= high with unknown ranks.

    Raises
    ------
    ValueError
        The measure has no bounds, an option is missing or invalid, or the collection is too small.

    References
    ----------
    A. Moffat and J. Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1),
    article 2 (residuals).

    Examples
    --------
    d2 is not judged. If it is relevant, the AP of lsa is still 1, and that of bm25 is 1 instead of 0.5.

    >>> import pandas as pd
    >>> from agreement import score_bounds
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> score_bounds(runs, gold.head(1), "AP")[["system", "value", "low", "high"]]
      system  value  low  high
    0   bm25    0.5  0.5   1.0
    1    lsa    1.0  1.0   1.0
    """
    if unknown not in UNKNOWN:
        raise ValueError(f"unknown must be one of {', '.join(UNKNOWN)}, not {unknown!r}.")
    if (unknown == "ranks") == (collection_size is None):
        raise ValueError(f"collection_size must be set with unknown ranks, and only then, not {collection_size!r}.")
    measure = parse_measure(measure)
    bounds = _function(UNKNOWN[unknown], measure)
    ranked_runs = prepare(runs)
    matrix = ranked_runs.under(gold, scale=scale, collection_size=collection_size)
    check_common_topic(ranked_runs, matrix.query_ids)
    value, (low, high) = measure(matrix), bounds(matrix, measure)
    # Bounds add in a different order than scores, and may differ from them in the last digit.
    low = np.minimum(low, value) if unknown == "judgements" else np.maximum(low, value)
    return _frame(matrix, measure.name, {"value": value, "low": low, "high": np.maximum(high, np.maximum(low, value))})


def ap_bounds(runs: Runs, gold: Input, rel: int = 1, *, collection_size: int) -> pd.DataFrame:
    """Compute average precision with the smallest and the largest value that a ranking can still reach.

    The ranking is known down to its end, and continues over the rest of the collection. The gold is complete. The
    result equals that of `score_bounds` of AP with unknown ranks.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. A negative relevance means "not judged".
    rel : int
        Lowest relevant grade.
    collection_size : int
        Number of documents in the collection.

    Returns
    -------
    DataFrame
        Columns system, query_id, value, low and high, with value <= low <= high, sorted by system and topic of the
        gold.

    Raises
    ------
    ValueError
        The collection is too small, or the runs or the gold are invalid.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, exercise 8.9.

    Examples
    --------
    One of two relevant documents is not retrieved. It is at rank 2 at best, and at rank 10 at worst.

    >>> import pandas as pd
    >>> from agreement import ap_bounds
    >>> runs = pd.DataFrame([("lsa", "1", "d1", 1)], columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 1)], columns=["query_id", "doc_id", "relevance"])
    >>> ap_bounds(runs, gold, collection_size=10)[["value", "low", "high"]]
       value  low  high
    0    0.5  0.6   1.0
    """
    bounds = score_bounds(runs, gold, f"AP(rel={rel})", unknown="ranks", collection_size=collection_size)
    return bounds.drop(columns="measure")


def _function(bounds: Mapping[str, BoundsFunction], measure: Measure) -> BoundsFunction:
    base = measure.name.split("@")[0].split("(")[0]
    computed_here = base in bounds and measure.function is MEASURES[base].function
    if not computed_here or measure.judged_only or measure.parameters.get("relative"):
        names = ", ".join(bounds)
        raise ValueError(f"Only {names} have bounds, without judged_only and relative, not {measure.name}.")
    return bounds[base]


def _frame(matrix: GradeMatrix, measure: str, columns: dict[str, np.ndarray]) -> pd.DataFrame:
    system, topic = (codes.ravel() for codes in np.indices(matrix.retrieved.shape))
    names = {
        "system": pd.Index(matrix.systems, dtype="str").take(system),
        "query_id": pd.Index(matrix.query_ids, dtype="str").take(topic),
        "measure": measure,
    }
    return pd.DataFrame({**names, **{name: values.ravel() for name, values in columns.items()}})
