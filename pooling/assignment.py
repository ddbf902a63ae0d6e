"""Who judges what: integers in, an assignment out.

Tasks are numbered from 0 and each belongs to a topic; assessors are numbered from 0. Every task gets `judges`
different assessors, in one of two ways:

- by task (the default): a task goes to the assessors who have least. Where nothing was given out before, no
  two loads differ by more than one. Topic after topic is given out, so that each topic is spread as well.
- by topic: a topic, with all its tasks, stays with the same `judges` assessors. Topics go out from the
  largest to the smallest, each to the assessors who have the fewest tasks.

What was given out already is never moved; it counts towards `judges` and towards the loads. By topic, the
assessors who have most of a topic keep it. Equal claims are settled by the seed.

Each assessor has an order of their own within each topic: `position` is a number drawn from seed, assessor
and task alone. So neither more tasks nor more assessors change the order of what was given out, as long as
tasks and assessors keep their numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

POSITIONS = 1 << 31  # positions are below: they fit an integer column of any database

# What is drawn, so that no two purposes share their numbers.
TURN, CLAIM, PLACE = range(3)


class Assignment(NamedTuple):
    """A task given to an assessor, and its place among the assessor's tasks of the topic."""

    task: int
    assessor: int
    position: int


def assign(
    topics: Sequence[int],
    n_assessors: int,
    judges: int,
    *,
    by_topic: bool = False,
    seed: int,
    given: Iterable[tuple[int, int]] = (),
) -> list[Assignment]:
    """Give every task to `judges` different assessors.

    Parameters
    ----------
    topics : sequence of int, shape (n_tasks,)
        The topic of each task.
    n_assessors : int
        Number of assessors, at least `judges`.
    judges : int
        Different assessors for each task, at least 1.
    by_topic : bool
        Whether a topic stays with its assessors.
    seed : int
        The source of chance.
    given : iterable of (task, assessor)
        What was given out before.

    Returns
    -------
    list of Assignment
        What is given out now, sorted by task and assessor; `given` is not in it. A task that already has
        `judges` assessors or more gets no other. Positions are from 0 and below 2**31; they need not
        be consecutive.

    Raises
    ------
    ValueError
        A number is out of its range, or a pair was given out twice.
    """
    topics = np.asarray(topics, dtype=np.int64)
    _check_numbers(n_assessors, judges)
    holders = _holders(given, len(topics), n_assessors)
    share_out = _by_topic if by_topic else _by_task
    new = sorted(share_out(topics, holders, n_assessors, judges, seed))
    tasks, assessors = np.array(new, dtype=np.int64).reshape(-1, 2).T
    positions = _draws(seed, PLACE, assessors, tasks) % POSITIONS
    return list(map(Assignment, tasks.tolist(), assessors.tolist(), positions.tolist()))


def _check_numbers(n_assessors: int, judges: int) -> None:
    if judges < 1:
        raise ValueError(f"{judges} judges for each task are not allowed; a task needs at least 1")
    if n_assessors < judges:
        raise ValueError(f"{judges} judges for each task need as many assessors; there are {n_assessors}")


def _holders(given, n_tasks: int, n_assessors: int) -> list[set[int]]:
    """For each task the assessors who have it already."""
    holders = [set() for _ in range(n_tasks)]
    for task, assessor in given:
        if not (0 <= task < n_tasks and 0 <= assessor < n_assessors):
            raise ValueError(
                f"task {task} was given to assessor {assessor}, but there are {n_tasks} tasks"
                f" and {n_assessors} assessors, numbered from 0"
            )
        if assessor in holders[task]:
            raise ValueError(f"task {task} was given to assessor {assessor} twice; once is allowed")
        holders[task].add(assessor)
    return holders


def _by_task(topics, holders, n_assessors, judges, seed) -> Iterator[tuple[int, int]]:
    loads = _loads(holders, n_assessors)
    turns = _draws(seed, TURN, np.arange(len(topics)))
    for task in np.lexsort((turns, topics)).tolist():
        claims = _draws(seed, CLAIM, task, np.arange(n_assessors))
        least_loaded = np.lexsort((claims, loads)).tolist()
        for assessor in _first(judges - len(holders[task]), least_loaded, holders[task]):
            loads[assessor] += 1
            yield task, assessor


def _by_topic(topics, holders, n_assessors, judges, seed) -> Iterator[tuple[int, int]]:
    loads = _loads(holders, n_assessors)
    tasks_of = {topic: np.flatnonzero(topics == topic).tolist() for topic in np.unique(topics).tolist()}
    for topic, tasks in sorted(tasks_of.items(), key=lambda item: -len(item[1])):
        held = _loads([holders[task] for task in tasks], n_assessors)
        claims = _draws(seed, CLAIM, topic, np.arange(n_assessors))
        team = np.lexsort((claims, loads, -held))[:judges].tolist()
        for task in tasks:
            for assessor in _first(judges - len(holders[task]), team, holders[task]):
                loads[assessor] += 1
                yield task, assessor


def _loads(holders: list[set[int]], n_assessors: int) -> np.ndarray:
    """How many of these tasks each assessor has."""
    loads = np.zeros(n_assessors, dtype=np.int64)
    for assessors in holders:
        loads[list(assessors)] += 1
    return loads


def _first(count: int, preferred: list[int], excluded: set[int]) -> list[int]:
    return [assessor for assessor in preferred if assessor not in excluded][: max(count, 0)]


def _draws(seed: int, *numbers) -> np.ndarray:
    """64 random bits for each combination of numbers (integers or arrays of them), whatever else is drawn.

    The finalizer of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number
    generators, OOPSLA 2014), once for the seed and once for each number.
    """
    state = _mix(np.array([seed % 2**64], dtype=np.uint64))
    for number in numbers:
        state = _mix(state + np.asarray(number).astype(np.uint64))
    return state


def _mix(state: np.ndarray) -> np.ndarray:
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
