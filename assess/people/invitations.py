"""Invitations: links that give people a role in a collection, with a new account or with the one they have.

A link has a random token of 128 bits. It is valid for 14 days and one use unless its maker chooses otherwise, and only
as long as its maker may invite people with this role. Nobody gets a second role in a collection. Nobody who could see
the runs becomes an assessor, unless an owner allowed it (`assess.collections.sight`).
"""

from datetime import timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.members import AlreadyMember, check_member_name, create_member
from assess.collections.sight import check_may_judge
from assess.collections.text_fields import check_field
from assess.errors import Refused
from assess.models import ROLES_OF_PEOPLE, Action, Collection, Exercise, Invitation, Member, Role, User
from assess.people.link_tokens import new_token, token_hash
from pooling.errors import shown
from pooling.words import with_article

DEFAULT_DAYS, MAX_DAYS = 14, 90
MAX_USES = 500
KEPT_AFTER_END = timedelta(days=30)  # so that a page can still say what became of a link
ANOTHER = "Ask the person who invited you for another one."
OTHER_ACCOUNT = "This account cannot accept invitations."
MAY_INVITE: dict[str, tuple[Role, ...]] = {Role.OWNER: ROLES_OF_PEOPLE, Role.RESEARCHER: (Role.ASSESSOR,)}


def roles_to_invite(member: Member) -> tuple[Role, ...]:
    """Return the roles with which a member may invite others."""
    return MAY_INVITE.get(member.role, ())


def create(
    collection: Collection,
    creator: Member | None,
    role: str,
    *,
    uses: int = 1,
    days: int = DEFAULT_DAYS,
    note: str = "",
    pseudonym: str = "",
) -> str:
    """Create an invitation and return its token, which is not stored. `creator` is None for a command."""
    _check_may_invite(creator, role)
    _check_limits(uses, days)
    if note:
        check_field(Invitation, "note", note)
    with transaction.atomic():
        lock_active(collection)
        _check_collection(collection, pseudonym, uses)
        token = new_token()
        user = creator.user if creator else None
        Invitation.objects.create(
            token_hash=token_hash(token),
            collection=collection,
            role=role,
            created_by=user,
            note=note,
            pseudonym=pseudonym,
            expires_at=timezone.now() + timedelta(days=days),
            max_uses=uses,
        )
        details = {"role": role, "uses": uses, "days": days}
        audit.record(Action.INVITATION_CREATED, actor=user, collection=collection, details=details)
    return token


def _check_may_invite(creator: Member | None, role: str) -> None:
    allowed = ROLES_OF_PEOPLE if creator is None else roles_to_invite(creator)
    if role not in allowed:
        names = ", ".join(allowed) or "nobody"
        raise Refused(f"You cannot invite people as {shown(str(role))}: your role allows {names}.")


def _check_limits(uses: int, days: int) -> None:
    if not 1 <= uses <= MAX_USES:
        raise Refused(f"An invitation can be used 1 to {MAX_USES} times, not {uses}.")
    if not 1 <= days <= MAX_DAYS:
        raise Refused(f"An invitation can be valid for 1 to {MAX_DAYS} days, not {days}.")


def _check_collection(collection: Collection, pseudonym: str, uses: int) -> None:
    if Exercise.objects.filter(collection=collection).exists():
        raise Refused(f"{collection} is a class exercise. Students join with its code.")
    if not pseudonym:
        return
    if uses != 1:
        raise Refused("Only an invitation for one person can have a pseudonym.")
    check_member_name(pseudonym)
    if collection.members.filter(name=pseudonym).exists():
        raise Refused(f"{collection} already has a member named {pseudonym!r}; choose another pseudonym.")


# ---- using a link


class InvitationState(StrEnum):
    """What became of an invitation."""

    OPEN = "open"
    USED = "used"
    EXPIRED = "expired"
    REVOKED = "revoked"
    ENDED = "ended"


REASONS = {
    InvitationState.USED: "This invitation has already been used.",
    InvitationState.EXPIRED: "This invitation has expired.",
    InvitationState.REVOKED: "This invitation was revoked.",
    InvitationState.ENDED: "This invitation has ended, because the person who made it may no longer invite people.",
}


def is_valid(token: str) -> bool:
    """Whether somebody can accept this invitation now."""
    try:
        open_invitation(token)
    except Refused:
        return False
    return True


def open_invitation(token: str, user: User | None = None) -> Invitation:
    """Return the invitation with this token, or refuse and say why nobody, or this user, can use it.

    Nothing is changed.
    """
    invitation = with_makers().filter(token_hash=token_hash(token)).first()
    if invitation is None:
        raise Refused(f"This invitation is not valid. {ANOTHER}")
    if user is not None:
        _check_user(invitation, user)
    if reason := REASONS.get(state_of(invitation)):
        raise Refused(f"{reason} {ANOTHER}")
    return invitation


def _check_user(invitation: Invitation, user: User) -> None:
    """Refuse for a member of the collection, and for the seat of a student, which belongs to one exercise."""
    existing = invitation.collection.members.filter(user=user).select_related("collection").first()
    if existing is not None:
        raise AlreadyMember(
            f"You are already a member of {invitation.collection.name} as {with_article(existing.role)}. "
            "The invitation was not used.",
            existing,
        )
    if invitation.role == Role.ASSESSOR:
        check_may_judge(invitation.collection, user)
    if user.memberships.filter(seat__isnull=False).exists():
        raise Refused(f"{OTHER_ACCOUNT} You are signed in as a student of a class exercise: leave it first.")


def accept(token: str, user: User) -> Member:
    """Use the invitation once, and make the user a member. Somebody who is a member already does not use it."""
    with transaction.atomic():
        # The locks make this wait while the user is erased or accepts in another browser, and while another person
        # gets a pseudonym.
        locked = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True, erased_at=None).first()
        if locked is None:
            raise Refused(f"{OTHER_ACCOUNT} It is deactivated.")
        lock_active(open_invitation(token, locked).collection)
        invitation = open_invitation(token, locked)  # again, because others may have acted before the lock
        # The lock of the collection keeps others from accepting until this use is counted.
        Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
        return create_member(invitation.collection, locked, invitation.role, _free_pseudonym(invitation), locked)


def accept_with_new_account(token: str, user: User) -> Member:
    """Save a new account and accept the invitation with it: both, or none.

    The caller has set the password: hashing takes long, and nobody else could write to SQLite meanwhile.
    """
    with transaction.atomic():
        open_invitation(token)
        user.save(force_insert=True)
        return accept(token, user)


def _free_pseudonym(invitation: Invitation) -> str:
    """Return the pseudonym, or nothing if another member got it in the meantime."""
    is_taken = invitation.collection.members.filter(name=invitation.pseudonym).exists()
    return "" if is_taken else invitation.pseudonym


# ---- what became of a link


def with_makers() -> QuerySet[Invitation]:
    """Return invitations with their collections, and with the role that their makers have there now."""
    makers = Member.objects.filter(collection=OuterRef("collection"), user=OuterRef("created_by"), user__is_active=True)
    rows = Invitation.objects.select_related("collection", "created_by")
    return rows.annotate(maker_role=Subquery(makers.values("role")[:1]))


def state_of(invitation: Invitation) -> InvitationState:
    """Return the state of an invitation that `with_makers` selected."""
    if invitation.revoked_at is not None:
        return InvitationState.REVOKED
    if invitation.uses >= invitation.max_uses:
        return InvitationState.USED
    if invitation.expires_at <= timezone.now():
        return InvitationState.EXPIRED
    maker_role: str | None = invitation.maker_role  # type: ignore[attr-defined]  # annotated
    is_allowed = invitation.created_by_id is None or invitation.role in MAY_INVITE.get(maker_role or "", ())
    return InvitationState.OPEN if is_allowed else InvitationState.ENDED


def revoke(member: Member, invitation_id: int) -> Invitation:
    """Make an invitation invalid. Those who used it stay members."""
    with transaction.atomic():
        rows = Invitation.objects.filter(collection=member.collection, role__in=roles_to_invite(member))
        invitation = rows.select_for_update().filter(pk=invitation_id).first()
        if invitation is None:
            raise Refused(f"{member.collection} has no invitation {invitation_id} that you may revoke.")
        if invitation.revoked_at is not None:
            raise Refused("This invitation is already revoked.")
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        details = {"role": invitation.role, "uses": invitation.uses}
        audit.record(Action.INVITATION_REVOKED, actor=member.user, collection=member.collection, details=details)
    return invitation


def old_invitations() -> QuerySet[Invitation]:
    """Return the invitations that expired a while ago."""
    return Invitation.objects.filter(expires_at__lte=timezone.now() - KEPT_AFTER_END)
