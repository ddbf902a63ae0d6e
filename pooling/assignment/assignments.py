"""What was given out: the result of `assign`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


class Assignment(NamedTuple):
    """A task given to an assessor, and its place among the assessor's tasks of the topic.

    `repeat` is 0, or 1 where the assessor is to judge the task a second time, without being told.
    """

    task: int
    assessor: int
    position: int
    repeat: int = 0


@dataclass(frozen=True, eq=False)
class Assignments(Sequence):
    """What is given out now, as a sequence of `Assignment`, sorted by task, assessor and repeat.

    Attributes
    ----------
    tasks, assessors, positions, repeats : ndarray of int64, shape (n_assignments,)
        The same, column by column.
    lacking : ndarray of int64, shape (n_tasks,)
        How many assessors each task should have and has not, because of limits.
    lacking_repeats : ndarray of int64, shape (n_assessors,)
        How many hidden repeats each assessor should have and has not: because of a limit, or because nothing
        could come between the two judgements.
    """

    tasks: np.ndarray
    assessors: np.ndarray
    positions: np.ndarray
    repeats: np.ndarray
    lacking: np.ndarray
    lacking_repeats: np.ndarray

    def __len__(self) -> int:
        return len(self.tasks)

    def __getitem__(self, at):
        columns = (self.tasks, self.assessors, self.positions, self.repeats)
        if isinstance(at, slice):
            return list(map(Assignment, *(column[at].tolist() for column in columns)))
        return Assignment(*(int(column[at]) for column in columns))

    def __iter__(self):
        return iter(self[:])

    def __eq__(self, other) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self[:] == list(other)

    __hash__ = None

    @property
    def complete(self) -> bool:
        """Whether everything that the policy asks for could be given out."""
        return not (self.lacking.any() or self.lacking_repeats.any())

    def shortfall(self) -> str:
        """What could not be given out, in one sentence; empty where nothing is lacking."""
        parts = (
            _lack(self.lacking, "tasks", "assessors (limits)"),
            _lack(self.lacking_repeats, "assessors", "repeats"),
        )
        return "; ".join(filter(None, parts))

    def frame(self, tasks: "pd.DataFrame", assessors: Sequence[str]) -> "pd.DataFrame":
        """With names for numbers.

        Parameters
        ----------
        tasks : DataFrame
            The tasks in the order of their numbers, with query_id and doc_id (`Pool.to_tasks()`).
        assessors : sequence of str
            Their names, in the order of their numbers.

        Returns
        -------
        DataFrame
            assessor, query_id, doc_id, position, repeat: each assessor's work in the order in which it is to
            be done, topic after topic.

        Raises
        ------
        ValueError
            There are fewer tasks or names than were shared out, or `tasks` lacks a column.
        """
        import pandas as pd

        self._check_names(tasks, assessors)
        names = pd.Series(list(assessors), dtype="str")
        found = tasks[["query_id", "doc_id"]].iloc[self.tasks].reset_index(drop=True)
        found.insert(0, "assessor", names.iloc[self.assessors].to_numpy())
        found = found.assign(position=self.positions, repeat=self.repeats)
        topics = pd.factorize(tasks["query_id"])[0][self.tasks]
        order = np.lexsort((self.repeats, self.tasks, self.positions, topics, self.assessors))
        return found.iloc[order].reset_index(drop=True)

    def _check_names(self, tasks: "pd.DataFrame", assessors: Sequence[str]) -> None:
        if lost := [column for column in ("query_id", "doc_id") if column not in tasks]:
            raise ValueError(f"tasks are named by query_id and doc_id; there is no column {lost[0]}")
        if len(tasks) < len(self.lacking):
            raise ValueError(f"{len(self.lacking)} tasks were shared out; {len(tasks)} are named")
        if len(assessors) < len(self.lacking_repeats):
            raise ValueError(
                f"tasks were shared out among {len(self.lacking_repeats)} assessors; {len(assessors)} are named"
            )


def _lack(lacking: np.ndarray, who: str, what: str) -> str:
    if not lacking.any():
        return ""
    return f"{np.count_nonzero(lacking):,} of {len(lacking):,} {who} lack {lacking.sum():,} {what}"
