"""Hidden repeats: tasks that an assessor judges a second time without being informed.

The second judgement of a task comes after the first in the assessor's order of the topic, at a random position with at
least `apart` other tasks in between. Whatever is assigned later, the two never become neighbours.

Positions do not show which tasks are judged already. So if a task is new, the tasks in between are new as well. If a
task was assigned earlier, the tasks in between are new where possible, and such tasks are chosen first.
"""

import numpy as np

from pooling.assignment.seeded_draws import POSITIONS, REPEAT, REPEAT_POSITION, draws
from pooling.assignment.state import AssignmentState, rounded
from pooling.assignment.topic_balance import balanced_sample

NOWHERE = POSITIONS  # behind all positions


def assign_repeats(state: AssignmentState, share: float, apart: int) -> None:
    """Assign a share of each assessor's tasks a second time; `state` is modified."""
    rows, new = state.rows()
    (tasks, assessors, positions), new = rows[:3, rows[3] == 0], new[rows[3] == 0]
    repeated = _pairs(state, *rows[:2, rows[3] == 1])
    safe = _behind(state, tasks, assessors, positions, new, apart)
    behind_any = _behind(state, tasks, assessors, positions, np.ones_like(new), apart)
    behind = np.where(new | (safe < NOWHERE), safe, behind_any)
    is_repeatable = (behind < NOWHERE - 1) & ~np.isin(_pairs(state, tasks, assessors), repeated)
    for assessor in range(state.n_assessors):
        of_assessor = assessors == assessor
        n_tasks = int(np.count_nonzero(of_assessor))
        n_repeated = int(np.count_nonzero(repeated % state.n_assessors == assessor))
        wanted = max(rounded(share * n_tasks) - n_repeated, 0)
        capacity = max(int(state.limits[assessor]) - n_tasks - n_repeated, 0)
        candidates = np.flatnonzero(of_assessor & is_repeatable)
        number = min(wanted, capacity, len(candidates))
        chosen = candidates[_sample(state, assessor, tasks[candidates], safe[candidates] < NOWHERE, number)]
        _give(state, tasks[chosen], assessor, behind[chosen])
        state.missing_repeats[assessor] = wanted - len(chosen)


def _pairs(state: AssignmentState, tasks: np.ndarray, assessors: np.ndarray) -> np.ndarray:
    return np.asarray(tasks * state.n_assessors + assessors)


def _sample(state: AssignmentState, assessor: int, tasks: np.ndarray, safe: np.ndarray, number: int) -> np.ndarray:
    """A sample of these tasks of an assessor: safe ones first, balanced over the topics."""
    seed = int(draws(state.seed, REPEAT, assessor)[0])
    return balanced_sample(state.topics[tasks], number, seed, favoured=safe.astype(np.int64), numbers=tasks)


def _give(state: AssignmentState, tasks: np.ndarray, assessor: int, behind: np.ndarray) -> None:
    n_free = (POSITIONS - 1 - behind).astype(np.uint64)
    positions = behind + 1 + (draws(state.seed, REPEAT_POSITION, assessor, tasks) % n_free).astype(np.int64)
    state.give_repeats(tasks, np.full(len(tasks), assessor), positions)


def _behind(
    state: AssignmentState,
    tasks: np.ndarray,
    assessors: np.ndarray,
    positions: np.ndarray,
    between: np.ndarray,
    apart: int,
) -> np.ndarray:
    """The position of the `apart`-th of the tasks `between` that come later in the same topic; NOWHERE if none."""
    topics = np.unique(state.topics[tasks], return_inverse=True)[1] if len(tasks) else tasks
    queues = assessors * (topics.max(initial=0) + 1) + topics
    order = np.lexsort((positions, queues))
    keys = queues * POSITIONS + positions
    stops = keys[order][between[order]]
    index = np.searchsorted(stops, keys, side="right") + apart - 1
    is_valid = index < len(stops)
    result = np.full(len(keys), NOWHERE)
    same_queue = stops[index[is_valid]] // POSITIONS == queues[is_valid]
    result[np.flatnonzero(is_valid)[same_queue]] = stops[index[is_valid]][same_queue] % POSITIONS
    return result
