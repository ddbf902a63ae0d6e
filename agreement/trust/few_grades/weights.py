"""Measures that are linear in the gains of the documents, as a weight of each system on each pair of a pool.

    score of a system = sum over the pairs of the pool of weight * gain(grade)

==================== ============================================== ====================================
measure              weight of the document at rank i, of T topics  gain of a grade
==================== ============================================== ====================================
``P(rel)@k``         1 / (k T) up to rank k                         1 for `rel` and above
``DCG@k``            1 / (discount(i) T) up to rank k               the grade, or 2^grade - 1
``RBP(p)``           (1 - p) p^(i - 1) / T                          grade / highest, or 1 for `rel` and above
``SetP(rel)``        1 / (length of the ranking, T)                 1 for `rel` and above
``NumRet(rel)``      1 / T                                          1 for `rel` and above
``NumRel(rel)``      1 / T for each pair, retrieved or not          1 for `rel` and above
==================== ============================================== ====================================

NumRet is the numerator of recall, and NumRel its denominator. Recall itself, AP, nDCG and other ratios are not linear.
A negative grade gains nothing. A document that is ranked but not in the pool gains nothing either, as an unjudged
document does not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.grade_matrix import GradeMatrix
from agreement.effectiveness.measure import NEEDED_OPTIONS, Measure
from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.measures.dcg import DISCOUNTS, GAINS

LINEAR = ("P", "DCG", "RBP", "SetP", "NumRet", "NumRel")
ZERO_ONE = ("P", "SetP", "NumRet", "NumRel")
PERSISTENCE = 0.8


@dataclass(frozen=True, eq=False)
class PairWeights:
    """The weights of the systems on the pairs of a pool.

    Attributes
    ----------
    systems : tuple of str, length n_systems
        Ascending.
    weights : ndarray of float, shape (n_systems, n_pairs)
        At least 0; 0 where a pair does not count.
    outside : ndarray of int, shape (n_systems,)
        Ranked documents that would have a weight, but are not in the pool.
    """

    systems: tuple[str, ...]
    weights: np.ndarray
    outside: np.ndarray


def is_linear(measure: Measure) -> bool:
    """Whether a measure is a weighted sum of gains.

    Examples
    --------
    >>> from agreement import parse_measure
    >>> from agreement.trust.few_grades.weights import is_linear
    >>> [is_linear(parse_measure(name)) for name in ("P(rel=2)@10", "AP", "P(judged_only=True)@10")]
    [True, False, False]
    """
    name, parameters = _base(measure), measure.parameters
    if measure.judged_only or name not in LINEAR or parameters.get("relative"):
        return False
    return name != "NumRet" or "rel" in parameters


def pair_weights(runs: RankedRuns, pairs: pd.DataFrame, measure: Measure) -> PairWeights:
    """Compute the weight of each system on each pair; scores are means over the topics of the pairs.

    Parameters
    ----------
    runs : RankedRuns
        Rankings.
    pairs : DataFrame, shape (n_pairs, ...)
        The pool: columns query_id and doc_id, each pair once.
    measure : Measure
        A linear measure (`is_linear`).

    Returns
    -------
    PairWeights

    Raises
    ------
    ValueError
        The measure is not linear, or a pair occurs twice.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import parse_measure, prepare
    >>> from agreement.trust.few_grades.weights import pair_weights
    >>> runs = prepare({"lsa": {"1": {"a": 3, "b": 2, "c": 1}}})
    >>> pairs = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c"]})
    >>> pair_weights(runs, pairs, parse_measure("P@2")).weights.tolist()
    [[0.5, 0.5, 0.0]]
    """
    refuse_not_linear(measure)
    rows = pairs[["query_id", "doc_id"]].assign(relevance=np.arange(len(pairs)))
    matrix = runs.under(rows)  # the "grade" of a document is its row
    n_topics = max(len(matrix.query_ids), 1)
    if _base(measure) == "NumRel":
        shape = (len(matrix.systems), len(pairs))
        return PairWeights(matrix.systems, np.full(shape, 1 / n_topics), np.zeros(shape[0], dtype=np.int64))
    at_ranks = _rank_weights(measure, matrix) / n_topics
    row = matrix.grades[..., : at_ranks.shape[-1]]
    inside = row >= 0
    weights = np.zeros((len(matrix.systems), len(pairs)))
    system, topic, rank = np.nonzero(inside)
    weights[system, row[inside]] = np.broadcast_to(at_ranks, row.shape)[system, topic, rank]
    ranked = np.minimum(matrix.retrieved, row.shape[-1]).sum(axis=1)
    return PairWeights(matrix.systems, weights, np.asarray(ranked - inside.sum(axis=(1, 2))))


def gains(measure: Measure, grades: np.ndarray, highest: float | None = None) -> np.ndarray:
    """Return the gain of each grade.

    Parameters
    ----------
    measure : Measure
        A linear measure.
    grades : ndarray of float, any shape
        Grades of people or of a model.
    highest : float, optional
        The highest grade of the declared scale, for graded RBP.

    Returns
    -------
    ndarray of float, the shape of `grades`

    Raises
    ------
    ValueError
        Graded RBP lacks the declared scale, or an exponential gain is too large.

    Examples
    --------
    >>> import numpy as np
    >>> from agreement import parse_measure
    >>> from agreement.trust.few_grades.weights import gains
    >>> gains(parse_measure("P(rel=2)@10"), np.array([0.0, 1.0, 2.0])).tolist()
    [0.0, 0.0, 1.0]
    """
    name, parameters = _base(measure), measure.parameters
    if name in ZERO_ONE or "rel" in parameters:
        return np.asarray((grades >= parameters.get("rel", 1)).astype(np.float64))
    positive = np.maximum(grades, 0).astype(np.float64)
    if name == "DCG":
        return GAINS[parameters.get("gain", "linear")](positive)
    if highest is None or highest <= 0:
        raise ValueError(f"{measure.name} needs {NEEDED_OPTIONS['highest']}.")
    return np.asarray(positive / highest)


def refuse_not_linear(measure: Measure) -> None:
    """Raise ValueError for a measure that is not linear, with the names of those that are."""
    if not is_linear(measure):
        raise ValueError(
            f"{measure.name} is not linear in the grades, so that it is no sum over single documents. Linear measures"
            " are P@k, DCG@k, RBP, SetP, NumRet(rel=1) and NumRel, without judged_only."
        )


def _rank_weights(measure: Measure, matrix: GradeMatrix) -> np.ndarray:
    """The weights of the ranks; the shape can be broadcast to (n_systems, n_topics, ranks that count)."""
    name, parameters = _base(measure), measure.parameters
    ranks = np.arange(1, 1 + min(parameters.get("cutoff") or matrix.grades.shape[2], matrix.grades.shape[2]))
    if name == "SetP":
        return np.asarray(np.broadcast_to(1 / np.maximum(matrix.retrieved, 1)[..., None], matrix.grades.shape))
    by_name: dict[str, Callable[[], Any]] = {
        "P": lambda: np.full(len(ranks), 1 / parameters["cutoff"]),
        "DCG": lambda: 1 / DISCOUNTS[parameters.get("discount", "log2")](ranks),
        "RBP": lambda: (1 - _persistence(measure)) * _persistence(measure) ** (ranks - 1.0),
        "NumRet": lambda: np.ones(len(ranks)),
    }
    return np.asarray(by_name[name]())


def _persistence(measure: Measure) -> float:
    return float(measure.parameters.get("p", PERSISTENCE))


def _base(measure: Measure) -> str:
    return measure.name.split("(")[0].split("@")[0]
