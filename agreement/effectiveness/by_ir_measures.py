"""Measures that ir_measures computes: all that it supports and the functions here do not.

ir_measures gets the rankings and the gold of the matrix, not the original tables, so that the document order and the
topics do not change. The score of a document is the number of documents from it to the end of the ranking, so that a
provider that sorts again finds no tie. Scores are positive because Compat orders the documents of its ideal ranking by
score and gives unretrieved documents 0. Documents have new names. A measure that uses names, or columns other than
query_id, doc_id, score and relevance, cannot be computed this way.

A topic without a ranking scores 0. So does a topic whose grades are all negative, because pytrec_eval, which computes
most measures of ir_measures, writes to invalid memory on such a topic. A value that ir_measures leaves undefined is 0.
"""

from itertools import count
from typing import Any

import ir_measures
import numpy as np
from ir_measures import DefaultPipeline
from ir_measures.measures import registry

from agreement.effectiveness.parameters import CUTOFF, GAINS, REL
from agreement.effectiveness.ranked_runs import GradeMatrix

# Parameters that the providers do not check, although some of them fail on invalid values.
CHECKED = {"cutoff": CUTOFF, "rel": REL, "gains": GAINS}


class NotInstalledError(ValueError):
    """A measure of ir_measures that no installed package computes."""


def computed_names() -> list[str]:
    """Return the names of the measures that the installed packages compute."""
    installed = [provider for provider in DefaultPipeline.providers if provider.is_available()]
    return sorted({measure.NAME for provider in installed for measure in provider.SUPPORTED_MEASURES})


def ir_measure(name: str, given: dict[str, Any]) -> ir_measures.Measure:
    """Return the measure of ir_measures with these parameters."""
    known = registry[name].SUPPORTED_PARAMS
    if unknown := [key for key in given if key not in known]:
        raise ValueError(f"{name} has no parameter {unknown[0]}. It has {', '.join(known) or 'no parameters'}")
    if missing := [key for key, one in known.items() if one.required and key not in given]:
        raise ValueError(f"{name} needs {missing[0]}. It has {', '.join(known)}")
    for key, value in given.items():
        if key in CHECKED:
            CHECKED[key].value(value, key)
        # True and False are whole numbers for `validate`.
        elif not known[key].validate(value) or isinstance(value, bool) != (known[key].dtype is bool):
            raise ValueError(f"{key} must be {known[key].desc} ({known[key].dtype.__name__}), not {value!r}")
    measure: ir_measures.Measure = registry[name](**given)
    if not DefaultPipeline.supports(measure):  # type: ignore[no-untyped-call]  # ir_measures has no annotations
        raise NotInstalledError(f"{measure} is a measure of ir_measures, but no installed package computes it.")
    return measure


def scores(measure: ir_measures.Measure, matrix: GradeMatrix) -> np.ndarray:
    """Score every ranking, shape (n_systems, n_topics)."""
    if matrix.grades.dtype.kind == "f":
        raise ValueError(f"{measure} is computed by ir_measures, which needs whole grades, but the gold has fractions.")
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


def _calculated(evaluator: Any, run: dict[str, dict[str, float]]) -> list[tuple[str, float]]:
    """Return the topics of a run that have a value, with the value."""
    if not run:
        return []
    try:
        return [(metric.query_id, metric.value) for metric in evaluator.iter_calc(run) if metric.query_id in run]
    except (
        ZeroDivisionError
    ):  # Accuracy of a topic without a nonrelevant retrieved document; the other topics have values
        one_by_one = [{topic: run[topic]} for topic in run] if len(run) > 1 else []
        return [value for one in one_by_one for value in _calculated(evaluator, one)]


def _with_grades(matrix: GradeMatrix) -> list[int]:
    """Return the positions of the topics with a grade of 0 or more."""
    return [int(topic) for topic in np.flatnonzero((matrix.gold >= 0).any(axis=1))]


def _gold(grades: np.ndarray, unjudged: float) -> list[tuple[str, int]]:
    """Return the documents of a topic with new names and their grades."""
    return [(f"judged{position}", int(grade)) for position, grade in enumerate(grades) if grade != unjudged]


def _ranking(grades: np.ndarray, documents: list[tuple[str, int]]) -> dict[str, float]:
    """Return documents with scores; a judged document is represented by any document of the gold with its grade."""
    left: dict[int, list[str]] = {}
    # Reversed, because pop() takes the last one.
    for name, grade in reversed(documents):
        left.setdefault(grade, []).append(name)
    scores = count(len(grades), -1)
    names = (
        left[grade].pop() if grade in left else f"unjudged{position}" for position, grade in enumerate(grades.tolist())
    )
    return {name: float(score) for name, score in zip(names, scores, strict=False)}
