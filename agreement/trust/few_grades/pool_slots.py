"""The pairs of a draw in slots, with their grades and the classes of a model's grades."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import checked_frame
from agreement.effectiveness.gold_grades import grades_of, refuse_two_grades
from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.golds.corrected import classes_of
from agreement.trust.few_grades.sampled_scores import Floats, Slots
from agreement.trust.plan.influence import ranks_of
from pooling.draws.draw import Draw
from pooling.inputs import Input
from pooling.ranking import places

PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True, eq=False)
class PoolSlots:
    """All pairs of the topics of a draw, and the drawn ones.

    Attributes
    ----------
    systems : tuple of str
        Ascending.
    pool : Slots
        All pairs, with the inclusion probability 1.
    drawn : Slots
        The drawn pairs.
    grades : ndarray of float, shape (n_topics, n_drawn_slots)
        Grades of people, 0 in empty slots.
    topic, slot : ndarray of int, shape (n_pairs,)
        Topic and slot of each pair of the pool.
    drawn_topic, drawn_slot : ndarray of int, shape (n_drawn,)
        The same of each drawn pair.
    pairs : DataFrame, shape (n_pairs, ...)
        The record of the draw with the grades, only the topics of the first stage.
    """

    systems: tuple[str, ...]
    pool: Slots
    drawn: Slots
    grades: Floats
    topic: npt.NDArray[np.integer[Any]]
    slot: npt.NDArray[np.integer[Any]]
    drawn_topic: npt.NDArray[np.integer[Any]]
    drawn_slot: npt.NDArray[np.integer[Any]]
    pairs: pd.DataFrame

    def in_pool(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Put a value for each pair into the slots of the pool, 0 in empty ones."""
        return _in_slots(values, self.topic, self.slot)

    def in_drawn(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Put the values of the drawn pairs into their slots, from a value for each pair."""
        return _in_slots(values[..., self.pairs["drawn"].to_numpy(dtype=bool)], self.drawn_topic, self.drawn_slot)


def pool_slots(ranked: RankedRuns, draw: Draw, grades: Input) -> PoolSlots:
    """Put the pairs of a draw into slots.

    Raises
    ------
    ValueError
        A drawn pair has no grade, a grade is of a pair that was not drawn, or no pair of a topic was drawn.
    """
    pairs = draw.graded(grades)
    if draw.drawn_topics is not None:
        pairs = pairs[pairs["query_id"].isin(draw.drawn_topics)].reset_index(drop=True)
    pairs, is_fixed = _with_own_probability(pairs, draw)
    _refuse_topics_without(pairs)
    ranks = ranks_of(ranked, pairs)
    stratum = _strata_of_topics(pairs)
    is_drawn = pairs["drawn"].to_numpy(dtype=bool)
    slot, drawn_topic = places(ranks.topic) - 1, ranks.topic[is_drawn]
    drawn_slot = places(drawn_topic) - 1

    def of_drawn(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return _in_slots(values[..., is_drawn], drawn_topic, drawn_slot)

    every = np.ones(len(pairs), dtype=bool)
    filled, drawn_filled = _in_slots(every, ranks.topic, slot), of_drawn(every)
    probability = of_drawn(pairs["inclusion_probability"].to_numpy(dtype=np.float64))
    pool_ranks = _in_slots(ranks.rank, ranks.topic, slot)
    return PoolSlots(
        systems=tuple(ranked.systems),
        pool=Slots(pool_ranks, filled, np.ones(filled.shape), np.zeros(filled.shape, dtype=np.int64)),
        drawn=Slots(
            of_drawn(ranks.rank), drawn_filled, np.where(drawn_filled, probability, 1.0), of_drawn(stratum), is_fixed
        ),
        grades=of_drawn(pairs["relevance"].to_numpy(dtype=np.float64, na_value=np.nan)),
        topic=ranks.topic,
        slot=slot,
        drawn_topic=drawn_topic,
        drawn_slot=drawn_slot,
        pairs=pairs,
    )


def model_classes(model: Input, pairs: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return the class of the model's grade of each pair; pairs without one, or with a negative one, are a class.

    Raises
    ------
    ValueError
        The model has two grades for a pair, or none for any pair.
    """
    rows = checked_frame(model, PAIR, "relevance", "the grades of the model")
    refuse_two_grades(rows)
    rows = rows.assign(relevance=grades_of(rows).astype(np.float64))
    grades = pairs[PAIR].merge(rows[[*PAIR, "relevance"]], how="left", on=PAIR)["relevance"].to_numpy(dtype=np.float64)
    has = grades >= 0
    if not has.any():
        raise ValueError("The model has no grade for any pair of the draw.")
    classes = np.zeros(len(grades), dtype=np.int64)
    classes[has] = classes_of(grades[has]) + (not has.all())
    return classes


def _in_slots(values: npt.NDArray[Any], topic: npt.NDArray[Any], slot: npt.NDArray[Any]) -> npt.NDArray[Any]:
    shape = (int(topic.max(initial=0)) + 1, int(slot.max(initial=0)) + 1)
    found = np.zeros((*values.shape[:-1], *shape), dtype=values.dtype)
    found[..., topic, slot] = values
    return found


def _with_own_probability(pairs: pd.DataFrame, draw: Draw) -> tuple[pd.DataFrame, bool]:
    """Return the pairs with the probability of the second stage, and whether each stratum of a topic has a fixed size.

    A stratum with pairs of several topics has no fixed size in a topic, so that its pairs count as drawn by themselves.
    """
    if draw.drawn_topics is not None:
        share = len(draw.drawn_topics) / draw.frame["query_id"].nunique()
        own = np.minimum(pairs["inclusion_probability"] / share, 1.0)
        pairs = pairs.assign(inclusion_probability=own)
    is_in_one_topic = not (pairs.groupby("stratum")["query_id"].nunique() > 1).any()
    return pairs, draw.is_fixed and is_in_one_topic


def _strata_of_topics(pairs: pd.DataFrame) -> npt.NDArray[np.int64]:
    """The number of each pair's stratum within its topic."""
    codes = pairs.groupby(["query_id", "stratum"], sort=True).ngroup()
    return (codes - codes.groupby(pairs["query_id"]).transform("min")).to_numpy(dtype=np.int64)


def _refuse_topics_without(pairs: pd.DataFrame) -> None:
    has = pairs.groupby("query_id")["drawn"].any()
    if not has.all():
        raise ValueError(
            f"No pair of topic {has.index[~has][0]!r} was drawn. A measure that is a ratio in each topic needs grades"
            " of every topic: draw a number of pairs of each."
        )
