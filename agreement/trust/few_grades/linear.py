"""Scores and differences by measures that are linear in the grades."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from agreement.checks import float_column
from agreement.trust.few_grades.difference_estimator import Estimated, SampleDesign, design_of, difference_estimate
from agreement.trust.few_grades.predictions import cross_fitted
from agreement.trust.few_grades.request import TUNED, UNBIASED, Request
from agreement.trust.few_grades.result import CLAIMS, NUMBERS, FewGrades, FewGradesDifferences
from agreement.trust.few_grades.unbiased_variance import unbiased_estimate
from agreement.trust.few_grades.weights import gains, pair_weights
from pooling.words import count

MOST_CELLS = 20_000_000  # weights in memory at a time
# Below, intervals cover too often or too rarely (docs/studies/few-grades.md and few-grades-topics.md): grades of people
# that an estimate uses, and those of them whose gain is not the most frequent one. Grades of unequal weight count as
# fewer of equal weight. If they count as less than half, as with RBP, differences need more.
LEAST_GRADES, LEAST_RARER, LEAST_OF_UNEQUAL = 30, 5, 70
ROUNDING = 1e-6
NO_VARIANCE = "no interval: a variance needs two grades and, if topics were drawn, two topics"
NO_UNBIASED = "no interval: a stratum has one grade, or the unbiased variance is below 0"


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What all estimates of a request share.

    Shapes: `weights` (n_systems, n_pairs); `gains` (n_drawn,); `model`, the grades without gaps, and `model_gains`
    (n_pairs,).
    """

    request: Request
    design: SampleDesign
    weights: np.ndarray
    gains: np.ndarray
    model: np.ndarray | None
    model_gains: np.ndarray | None


def estimate(request: Request) -> FewGrades:
    """Estimate the scores of all systems; the result estimates their differences on demand."""
    of_pairs = pair_weights(request.runs, request.graded, request.measure)
    prepared = _prepared(request, of_pairs.weights)
    table = _table(prepared, of_pairs.weights)
    table.insert(0, "system", pd.Series(of_pairs.systems, dtype="str"))
    systems = {system: row for row, system in enumerate(of_pairs.systems)}
    return FewGrades(
        table=table,
        measure=request.measure.name,
        claim=request.claim,
        confidence=request.confidence,
        n_grades=len(prepared.gains),
        n_topics=prepared.design.n_topics,
        seed=request.seed,
        notes=(*request.notes, *_notes(prepared, of_pairs.outside)),
        _compare=partial(_differences, prepared, systems),
    )


def _prepared(request: Request, weights: np.ndarray) -> _Prepared:
    design = design_of(request.draw)
    human = request.graded["relevance"].to_numpy(dtype=np.float64, na_value=np.nan)[design.drawn]
    model, model_gains = request.model, None
    if model is not None:
        missing = np.isnan(model)
        model = np.where(missing, np.nanmean(model), model)
        model_gains = np.where(missing, 0.0, gains(request.measure, model, request.highest))
    return _Prepared(request, design, weights, gains(request.measure, human, request.highest), model, model_gains)


def _notes(prepared: _Prepared, outside: np.ndarray) -> list[str]:
    notes = []
    if outside.any():
        verb = "is" if outside.sum() == 1 else "are"
        notes.append(
            f"{count(int(outside.sum()), 'ranked document')} of {count(int((outside > 0).sum()), 'system')}"
            f" that would count {verb} outside the pool of the draw and gain nothing."
        )
    if prepared.design.is_fixed and (n_collapsed := prepared.design.groups.n_collapsed):
        notes.append(
            f"{count(n_collapsed, 'stratum')} with one graded pair".replace("stratums", "strata")
            + " joined with a neighbour for the variance, which is then too large rather than too small."
        )
    return notes


def _differences(
    prepared: _Prepared, systems: dict[str, int], pairs: Sequence[tuple[str, str]]
) -> FewGradesDifferences:
    request = prepared.request
    first = np.array([systems[a] for a, _ in pairs], dtype=np.int64)
    second = np.array([systems[b] for _, b in pairs], dtype=np.int64)
    size = max(MOST_CELLS // max(prepared.weights.shape[1], 1), 1)
    blocks = [
        _table(prepared, prepared.weights[first[at : at + size]] - prepared.weights[second[at : at + size]])
        for at in range(0, max(len(pairs), 1), size)
    ]
    table = pd.concat(blocks, ignore_index=True)
    for position, name in enumerate(("system_a", "system_b")):
        table.insert(position, name, pd.Series([pair[position] for pair in pairs], dtype="str"))
    return FewGradesDifferences(
        table=table,
        measure=request.measure.name,
        claim=request.claim,
        confidence=request.confidence,
        n_grades=len(prepared.gains),
        n_topics=prepared.design.n_topics,
        seed=request.seed,
        notes=request.notes,
    )


def _table(prepared: _Prepared, weights: np.ndarray) -> pd.DataFrame:
    """The columns of the result without the names of the systems."""
    request, design = prepared.request, prepared.design
    by = partial(difference_estimate, weights, gains=prepared.gains, design=design, claim=request.claim)
    classical = by(np.zeros(weights.shape[1]))
    constant = _tuned(prepared, weights, np.zeros(weights.shape[1]))
    corrected = _corrected(prepared, weights, classical, constant)
    unknown = np.full(len(weights), np.nan)
    low, high = limits(corrected, request.confidence)
    classical_low, classical_high = limits(classical, request.confidence)
    numbers = {
        "value": corrected.values,
        "low": low,
        "high": high,
        "model_alone": np.full(len(weights), np.nan)
        if prepared.model_gains is None
        else weights @ prepared.model_gains,
        "classical": classical.values,
        "classical_low": classical_low,
        "classical_high": classical_high,
        "saved_by_design": _saved(constant, classical),
        "saved_by_model": unknown if prepared.model is None else _saved(corrected, constant),
    }
    table = pd.DataFrame({name: float_column(numbers[name]) for name in NUMBERS})
    n_used, reasons = _reliability(prepared, weights, corrected.variances)
    return table.assign(n_grades=n_used, claim=CLAIMS[request.claim], reason=pd.array(reasons, dtype="string"))


def _reliability(
    prepared: _Prepared, weights: np.ndarray, variances: np.ndarray
) -> tuple[np.ndarray, list[str | None]]:
    """The grades that each estimate uses, and why it has no interval or is not reliable."""
    expanded = expanded_weights(weights, prepared.design)
    n_used = (expanded > 0).sum(axis=1)
    n_equal, n_rarer = equal_weights(expanded, prepared.gains)
    is_unequal_difference = (weights < 0).any(axis=1) & (n_equal < n_used / 2)
    least = np.where(is_unequal_difference, LEAST_OF_UNEQUAL, LEAST_GRADES)
    is_complete = ~((weights != 0) & ~prepared.design.drawn).any(axis=1)
    rows = zip(variances, n_used, n_equal, n_rarer, least, is_complete, strict=True)
    return n_used, [_reason(prepared.request, *row) for row in rows]


def _corrected(prepared: _Prepared, weights: np.ndarray, classical: Estimated, constant: Estimated) -> Estimated:
    request = prepared.request
    if request.slope == 0:
        return classical
    if prepared.model is None:
        return constant
    if request.slope == TUNED:
        return _tuned(prepared, weights, prepared.model)
    predicted = float(request.slope) * prepared.model
    return difference_estimate(weights, predicted, prepared.gains, prepared.design, request.claim)


def _tuned(prepared: _Prepared, weights: np.ndarray, model: np.ndarray) -> Estimated:
    """The estimate with predictions by a regression on the model's grades; a constant model is the constant judge."""
    request, design, graded = prepared.request, prepared.design, prepared.gains
    if request.variance == UNBIASED:
        found = unbiased_estimate(weights, model, graded, design, request.claim, seed=request.seed)
        return replace(found, variances=np.where(found.variances < 0, np.nan, found.variances))
    predicted = cross_fitted(weights, model, graded, design, request.seed)
    return difference_estimate(weights, predicted, graded, design, request.claim)


def limits(estimated: Estimated, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """The limits of Student's t intervals; NaN where there is no variance."""
    from scipy.special import stdtrit  # takes a second to import

    degrees = np.where(estimated.degrees > 0, estimated.degrees, 1.0)
    margin = stdtrit(degrees, (1 + confidence) / 2) * np.sqrt(estimated.variances)
    return estimated.values - margin, estimated.values + margin


def _saved(better: Estimated, base: Estimated) -> np.ndarray:
    """The share of grades that the better estimate saves at equal variance; NaN if the base has no variance."""
    saved = np.full(len(base.variances), np.nan)
    return np.asarray(1 - np.divide(better.variances, base.variances, out=1 - saved, where=base.variances > 0))


def expanded_weights(weights: np.ndarray, design: SampleDesign) -> np.ndarray:
    """The sizes of the weights of the drawn pairs over their probabilities, shape (n_estimates, n_drawn)."""
    return np.asarray(np.abs(weights[:, design.drawn]) / design.probability[design.drawn])


def equal_weights(expanded: np.ndarray, gains_of_people: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many grades of equal weight each estimate uses, and how many of them do not have its most frequent gain.

    n grades with the weights v count as (sum of v)^2 / (sum of v^2), which is n if all weights are equal (Kish 1965).
    """
    values, kind = np.unique(gains_of_people, return_inverse=True)
    of_kind = (kind[:, None] == np.arange(len(values))).astype(np.float64)
    counts, sums, squares = (values @ of_kind for values in (expanded > 0, expanded, expanded**2))
    is_rarer = np.arange(len(values)) != counts.argmax(axis=1)[:, None]
    return _as_equal(sums, squares), _as_equal(sums * is_rarer, squares * is_rarer)


def _as_equal(sums: np.ndarray, squares: np.ndarray) -> np.ndarray:
    total, square = sums.sum(axis=1), squares.sum(axis=1)
    return np.asarray(np.divide(total**2, square, out=np.zeros_like(total), where=square > 0))


def _reason(
    request: Request, variance: float, n_used: int, n_equal: float, n_rarer: float, least: int, is_complete: bool
) -> str | None:
    measure, is_unbiased = request.measure.name, request.variance == UNBIASED
    if np.isnan(variance):
        return NO_UNBIASED if is_unbiased else NO_VARIANCE
    if is_complete:
        return None
    if n_used < LEAST_GRADES:
        return f"{measure} is not reliable below {LEAST_GRADES} grades"
    if n_equal < least - ROUNDING:
        return f"{measure} is not reliable below {least} grades of equal weight; these count as {n_equal:.0f}"
    if n_rarer < LEAST_RARER - ROUNDING:
        return f"{measure} is not reliable with fewer than {LEAST_RARER} grades of the rarer kind"
    return None
