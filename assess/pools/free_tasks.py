"""The tasks of a topic that an assessor may claim, and which of them come first: wide before deep."""

from functools import cache, cached_property

from django.db import connection
from django.db.models import BigIntegerField, Exists, F, OrderBy, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Collate

from assess.lib.prepared import Composed, Given
from assess.lib.seeded_draw import DRAWS, draw
from assess.models import Assignment, Member, Order, Task, Topic
from assess.pools import adaptive_queue
from assess.pools.tasks import LAPSED

PRIME = DRAWS - 1  # 2**31 - 1


def claimable(member: Member | Given, topic: Topic | Given, again: list[Assignment] | None = None) -> QuerySet[Task]:
    """The tasks of a topic that need judgements and that the assessor has not, but for lapsed claims: all of them,
    or those in `again`."""
    own = Assignment.objects.filter(member=member, repeat=0, task=OuterRef("pk"))
    own = own.exclude(state=LAPSED) if again is None else own.exclude(pk__in=[each.pk for each in again])
    return Task.objects.filter(topic=topic, taken__lt=F("wanted")).exclude(Exists(own))


def turn_of(member: Member, topic: Topic) -> tuple:
    """An ORDER BY: among tasks that equally many have, the next one as the collection's rules say.

    A strategy is asked for it before the claim begins, lest others wait while it thinks; what they take in between is
    not free any more when the claim comes to it.
    """
    order = member.collection.order
    if order == Order.ADAPTIVE:
        shuffled = claimable(member, topic).order_by("taken", *_turn(order, _factor(member, topic)))
        return (*adaptive_queue.of_tasks(shuffled, topic), "draw", "pk")
    return _turn(order, _factor(member, topic))


def _turn(order: str, factor: int | Given) -> tuple:
    """The documents' order, or one of the assessor's own: the tasks' draws times the assessor's factor, modulo a
    prime."""
    if order == Order.FIXED:
        return (by_bytes("document__doc_id"),)
    factor = Value(factor, BigIntegerField()) if isinstance(factor, int) else factor
    return (Cast("draw", BigIntegerField()) * factor % PRIME, "pk")


def _factor(member: Member, topic: Topic) -> int:
    return 1 + draw(member.collection.seed, member.name, topic.query_id) % (PRIME - 1)


def by_bytes(path: str) -> OrderBy:
    """An order of texts that is the same on every database: of their bytes."""
    return OrderBy(Collate(F(path), "C") if connection.vendor == "postgresql" else F(path))


class Free:
    """The free tasks of a topic, level by level of how many have them already, for a claim that holds the member and
    the lapsed claims that may be made `again`."""

    def __init__(self, member: Member, topic: Topic, again: list[Assignment]):
        self._member, self._topic, self._again = member, topic, again
        # As nearly all are; the others are composed for themselves.
        self._is_plain = not again and member.collection.order != Order.ADAPTIVE
        self._keys = {"member": member.pk, "topic": topic.pk}

    def first(self, limit: int, turn: tuple) -> list[Task]:
        """Up to `limit` tasks, locked: all that fewer have before any that more have, passing by what others are at.

        Level by level: what another claim lifts from its level in between is no longer found there.
        """
        found: list[Task] = []
        level = self._lowest(0)
        while level is not None and len(found) < limit:
            found += self._at(level, limit - len(found), turn)
            level = self._lowest(level + 1) if len(found) < limit else None
        return found

    def awaited(self) -> list[Task]:
        """One of the tasks that the fewest have, locked, once whoever is at it is through; perhaps none is left then.

        Who has waited for one in vain holds it while waiting for the next: so all wait in the order of the keys, and
        for one level alone.
        """
        at_level = self._tasks.filter(taken=self._lowest(0)).order_by("pk")
        return list(at_level.select_for_update(of=("self",), no_key=True)[:1])

    @cached_property
    def _tasks(self) -> QuerySet[Task]:
        return claimable(self._member, self._topic, self._again)

    def _lowest(self, least: int) -> int | None:
        """The lowest level from `least` on at which anything is free."""
        if self._is_plain:
            return LOWEST.first(**self._keys, least=least)
        return _levels(self._tasks, least).first()

    def _at(self, level: int, number: int, turn: tuple) -> list[Task]:
        if self._is_plain:
            factor = _factor(self._member, self._topic)
            return _at_level(self._member.collection.order, number).rows(**self._keys, level=level, factor=factor)
        return list(_locked(self._tasks, level, turn)[:number])


def _levels(tasks: QuerySet[Task], least: int | Given) -> QuerySet:
    return tasks.filter(taken__gte=least).order_by("taken").values_list("taken", flat=True)[:1]


def _locked(tasks: QuerySet[Task], level: int | Given, turn: tuple) -> QuerySet[Task]:
    at_level = tasks.filter(taken=level).order_by(*turn)
    return at_level.select_for_update(of=("self",), skip_locked=True, no_key=True)


def _untouched() -> QuerySet[Task]:
    return claimable(Given("member"), Given("topic"), [])


LOWEST = Composed(lambda: _levels(_untouched(), Given("least")))


@cache
def _at_level(order: str, number: int) -> Composed:
    return Composed(
        lambda: _locked(_untouched(), Given("level"), _turn(order, Given("factor", BigIntegerField())))[:number]
    )
