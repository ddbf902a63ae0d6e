"""Policies: who is to judge what. Each is a small value with a name, which adds to what was given out.

================== ====================================================================================
policy             gives
================== ====================================================================================
overlap            every task to k assessors
overlap_sample     a share of the tasks, spread over the topics, to k assessors, the others to one
by_topic           every topic, with all its tasks, to the same k assessors
everyone           `shared` tasks, spread over the topics, to all assessors, the others to one
repeats            a share of what each assessor has a second time, hidden among the rest
================== ====================================================================================
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import ClassVar

import numpy as np

from pooling.assignment.by_task import share_out
from pooling.assignment.hidden_repeats import give_again
from pooling.assignment.number_checks import is_number, is_whole
from pooling.assignment.state import Situation, rounded
from pooling.assignment.topic_balance import spread_order
from pooling.assignment.whole_topics import share_out_topics


@dataclass(frozen=True)
class Policy:
    """What all policies have: a name, and parameters that can be written down."""

    name: ClassVar[str]

    def to_dict(self) -> dict:
        """Name and parameters, as `policy_from` reads them again."""
        return {"name": self.name, **asdict(self)}


@dataclass(frozen=True)
class Overlap(Policy):
    """Every task to `k` different assessors; no two loads differ by more than one where nothing hinders it."""

    name: ClassVar[str] = "overlap"
    k: int

    def __post_init__(self):
        _check_judges(self.k)

    def share_out(self, situation: Situation) -> None:
        _check_enough(self.k, situation)
        share_out(situation, np.full(situation.n_tasks, self.k))


@dataclass(frozen=True)
class OverlapSample(Policy):
    """A share of the tasks to `k` different assessors, the others to one.

    The number of tasks in the sample is exact (rounded, a half upwards), and each topic has its share of them,
    within one. A sample grows with the tasks; what was in it stays.
    """

    name: ClassVar[str] = "overlap_sample"
    share: float
    k: int = 2

    def __post_init__(self):
        _check_share(self.share)
        _check_judges(self.k)

    def share_out(self, situation: Situation) -> None:
        _check_enough(self.k, situation)
        number = rounded(self.share * situation.n_tasks)
        share_out(situation, np.where(_sample(situation, number, self.k), self.k, 1))


@dataclass(frozen=True)
class ByTopic(Policy):
    """Every topic, with all its tasks, to the same `k` different assessors."""

    name: ClassVar[str] = "by_topic"
    k: int

    def __post_init__(self):
        _check_judges(self.k)

    def share_out(self, situation: Situation) -> None:
        _check_enough(self.k, situation)
        share_out_topics(situation, self.k)


@dataclass(frozen=True)
class Everyone(Policy):
    """`shared` tasks to all assessors, and the others to one each.

    Each topic has its share of the shared tasks, within one. Who comes later gets the shared tasks too.
    """

    name: ClassVar[str] = "everyone"
    shared: int

    def __post_init__(self):
        if not is_whole(self.shared) or self.shared < 0:
            raise ValueError(f"shared is a number of tasks, 0 or more; got {self.shared!r}")

    def share_out(self, situation: Situation) -> None:
        _check_enough(1, situation)
        if self.shared > situation.n_tasks:
            raise ValueError(f"{self.shared} tasks for everyone need as many tasks; there are {situation.n_tasks}")
        all_of_them = situation.n_assessors
        share_out(situation, np.where(_sample(situation, self.shared, all_of_them), all_of_them, 1))


@dataclass(frozen=True)
class Repeats(Policy):
    """A share of the tasks that each assessor has a second time, with at least `apart` other tasks between.

    The number is exact for each assessor (rounded, a half upwards), as far as there are tasks that others follow in
    the same topic. See `pooling.assignment.hidden_repeats`.
    """

    name: ClassVar[str] = "repeats"
    share: float
    apart: int = 1

    def __post_init__(self):
        _check_share(self.share)
        if not is_whole(self.apart) or self.apart < 1:
            raise ValueError(f"apart is a number of tasks, at least 1; got {self.apart!r}")

    def share_out(self, situation: Situation) -> None:
        give_again(situation, self.share, self.apart)


overlap, overlap_sample, by_topic, everyone, repeats = Overlap, OverlapSample, ByTopic, Everyone, Repeats
POLICIES = {policy.name: policy for policy in (Overlap, OverlapSample, ByTopic, Everyone, Repeats)}


def policy_from(name: str, **parameters) -> Policy:
    """A policy by its name: ``policy_from("overlap", k=2)``.

    Raises
    ------
    ValueError
        The name or a parameter is unknown, or a parameter is lacking or not allowed.
    """
    if name not in POLICIES:
        raise ValueError(f"policy {name!r} is unknown; there are: {', '.join(POLICIES)}")
    try:
        return POLICIES[name](**parameters)
    except TypeError:
        known = ", ".join(field.name for field in fields(POLICIES[name]))
        raise ValueError(f"policy {name!r} has the parameters {known}; got {', '.join(parameters) or 'none'}") from None


def as_policies(policy: Policy | int | Sequence[Policy]) -> list[Policy]:
    """Several policies in their order; a number stands for `overlap`."""
    if is_whole(policy):
        return [Overlap(policy)]
    policies = list(policy) if isinstance(policy, Sequence) else [policy]
    for each in policies:
        if not isinstance(each, Policy):
            raise ValueError(f"a policy is one of {', '.join(POLICIES)}, such as overlap(2); got {each!r}")
    return policies


def _sample(situation: Situation, number: int, judges: int) -> np.ndarray:
    """So many tasks, those first that several have already, shape (n_tasks,), of bool."""
    have = np.minimum(situation.judges, judges)
    sample = np.zeros(situation.n_tasks, dtype=bool)
    sample[spread_order(situation.topics, situation.seed, favoured=np.maximum(have, 1))[:number]] = True
    return sample


def _check_judges(k: int) -> None:
    if not is_whole(k) or k < 1:
        raise ValueError(f"{k} judges for each task are not allowed; a task needs at least 1")


def _check_share(share: float) -> None:
    if not is_number(share) or not 0 <= share <= 1:
        raise ValueError(f"a share is from 0 to 1; got {share!r}")


def _check_enough(k: int, situation: Situation) -> None:
    if situation.n_assessors < k:
        raise ValueError(f"{k} judges for each task need as many assessors; there are {situation.n_assessors}")
