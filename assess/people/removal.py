"""Removes a person from a collection. Judgements stay under the pseudonym, and open work is returned or handed over."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from assess import audit
from assess.collections.create import lock_collection
from assess.errors import Refused
from assess.models import (
    Action,
    AdjudicatedTask,
    Assignment,
    Collection,
    Exercise,
    JudgementKind,
    Member,
    Role,
    TopicFeedback,
    User,
)
from assess.pools.reassign import reassign
from assess.pools.slots import release_slots
from assess.pools.tasks import LAPSED, OPEN
from pooling.errors import shown
from pooling.words import count


@dataclass(frozen=True)
class Removal:
    """The number of open tasks that were `returned` or `moved` to another assessor, and of `judgements` that stay."""

    returned: int
    judgements: int
    moved: int = 0


def remove_member(collection: Collection, name: str, actor: User | None = None) -> Removal:
    """Remove the member with this pseudonym; their pages answer 404 from now on.

    Assigned tasks without a judgement are unassigned, and claims are available to others. If something was recorded,
    the member stays as a judge without a user; otherwise the member is deleted.
    """
    with transaction.atomic():
        lock_collection(collection)
        return _remove(find_person(collection, name), actor)


def replace_member(collection: Collection, name: str, successor: str, actor: User | None = None) -> Removal:
    """Give the open work of one assessor to another one, and remove the first. Judgements stay where they are.

    Tasks that the successor has already are returned.
    """
    with transaction.atomic():
        lock_collection(collection)
        member = find_person(collection, name)
        if member.role != Role.ASSESSOR:
            raise Refused(f"{name} is {member.role}. Only assessors have open work that somebody else can take over.")
        result = reassign(collection, member, [find_person(collection, successor)])
        return _remove(member, actor, moved=sum(result.moved.values()))


@dataclass(frozen=True)
class Replacement:
    """Who was replaced by whom, and what happened to the work."""

    replaced: str
    successor: str
    removal: Removal

    def sentence(self) -> str:
        """Return the result for people."""
        takes_over = f"{self.successor} takes over {count(self.removal.moved, 'open task')}."
        return f"{takes_over} {removed_sentence(self.replaced, self.removal)}"


def replace_in_background(collection: Collection, name: str, successor: str, actor: int) -> Replacement:
    """Replace a member: the function of the job `replace_member`. `actor` is the key of the user who started it."""
    user = User.objects.get(pk=actor)
    return Replacement(name, successor, replace_member(collection, name, successor, user))


def removed_sentence(name: str, removal: Removal) -> str:
    """Return the result of a removal for people."""
    kept, returned = count(removal.judgements, "judgement"), count(removal.returned, "open task")
    return f"{name} is removed: {kept} kept, {returned} returned."


def leave(member: Member) -> Removal:
    """Remove the signed-in member from the collection."""
    return remove_member(member.collection, member.name, member.user)


def _remove(member: Member, actor: User | None, moved: int = 0) -> Removal:
    check_can_leave(member)
    removal = replace(detach(member), moved=moved)
    details = {"role": member.role, "returned": removal.returned, "judgements": removal.judgements}
    if moved:
        details["moved"] = moved
    audit.record(Action.MEMBER_REMOVED, actor=actor, person=member.user, collection=member.collection, details=details)
    return removal


def find_person(collection: Collection, name: str) -> Member:
    """Return the person with this pseudonym, or refuse."""
    people = collection.members.select_related("user", "collection")
    member = people.filter(name=name).first()
    if member is None:
        existing = ", ".join(people.filter(user__isnull=False).values_list("name", flat=True)) or "none"
        raise Refused(f"{collection} has no member {shown(name)}. Its people are {existing}.")
    if member.user_id is None:
        state = "was removed already" if member.is_person else "is an imported judge"
        raise Refused(f"{name} {state}, so nobody can sign in as {name}.")
    return member


def check_can_leave(member: Member) -> None:
    """Refuse for people whom the collection needs. The caller has locked the collection."""
    if Exercise.objects.filter(collection=member.collection_id).exists():
        raise Refused(f"{member.collection} is a class exercise. Its instructor removes seats, or erases the exercise.")
    check_not_last_owner(member)


def check_not_last_owner(member: Member) -> None:
    """Refuse for the last owner who can sign in. The caller has locked the collection."""
    owners = Member.objects.filter(collection=member.collection_id, role=Role.OWNER, user__is_active=True)
    if member.role == Role.OWNER and not owners.exclude(pk=member.pk).exists():
        raise Refused(
            f"{member} is the last owner of {member.collection} who can sign in. Make somebody else an owner first."
        )


def detach(member: Member) -> Removal:
    """Return the open work of a member and separate the member from the user, in the caller's transaction.

    The lock on the member comes first, as in a claim; the assignments come next, as in a judgement. So a judgement or
    claim that is under way is either recorded before, or refused.
    """
    Member.objects.select_for_update(no_key=True).get(pk=member.pk)
    returned = _return_open_work(member)
    judgements = member.judgements.count()
    if has_records(member):
        kept = Member.objects.filter(pk=member.pk)
        kept.update(user=None, role=Role.ASSESSOR, removed_at=timezone.now())
    else:
        Assignment.objects.filter(member=member).delete()
        Member.objects.filter(pk=member.pk).delete()
    return Removal(returned, judgements)


def _return_open_work(member: Member) -> int:
    assignments = Assignment.objects.filter(member=member)
    rows = list(assignments.order_by("pk").select_for_update(no_key=True))
    release_slots([row for row in rows if row.state in (*OPEN, LAPSED)])
    assignments.filter(state__in=(*OPEN, LAPSED)).delete()
    # Documents that the member was to decide can be given to another adjudicator.
    undecided = [row.task_id for row in rows if row.state in OPEN and row.repeat == JudgementKind.DECISION]
    AdjudicatedTask.objects.filter(adjudicator=member, task__in=undecided).delete()
    return sum(row.state in OPEN and row.repeat == 0 for row in rows)


def has_records(member: Member) -> bool:
    """Whether the member recorded anything."""
    feedback = TopicFeedback.objects.filter(member=member)
    return member.judgements.exists() or member.judgement_imports.exists() or feedback.exists()
