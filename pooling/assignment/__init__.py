"""Assign tasks to assessors by policies.

Tasks are numbered from 0, and each belongs to a topic. Assessors are numbered from 0. A policy decides who gets which
tasks (`pooling.assignment.policies`). Several policies are applied one after the other; each adds to the assignments so
far:

    assign(topics, 5, overlap(2), seed=1)                               # every task to 2 of 5 assessors
    assign(topics, 5, [by_topic(1), overlap_sample(0.2, 2)], seed=1)    # and a fifth of the tasks to a second one
    assign(topics, 5, [everyone(50), repeats(0.05)], seed=1)            # and a twentieth a second time

Existing assignments are never changed. They count towards the number of assessors that a policy requires, towards loads
and towards limits. A task never goes to the same assessor twice, except as a hidden repeat. No limit is exceeded; if
limits prevent something, the result says what is missing. In that case, unless topics are kept together, every task
goes to one assessor before any task goes to two. Hidden repeats come last: they get only capacity that no task needs.

Each assessor has an individual order of tasks within each topic: `position` is a number drawn from seed, assessor and
task alone. So adding tasks or assessors does not change the order of existing assignments, as long as tasks and
assessors keep their numbers. The seed also resolves ties.
"""

from collections.abc import Iterable, Sequence
from typing import Any

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
from pooling.assignment.state import AssignmentState

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
    *,
    seed: int,
    existing: Iterable[Any] = (),
    limits: int | Sequence[int | None] | None = None,
) -> Assignments:
    """Assign tasks to assessors.

    Parameters
    ----------
    tasks : sequence of int, shape (n_tasks,)
        The topic of each task, as a number. For the tasks of a pool, ``pandas.factorize(tasks["query_id"])[0]``.
    assessors : int
        Number of assessors.
    policy : Policy, sequence of Policy, or int
        The policies to apply in order, hidden repeats last. The number k means ``overlap(k)``.
    seed : int
        The seed of the random numbers; any whole number.
    existing : iterable of (task, assessor) or of Assignment
        Existing assignments. A pair means a first judgement, at the position that this seed gives it.
    limits : int, or sequence of int or None, optional
        The largest number of judgements of each assessor, existing ones and repeats included; from 0 and below 2**31.
        One number applies to all assessors. None means no limit.

    Returns
    -------
    Assignments
        The new assignments, without the existing ones. Positions are from 0 and below 2**31, with gaps.

    Raises
    ------
    ValueError
        If a number is not whole or out of range, a policy needs more assessors or tasks than there are, or an existing
        assignment occurs twice.

    Examples
    --------
    >>> from pooling import assign, overlap
    >>> assignments = assign([0, 0, 1, 1], assessors=2, policy=overlap(1), seed=1)
    >>> assignments.tasks
    array([0, 1, 2, 3])
    >>> sorted(assignments.assessors.tolist())  # two tasks each
    [0, 0, 1, 1]
    """
    policies = sorted(as_policies(policy), key=lambda each: isinstance(each, Repeats))  # repeats last
    reserved = max((each.share for each in policies if isinstance(each, Repeats)), default=0.0)
    state = AssignmentState(tasks, assessors, seed, existing, limits, reserved)
    for each in policies:
        each.apply(state)
    return state.result()
