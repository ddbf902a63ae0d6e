"""Assign the tasks that are left open because the assessors who should get them have them already.

They go to other assessors who should get more tasks. If that fails, augmenting paths are used: an assessor with free
capacity takes over a task from a second one, who takes over a task from a third, and so on, until somebody can take the
open task. As long as there is such a path it is used, so as many tasks are assigned as in a maximum flow (L. R. Ford
and D. R. Fulkerson, Flows in networks, 1962).
"""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

import numpy as np


def assign_open_tasks(
    held: np.ndarray,
    taken: np.ndarray,
    tasks: np.ndarray,
    spare: np.ndarray,
    wanted: np.ndarray,
    capacities: Iterable[np.ndarray],
) -> None:
    """Assign open tasks, and everything else that is wanted as far as capacity allows.

    `taken` and `spare` are modified.

    Shapes: `held`, `taken` (n_tasks, n_assessors); `tasks` (n_open,); `spare`, `capacities` (n_assessors,); `wanted`
    (n_tasks,).
    """
    _augment(held, taken, _match(taken, tasks, spare), spare)
    for capacity in capacities:
        assign_missing(held, taken, wanted, capacity)


def assign_missing(held: np.ndarray, taken: np.ndarray, wanted: np.ndarray, capacity: np.ndarray) -> None:
    """Assign everything that is wanted and missing, as far as capacity allows. `taken` is modified.

    Shapes: `held`, `taken` (n_tasks, n_assessors); `wanted` (n_tasks,); `capacity` (n_assessors,).
    """
    _augment(held, taken, _missing(taken, wanted), capacity - (taken & ~held).sum(axis=0))


def _missing(taken: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The tasks that need more assessors, each as often as it does: those with the fewest first."""
    n_judges = taken.sum(axis=1)
    times = np.maximum(wanted - n_judges, 0)
    tasks = np.repeat(np.arange(len(wanted)), times)
    number = np.arange(len(tasks)) - np.repeat(np.cumsum(times) - times, times)
    return np.asarray(tasks[np.argsort(n_judges[tasks] + number, kind="stable")])


def _match(taken: np.ndarray, tasks: np.ndarray, spare: np.ndarray) -> np.ndarray:
    """Give each task to the assessor without it who should get most tasks; return the tasks that nobody can take."""
    unmatched = []
    for task in tasks.tolist():
        available = np.where(taken[task], 0, spare)
        assessor = available.argmax()
        if available[assessor]:
            taken[task, assessor] = True
            spare[assessor] -= 1
        else:
            unmatched.append(task)
    return np.array(unmatched, dtype=np.int64)


def _augment(held: np.ndarray, taken: np.ndarray, tasks: np.ndarray, spare: np.ndarray) -> None:
    """Assign tasks along augmenting paths as long as there are any; `taken` and `spare` are modified."""
    while len(tasks) and spare.any():
        paths = _paths(held, taken, spare)
        ends = np.array([path[-1] for path in paths], dtype=np.int64)
        can_take = ~taken[np.ix_(tasks, ends)]
        is_useful = can_take.any(axis=0)
        if not is_useful.any():
            return
        path = paths[is_useful.argmax()]
        row = can_take[:, is_useful.argmax()].argmax()
        _shift(held, taken, path)
        taken[tasks[row], path[-1]] = True
        spare[path[0]] -= 1
        tasks = np.delete(tasks, row)


def _paths(held: np.ndarray, taken: np.ndarray, spare: np.ndarray) -> list[list[int]]:
    """The shortest path from an assessor with spare capacity to each assessor who can hand over a task."""
    # numpy multiplies matrices of floats fast; it only matters which products are above 0.
    free, new = (~taken).astype(np.float32), (taken & ~held).astype(np.float32)
    can_relieve = free.T @ new > 0  # [a, b]: a can take over a task from b
    starts = np.flatnonzero(spare > 0)
    queue = deque([start] for start in starts[np.argsort(taken.sum(axis=0)[starts], kind="stable")].tolist())
    seen, paths = set(starts.tolist()), []
    while queue:
        path = queue.popleft()
        paths.append(path)
        for other in np.flatnonzero(can_relieve[path[-1]]).tolist():
            if other not in seen:
                seen.add(other)
                queue.append([*path, other])
    return paths


def _shift(held: np.ndarray, taken: np.ndarray, path: list[int]) -> None:
    """Let every assessor on the path take over one task from the next one."""
    for one, other in pairwise(path):
        task = np.argmax(~taken[:, one] & taken[:, other] & ~held[:, other])
        taken[task, one], taken[task, other] = True, False
