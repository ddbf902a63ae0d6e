"""Erases a person: name, account, sessions, sign-in records and comments. Grades stay or go.

In each collection, the owner decides about the grades. With KEEP they stay under a neutral pseudonym; with DELETE the
member is erased with all judgements and leaves a tombstone (`assess.people.erasure`).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils import timezone

from assess import audit
from assess.collections.create import lock_collection
from assess.collections.members import free_name, lock_members
from assess.errors import Refused
from assess.jobs import results
from assess.judging.covered import forget_names
from assess.models import (
    Action,
    Collection,
    ErasurePermit,
    Exercise,
    Judgement,
    JudgementEvent,
    JudgementImport,
    Member,
    Seat,
    Tombstone,
    TopicFeedback,
    User,
)
from assess.people import erasure, erasure_list
from assess.people.preferences import reset_preferences
from assess.people.removal import check_can_leave, detach

REASON = "requested by the person"
PSEUDONYM = "erased"  # erased-1, erased-2, ...


class Grades(StrEnum):
    KEEP = "keep"
    DELETE = "delete"


@dataclass(frozen=True)
class MemberErasure:
    """What happens in one collection, and how many judgements this concerns."""

    member: Member
    grades: Grades
    judgements: int


def plan_erasure(user: User, grades: Grades, exceptions: Mapping[str, Grades] | None = None) -> list[MemberErasure]:
    """Return what `erase_person` will do in each collection, or refuse if it cannot be done.

    `grades` is the decision for every collection, except those whose slug is in `exceptions`.
    """
    exceptions = exceptions or {}
    members = list(user.memberships.select_related("collection", "user").order_by("collection_id"))
    if unknown := sorted(exceptions.keys() - {member.collection.slug for member in members}):
        raise Refused(f"{user} is not a member of {unknown[0]}.")
    _check_no_exercise(user)
    for member in members:
        check_can_leave(member)
    return [
        MemberErasure(member, exceptions.get(member.collection.slug, grades), member.judgements.count())
        for member in members
    ]


def _check_no_exercise(user: User) -> None:
    if Seat.objects.filter(member__user=user).exists():
        raise Refused(f"{user} is a student's seat. The instructor of the exercise removes it.")
    codes = Exercise.objects.filter(instructor=user).order_by("code").values_list("code", flat=True)
    if codes:
        raise Refused(f"{user} is the instructor of the exercises {', '.join(codes)}. Erase these exercises first.")


def erase_person(
    user: User, grades: Grades, exceptions: Mapping[str, Grades] | None = None, actor: User | None = None
) -> list[MemberErasure]:
    """Erase a person from every collection, and their account. Returns what was done in each collection.

    Everything happens in one transaction. People who judge at the same time are refused or recorded before.
    """
    with transaction.atomic():
        user = _locked(user)
        for each in plan_erasure(user, grades, exceptions):
            # In the order of the keys, in which the plan lists the collections: no two erasures wait for each other.
            lock_collection(each.member.collection)
        plan = plan_erasure(user, grades, exceptions)  # again, because others may have acted before the lock
        # Kept, because the next call changes it, and the list of erasures needs the hash of the name.
        username = user.username
        _erase_all(user, plan, actor)
        erasure_list.add_person(user, username, {each.member.collection.slug: str(each.grades) for each in plan})
    return plan


def erase_person_again(user: User, grades: Mapping[str, Grades]) -> None:
    """Erase a person whom an older backup brought back. `grades` has the decisions of then, by the collection's slug.

    In a collection that the person had left before, grades stay. Nothing is refused: the last owner is erased too,
    and an administrator then adds another one.
    """
    with transaction.atomic():
        user = _locked(user)
        members = user.memberships.select_related("collection", "user").order_by("collection_id")
        decisions = [(member, grades.get(member.collection.slug, Grades.KEEP)) for member in members]
        _erase_all(user, [MemberErasure(member, each, member.judgements.count()) for member, each in decisions], None)


def _erase_all(user: User, plan: list[MemberErasure], actor: User | None) -> None:
    for each in plan:
        _erase_member(each, actor)
    _erase_account(user)
    audit.record(Action.PERSON_ERASED, actor=actor, person=user, details={"collections": len(plan)})
    transaction.on_commit(results.forget_all)  # cached figures contain the pseudonyms


def _locked(user: User) -> User:
    """Read the account again and lock it. A judgement, whose event refers to the user, does not wait for this lock."""
    row = User.objects.select_for_update(no_key=True).filter(pk=user.pk, erased_at=None).first()
    if row is None:
        raise Refused("This person has already been erased.")
    return row


def _erase_member(planned: MemberErasure, actor: User | None) -> None:
    member = planned.member
    if planned.grades == Grades.DELETE:
        erasure.erase([member], REASON, actor=actor, add_to_list=False)
    else:
        _keep_grades(member, actor)
    details = {"grades": str(planned.grades), "judgements": planned.judgements}
    audit.record(Action.PERSON_ERASED, actor=actor, person=member.user, collection=member.collection, details=details)


def _keep_grades(member: Member, actor: User | None) -> None:
    """Separate the grades from the person: the member loses user, pseudonym and comments."""
    lock_members([member])  # so that no judgement adds a comment after they are erased
    erasure.withdraw_releases(member.collection, [member], actor)  # they contain the pseudonym, and may have comments
    erasure.erase_files(member.collection, [member])  # they contain the name, and may contain comments
    JudgementImport.objects.filter(member=member).update(file_name="")
    erase_comments(member)
    forget_names(member.collection, [member])
    detach(member)
    name = free_name(member.collection, PSEUDONYM)
    Member.objects.filter(pk=member.pk).update(name=name)
    chosen = Collection.objects.filter(pk=member.collection_id, reference=f"{erasure.JUDGE}{member.name}")
    chosen.update(reference=f"{erasure.JUDGE}{name}")


def erase_comments(member: Member) -> None:
    """Delete what the member wrote, and keep their grades. A tombstone counts the comments of the ledger.

    The hashes of the comments stay, so that the chain of the member remains valid.
    """
    TopicFeedback.objects.filter(member=member).update(comment="")
    # The triggers of the ledger allow the next change only while a permit exists.
    permit = ErasurePermit.objects.create(member=member)
    written = JudgementEvent.objects.filter(member=member).exclude(comment="")
    comments = written.update(comment="", comment_salt=None)
    permit.delete()
    Judgement.objects.filter(member=member).exclude(comment="").update(comment="")
    if comments:
        Tombstone.objects.create(
            collection_slug=member.collection.slug, members=0, judgements=0, events=0, comments=comments, reason=REASON
        )


def _erase_account(user: User) -> None:
    """Delete the account. If events of the ledger name it as their actor, a row without any personal data stays."""
    erasure.erase_sign_ins([user])
    if not JudgementEvent.objects.filter(actor=user).exists():
        User.objects.filter(pk=user.pk).delete()  # the instance keeps its key, which the audit log needs
        return
    reset_preferences(user)
    user.username = f"erased-{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.date_joined = user.erased_at = timezone.now()
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
