"""What simple turns leave open: tasks that came to somebody who has them already.

They go to others who are due. Where that does not help, by alternating paths: an assessor with room takes over a task
from another, who takes over one from a third, and so on, until somebody can take the open one. As long as there is
such a path it is followed, so that as much is given out as a maximum flow would give out (L. R. Ford and
D. R. Fulkerson, Flows in networks, 1962).
"""

from collections import deque
from itertools import pairwise

import numpy as np


def settle(
    held: np.ndarray, taken: np.ndarray, tasks: np.ndarray, due: np.ndarray, wanted: np.ndarray, room: np.ndarray
) -> None:
    """Give out open tasks, and all that is wanted as far as there is room; `taken` is changed.

    Parameters
    ----------
    held, taken : ndarray of bool, shape (n_tasks, n_assessors)
        Who had which task before, and who has which by now.
    tasks, due : ndarray of int, shape (n_open,)
        The tasks that are open, and whose turn it was.
    wanted : ndarray of int, shape (n_tasks,)
        How many assessors each task is to have.
    room : ndarray of int, shape (n_assessors,)
        How many tasks each assessor may have beyond those held.
    """
    spare = np.bincount(due, minlength=len(room))
    _augment(held, taken, _match(taken, tasks, spare), spare)
    judges = taken.sum(axis=1)
    lacking = np.repeat(np.arange(len(wanted)), np.maximum(wanted - judges, 0))
    left = room - (taken & ~held).sum(axis=0)
    _augment(held, taken, lacking[np.argsort(judges[lacking], kind="stable")], left)


def _match(taken: np.ndarray, tasks: np.ndarray, spare: np.ndarray) -> np.ndarray:
    """Give each task to who has most time to spare and has it not; the tasks for which there is nobody are returned."""
    left = []
    for task in tasks.tolist():
        free = np.where(taken[task], 0, spare)
        assessor = free.argmax()
        if free[assessor]:
            taken[task, assessor] = True
            spare[assessor] -= 1
        else:
            left.append(task)
    return np.array(left, dtype=np.int64)


def _augment(held: np.ndarray, taken: np.ndarray, tasks: np.ndarray, spare: np.ndarray) -> None:
    """Give out tasks along alternating paths as long as there are any; `taken` and `spare` are changed."""
    while len(tasks) and spare.any():
        paths = _paths(held, taken, spare)
        can_take = ~taken[np.ix_(tasks, [path[-1] for path in paths])]
        which = can_take.any(axis=0)
        if not which.any():
            return
        path = paths[which.argmax()]
        at = can_take[:, which.argmax()].argmax()
        _shift(held, taken, path)
        taken[tasks[at], path[-1]] = True
        spare[path[0]] -= 1
        tasks = np.delete(tasks, at)


def _paths(held: np.ndarray, taken: np.ndarray, spare: np.ndarray) -> list[list[int]]:
    """The shortest path to every assessor who can be freed of a task, from those who have time to spare."""
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
    """Everybody on the path takes over one task from the next."""
    for one, other in pairwise(path):
        task = np.argmax(~taken[:, one] & taken[:, other] & ~held[:, other])
        taken[task, one], taken[task, other] = True, False
