"""The tasks of a topic that an assessor may claim, and their order: all tasks get a first judge before any a second."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, F, OrderBy, QuerySet, Value
from django.db.models.functions import Cast, Collate

from assess.lib.seeded_draw import DRAWS, draw
from assess.models import Assignment, DuplicatesRule, Member, Order, Task, Topic
from assess.near_duplicates.group_documents import free_in_same_groups
from assess.pools import adaptive_queue
from assess.pools.tasks import claimable

# Multiplying modulo a prime keeps different draws different, so each assessor gets a permutation.
PRIME = DRAWS - 1  # 2**31 - 1
MOST_DUPLICATES = 50  # near-duplicates that one claim adds


def claim_order(member: Member, topic: Topic, is_learned: bool = False) -> tuple[Any, ...]:
    """Return the ORDER BY, under the collection's rules, of tasks that equally many assessors have.

    If a learner decides (`is_learned`), this is the order of the tasks that it does not propose.

    An adaptive strategy is asked before the claim begins, so that nobody waits while it computes. Tasks that others
    take in the meantime are no longer free when the claim reaches them.
    """
    order = member.collection.order
    if order == Order.FIXED:
        return (by_bytes("document__doc_id"),)
    # 64 bits: the product of two numbers below 2**31 is no integer of PostgreSQL's 32 bits.
    shuffled = (Cast("draw", BigIntegerField()) * Value(_factor(member, topic), BigIntegerField()) % PRIME, "pk")
    if order == Order.ADAPTIVE and not is_learned:
        tasks = claimable(member, topic).order_by("taken", *shuffled)
        return (*adaptive_queue.task_order(tasks, topic), "draw", "pk")
    return shuffled


def _factor(member: Member, topic: Topic) -> int:
    """Each assessor has an order of their own: the tasks' draws times this factor, modulo a prime."""
    return 1 + draw(member.collection.seed, member.name, topic.query_id) % (PRIME - 1)


def by_bytes(path: str) -> OrderBy:
    """Order texts by their bytes, which is the same on every database."""
    return OrderBy(Collate(F(path), "C") if connection.vendor == "postgresql" else F(path))


class FreeTasks:
    """The free tasks of a topic, level by level; a level is the number of assessors who have the task.

    The caller has locked the member and the `lapsed` assignments.
    """

    def __init__(self, member: Member, topic: Topic, lapsed: list[Assignment]):
        self._member, self._topic, self._lapsed = member, topic, lapsed

    def lock_these(self, keys: Sequence[int], limit: int, order: tuple[Any, ...]) -> list[Task]:
        """Lock and return up to `limit` tasks of all levels: first those with these keys, then others in `order`.

        Tasks that another claim has locked are skipped.
        """
        found = {task.pk: task for task in self._lock(self._tasks.filter(pk__in=keys), len(keys), ("pk",))}
        tasks = [found[key] for key in keys if key in found][:limit]
        if len(tasks) < limit:
            tasks += self._lock(self._tasks.exclude(pk__in=keys), limit - len(tasks), order)
        return tasks

    def lock_first(self, limit: int, order: tuple[Any, ...]) -> list[Task]:
        """Lock and return up to `limit` tasks, lower levels first. Tasks that another claim has locked are skipped.

        Each level is queried separately: a task that another claim has just moved to the next level is not found at
        its old one.
        """
        tasks: list[Task] = []
        level = self._lowest_level(0)
        while level is not None and len(tasks) < limit:
            tasks += self._lock(self._tasks.filter(taken=level), limit - len(tasks), order)
            level = self._lowest_level(level + 1) if len(tasks) < limit else None
        return tasks

    def lock_duplicates(self, tasks: list[Task]) -> list[Task]:
        """Lock and return the free near-duplicates of `tasks`, and of those that the assessor has, of all levels.

        Tasks that another claim has locked are skipped. So nobody waits, whatever the order of the locks.
        """
        if self._member.collection.duplicates_rule == DuplicatesRule.APART:
            return []
        return self._lock(free_in_same_groups(self._tasks, self._member, self._topic, tasks), MOST_DUPLICATES, ("pk",))

    @staticmethod
    def _lock(tasks: QuerySet[Task], limit: int, order: tuple[Any, ...]) -> list[Task]:
        return list(tasks.order_by(*order).select_for_update(of=("self",), skip_locked=True, no_key=True)[:limit])

    def wait_for_one(self) -> list[Task]:
        """Lock one task of the lowest level, waiting for claims that have it locked; perhaps none is left then.

        A claim that waited in vain keeps its lock while it waits for the next task. All claims wait in the order of
        the keys and within one level only, so that no two wait for each other.
        """
        level = self._lowest_level(0)
        if level is None:
            return []
        at_level = self._tasks.filter(taken=level).order_by("pk")
        return list(at_level.select_for_update(of=("self",), no_key=True)[:1])

    @cached_property
    def _tasks(self) -> QuerySet[Task]:
        return claimable(self._member, self._topic, self._lapsed)

    def _lowest_level(self, least: int) -> int | None:
        """Return the lowest level, at least `least`, that has a free task."""
        levels = self._tasks.filter(taken__gte=least).order_by("taken").values_list("taken", flat=True)
        return levels.first()
