"""What `few_human_grades` was asked, checked: the same for every estimator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import checked_frame, choice, level, number, whole_number
from agreement.effectiveness import Measure, RankedRuns, parse_measure, prepare
from agreement.effectiveness.gold_grades import grades_of, highest_of, refuse_off_scale, refuse_two_grades
from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs
from agreement.trust.few_grades.result import CLAIMS
from pooling.draws.draw import Draw
from pooling.inputs import Input
from pooling.ranking import check_common_topic
from pooling.words import count

TUNED = "tuned"
UNBIASED = "unbiased"
VARIANCES = ("plug_in", UNBIASED)
PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True, eq=False)
class Request:
    """The checked arguments of `few_human_grades`.

    Attributes
    ----------
    runs : RankedRuns
        The rankings.
    draw : Draw
        The recorded draw.
    graded : DataFrame
        The frame of the draw with the column relevance, which is missing for pairs that were not drawn.
    model : ndarray of float, shape (n_pairs,), or None
        The model's grade of each pair of the frame; NaN if it has none. None without a model.
    measure : Measure
        The measure.
    slope : "tuned" or float
        How predictions follow from the model's grades.
    claim : {"these_topics", "sampled_topics"}
        What the intervals are for.
    variance : {"plug_in", "unbiased"}
        How the variance is estimated.
    confidence : float
        Their level.
    scale : tuple of numbers or None
        The declared grades, lowest first.
    seed : int
        Seed of the folds.
    notes : tuple of str
        What was unusual in the input.
    """

    runs: RankedRuns
    draw: Draw
    graded: pd.DataFrame
    model: np.ndarray | None
    measure: Measure
    slope: str | float
    claim: str
    variance: str
    confidence: float
    scale: tuple[float, ...] | None
    seed: int
    notes: tuple[str, ...]

    @property
    def highest(self) -> float | None:
        """The highest grade of the scale."""
        return highest_of(self.scale)


def checked_request(
    runs: Runs,
    model: Input | None,
    grades: Input,
    draw: Draw,
    measure: MeasureLike,
    *,
    slope: str | float,
    claim: str,
    variance: str,
    confidence: float,
    scale: Sequence[float] | None,
    seed: int,
) -> Request:
    """Check the arguments; ValueError names the value, what is allowed and where."""
    refuse_no_draw(draw)
    graded = draw.graded(grades)
    scale = None if scale is None else tuple(scale)
    highest_of(scale)
    if scale is not None:
        drawn = graded[graded["drawn"]]
        refuse_off_scale(drawn, grades_of(drawn), scale)
    ranked_runs = prepare(runs)
    check_common_topic(ranked_runs, tuple(graded["query_id"].unique()))
    by_model = None if model is None else model_grades(model, graded)
    return Request(
        runs=ranked_runs,
        draw=draw,
        graded=graded,
        model=by_model,
        measure=parse_measure(measure),
        slope=slope if slope == TUNED else number("slope", slope, "'tuned' or a finite number", np.isfinite),
        claim=choice("claim", claim, CLAIMS),
        variance=choice("variance", variance, VARIANCES),
        confidence=level("confidence", confidence, 0.95),
        scale=scale,
        seed=whole_number("seed", seed, 0),
        notes=() if by_model is None else _missing_note(by_model),
    )


def model_grades(model: Input, pairs: pd.DataFrame) -> np.ndarray:
    """The model's grade of each pair, shape (n_pairs,); NaN for a pair without one. Negative means "not judged"."""
    rows = checked_frame(model, PAIR, "relevance", "the grades of the model")
    refuse_two_grades(rows)
    rows = rows.assign(relevance=grades_of(rows).astype(np.float64))
    values = pairs[PAIR].merge(rows, how="left", on=PAIR)["relevance"].to_numpy(dtype=np.float64, na_value=np.nan)
    values = np.where(values >= 0, values, np.nan)
    if np.isnan(values).all():
        raise ValueError("The model has no grade for any pair of the draw.")
    return values


def refuse_no_draw(draw: Any) -> None:
    """Raise TypeError if something else than a recorded draw was passed."""
    if not isinstance(draw, Draw):
        raise TypeError(
            f"draw must be a Draw, the record of a random draw with its probabilities, not {type(draw).__name__}."
            " Grades of pairs that were chosen by hand allow no estimate, because they can reverse a comparison."
            " `assay draw` draws the pairs to grade."
        )


def _missing_note(model: np.ndarray) -> tuple[str, ...]:
    n_missing = int(np.isnan(model).sum())
    if not n_missing:
        return ()
    return (
        f"The model has no grade for {count(n_missing, 'pair')} of {len(model):,}; the mean of its grades is used.",
    )
