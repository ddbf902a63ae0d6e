"""Assign task by task, as evenly as limits allow, in every topic as well.

The number of tasks of an assessor is the level to which all loads are filled, minus the current load, and at most the
capacity. It is divided over the topics. Within a topic, tasks come in random order, and
each goes to the assessors with the most tasks of the topic left to get; random draws resolve ties.

A task that only an assessor who has it already could get is exchanged with another one of the topic. What remains open
is assigned by `pooling.assignment.augmenting_paths`, and the topics are levelled again.

Hidden repeats are assigned later. Capacity is kept for them as long as every task can get its assessors without it.

*Quotas.* How many tasks an assessor gets: the numbers in all are whole, and fill all loads to one level. Each topic
then gets its part of what is left: of its S judgements an assessor with r of the R that are left gets S r / R, rounded
down or up. Those with the most left are rounded up first, then those with the fewest tasks of the topic. So if all
assessors have equal loads, their numbers differ by at most one, in all and in each topic.

*Levels.* Existing assignments and exchanges can leave an assessor with two or more tasks of a topic than another one.
Then the first hands over a new task to the second, and gets a new task of the second in another topic in return, where
the second has more tasks than the first. If the first has more tasks in all, nothing is needed in return. Every step
makes the sum of the squared numbers smaller, so the steps come to an end. Assignments from before are not changed.

Exchanges of two do not find every solution. When 3,000 small collections grew by a step, loads of a topic differed by 2
in 19, and in 15 of these nothing else was possible.
"""

import numpy as np

from pooling.assignment.augmenting_paths import assign_open_tasks
from pooling.assignment.seeded_draws import TIE, TURN, draws
from pooling.assignment.state import AssignmentState
from pooling.assignment.topic_balance import balanced_sample


def whole_shares(loads: np.ndarray, capacity: np.ndarray, number: int, seed: int) -> np.ndarray:
    """The number of tasks that each assessor gets, shape (n_assessors,), of `number` in all; int64."""
    shares = _fair_shares(loads, capacity, number)
    whole = np.floor(shares).astype(np.int64)
    tie_draws = draws(seed, TIE, np.arange(len(loads)))
    # Rounded, so that remainders that differ by rounding are ties, which the draws resolve.
    order = np.lexsort((tie_draws, np.round(whole - shares, 9), whole >= capacity))
    whole[order[: number - int(whole.sum())]] += 1
    return np.asarray(whole)


def quotas_of_topic(left: np.ndarray, number: int, in_topic: np.ndarray, tie_draws: np.ndarray) -> np.ndarray:
    """Divide the judgements of a topic over the assessors.

    Shapes: `left`, `in_topic`, `tie_draws`, the result (n_assessors,).
    """
    quotas, remainder = np.divmod(number * left, max(int(left.sum()), 1))
    order = np.lexsort((tie_draws, in_topic + quotas, quotas - left, remainder == 0))
    quotas[order[: number - int(quotas.sum())]] += 1
    return np.asarray(quotas)


def _fair_shares(loads: np.ndarray, capacity: np.ndarray, number: int) -> np.ndarray:
    """The share of each assessor of `number` tasks, shape (n_assessors,): all loads are filled to one level."""
    levels = np.unique(np.concatenate([loads, loads + np.minimum(capacity, number)]))
    filled = np.clip(levels[:, None] - loads, 0, capacity).sum(axis=1)
    below = np.searchsorted(filled, number, side="right") - 1  # the last level that needs at most `number` tasks
    level = float(levels[below])
    if filled[below] < number:
        level += (number - filled[below]) * (levels[below + 1] - levels[below]) / (filled[below + 1] - filled[below])
    return np.asarray(np.clip(level - loads, 0, capacity))


def level_topics(topics: np.ndarray, held: np.ndarray, taken: np.ndarray, capacity: np.ndarray) -> None:
    """Level the numbers of tasks in each topic, as far as exchanges of two allow; `taken` is modified.

    Shapes: `topics` (n_tasks,); `held`, `taken` (n_tasks, n_assessors); `capacity` (n_assessors,).
    """
    if len(topics):
        leveller = _Leveller(topics, held, taken, capacity)
        for topic in np.flatnonzero(np.ptp(leveller.loads, axis=1) > 1).tolist():
            while leveller.step(topic):
                pass


class _Leveller:
    """The loads of all topics, and the steps that level them."""

    def __init__(self, topics: np.ndarray, held: np.ndarray, taken: np.ndarray, capacity: np.ndarray) -> None:
        code = np.unique(topics, return_inverse=True)[1]
        order = np.argsort(code, kind="stable")
        self.tasks = np.split(order, np.flatnonzero(np.diff(code[order])) + 1)
        self.held, self.taken = held, taken
        self.remaining = capacity - (taken & ~held).sum(axis=0)
        self.loads = np.stack([taken[tasks].sum(axis=0) for tasks in self.tasks])
        self.totals = self.loads.sum(axis=0)

    def step(self, topic: int) -> bool:
        """Level two assessors in a topic; False if no two can be levelled."""
        loads = self.loads[topic]
        for one, other in np.argwhere(loads[:, None] - loads[None, :] > 1).tolist():
            can_keep = self.totals[one] > self.totals[other] and self.remaining[other] > 0
            returned = np.flatnonzero(self.loads[:, other] > self.loads[:, one]).tolist()
            if not (can_keep or returned) or self._movable(topic, one, other) is None:
                continue
            back = None if can_keep else next((t for t in returned if self._movable(t, other, one) is not None), None)
            if can_keep or back is not None:
                self._move(topic, one, other)
                if back is not None:
                    self._move(back, other, one)
                return True
        return False

    def _movable(self, topic: int, one: int, other: int) -> int | None:
        """A new task of `one` in the topic that `other` does not have."""
        tasks = self.tasks[topic]
        found = self.taken[tasks, one] & ~self.held[tasks, one] & ~self.taken[tasks, other]
        return int(tasks[found.argmax()]) if found.any() else None

    def _move(self, topic: int, one: int, other: int) -> None:
        task = self._movable(topic, one, other)
        self.taken[task, one], self.taken[task, other] = False, True
        for assessor, change in ((one, -1), (other, 1)):
            self.loads[topic, assessor] += change
            self.totals[assessor] += change
            self.remaining[assessor] -= change


def assign_tasks(state: AssignmentState, wanted: np.ndarray) -> None:
    """Assign every task to different assessors as far as limits allow.

    Shapes: `wanted` (n_tasks,).
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
