"""Measures that ir_measures computes: whatever it has and the fast engine has not.

ir_measures is handed the rankings and the gold of the matrix, not the tables that they came from. So THE order and
the topics stand: a document's score is the number of documents that stand from it on downwards (a provider that
sorts again finds no tie), and documents have other names. A measure that looks at names, or at columns other than
query_id, doc_id, score and relevance, cannot be computed so.

A topic that the run lacks scores 0; so does one in whose gold every grade is negative (pytrec_eval, to which
ir_measures hands most measures, writes where it must not on such a topic). What ir_measures leaves undefined
for a topic is 0.
"""

from itertools import count

import ir_measures
import numpy as np
from ir_measures import DefaultPipeline
from ir_measures.measures import registry

from agreement.effectiveness.parameters import CUTOFF, GAINS, REL
from agreement.effectiveness.ranked_runs import GradeMatrix

# What its providers do not check, and some of them trip over.
CHECKED = {"cutoff": CUTOFF, "rel": REL, "gains": GAINS}


class NotInstalledError(ValueError):
    """A measure of ir_measures that nothing here computes."""


def computed_here() -> list[str]:
    """The names of the measures that what is installed computes."""
    installed = [provider for provider in DefaultPipeline.providers if provider.is_available()]
    return sorted({measure.NAME for provider in installed for measure in provider.SUPPORTED_MEASURES})


def ir_measure(name: str, given: dict) -> ir_measures.Measure:
    """The measure of ir_measures.

    Raises
    ------
    ValueError
        It has not this parameter, or not this value for it.
    NotInstalledError
        Nothing that is installed computes it.
    """
    known = registry[name].SUPPORTED_PARAMS
    if unknown := [key for key in given if key not in known]:
        raise ValueError(f"{name} has no {unknown[0]}, but {', '.join(known) or 'no parameters'}")
    if lacking := [key for key, one in known.items() if one.required and key not in given]:
        raise ValueError(f"{name} needs {lacking[0]}; it has {', '.join(known)}")
    for key, value in given.items():
        if key in CHECKED:
            CHECKED[key].value(value, key)
        elif not known[key].validate(value) or isinstance(value, bool) != (known[key].dtype is bool):
            raise ValueError(f"{key} is {known[key].desc} ({known[key].dtype.__name__}); got {value!r}")
    measure = registry[name](**given)
    if not DefaultPipeline.supports(measure):
        raise NotInstalledError(f"{measure} is a measure of ir_measures, and nothing that is installed computes it")
    return measure


def scores(measure: ir_measures.Measure, matrix: GradeMatrix) -> np.ndarray:
    """Scores of every ranking, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        A grade is a fraction: providers take whole grades.
    """
    if matrix.grades.dtype.kind == "f":
        raise ValueError(f"{measure} is computed by ir_measures, which takes whole grades; the gold has fractions")
    values = np.zeros(matrix.retrieved.shape)
    judged = {topic: _gold(matrix.gold[topic], matrix.unjudged) for topic in _with_grades(matrix)}
    if not judged:
        return values
    qrels = {str(topic): dict(documents) for topic, documents in judged.items()}
    evaluator = ir_measures.evaluator([measure], qrels)
    for system, rankings in enumerate(matrix.grades):
        run = {
            str(topic): _ranking(rankings[topic, : matrix.retrieved[system, topic]], documents)
            for topic, documents in judged.items()
            if matrix.retrieved[system, topic]
        }
        for topic, value in _calculated(evaluator, run):
            values[system, int(topic)] = value
    return np.nan_to_num(values, nan=0.0)


def _calculated(evaluator: ir_measures.Evaluator, run: dict) -> list[tuple[str, float]]:
    """The topics of a run that have a value, and these."""
    if not run:
        return []
    try:
        return [(metric.query_id, metric.value) for metric in evaluator.iter_calc(run) if metric.query_id in run]
    except ZeroDivisionError:  # Accuracy, where no nonrelevant document was retrieved: the other topics still count
        one_by_one = [{topic: run[topic]} for topic in run] if len(run) > 1 else []
        return [value for one in one_by_one for value in _calculated(evaluator, one)]


def _with_grades(matrix: GradeMatrix) -> list[int]:
    """The topics with a grade of 0 or more."""
    return np.flatnonzero((matrix.gold >= 0).any(axis=1)).tolist()


def _gold(grades: np.ndarray, unjudged: float) -> list[tuple[str, int]]:
    """The documents of a topic, each with a name and its grade."""
    return [(f"judged{place}", int(grade)) for place, grade in enumerate(grades) if grade != unjudged]


def _ranking(grades: np.ndarray, documents: list[tuple[str, int]]) -> dict[str, float]:
    """Document and score: a judged document stands for any of the gold with its grade."""
    left = {}
    for name, grade in reversed(documents):
        left.setdefault(grade, []).append(name)
    scores = count(len(grades), -1)
    names = (left[grade].pop() if grade in left else f"unjudged{place}" for place, grade in enumerate(grades.tolist()))
    return {name: float(score) for name, score in zip(names, scores, strict=False)}
