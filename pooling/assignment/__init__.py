"""Who judges what: integers in, an assignment out.

Tasks are numbered from 0 and each belongs to a topic; assessors are numbered from 0. A policy says who gets what
(`pooling.assignment.policies`); several policies are followed one after the other, each adding to what is there:

    assign(topics, 5, overlap(2), seed=1)                               # every task to 2 of 5 assessors
    assign(topics, 5, [by_topic(1), overlap_sample(0.2, 2)], seed=1)    # and a fifth of the tasks to a second one
    assign(topics, 5, [everyone(50), repeats(0.05)], seed=1)            # and a twentieth a second time

What was given out already is never moved; it counts towards what a policy asks for, towards the loads and the
limits. A task never goes to the same assessor twice, but for a hidden repeat. No limit is exceeded; where limits
leave something undone, the result says what is lacking. Then, unless topics are kept together, every task is given to
somebody before any task goes to two.

Each assessor has an order of their own within each topic: `position` is a number drawn from seed, assessor and task
alone. So neither more tasks nor more assessors change the order of what was given out, as long as tasks and
assessors keep their numbers. Equal claims are settled by the seed.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from pooling.assignment.assignments import Assignment, Assignments
from pooling.assignment.policies import (
    POLICIES,
    Policy,
    Repeats,
    as_policies,
    by_topic,
    everyone,
    overlap,
    overlap_sample,
    policy_from,
    repeats,
)
from pooling.assignment.state import Situation

__all__ = [
    "POLICIES",
    "Assignment",
    "Assignments",
    "Policy",
    "assign",
    "by_topic",
    "everyone",
    "overlap",
    "overlap_sample",
    "policy_from",
    "repeats",
]


def assign(
    tasks: Sequence[int] | np.ndarray,
    assessors: int,
    policy: Policy | int | Sequence[Policy],
    seed: int,
    given: Iterable[tuple] = (),
    limits: int | Sequence[int | None] | None = None,
) -> Assignments:
    """Give tasks to assessors.

    Parameters
    ----------
    tasks : sequence of int, shape (n_tasks,)
        The topic of each task.
    assessors : int
        Number of assessors.
    policy : Policy, sequence of Policy, or int
        Who gets what; a number k stands for ``overlap(k)``.
    seed : int
        The source of chance: any whole number.
    given : iterable of (task, assessor) or Assignment
        What was given out before. A pair stands for a first judgement, at the place that this seed gives it.
    limits : int or sequence of int or None, optional
        How many judgements each assessor may have in all, what was given before and repeats among them: one limit
        for all, or one for each assessor; from 0 and below 2**31. None is no limit.

    Returns
    -------
    Assignments
        What is given out now; `given` is not in it. Positions are from 0 and below 2**31; they need not be
        consecutive.

    Raises
    ------
    ValueError
        A number is not whole or out of its range, a policy needs more assessors or tasks than there are, or a pair
        was given out twice.
    """
    policies = as_policies(policy)
    reserved = max((each.share for each in policies if isinstance(each, Repeats)), default=0.0)
    situation = Situation(tasks, assessors, seed, given, limits, reserved)
    for each in policies:
        each.share_out(situation)
    return situation.result()
