"""The result of `pooling.assign`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from pooling.result import Result
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd


class Assignment(NamedTuple):
    """A task given to an assessor.

    Attributes
    ----------
    task : int
        The number of the task, from 0.
    assessor : int
        The number of the assessor, from 0.
    position : int
        The sort key of the task among the assessor's tasks of its topic; from 0 and below 2**31, with gaps.
    repeat : int
        0 for the first judgement, 1 for a hidden repeat.

    Examples
    --------
    >>> from pooling import Assignment
    >>> Assignment(task=0, assessor=1, position=17)
    Assignment(task=0, assessor=1, position=17, repeat=0)
    """

    task: int
    assessor: int
    position: int
    repeat: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Assignments(Result, Sequence[Assignment]):
    """New assignments, as a sequence of `Assignment` sorted by task, assessor and repeat.

    Attributes
    ----------
    tasks, assessors, positions, repeats : ndarray of int64, shape (n_assignments,)
        The assignments by column.
    missing : ndarray of int64, shape (n_tasks,)
        The number of assessors that each task should have but does not, because of limits.
    missing_repeats : ndarray of int64, shape (n_assessors,)
        The number of hidden repeats that each assessor should have but does not, because of a limit, or because no
        other task could come between the two judgements.

    Examples
    --------
    >>> from pooling import assign
    >>> assignments = assign([0, 0, 1], assessors=2, policy=1, seed=7, limits=1)
    >>> len(assignments), assignments.complete
    (2, False)
    >>> assignments.shortfall()
    '1 of 3 tasks lacks 1 assessor because of the limits'
    """

    tasks: np.ndarray
    assessors: np.ndarray
    positions: np.ndarray
    repeats: np.ndarray
    missing: np.ndarray
    missing_repeats: np.ndarray

    def __len__(self) -> int:
        return len(self.tasks)

    @overload
    def __getitem__(self, index: int) -> Assignment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Assignment]: ...
    def __getitem__(self, index: int | slice) -> Assignment | list[Assignment]:
        columns = (self.tasks, self.assessors, self.positions, self.repeats)
        if isinstance(index, slice):
            return [Assignment(*row) for row in zip(*(column[index].tolist() for column in columns), strict=True)]
        return Assignment(*(int(column[index]) for column in columns))

    def __iter__(self) -> Iterator[Assignment]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self[:] == list(other)

    __hash__: Any = None  # the arrays are not hashable

    def to_frame(self) -> "pd.DataFrame":
        """One row per assignment: task and assessor (numbers from 0), position and repeat."""
        import pandas as pd  # assigning needs no tables

        columns = {"task": self.tasks, "assessor": self.assessors, "position": self.positions, "repeat": self.repeats}
        return pd.DataFrame(columns)

    def _sentence(self) -> str:
        tasks, assessors = len(np.unique(self.tasks)), len(np.unique(self.assessors))
        given = f"{count(len(self), 'assignment')} of {count(tasks, 'task')} to {count(assessors, 'assessor')}"
        return f"{given}; {self.shortfall() or 'complete'}"

    def _paper_table(self) -> "pd.DataFrame":
        """The number of assignments of each assessor."""
        loads = self.to_frame().groupby("assessor", as_index=False).size()
        return loads.rename(columns={"size": "assignments"}).astype("str")

    @property
    def complete(self) -> bool:
        """Whether everything that the policies require could be assigned."""
        return not (self.missing.any() or self.missing_repeats.any())

    def shortfall(self) -> str:
        """Describe what could not be assigned.

        Returns
        -------
        str
            One sentence with the numbers of missing assessors and repeats; empty if nothing is missing.
        """
        parts = (
            _describe_missing(self.missing, "tasks", "assessor", " because of the limits"),
            _describe_missing(self.missing_repeats, "assessors", "repeat"),
        )
        return "; ".join(filter(None, parts))

    def frame(self, tasks: "pd.DataFrame", assessors: Sequence[str]) -> "pd.DataFrame":
        """Convert the assignments to a DataFrame with names.

        Parameters
        ----------
        tasks : DataFrame
            The tasks in the order of their numbers, with the columns query_id and doc_id, as `Pool.to_tasks` returns
            them.
        assessors : sequence of str
            The names of the assessors in the order of their numbers.

        Returns
        -------
        DataFrame
            Columns assessor, query_id, doc_id, position and repeat: for each assessor the tasks in judging order,
            topic by topic.

        Raises
        ------
        ValueError
            If there are fewer tasks or names than were assigned, or `tasks` lacks a column.
        """
        import pandas as pd  # slow to import

        self._check_names(tasks, assessors)
        names = pd.Series(list(assessors), dtype="str")
        result = tasks[["query_id", "doc_id"]].iloc[self.tasks].reset_index(drop=True)
        result.insert(0, "assessor", names.iloc[self.assessors].to_numpy())
        result = result.assign(position=self.positions, repeat=self.repeats)
        topics = pd.factorize(tasks["query_id"])[0][self.tasks]
        order = np.lexsort((self.repeats, self.tasks, self.positions, topics, self.assessors))
        return result.iloc[order].reset_index(drop=True)

    def _check_names(self, tasks: "pd.DataFrame", assessors: Sequence[str]) -> None:
        if absent := [column for column in ("query_id", "doc_id") if column not in tasks]:
            raise ValueError(f"tasks needs the columns query_id and doc_id; {absent[0]} is missing")
        if len(tasks) < len(self.missing):
            raise ValueError(f"tasks has {len(tasks)} rows, but {len(self.missing)} tasks were assigned")
        if len(assessors) < len(self.missing_repeats):
            n_assessors = len(self.missing_repeats)
            raise ValueError(f"assessors has {len(assessors)} names, but there are {n_assessors} assessors")


def _describe_missing(missing: np.ndarray, who: str, what: str, why: str = "") -> str:
    if not missing.any():
        return ""
    number = np.count_nonzero(missing)
    verb = "lacks" if number == 1 else "lack"
    return f"{number:,} of {len(missing):,} {who} {verb} {count(int(missing.sum()), what)}{why}"
