"""Assign task by task, as evenly as limits allow, in every topic as well.

The number of tasks of an assessor is the level to which all loads are filled, minus the current load, and at most the
capacity. Topics are assigned one after the other, and each assessor's tasks come at a steady rate: the j-th of n tasks
is due after the fraction j / n of the work (earliest deadline first). So an assessor with few tasks has some in each
topic, and without limits each topic is spread evenly. Random draws order what is due at the same time.

A task that would go to the same assessor twice is exchanged with a nearby task. What remains open is assigned by
`pooling.assignment.augmenting_paths`.
"""

import numpy as np

from pooling.assignment.augmenting_paths import assign_open_tasks
from pooling.assignment.seeded_draws import CLAIM, TURN, draws
from pooling.assignment.state import AssignmentState
from pooling.assignment.topic_balance import topic_balanced_order

NEARBY = 64  # slots on either side that are considered for an exchange


def assign_tasks(state: AssignmentState, wanted: np.ndarray) -> None:
    """Assign every task to different assessors as far as limits allow.

    Parameters
    ----------
    state : AssignmentState
        The current assignments; it is modified.
    wanted : ndarray of int, shape (n_tasks,)
        The number of assessors that each task should have.
    """
    missing = state.want(wanted)
    capacity = np.minimum(state.capacity, (~state.held[missing > 0]).sum(axis=0))
    slots = _slots(state, _affordable(state, missing, int(capacity.sum())))
    due = _due(state, capacity, len(slots))
    taken = state.held.copy()
    open_slots = _exchange(taken, slots, due, _take(taken, slots, due))
    assign_open_tasks(state.held, taken, slots[open_slots], due[open_slots], wanted, capacity)
    tasks, assessors = np.nonzero(taken & ~state.held)
    state.give(tasks, assessors)


def _affordable(state: AssignmentState, missing: np.ndarray, capacity: int) -> np.ndarray:
    """How often each task can be assigned within the total capacity: every task once before any task twice."""
    if missing.sum() <= capacity:
        return missing
    order = np.argsort(topic_balanced_order(state.topics, state.seed))
    tasks = np.repeat(np.arange(len(missing)), missing)
    times = np.arange(len(tasks)) - np.repeat(np.cumsum(missing) - missing, missing)
    first = np.lexsort((order[tasks], state.n_judges[tasks] + times))[:capacity]
    return np.bincount(tasks[first], minlength=len(missing))


def _slots(state: AssignmentState, missing: np.ndarray) -> np.ndarray:
    """The tasks in the order of assignment, each as often as it still needs an assessor."""
    turns = draws(state.seed, TURN, np.arange(state.n_tasks))
    order = np.lexsort((turns, state.topics))
    return np.repeat(order, missing[order])


def _due(state: AssignmentState, capacity: np.ndarray, number: int) -> np.ndarray:
    """The assessor who is due at each slot, shape (number,)."""
    share = _fair_shares(state.loads, capacity, number)
    counts = np.minimum(np.ceil(share).astype(np.int64), capacity)  # more would exceed the level by more than one
    assessors = np.repeat(np.arange(len(counts)), counts)
    times = np.arange(len(assessors)) - np.repeat(np.cumsum(counts) - counts, counts)
    with np.errstate(divide="ignore"):
        deadlines = (times + 1) / share[assessors]
    claims = draws(state.seed, CLAIM, assessors, times)
    return assessors[np.lexsort((claims, deadlines))[:number]]


def _fair_shares(loads: np.ndarray, capacity: np.ndarray, number: int) -> np.ndarray:
    """The share of each assessor of `number` tasks, shape (n_assessors,): all loads are filled to one level."""
    levels = np.unique(np.concatenate([loads, loads + np.minimum(capacity, number)]))
    filled = np.clip(levels[:, None] - loads, 0, capacity).sum(axis=1)
    below = np.searchsorted(filled, number, side="right") - 1  # the last level that needs at most `number` tasks
    level = float(levels[below])
    if filled[below] < number:
        level += (number - filled[below]) * (levels[below + 1] - levels[below]) / (filled[below + 1] - filled[below])
    return np.asarray(np.clip(level - loads, 0, capacity))


def _take(taken: np.ndarray, slots: np.ndarray, due: np.ndarray) -> list[int]:
    """Take every slot whose assessor does not have the task yet; return the other slots."""
    pairs = slots * taken.shape[1] + due
    first = np.zeros(len(pairs), dtype=bool)
    first[np.unique(pairs, return_index=True)[1]] = True
    is_free = first & ~taken.flat[pairs]
    taken.flat[pairs[is_free]] = True
    return [int(slot) for slot in np.flatnonzero(~is_free)]


def _exchange(taken: np.ndarray, slots: np.ndarray, due: np.ndarray, open_slots: list[int]) -> list[int]:
    """Exchange the assessors of open slots with those of nearby slots, in `due`; return the slots that stay open."""
    still_open = set(open_slots)
    for slot in open_slots:
        if slot not in still_open:
            continue
        start = max(slot - NEARBY, 0)
        near = np.arange(start, min(slot + NEARBY, len(slots)))
        is_possible = ~taken[slots[slot], due[near]] & ~taken[slots[near], due[slot]] & (slots[near] != slots[slot])
        if is_possible.any():
            candidates = near[is_possible]
            nearest = candidates[np.abs(candidates - slot).argmin()]
            if nearest not in still_open:
                taken[slots[nearest], due[nearest]] = False
            due[slot], due[nearest] = due[nearest], due[slot]
            taken[slots[[slot, nearest]], due[[slot, nearest]]] = True
            still_open -= {slot, int(nearest)}
    return sorted(still_open)
