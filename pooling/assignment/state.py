"""Where the giving out stands: who has which task, who may have more, and what was asked of whom twice."""

from collections.abc import Iterable, Sequence

import numpy as np

from pooling.assignment.assignments import Assignment, Assignments
from pooling.assignment.number_checks import is_whole, is_whole_within
from pooling.assignment.seeded_draws import POSITIONS, positions

UNLIMITED = 1 << 62
MOST = 1 << 31  # limits, assessors and tasks are fewer


class Situation:
    """What was given out, to which policies add.

    Attributes
    ----------
    topics : ndarray of int64, shape (n_tasks,)
    n_assessors, seed : int
    held : ndarray of bool, shape (n_tasks, n_assessors)
        Who has which task, given out before or now.
    limits : ndarray of int64, shape (n_assessors,)
        How many judgements each may have in all, repeats among them.
    reserved : float
        The share of repeats that is to come; limits leave room for them.
    wanted : ndarray of int64, shape (n_tasks,)
        How many assessors each task is to have, by the policies so far.
    lacking_repeats : ndarray of int64, shape (n_assessors,)
        As in `Assignments`.
    """

    def __init__(self, topics, n_assessors: int, seed: int, given, limits, reserved: float = 0.0):
        if not is_whole(seed):
            raise ValueError(f"a seed is a whole number; got {seed!r}")
        if not is_whole_within(n_assessors, 0, MOST):
            raise ValueError(
                f"the number of assessors is a whole number, 0 or more and below 2**31; got {n_assessors!r}"
            )
        self.topics = _topics(topics)
        self.n_assessors, self.seed, self.reserved = int(n_assessors), int(seed), reserved
        self.limits = _limits(limits, self.n_assessors)
        before = _columns(given, self.seed, self.n_tasks, self.n_assessors)
        self._before, self._new = before, []
        self.held = np.zeros((self.n_tasks, n_assessors), dtype=bool)
        first = before[3] == 0
        self.held[before[0][first], before[1][first]] = True
        self.wanted = np.zeros(self.n_tasks, dtype=np.int64)
        self.lacking_repeats = np.zeros(n_assessors, dtype=np.int64)

    @property
    def n_tasks(self) -> int:
        return len(self.topics)

    @property
    def judges(self) -> np.ndarray:
        """How many assessors each task has, shape (n_tasks,)."""
        return self.held.sum(axis=1)

    @property
    def loads(self) -> np.ndarray:
        """How many tasks each assessor has, without repeats, shape (n_assessors,)."""
        return self.held.sum(axis=0)

    @property
    def room(self) -> np.ndarray:
        """How many more tasks each assessor may get, shape (n_assessors,)."""
        repeats = np.bincount(self._before[1][self._before[3] == 1], minlength=self.n_assessors)
        most = np.array([_with_repeats(limit, self.reserved) for limit in self.limits.tolist()], dtype=np.int64)
        return np.maximum(np.minimum(most - self.loads, self.limits - self.loads - repeats), 0)

    def want(self, judges: np.ndarray | int) -> np.ndarray:
        """Note how many assessors each task is to have; how many it lacks is returned, shape (n_tasks,)."""
        self.wanted = np.maximum(self.wanted, judges)
        return np.maximum(judges - self.judges, 0)

    def give(self, tasks: np.ndarray, assessors: np.ndarray) -> None:
        """Give each task to the assessor beside it, for a first judgement."""
        self.held[tasks, assessors] = True
        self._new.append((tasks, assessors, positions(self.seed, tasks, assessors), np.zeros_like(tasks)))

    def give_again(self, tasks: np.ndarray, assessors: np.ndarray, places: np.ndarray) -> None:
        """Give each task to the assessor beside it once more, at that place."""
        self._new.append((tasks, assessors, places, np.ones_like(tasks)))

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """All that was given out: task, assessor, position, repeat, shape (4, n); and which of it is new."""
        rows = np.concatenate([self._before, *(np.stack(part) for part in self._new)], axis=1)
        return rows, np.arange(rows.shape[1]) >= self._before.shape[1]

    def result(self) -> Assignments:
        rows, new = self.rows()
        rows = rows[:, new]
        rows = rows[:, np.lexsort((rows[3], rows[1], rows[0]))]
        return Assignments(*rows, np.maximum(self.wanted - self.judges, 0), self.lacking_repeats)


def rounded(number: float) -> int:
    """The nearest whole number, half upwards."""
    return int(number + 0.5)


def _with_repeats(limit: int, share: float) -> int:
    """The most tasks that leave room for that share of repeats within a limit."""
    if not share or limit == UNLIMITED:
        return limit
    most = int(limit / (1 + share)) + 1
    while most + rounded(share * most) > limit:
        most -= 1
    return most


def _topics(topics: Sequence[int] | np.ndarray) -> np.ndarray:
    found = np.asarray(topics)
    if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
        raise ValueError("tasks are given as the number of the topic of each, one whole number a task")
    return found.astype(np.int64)


def _limits(limits: int | Sequence[int | None] | None, n_assessors: int) -> np.ndarray:
    each = [limits] * n_assessors if np.ndim(limits) == 0 else list(limits)
    for limit in each if np.ndim(limits) else [limits]:
        if limit is not None and not is_whole_within(limit, 0, MOST):
            raise ValueError(
                f"a limit is a whole number of judgements, 0 or more and below 2**31, or None; got {limit!r}"
            )
    if len(each) != n_assessors:
        raise ValueError(f"{len(each)} limits came for {n_assessors} assessors; give one for each, or one for all")
    return np.array([UNLIMITED if limit is None else limit for limit in each], dtype=np.int64)


def _columns(given: Iterable, seed: int, n_tasks: int, n_assessors: int) -> np.ndarray:
    """task, assessor, position and repeat of what was given out before, shape (4, n)."""
    if isinstance(given, Assignments):
        columns = np.stack([given.tasks, given.assessors, given.positions, given.repeats])
    else:
        columns = _listed(_rows(given), seed)
    _check_range(columns, n_tasks, n_assessors)
    _check_once(columns, n_assessors)
    return columns


def _rows(given: Iterable) -> list[tuple]:
    """What was given out, each a pair or four whole numbers."""
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise ValueError(f"what was given is a list of (task, assessor) or of Assignment; got {given!r}")
    rows = list(given)
    for each in rows:
        if not isinstance(each, (Sequence, np.ndarray)) or isinstance(each, (str, bytes)) or len(each) not in (2, 4):
            raise ValueError(f"what was given is (task, assessor) or an Assignment; got {each!r}")
        if not all(is_whole_within(number, -MOST, MOST) for number in each):
            raise ValueError(f"what was given is told in whole numbers below 2**31; got {each!r}")
    return rows


def _listed(given: list[tuple], seed: int) -> np.ndarray:
    pairs = np.array([(each[0], each[1]) for each in given], dtype=np.int64).reshape(-1, 2).T
    places, repeats = positions(seed, *pairs), np.zeros(len(given), dtype=np.int64)
    for at, each in enumerate(given):
        if len(each) != 2:
            _, _, places[at], repeats[at] = Assignment(*each)
    return np.stack([*pairs, places, repeats])


def _check_range(columns: np.ndarray, n_tasks: int, n_assessors: int) -> None:
    tasks, assessors, places, repeats = columns
    wrong = (tasks < 0) | (tasks >= n_tasks) | (assessors < 0) | (assessors >= n_assessors)
    if wrong.any():
        at = wrong.argmax()
        raise ValueError(
            f"task {tasks[at]} was given to assessor {assessors[at]}, but there are {n_tasks} tasks"
            f" and {n_assessors} assessors, numbered from 0"
        )
    if (wrong := (repeats < 0) | (repeats > 1)).any():
        raise ValueError(f"a repeat is 0 or 1; got {repeats[wrong.argmax()]}")
    if (wrong := (places < 0) | (places >= POSITIONS)).any():
        raise ValueError(f"a position is from 0 and below 2**31; got {places[wrong.argmax()]}")


def _check_once(columns: np.ndarray, n_assessors: int) -> None:
    tasks, assessors, _, repeats = columns
    pairs = tasks * n_assessors + assessors
    for repeat in (0, 1):
        found, times = np.unique(pairs[repeats == repeat], return_counts=True)
        if (times > 1).any():
            task, assessor = divmod(int(found[times.argmax()]), n_assessors)
            again = " again" if repeat else ""
            raise ValueError(f"task {task} was given to assessor {assessor}{again} twice; once is allowed")
    if (alone := ~np.isin(pairs[repeats == 1], pairs[repeats == 0])).any():
        task, assessor = divmod(int(pairs[repeats == 1][alone.argmax()]), n_assessors)
        raise ValueError(f"task {task} was given to assessor {assessor} again, and never for the first time")
