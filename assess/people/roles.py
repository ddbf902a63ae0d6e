"""Changes the role of a member.

Assessors must not know the systems: an assessor with work keeps the role, and a person who could see the runs of
the collection does not become an assessor unless an owner allows it by name.
"""

from django.db import transaction

from assess import audit
from assess.collections.create import lock_collection
from assess.collections.members import lock_members
from assess.collections.sight import allow_sighted as allow_to_judge
from assess.collections.sight import check_may_judge
from assess.errors import Refused
from assess.models import ROLES_OF_PEOPLE, Action, Collection, Exercise, Member, Role, User
from assess.people.removal import check_not_last_owner, find_person, has_records
from pooling.errors import shown


def change_role(
    collection: Collection, name: str, role: str, actor: User | None = None, allow_sighted: bool = False
) -> Member:
    """Give the member with this pseudonym another role. The pseudonym stays.

    With `allow_sighted`, the member may become an assessor although they could see the runs. `actor` is an owner, or
    None for a command.
    """
    if role not in ROLES_OF_PEOPLE:
        raise Refused(f"There is no role {shown(role)}. The roles are {', '.join(ROLES_OF_PEOPLE)}.")
    with transaction.atomic():
        lock_collection(collection)
        member = find_person(collection, name)
        lock_members([member])  # a claim waits for this, and then sees the new role
        _check_change(member, role)
        if role == Role.ASSESSOR and member.user:
            if allow_sighted:
                allow_to_judge(collection, member.user.username, actor)
            check_may_judge(collection, member.user)
        details = {"from": member.role, "to": role}
        member.role = role
        member.save(update_fields=["role"])
        audit.record(Action.ROLE_CHANGED, actor=actor, person=member.user, collection=collection, details=details)
    return member


def _check_change(member: Member, role: str) -> None:
    if Exercise.objects.filter(collection=member.collection_id).exists():
        raise Refused(f"{member.collection} is a class exercise. Its roles cannot be changed.")
    if member.role == role:
        raise Refused(f"{member} is {role} already.")
    check_not_last_owner(member)
    if member.role == Role.ASSESSOR and (has_records(member) or member.assignments.exists()):
        raise Refused(
            f"{member} has judgements or assigned tasks, and nobody both judges a collection and sees its runs. "
            f"To give the person this role, remove {member} and invite them again."
        )
