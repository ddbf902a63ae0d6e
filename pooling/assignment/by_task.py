"""Sharing out task by task: as even as limits allow, in each topic as well.

How many tasks an assessor gets is the level to which all loads are filled, less what the assessor has; nobody gets
more than there is room for. Topic after topic is given out, and each assessor's tasks come at a steady pace: the
j-th of n tasks is due after the fraction j / n of the work (earliest deadline first). So who may have only a few
tasks has some in each topic, and without limits each topic is spread evenly. Draws settle what is due together.

A task that would come to the same assessor twice is exchanged with a task nearby; what is left open is settled
(`pooling.assignment.augmenting_paths`).
"""

import numpy as np

from pooling.assignment.augmenting_paths import settle
from pooling.assignment.seeded_draws import CLAIM, TURN, draws
from pooling.assignment.state import Situation
from pooling.assignment.topic_balance import spread_order

NEARBY = 64  # slots looked at on either side for an exchange


def share_out(situation: Situation, wanted: np.ndarray) -> None:
    """Give every task to as many different assessors as `wanted` says, shape (n_tasks,); told where limits forbid."""
    lacking = situation.want(wanted)
    room = np.minimum(situation.room, (~situation.held[lacking > 0]).sum(axis=0))
    slots = _slots(situation, _affordable(situation, lacking, int(room.sum())))
    due = _due(situation, room, len(slots))
    taken = situation.held.copy()
    open_slots = _exchange(taken, slots, due, _take(taken, slots, due))
    settle(situation.held, taken, slots[open_slots], due[open_slots], wanted, room)
    situation.give(*np.nonzero(taken & ~situation.held))


def _affordable(situation: Situation, lacking: np.ndarray, room: int) -> np.ndarray:
    """What can be given out where there is room for so much: every task once before any task twice."""
    if lacking.sum() <= room:
        return lacking
    order = np.argsort(spread_order(situation.topics, situation.seed))
    tasks = np.repeat(np.arange(len(lacking)), lacking)
    times = np.arange(len(tasks)) - np.repeat(np.cumsum(lacking) - lacking, lacking)
    first = np.lexsort((order[tasks], situation.judges[tasks] + times))[:room]
    return np.bincount(tasks[first], minlength=len(lacking))


def _slots(situation: Situation, lacking: np.ndarray) -> np.ndarray:
    """The tasks in the order of giving out, each as often as it lacks an assessor."""
    turns = draws(situation.seed, TURN, np.arange(situation.n_tasks))
    order = np.lexsort((turns, situation.topics))
    return np.repeat(order, lacking[order])


def _due(situation: Situation, room: np.ndarray, number: int) -> np.ndarray:
    """Who is due at each slot, shape (number,)."""
    share = _filled(situation.loads, room, number)
    counts = np.minimum(np.ceil(share).astype(np.int64), room)  # more would be more than one above the level
    assessors = np.repeat(np.arange(len(counts)), counts)
    times = np.arange(len(assessors)) - np.repeat(np.cumsum(counts) - counts, counts)
    with np.errstate(divide="ignore"):
        deadlines = (times + 1) / share[assessors]
    claims = draws(situation.seed, CLAIM, assessors, times)
    return assessors[np.lexsort((claims, deadlines))[:number]]


def _filled(loads: np.ndarray, room: np.ndarray, number: int) -> np.ndarray:
    """The fair share of each assessor of so many tasks, shape (n_assessors,): all are filled to one level."""
    levels = np.unique(np.concatenate([loads, loads + np.minimum(room, number)]))
    filled = np.clip(levels[:, None] - loads, 0, room).sum(axis=1)
    below = np.searchsorted(filled, number, side="right") - 1  # of levels at which nobody gets more, the last
    level = float(levels[below])
    if filled[below] < number:
        level += (number - filled[below]) * (levels[below + 1] - levels[below]) / (filled[below + 1] - filled[below])
    return np.clip(level - loads, 0, room)


def _take(taken: np.ndarray, slots: np.ndarray, due: np.ndarray) -> list[int]:
    """Mark what goes without conflict; the slots that do not are returned."""
    pairs = slots * taken.shape[1] + due
    first = np.zeros(len(pairs), dtype=bool)
    first[np.unique(pairs, return_index=True)[1]] = True
    fine = first & ~taken.flat[pairs]
    taken.flat[pairs[fine]] = True
    return np.flatnonzero(~fine).tolist()


def _exchange(taken: np.ndarray, slots: np.ndarray, due: np.ndarray, open_slots: list[int]) -> list[int]:
    """Exchange the assessors of open slots with those of slots nearby, in `due`; what stays open is returned."""
    still_open = set(open_slots)
    for slot in open_slots:
        if slot not in still_open:
            continue
        start = max(slot - NEARBY, 0)
        near = np.arange(start, min(slot + NEARBY, len(slots)))
        good = ~taken[slots[slot], due[near]] & ~taken[slots[near], due[slot]] & (slots[near] != slots[slot])
        if good.any():
            nearest = near[good][np.abs(near[good] - slot).argmin()]
            if nearest not in still_open:
                taken[slots[nearest], due[nearest]] = False
            due[slot], due[nearest] = due[nearest], due[slot]
            taken[slots[[slot, nearest]], due[[slot, nearest]]] = True
            still_open -= {slot, int(nearest)}
    return sorted(still_open)
