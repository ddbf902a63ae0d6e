"""Hidden repeats: what an assessor is to judge a second time.

The second judgement of a task stands behind the first in the assessor's order of the topic, at a random place with
at least `apart` other tasks between the two. Whatever is given out later, the two never become neighbours.

Positions do not tell what was judged already. So behind a task that is new, those between are new as well; behind one
that was given out before they are new where that is possible, and such tasks are chosen first.
"""

import numpy as np

from pooling.assignment.seeded_draws import AGAIN, PLACE_AGAIN, POSITIONS, draws
from pooling.assignment.state import Situation, rounded
from pooling.assignment.topic_balance import spread_order

NOWHERE = POSITIONS  # a place behind all places


def give_again(situation: Situation, share: float, apart: int) -> None:
    """Let every assessor judge that share of the tasks they have a second time."""
    rows, new = situation.rows()
    (tasks, assessors, places), new = rows[:3, rows[3] == 0], new[rows[3] == 0]
    repeated = _pairs(situation, *rows[:2, rows[3] == 1])
    safe = _behind(situation, tasks, assessors, places, new, apart)
    behind = np.where(
        new | (safe < NOWHERE), safe, _behind(situation, tasks, assessors, places, np.ones_like(new), apart)
    )
    open_to = (behind < NOWHERE - 1) & ~np.isin(_pairs(situation, tasks, assessors), repeated)
    for assessor in range(situation.n_assessors):
        own = assessors == assessor
        had = np.count_nonzero(repeated % situation.n_assessors == assessor)
        asked = max(rounded(share * np.count_nonzero(own)) - had, 0)
        room = max(int(situation.limits[assessor]) - np.count_nonzero(own) - had, 0)
        may = np.flatnonzero(own & open_to)
        chosen = may[_order(situation, assessor, tasks[may], safe[may] < NOWHERE)[: min(asked, room)]]
        _give(situation, tasks[chosen], assessor, behind[chosen])
        situation.lacking_repeats[assessor] = asked - len(chosen)


def _pairs(situation: Situation, tasks: np.ndarray, assessors: np.ndarray) -> np.ndarray:
    return tasks * situation.n_assessors + assessors


def _order(situation: Situation, assessor: int, tasks: np.ndarray, safe: np.ndarray) -> np.ndarray:
    """An order of these tasks of an assessor: those first that are safe, spread over the topics."""
    own_seed = int(draws(situation.seed, AGAIN, assessor)[0])
    return spread_order(situation.topics[tasks], own_seed, favoured=safe.astype(np.int64), numbers=tasks)


def _give(situation: Situation, tasks: np.ndarray, assessor: int, behind: np.ndarray) -> None:
    free = (POSITIONS - 1 - behind).astype(np.uint64)
    places = behind + 1 + (draws(situation.seed, PLACE_AGAIN, assessor, tasks) % free).astype(np.int64)
    situation.give_again(tasks, np.full(len(tasks), assessor), places)


def _behind(situation, tasks, assessors, places, between, apart: int) -> np.ndarray:
    """The place of the `apart`-th of the tasks `between` that come later in the same topic; NOWHERE where none."""
    topics = np.unique(situation.topics[tasks], return_inverse=True)[1] if len(tasks) else tasks
    queues = assessors * (topics.max(initial=0) + 1) + topics
    order = np.lexsort((places, queues))
    keys = queues * POSITIONS + places
    stops = keys[order][between[order]]
    at = np.searchsorted(stops, keys, side="right") + apart - 1
    within = at < len(stops)
    found = np.full(len(keys), NOWHERE)
    same = stops[at[within]] // POSITIONS == queues[within]
    found[np.flatnonzero(within)[same]] = stops[at[within]][same] % POSITIONS
    return found
