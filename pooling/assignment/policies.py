"""Policies: which assessors get which tasks. Each policy adds to the assignments so far.

================== ====================================================================================
policy             assigns
================== ====================================================================================
overlap            every task to k assessors
overlap_sample     a share of the tasks, balanced over the topics, to k assessors, the others to one
by_topic           every topic, with all its tasks, to the same k assessors
everyone           `shared` tasks, balanced over the topics, to all assessors, the others to one
repeats            a share of each assessor's tasks a second time, hidden among the others
================== ====================================================================================
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pooling.assignment.by_task import assign_tasks
from pooling.assignment.hidden_repeats import assign_repeats
from pooling.assignment.number_checks import is_number, is_whole
from pooling.assignment.state import AssignmentState, rounded
from pooling.assignment.topic_balance import balanced_sample
from pooling.assignment.whole_topics import assign_topics
from pooling.errors import refuse_unless


@dataclass(frozen=True)
class Policy:
    """Base class of the policies: a name, and parameters that can be stored."""

    name: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """Convert the policy to a dict for storage.

        Returns
        -------
        dict
            The name under "name", and the parameters. ``policy_from(**policy.to_dict())`` gives an equal policy.
        """
        return {"name": self.name, **asdict(self)}

    def apply(self, state: AssignmentState) -> None:
        """Add the assignments of this policy.

        Parameters
        ----------
        state : AssignmentState
            The assignments so far; it is modified.

        Raises
        ------
        ValueError
            If the policy needs more assessors or tasks than there are.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Overlap(Policy):
    """Assign every task to `k` different assessors.

    The loads differ by at most one, in all and in each topic, if there are no limits and no existing assignments. With
    existing assignments they do so in all as far as possible, and in each topic in nearly all cases in which it is
    possible (`pooling.assignment.by_task`).

    Parameters
    ----------
    k : int
        Number of assessors per task, at least 1.

    Raises
    ------
    ValueError
        If `k` is not a positive whole number.

    Examples
    --------
    >>> from pooling import assign, overlap
    >>> assignments = assign([0, 0, 1], 3, overlap(2), seed=1)  # 3 tasks in 2 topics, 3 assessors
    >>> len(assignments)
    6
    """

    name: ClassVar[str] = "overlap"
    k: int

    def __post_init__(self) -> None:
        _check_k(self.k)

    def apply(self, state: AssignmentState) -> None:
        """Assign every task to `k` different assessors.

        Parameters
        ----------
        state : AssignmentState
            The assignments so far; it is modified.
        """
        _check_enough(self.k, state)
        assign_tasks(state, np.full(state.n_tasks, self.k))


@dataclass(frozen=True)
class OverlapSample(Policy):
    """Assign a share of the tasks to `k` different assessors, and the others to one.

    The number of tasks in the sample is exact (.5 is rounded up). Of a topic with n tasks, share * n are in it, rounded
    down or up. If tasks are added later, the sample grows; tasks in the sample stay in it, and the topics are as
    balanced as these tasks allow.

    Parameters
    ----------
    share : float
        The share of tasks in the sample, from 0 to 1.
    k : int
        Number of assessors per task of the sample, at least 1.

    Raises
    ------
    ValueError
        If `share` or `k` is out of range.

    Examples
    --------
    >>> from pooling import assign, overlap_sample
    >>> assignments = assign([0] * 10, 3, overlap_sample(0.2, 2), seed=1)  # 2 of 10 tasks are judged twice
    >>> len(assignments)
    12
    """

    name: ClassVar[str] = "overlap_sample"
    share: float
    k: int = 2

    def __post_init__(self) -> None:
        _check_share(self.share)
        _check_k(self.k)

    def apply(self, state: AssignmentState) -> None:
        """Assign the sample to `k` assessors, and the other tasks to one.

        Parameters
        ----------
        state : AssignmentState
            The assignments so far; it is modified.
        """
        _check_enough(self.k, state)
        share = Fraction(float(self.share)).limit_denominator(10**9)  # 0.1 is a tenth, and 1 / 3 is a third
        sample = _sample(state, rounded(self.share * state.n_tasks), self.k, share)
        assign_tasks(state, np.where(sample, self.k, 1))


@dataclass(frozen=True)
class ByTopic(Policy):
    """Assign every topic, with all its tasks, to the same `k` different assessors.

    Parameters
    ----------
    k : int
        Number of assessors per topic, at least 1.

    Raises
    ------
    ValueError
        If `k` is not a positive whole number.

    Examples
    --------
    >>> from pooling import assign, by_topic
    >>> assignments = assign([0, 0, 1, 1], 2, by_topic(1), seed=1)
    >>> len({each.assessor for each in assignments if each.task in (0, 1)})
    1
    """

    name: ClassVar[str] = "by_topic"
    k: int

    def __post_init__(self) -> None:
        _check_k(self.k)

    def apply(self, state: AssignmentState) -> None:
        """Assign every topic to `k` different assessors.

        Parameters
        ----------
        state : AssignmentState
            The assignments so far; it is modified.
        """
        _check_enough(self.k, state)
        assign_topics(state, self.k)


@dataclass(frozen=True)
class Everyone(Policy):
    """Assign `shared` tasks to all assessors, and the others to one each.

    Each topic has its share of the shared tasks, rounded down or up. Assessors who are added later get the shared tasks
    too; if tasks are added later, the shared tasks stay the same.

    Parameters
    ----------
    shared : int
        Number of tasks for all assessors, at least 0.

    Raises
    ------
    ValueError
        If `shared` is not a whole number from 0.

    Examples
    --------
    >>> from pooling import assign, everyone
    >>> assignments = assign([0] * 10, 3, everyone(4), seed=1)  # 4 tasks for 3 assessors, 6 for one
    >>> len(assignments)
    18
    """

    name: ClassVar[str] = "everyone"
    shared: int

    def __post_init__(self) -> None:
        if not is_whole(self.shared) or self.shared < 0:
            raise ValueError(f"shared must be a whole number from 0, not {self.shared!r}")

    def apply(self, state: AssignmentState) -> None:
        """Assign the shared tasks to all assessors, and the others to one each.

        Parameters
        ----------
        state : AssignmentState
            The assignments so far; it is modified.
        """
        _check_enough(1, state)
        if self.shared > state.n_tasks:
            raise ValueError(f"only {state.n_tasks} tasks can be shared by everyone, not {self.shared}")
        n_assessors = state.n_assessors
        assign_tasks(state, np.where(_sample(state, self.shared, n_assessors), n_assessors, 1))


@dataclass(frozen=True)
class Repeats(Policy):
    """Assign a share of each assessor's tasks a second time, with at least `apart` other tasks in between.

    The number is exact for each assessor (.5 is rounded up), as far as enough other tasks of the same topic follow, and
    limits leave capacity. Repeats are assigned after all other policies, whatever their order, and never instead of a
    first judgement.

    Parameters
    ----------
    share : float
        The share of each assessor's tasks to repeat, from 0 to 1.
    apart : int
        The least number of other tasks between the two judgements, at least 1.

    Raises
    ------
    ValueError
        If `share` or `apart` is out of range.

    Examples
    --------
    >>> from pooling import assign, overlap, repeats
    >>> assignments = assign([0] * 20, 1, [overlap(1), repeats(0.1)], seed=1)
    >>> sum(each.repeat for each in assignments)
    2
    """

    name: ClassVar[str] = "repeats"
    share: float
    apart: int = 1

    def __post_init__(self) -> None:
        _check_share(self.share)
        if not is_whole(self.apart) or self.apart < 1:
            raise ValueError(f"apart must be a whole number from 1, not {self.apart!r}")

    def apply(self, state: AssignmentState) -> None:
        """Assign the hidden repeats.

        Parameters
        ----------
        state : AssignmentState
            The assignments so far; it is modified.
        """
        assign_repeats(state, self.share, self.apart)


overlap, overlap_sample, by_topic, everyone, repeats = Overlap, OverlapSample, ByTopic, Everyone, Repeats
POLICIES: dict[str, type[Policy]] = {
    policy.name: policy for policy in (Overlap, OverlapSample, ByTopic, Everyone, Repeats)
}


def policy_from(name: str, **parameters: Any) -> Policy:
    """Create a policy by its name.

    Parameters
    ----------
    name : str
        A name in `pooling.POLICIES`.
    **parameters
        The parameters of the policy.

    Returns
    -------
    Policy
        The policy.

    Raises
    ------
    ValueError
        If the name or a parameter is unknown, or a parameter is missing or out of range.

    Examples
    --------
    >>> from pooling import policy_from
    >>> policy_from("overlap_sample", share=0.2, k=2)
    OverlapSample(share=0.2, k=2)
    """
    refuse_unless(name, str, "name", "the name of a policy")
    if name not in POLICIES:
        raise ValueError(f"policy {name!r} is unknown; choose from: {', '.join(POLICIES)}")
    try:
        return POLICIES[name](**parameters)
    except TypeError:
        known = ", ".join(field.name for field in fields(POLICIES[name]))
        passed = ", ".join(parameters) or "none"
        raise ValueError(f"policy {name!r} has the parameters {known}, not {passed}") from None


def as_policies(policy: Policy | int | Sequence[Policy]) -> list[Policy]:
    """A list of policies; the number k means ``overlap(k)``."""
    if is_whole(policy):
        return [Overlap(policy)]
    policies: list[Any] = list(policy) if isinstance(policy, Sequence) else [policy]
    for each in policies:
        if not isinstance(each, Policy):
            raise ValueError(f"a policy must be one of {', '.join(POLICIES)}, such as overlap(2), not {each!r}")
    return policies


def _sample(state: AssignmentState, number: int, n_judges: int, share: Fraction | None = None) -> np.ndarray:
    """Whether each task is in a sample of `number`; tasks that have several assessors already come first."""
    existing = np.maximum(np.minimum(state.n_judges, n_judges), 1)
    return balanced_sample(state.topics, number, state.seed, share=share, favoured=existing)


def _check_k(k: int) -> None:
    if not is_whole(k) or k < 1:
        raise ValueError(f"the number of judges per task must be a whole number from 1, not {k!r}")


def _check_share(share: float) -> None:
    if not is_number(share) or not 0 <= share <= 1:
        raise ValueError(f"a share must be between 0 and 1, not {share!r}")


def _check_enough(k: int, state: AssignmentState) -> None:
    if state.n_assessors < k:
        raise ValueError(f"{k} judges per task need as many assessors; there are {state.n_assessors}")
