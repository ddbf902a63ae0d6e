"""From how many grades a topic on intervals of ratios are reliable, by simulation on TREC DL 2019.

An interval is reliable if those of 90, 95 and 99 % miss the true value at most 1.5 points too often.
docs/studies/few-grades-ratio.md has the simulations.
"""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from agreement.effectiveness.measure import Measure
from agreement.measures.average_precision import average_precision
from agreement.measures.bpref import bpref
from agreement.measures.dcg import dcg
from agreement.measures.f_measure import f_measure
from agreement.measures.ndcg import ndcg
from agreement.measures.precision import precision
from agreement.measures.recall import recall
from agreement.trust.few_grades.sampled_scores import Slots


class Bounds(NamedTuple):
    """Grades a topic from which intervals of scores are reliable.

    Infinity if they are not with up to 40 grades, and None where this was not measured. The designs: a number of each
    topic; strata within topics; topics that were drawn before their pairs; topics as a sample.
    """

    by_topic: float | None
    by_stratum: float | None = None
    drawn_topics: float | None = None
    sampled_topics: float | None = None


SCORES: dict[Callable[..., Any], Bounds] = {
    ndcg: Bounds(10, 20, drawn_topics=20, sampled_topics=10),
    average_precision: Bounds(inf, inf, drawn_topics=40, sampled_topics=40),
    precision: Bounds(10, drawn_topics=10, sampled_topics=10),
    dcg: Bounds(10),
    recall: Bounds(10, drawn_topics=10, sampled_topics=10),
    f_measure: Bounds(10, drawn_topics=10, sampled_topics=10),
    bpref: Bounds(10, drawn_topics=10),
}
OTHERS = Bounds(inf, inf, inf, inf)
DIFFERENCES = 10
FEWEST_DRAWN, FEWEST_SAMPLED = 10, 15  # topics; fewer were not simulated
NOT_RELIABLE = "not reliable unless nearly all pairs are graded"
NOT_MEASURED = "how reliable this design is was not measured"
EQUAL = 1e-9  # of probabilities


def why_not_reliable(measure: Measure, drawn: Slots, *, is_sample: bool, is_stage: bool, is_difference: bool) -> str:
    """Return why intervals are not reliable, or "" if they are.

    Parameters
    ----------
    measure : Measure
    drawn : Slots
        The drawn pairs.
    is_sample : bool
        Whether the intervals are for topics as a sample.
    is_stage : bool
        Whether topics were drawn before their pairs.
    is_difference : bool
        Whether they are for differences of systems.

    Returns
    -------
    str
    """
    open_topics = np.asarray((drawn.filled & (drawn.probability < 1)).any(axis=-1))
    if not open_topics.any():
        return ""
    least = DIFFERENCES if is_difference else _least(measure, drawn, is_sample, is_stage)
    fewest = FEWEST_SAMPLED if is_sample else FEWEST_DRAWN if is_stage else 0
    if least is None or least == inf:
        return NOT_RELIABLE if least else NOT_MEASURED
    if np.median(drawn.filled.sum(axis=-1)[open_topics]) < least:
        return f"not reliable below {least:.0f} grades a topic"
    return f"how reliable fewer than {fewest} topics are was not measured" if drawn.filled.shape[-2] < fewest else ""


def _least(measure: Measure, drawn: Slots, is_sample: bool, is_stage: bool) -> float | None:
    """Grades a topic from which intervals of scores are reliable."""
    lowest = np.where(drawn.filled, drawn.probability, 1.0).min(axis=-1)
    highest = np.where(drawn.filled, drawn.probability, 0.0).max(axis=-1)
    if not drawn.is_fixed and (highest - lowest > EQUAL).any():
        return inf
    bounds = SCORES.get(measure.function, OTHERS)
    found = [bounds.sampled_topics] * is_sample + [bounds.drawn_topics] * (is_stage and not is_sample)
    found += [bounds.by_stratum] * (drawn.n_strata > 1)
    known = [bound for bound in found or [bounds.by_topic] if bound is not None]
    return max(known) if len(known) == len(found or [0]) else None
