"""Assign task by task, as evenly as limits allow, in every topic as well.

The number of tasks of an assessor is the level to which all loads are filled, minus the current load, and at most the
capacity. `pooling.assignment.topic_quotas` divides it over the topics. Within a topic, tasks come in random order, and
each goes to the assessors with the most tasks of the topic left to get; random draws resolve ties.

A task that only an assessor who has it already could get is exchanged with another one of the topic. What remains open
is assigned by `pooling.assignment.augmenting_paths`, and `pooling.assignment.topic_levels` levels the topics again.

Hidden repeats are assigned later. Capacity is kept for them as long as every task can get its assessors without it.
"""

import numpy as np

from pooling.assignment.augmenting_paths import assign_open_tasks
from pooling.assignment.seeded_draws import TIE, TURN, draws
from pooling.assignment.state import AssignmentState
from pooling.assignment.topic_balance import balanced_sample
from pooling.assignment.topic_levels import level_topics
from pooling.assignment.topic_quotas import quotas_of_topic, whole_shares


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
    useful = (~state.held[missing > 0]).sum(axis=0)
    kept, full = np.minimum(state.capacity_before_repeats, useful), np.minimum(state.capacity, useful)
    capacity = kept if missing.sum() <= kept.sum() else full
    times = _affordable(state, missing, int(capacity.sum()))
    taken = state.held.copy()
    spare = whole_shares(state.loads, capacity, int(times.sum()), state.seed)
    open_tasks = [task for tasks in _topics(state, times) for task in _assign_topic(state, taken, tasks, times, spare)]
    assign_open_tasks(state.held, taken, np.array(open_tasks, dtype=np.int64), spare, wanted, (capacity, full))
    level_topics(state.topics, state.held, taken, capacity)
    tasks, assessors = np.nonzero(taken & ~state.held)
    state.give(tasks, assessors)


def _affordable(state: AssignmentState, missing: np.ndarray, capacity: int) -> np.ndarray:
    """How often each task can be assigned within the total capacity: every task once before any task twice."""
    if missing.sum() <= capacity:
        return missing
    tasks = np.repeat(np.arange(len(missing)), missing)
    times = np.arange(len(tasks)) - np.repeat(np.cumsum(missing) - missing, missing)
    level = state.n_judges[tasks] + times
    first = balanced_sample(state.topics[tasks], capacity, state.seed, favoured=-level, numbers=tasks)
    return np.bincount(tasks[first], minlength=len(missing))


def _topics(state: AssignmentState, times: np.ndarray) -> list[np.ndarray]:
    """The tasks to assign of each topic, in random order."""
    order = np.lexsort((draws(state.seed, TURN, np.arange(state.n_tasks)), state.topics))
    order = order[times[order] > 0]
    parts = np.split(order, np.flatnonzero(np.diff(state.topics[order])) + 1)
    return [part for part in parts if len(part)]


def _assign_topic(
    state: AssignmentState, taken: np.ndarray, tasks: np.ndarray, times: np.ndarray, spare: np.ndarray
) -> list[int]:
    """Assign the tasks of a topic; `taken` and `spare`, the tasks left to assign to each assessor, are modified.

    Returns the tasks that stay open, each as often as it still needs an assessor.
    """
    topic = int(state.topics[tasks[0]])
    in_topic = taken[state.topics == topic].sum(axis=0)
    topic_ties = draws(state.seed, TIE, topic, np.arange(state.n_assessors))
    quotas = quotas_of_topic(spare, int(times[tasks].sum()), in_topic, topic_ties)
    before = quotas.copy()
    ties = draws(state.seed, TIE, tasks[:, None], np.arange(state.n_assessors)[None, :])
    open_tasks: list[int] = []
    for task, claim in zip(tasks.tolist(), ties, strict=True):
        order = np.lexsort((claim, -quotas))
        chosen = order[(quotas[order] > 0) & ~taken[task, order]][: times[task]]
        taken[task, chosen] = True
        quotas[chosen] -= 1
        open_tasks += [task] * int(times[task] - len(chosen))
    open_tasks = [task for task in open_tasks if not _exchange(state.held, taken, tasks, task, quotas)]
    spare -= before - quotas
    return open_tasks


def _exchange(held: np.ndarray, taken: np.ndarray, tasks: np.ndarray, task: int, quotas: np.ndarray) -> bool:
    """Assign an open task to an assessor who hands over another task of the topic to one with a quota left."""
    new = taken[tasks] & ~held[tasks] & ~taken[task]  # [other task, who can hand it over]
    for assessor in np.flatnonzero(quotas > 0).tolist():
        possible = new & ~taken[tasks, assessor][:, None]
        if possible.any():
            row, other = np.unravel_index(possible.argmax(), possible.shape)
            taken[tasks[row], assessor], taken[tasks[row], other], taken[task, other] = True, False, True
            quotas[assessor] -= 1
            return True
    return False
