"""Assign whole topics: all tasks of a topic go to the same assessors.

Topics are assigned from the largest to the smallest. The assessors who have most of the topic already come first, then
those with enough capacity for all of it, then those with the fewest tasks; random draws resolve ties. Only if limits
leave nobody with enough capacity is a topic divided: the next assessor gets the rest.
"""

from collections.abc import Iterator

import numpy as np

from pooling.assignment.seeded_draws import CLAIM, draws
from pooling.assignment.state import AssignmentState


def assign_topics(state: AssignmentState, n_judges: int) -> None:
    """Assign every topic to `n_judges` different assessors; `state` is modified."""
    missing = state.want(n_judges)
    loads, capacity = state.loads, state.capacity
    for topic, tasks in _largest_first(state.topics):
        for assessor in _assessors_in_order(state, topic, tasks, loads, capacity):
            is_open = (missing[tasks] > 0) & ~state.held[tasks, assessor]
            assigned = tasks[is_open][: capacity[assessor]]
            state.give(assigned, np.full(len(assigned), assessor))
            missing[assigned] -= 1
            loads[assessor] += len(assigned)
            capacity[assessor] -= len(assigned)
            if not missing[tasks].any():
                break


def _largest_first(topics: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Each topic with its tasks, the largest first."""
    order = np.argsort(topics, kind="stable")
    distinct, first = np.unique(topics[order], return_index=True)
    tasks = np.split(order, first[1:]) if len(distinct) else []
    return iter(sorted(zip(distinct.tolist(), tasks, strict=True), key=lambda each: -len(each[1])))


def _assessors_in_order(
    state: AssignmentState, topic: int, tasks: np.ndarray, loads: np.ndarray, capacity: np.ndarray
) -> list[int]:
    held = state.held[tasks].sum(axis=0)
    is_too_small = capacity < len(tasks) - held
    claims = draws(state.seed, CLAIM, topic, np.arange(state.n_assessors))
    return [int(assessor) for assessor in np.lexsort((claims, loads, is_too_small, -held))]
