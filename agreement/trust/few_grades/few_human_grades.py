"""Scores of systems from few human grades, corrected by the grades of a model.

All pairs of a pool have a model grade, and a random sample of them with known probabilities has a human grade. The
estimate is what the model predicts for all pairs, plus what the sample shows to be wrong with it. It is unbiased
however bad the model is; a good model makes the interval narrower.

References
----------
A. N. Angelopoulos, J. C. Duchi and T. Zrnic (2023). PPI++: efficient prediction-powered inference. arXiv:2311.01453.
C.-E. Särndal, B. Swensson and J. Wretman (1992). Model assisted survey sampling. Springer, chapter 6.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs
from agreement.trust.few_grades import linear
from agreement.trust.few_grades.control_variate import estimate
from agreement.trust.few_grades.ratio_estimates import RatioEstimates
from agreement.trust.few_grades.request import UNBIASED, checked_request
from agreement.trust.few_grades.result import FewGrades, FewGradesDifferences
from agreement.trust.few_grades.weights import is_linear
from pooling.draws.draw import Draw
from pooling.inputs import Input


def few_human_grades(
    runs: Runs,
    model: Input | None,
    grades: Input,
    draw: Draw,
    measure: MeasureLike,
    *,
    slope: str | float = "tuned",
    claim: str = "these_topics",
    variance: str = "plug_in",
    confidence: float = 0.95,
    scale: Sequence[float] | None = None,
    seed: int,
) -> FewGrades:
    """Estimate the score of every system from few human grades, with an interval and what the model saves.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    model : table, path or dictionary, or None
        The model's grades: query_id, doc_id and relevance, also fractions, on any scale. None uses no model.
    grades : table, path or dictionary
        The grades of people: query_id, doc_id and relevance, one for each drawn pair.
    draw : Draw
        The recorded draw (`pooling.draws`). Its pairs are the pool; ranked documents outside it count as not relevant.
    measure : str, ir_measures.Measure, or Measure
        A measure that is linear in the grades (P@k, DCG@k, RBP, SetP, NumRet(rel=1), NumRel), or nDCG, AP, R, SetR, F,
        Rprec, BreakEven or Bpref, which are estimated by a control variate.
    slope : "tuned" or float, optional
        "tuned" predicts the gain of a document by a regression on the model's grade, which is fitted on other grades
        of people than those that it is compared with. A number predicts this number times the model's grade: 1 for a
        model that answers with the probability that a document is relevant, and 0 for the classical estimate.
    claim : {"these_topics", "sampled_topics"}, optional
        Whether the intervals are for the topics of the draw, or for topics of which these are a random sample.
    variance : {"plug_in", "unbiased"}, optional
        How the variance of tuned estimates is estimated. "plug_in" takes the predictions as given. It is unbiased for
        a slope that is a number, and for tuned ones nearly. "unbiased" is unbiased for these exactly, over all draws.
        It needs a measure that is linear in the grades, and a draw of a fixed number of pairs from each stratum
        without drawn topics. It is not the default, because it says little more: on TREC DL 2019 with 200 grades of
        43 topics, the plug-in variance of P@10 is 8 % too large and the unbiased one not at all, and their 95 %
        intervals cover 95.0 and 94.4 % (`benchmarks.few_grades_variance`). But it has no interval if a stratum has one
        drawn pair or if it is below 0, takes three times as long, and its folds of two pairs make the mean squared
        error 2 % larger.
    confidence : float, optional
        Level of the intervals, between 0 and 1.
    scale : sequence of numbers, optional
        The declared grades, lowest first; graded RBP needs it.
    seed : int
        Seed of the folds of the regression, at least 0.

    Returns
    -------
    FewGrades
        `to_frame()` has a row for each system, and `differences()` compares the systems.

    Raises
    ------
    ValueError
        A drawn pair has no grade, or a grade is of a pair that was not drawn; the measure cannot be estimated so; an
        option is out of range; runs, model or grades are invalid.
    TypeError
        `draw` is not the record of a draw.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust.few_grades.few_human_grades import few_human_grades
    >>> from pooling.draws import draw_by_stratum
    >>> runs = {"lsa": {topic: {"a": 3, "b": 2, "c": 1} for topic in "123"}}
    >>> pairs = pd.DataFrame([(topic, doc_id) for topic in "123" for doc_id in "abc"], columns=["query_id", "doc_id"])
    >>> draw = draw_by_stratum(pairs, 3, seed=1)
    >>> grades = draw.drawn[["query_id", "doc_id"]].assign(relevance=[1, 0, 0, 1, 1, 0, 0, 0, 1])
    >>> scores = few_human_grades(runs, None, grades, draw, "P@2", seed=1).to_frame()
    >>> scores[["system", "value", "low", "high"]].round(3).to_dict("records")
    [{'system': 'lsa', 'value': 0.5, 'low': 0.5, 'high': 0.5}]
    """
    request = checked_request(
        runs,
        model,
        grades,
        draw,
        measure,
        slope=slope,
        claim=claim,
        variance=variance,
        confidence=confidence,
        scale=scale,
        seed=seed,
    )
    if is_linear(request.measure):
        return linear.estimate(request)
    if slope != "tuned":
        raise ValueError(f"slope must be 'tuned' for {request.measure.name}, which is not linear, not {slope!r}.")
    if request.variance == UNBIASED:
        raise ValueError(f"variance must be 'plug_in' for {request.measure.name}, which is not linear, not 'unbiased'.")
    return _of_ratio(estimate(runs, model, grades, draw, measure, claim=claim, confidence=confidence, seed=seed))


def _of_ratio(found: RatioEstimates) -> FewGrades:
    """The estimates of a measure that is not linear in the grades."""
    return FewGrades(found.to_frame(), **_shared(found), _compare=partial(_differences, found))


def _differences(found: RatioEstimates, pairs: Sequence[tuple[str, str]]) -> FewGradesDifferences:
    return FewGradesDifferences(found.differences(pairs), **_shared(found))


def _shared(found: RatioEstimates) -> dict[str, Any]:
    names = ("measure", "claim", "confidence", "n_grades", "n_topics", "seed", "notes")
    return {name: getattr(found, name) for name in names}
