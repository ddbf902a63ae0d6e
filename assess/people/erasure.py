"""Erasure: the one function that removes what a person said, and the person.

On request, or when an exercise expires. Judgements and their lines in the ledger go through the ledger's one door,
within one transaction; a tombstone with counts stays.
"""

from collections.abc import Iterable

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction

from assess.collections.create import lock_collection
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import (
    AdaptiveOrder,
    Assignment,
    Collection,
    ErasurePermit,
    Judgement,
    JudgementEvent,
    Member,
    Seat,
    Tombstone,
    TopicFeedback,
    User,
    WorksheetAnswer,
)
from assess.pools import slots

LONGEST_REASON = Tombstone._meta.get_field("reason").max_length


def erase(members: Iterable[Member], reason: str, collection: Collection | None = None) -> Tombstone:
    """Remove members of one collection: their judgements, ledger lines, exit answers, assignments, worksheet answers
    and seats, the members themselves, the users who were there for a seat only, and their sessions.

    `collection` is needed only where there may be nobody to erase.
    """
    members = list(members)
    collection = _one_collection(members, collection)
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Refused(f"The reason has {len(reason)} characters; it has 1 to {LONGEST_REASON}, and names nobody.")
    with transaction.atomic():
        _lock(collection, members)
        users = _seat_users(members)
        judgements, events = _erase_said(collection, members)
        _erase_seats(members)
        erased, _ = Member.objects.filter(pk__in=[member.pk for member in members]).delete()
        _erase_users(users)
        transaction.on_commit(cache.clear)  # figures with their names in them
        return Tombstone.objects.create(
            collection_slug=collection.slug, members=erased, judgements=judgements, events=events, reason=reason
        )


def _one_collection(members: list[Member], collection: Collection | None) -> Collection:
    found = {member.collection_id for member in members} | ({collection.pk} if collection else set())
    if len(found) != 1:
        raise Refused(f"The members of one collection are erased at a time; these are of {len(found)} collections.")
    return collection or members[0].collection


def _lock(collection: Collection, members: list[Member]) -> None:
    """Nobody judges or answers for them until all is gone. In this order: a judgement locks its assignment first."""
    lock_collection(collection)
    slots.lock(collection)
    list(Member.objects.filter(pk__in=[member.pk for member in members]).order_by("pk").select_for_update())
    list(Seat.objects.filter(member__in=members).order_by("pk").select_for_update())


def _erase_said(collection: Collection, members: list[Member]) -> tuple[int, int]:
    """Returns how many judgements there were, and how many lines in the ledger."""
    doors = ErasurePermit.objects.bulk_create([ErasurePermit(member=member) for member in members], batch_size=BATCH)
    events, _ = JudgementEvent.objects.filter(member__in=members).delete()
    judgements, _ = Judgement.objects.filter(member__in=members).delete()
    ErasurePermit.objects.filter(pk__in=[door.pk for door in doors]).delete()
    TopicFeedback.objects.filter(member__in=members).delete()
    own = Assignment.objects.filter(member__in=members)
    slots.give_back_all(list(own))
    own.delete()
    # What a strategy learnt from them is forgotten: it learns anew from what is left.
    AdaptiveOrder.objects.filter(topic__collection=collection).update(state=b"", caught_up=0)
    return judgements, events


def _seat_users(members: list[Member]) -> list[User]:
    """The users who were made for a seat, and are nothing else."""
    users = User.objects.filter(memberships__in=members, memberships__seat__isnull=False).distinct()
    return list(users.exclude(memberships__in=Member.objects.exclude(pk__in=[member.pk for member in members])))


def _erase_seats(members: list[Member]) -> None:
    WorksheetAnswer.objects.filter(seat__member__in=members).delete()
    Seat.objects.filter(member__in=members).delete()


def _erase_users(users: list[User]) -> None:
    """With what the sign-in kept of them."""
    keys, names = {str(user.pk) for user in users}, [user.username for user in users]
    if not users:
        return
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(username__in=names).delete()
    # A session names its user inside only, so that all have to be opened.
    theirs = [row.pk for row in Session.objects.iterator() if row.get_decoded().get(SESSION_KEY) in keys]
    Session.objects.filter(pk__in=theirs).delete()
    User.objects.filter(pk__in=[user.pk for user in users]).delete()
