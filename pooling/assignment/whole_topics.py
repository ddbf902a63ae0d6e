"""Sharing out whole topics: a topic, with all its tasks, stays with the same assessors.

Topics go out from the largest to the smallest, each to the assessors who have most of it, then to those who have
room for all of it, then to those who have the fewest tasks; draws settle the rest. Only where limits leave nobody
room for a whole topic does the next in line take over what is left of it.
"""

from collections.abc import Iterator

import numpy as np

from pooling.assignment.seeded_draws import CLAIM, draws
from pooling.assignment.state import Situation


def share_out_topics(situation: Situation, judges: int) -> None:
    """Give every topic to `judges` different assessors."""
    lacking = situation.want(judges)
    loads, room = situation.loads, situation.room
    for topic, tasks in _largest_first(situation.topics):
        for assessor in _line(situation, topic, tasks, loads, room):
            fits = (lacking[tasks] > 0) & ~situation.held[tasks, assessor]
            given = tasks[fits][: room[assessor]]
            situation.give(given, np.full(len(given), assessor))
            lacking[given] -= 1
            loads[assessor] += len(given)
            room[assessor] -= len(given)
            if not lacking[tasks].any():
                break


def _largest_first(topics: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Each topic with its tasks."""
    order = np.argsort(topics, kind="stable")
    found, first = np.unique(topics[order], return_index=True)
    tasks = np.split(order, first[1:]) if len(found) else []
    return iter(sorted(zip(found.tolist(), tasks, strict=True), key=lambda each: -len(each[1])))


def _line(situation: Situation, topic: int, tasks: np.ndarray, loads: np.ndarray, room: np.ndarray) -> list[int]:
    held = situation.held[tasks].sum(axis=0)
    cramped = room < len(tasks) - held
    claims = draws(situation.seed, CLAIM, topic, np.arange(situation.n_assessors))
    return np.lexsort((claims, loads, cramped, -held)).tolist()
