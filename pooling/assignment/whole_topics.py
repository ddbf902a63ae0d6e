"""Assign whole topics: all tasks of a topic go to the same assessors.

Topics are assigned from the largest to the smallest. The assessors who have most of the topic already come first, then
those with enough capacity for all of it, then those with the fewest tasks; random draws resolve ties. Only if limits
leave nobody with enough capacity is a topic divided: the next assessor gets the rest. Capacity is kept for hidden
repeats as long as every task can get its assessors without it, and no topic is divided to keep it. If tasks still lack
assessors, they are assigned by `pooling.assignment.augmenting_paths`.
"""

from collections.abc import Iterator

import numpy as np

from pooling.assignment.augmenting_paths import assign_missing
from pooling.assignment.seeded_draws import TIE, draws
from pooling.assignment.state import AssignmentState


def assign_topics(state: AssignmentState, n_judges: int) -> None:
    """Assign every topic to `n_judges` different assessors; `state` is modified."""
    missing = state.want(n_judges)
    loads, kept, full = state.loads, state.capacity_before_repeats, state.capacity
    taken, most_new = state.held.copy(), full.copy()
    for topic, tasks in _largest_first(state.topics):
        needed = len(tasks) - state.held[tasks].sum(axis=0)
        tie_draws = draws(state.seed, TIE, topic, np.arange(state.n_assessors))
        order = np.lexsort((tie_draws, loads, needed > kept, needed > full, needed))
        most = np.where(needed <= full, full, np.maximum(kept, 0))
        # Those who can get all of the topic do. If nobody can, capacity for repeats is used only in the second pass.
        for assessor, limit in [*zip(order, most[order], strict=True), *((assessor, None) for assessor in order)]:
            is_open = (missing[tasks] > 0) & ~taken[tasks, assessor]
            assigned = tasks[is_open][: full[assessor] if limit is None else limit]
            taken[assigned, assessor] = True
            missing[assigned] -= 1
            loads[assessor] += len(assigned)
            kept[assessor] -= len(assigned)
            full[assessor] -= len(assigned)
            if not missing[tasks].any():
                break
    assign_missing(state.held, taken, np.full(state.n_tasks, n_judges), most_new)
    state.give(*np.nonzero(taken & ~state.held))


def _largest_first(topics: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Each topic with its tasks, the largest first."""
    order = np.argsort(topics, kind="stable")
    distinct, first = np.unique(topics[order], return_index=True)
    tasks = np.split(order, first[1:]) if len(distinct) else []
    return iter(sorted(zip(distinct.tolist(), tasks, strict=True), key=lambda each: -len(each[1])))
