"""The state of an assignment in progress: who has which task, and who may get more."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from pooling.assignment.assignments import Assignment, Assignments
from pooling.assignment.number_checks import is_whole, is_whole_within
from pooling.assignment.seeded_draws import POSITIONS, positions
from pooling.errors import SHOWN_LENGTH

UNLIMITED = 1 << 62
MAX_COUNT = 1 << 31  # limits, assessors and tasks are below this


class AssignmentState:
    """The assignments so far, to which policies add.

    Attributes
    ----------
    topics : ndarray of int64, shape (n_tasks,)
        The topic of each task.
    n_assessors : int
        The number of assessors.
    seed : int
        The seed.
    held : ndarray of bool, shape (n_tasks, n_assessors)
        Which assessor has which task, assigned before or now.
    limits : ndarray of int64, shape (n_assessors,)
        The number of judgements that each assessor may have, repeats included.
    reserved : float
        The share of repeats that are assigned later; capacity is kept for them where possible.
    wanted : ndarray of int64, shape (n_tasks,)
        The number of assessors that each task should have by the policies so far.
    missing_repeats : ndarray of int64, shape (n_assessors,)
        The number of hidden repeats that could not be assigned to each assessor.
    """

    def __init__(
        self,
        topics: Sequence[int] | np.ndarray,
        n_assessors: int,
        seed: int,
        existing: Iterable[Any],
        limits: int | Sequence[int | None] | None,
        reserved: float = 0.0,
    ) -> None:
        if not is_whole(seed):
            raise ValueError(f"seed must be a whole number, not {seed!r}")
        if not is_whole_within(n_assessors, 0, MAX_COUNT):
            raise ValueError(
                f"the number of assessors must be a whole number from 0 and below 2**31, not {n_assessors!r}"
            )
        self.topics = _topics(topics)
        self.n_assessors, self.seed, self.reserved = int(n_assessors), int(seed), reserved
        self.limits = _limits(limits, self.n_assessors)
        before = _columns(existing, self.seed, self.n_tasks, self.n_assessors)
        self._before = before
        self._new: list[tuple[np.ndarray, ...]] = []
        self.held = np.zeros((self.n_tasks, n_assessors), dtype=bool)
        first = before[3] == 0
        self.held[before[0][first], before[1][first]] = True
        self.wanted = np.zeros(self.n_tasks, dtype=np.int64)
        self.missing_repeats = np.zeros(n_assessors, dtype=np.int64)

    @property
    def n_tasks(self) -> int:
        """The number of tasks."""
        return len(self.topics)

    @property
    def n_judges(self) -> np.ndarray:
        """The number of assessors of each task, shape (n_tasks,)."""
        return np.asarray(self.held.sum(axis=1))

    @property
    def loads(self) -> np.ndarray:
        """The number of tasks of each assessor, without repeats, shape (n_assessors,)."""
        return np.asarray(self.held.sum(axis=0))

    @property
    def capacity(self) -> np.ndarray:
        """The number of tasks that each assessor may still get, shape (n_assessors,)."""
        repeats = np.bincount(self._before[1][self._before[3] == 1], minlength=self.n_assessors)
        return np.asarray(np.maximum(self.limits - self.loads - repeats, 0))

    @property
    def capacity_before_repeats(self) -> np.ndarray:
        """The capacity that leaves room for the repeats of all tasks, shape (n_assessors,)."""
        most = np.array([_with_repeats(limit, self.reserved) for limit in self.limits.tolist()], dtype=np.int64)
        return np.asarray(np.clip(most - self.loads, 0, self.capacity))

    def want(self, n_judges: np.ndarray | int) -> np.ndarray:
        """Record the number of assessors each task should have; return how many are missing, shape (n_tasks,)."""
        self.wanted = np.maximum(self.wanted, n_judges)
        return np.asarray(np.maximum(n_judges - self.n_judges, 0))

    def give(self, tasks: np.ndarray, assessors: np.ndarray) -> None:
        """Assign each task to the assessor at the same index, for a first judgement."""
        self.held[tasks, assessors] = True
        self._new.append((tasks, assessors, positions(self.seed, tasks, assessors), np.zeros_like(tasks)))

    def give_repeats(self, tasks: np.ndarray, assessors: np.ndarray, positions: np.ndarray) -> None:
        """Assign each task to the assessor at the same index a second time, at that position."""
        self._new.append((tasks, assessors, positions, np.ones_like(tasks)))

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """All assignments as task, assessor, position, repeat, shape (4, n); and which of them are new."""
        rows = np.concatenate([self._before, *(np.stack(part) for part in self._new)], axis=1)
        return rows, np.arange(rows.shape[1]) >= self._before.shape[1]

    def result(self) -> Assignments:
        """The new assignments."""
        rows, new = self.rows()
        rows = rows[:, new]
        rows = rows[:, np.lexsort((rows[3], rows[1], rows[0]))]
        tasks, assessors, places, repeats = rows
        missing = np.maximum(self.wanted - self.n_judges, 0)
        return Assignments(tasks, assessors, places, repeats, missing, self.missing_repeats)


def rounded(number: float) -> int:
    """The nearest whole number; .5 is rounded up."""
    return int(number + 0.5)


def _with_repeats(limit: int, share: float) -> int:
    """The largest number of tasks that, with that share of repeats, stays within a limit."""
    if not share or limit == UNLIMITED:
        return limit
    most = int(limit / (1 + share)) + 1
    while most + rounded(share * most) > limit:
        most -= 1
    return most


def _topics(topics: Sequence[int] | np.ndarray) -> np.ndarray:
    result = np.asarray(topics)
    if result.ndim != 1 or (len(result) and result.dtype.kind not in "iu"):
        raise ValueError(
            "tasks must be a list with the topic of each task as a whole number, such as [0, 0, 1], not"
            f" {_described(topics)}"
        )
    return result.astype(np.int64)


def _described(topics: Any) -> str:
    """What was passed as tasks, for the error; a table with the way to number its topics."""
    if not hasattr(topics, "columns"):
        text = " ".join(repr(topics).split())
        return text if len(text) <= SHOWN_LENGTH else f"{text[:SHOWN_LENGTH]}…"
    columns = [str(name) for name in topics.columns]
    shown = f"a {type(topics).__name__} with the columns {', '.join(columns)}"
    return shown + ('; pass pandas.factorize(tasks["query_id"])[0]' if "query_id" in columns else "")


def _limits(limits: int | Sequence[int | None] | None, n_assessors: int) -> np.ndarray:
    is_list = np.ndim(cast(Any, limits)) > 0
    given: list[int | None] = list(cast(Sequence[int | None], limits)) if is_list else [cast(int | None, limits)]
    for limit in given:
        if limit is not None and not is_whole_within(limit, 0, MAX_COUNT):
            raise ValueError(f"a limit must be None or a whole number from 0 and below 2**31, not {limit!r}")
    each = given if is_list else given * n_assessors
    if len(each) != n_assessors:
        raise ValueError(f"there are {len(each)} limits for {n_assessors} assessors; pass one for each, or one for all")
    return np.array([UNLIMITED if limit is None else limit for limit in each], dtype=np.int64)


def _columns(existing: Iterable[Any], seed: int, n_tasks: int, n_assessors: int) -> np.ndarray:
    """Task, assessor, position and repeat of the existing assignments, shape (4, n)."""
    if isinstance(existing, Assignments):
        columns = np.stack([existing.tasks, existing.assessors, existing.positions, existing.repeats])
    else:
        columns = _with_positions(_checked_rows(existing), seed)
    _check_range(columns, n_tasks, n_assessors)
    _check_once(columns, n_assessors)
    return columns


def _checked_rows(existing: Iterable[Any]) -> list[Sequence[int]]:
    """The existing assignments, each as two or four whole numbers."""
    if not isinstance(existing, Iterable) or isinstance(existing, (str, bytes)):
        raise ValueError(f"existing must be a list of (task, assessor) or of Assignment, not {existing!r}")
    rows = list(existing)
    for each in rows:
        if not isinstance(each, (Sequence, np.ndarray)) or isinstance(each, (str, bytes)) or len(each) not in (2, 4):
            raise ValueError(f"an existing assignment must be (task, assessor) or an Assignment, not {each!r}")
        if not all(is_whole_within(number, -MAX_COUNT, MAX_COUNT) for number in each):
            raise ValueError(f"an existing assignment must consist of whole numbers below 2**31, not {each!r}")
    return rows


def _with_positions(existing: list[Sequence[int]], seed: int) -> np.ndarray:
    pairs = np.array([(each[0], each[1]) for each in existing], dtype=np.int64).reshape(-1, 2).T
    places, repeats = positions(seed, *pairs), np.zeros(len(existing), dtype=np.int64)
    for index, each in enumerate(existing):
        if len(each) != 2:
            _, _, places[index], repeats[index] = Assignment(*each)
    return np.stack([*pairs, places, repeats])


def _check_range(columns: np.ndarray, n_tasks: int, n_assessors: int) -> None:
    tasks, assessors, places, repeats = columns
    wrong = (tasks < 0) | (tasks >= n_tasks) | (assessors < 0) | (assessors >= n_assessors)
    if wrong.any():
        index = wrong.argmax()
        raise ValueError(
            f"task {tasks[index]} was assigned to assessor {assessors[index]}, but there are {n_tasks} tasks"
            f" and {n_assessors} assessors, numbered from 0"
        )
    if (wrong := (repeats < 0) | (repeats > 1)).any():
        raise ValueError(f"a repeat must be 0 or 1, not {repeats[wrong.argmax()]}")
    if (wrong := (places < 0) | (places >= POSITIONS)).any():
        raise ValueError(f"a position must be from 0 and below 2**31, not {places[wrong.argmax()]}")


def _check_once(columns: np.ndarray, n_assessors: int) -> None:
    tasks, assessors, _, repeats = columns
    pairs = tasks * n_assessors + assessors
    for repeat in (0, 1):
        distinct, times = np.unique(pairs[repeats == repeat], return_counts=True)
        if (times > 1).any():
            task, assessor = divmod(int(distinct[times.argmax()]), n_assessors)
            what = "as a repeat " if repeat else ""
            raise ValueError(f"task {task} was assigned to assessor {assessor} {what}twice; once is allowed")
    if (alone := ~np.isin(pairs[repeats == 1], pairs[repeats == 0])).any():
        task, assessor = divmod(int(pairs[repeats == 1][alone.argmax()]), n_assessors)
        raise ValueError(f"task {task} was assigned to assessor {assessor} as a repeat, but not for a first judgement")
