"""The people of a collection and its invitations, as pages show them."""

from dataclasses import dataclass

from django.db.models import Count, Q

from assess.collections.sight import Sights, sighted_judges, sights
from assess.models import (
    ROLES_OF_PEOPLE,
    Assignment,
    ImportedJudge,
    Invitation,
    JudgeKind,
    Judgement,
    Member,
    Role,
    State,
)
from assess.people.invitations import InvitationState, roles_to_invite, state_of, with_makers
from assess.pools.tasks import OPEN


@dataclass(frozen=True)
class PersonRow:
    """A person in a collection.

    `username` is empty unless the viewer is an owner, since it tells who is behind a pseudonym. `judged` and
    `open_tasks` leave hidden repeats out. `saw_runs` is the role in which an assessor could see the runs before.
    """

    member: Member
    username: str
    state: str
    judged: int
    open_tasks: int
    is_viewer: bool
    saw_runs: str = ""


@dataclass(frozen=True)
class ImportedJudgeRow:
    """An imported judge: its kind, empty if it was not stated, its regular grades, and what was declared about it."""

    member: Member
    kind: str
    judged: int
    declared: ImportedJudge | None

    @property
    def is_withdrawn(self) -> bool:
        return self.member.role == Role.WITHDRAWN


@dataclass(frozen=True)
class InvitationRow:
    """An invitation, what became of it, and the pseudonym of who made it."""

    invitation: Invitation
    state: InvitationState
    maker: str


def people_for(viewer: Member, seen: Sights) -> tuple[list[PersonRow], list[ImportedJudgeRow]]:
    """Return the people of a collection, as one of them sees them, and the imported judges, by their names.

    `seen` says who could see the runs.
    """
    return _rows(viewer, Q(collection=viewer.collection), seen)


def person_for(viewer: Member, member_id: int) -> PersonRow | None:
    """Return one person who can still be changed, or None."""
    is_person = Q(collection=viewer.collection, pk=member_id, user__isnull=False)
    people, _ = _rows(viewer, is_person, sights(viewer.collection))
    return people[0] if people else None


def imported_judge_for(viewer: Member, member_id: int) -> ImportedJudgeRow | None:
    """Return one imported judge, or None."""
    is_imported = Q(user__isnull=True, removed_at__isnull=True)
    _, judges = _rows(viewer, is_imported & Q(collection=viewer.collection, pk=member_id), {})
    return judges[0] if judges else None


def _rows(viewer: Member, condition: Q, seen: Sights) -> tuple[list[PersonRow], list[ImportedJudgeRow]]:
    members = list(Member.objects.filter(condition).select_related("user", "collection", "imported_judge"))
    judged = _judged(members)
    imported = [member for member in members if not member.is_person]
    return (
        _people(viewer, [member for member in members if member.is_person], judged, seen),
        [_imported(member, judged.get(member.pk, 0)) for member in imported],
    )


def _imported(judge: Member, judged: int) -> ImportedJudgeRow:
    declared: ImportedJudge | None = getattr(judge, "imported_judge", None)
    kind = JudgeKind(declared.kind).label if declared and declared.kind else ""
    return ImportedJudgeRow(judge, kind, judged, declared)


def _people(viewer: Member, members: list[Member], judged: dict[int, int], seen: Sights) -> list[PersonRow]:
    open_tasks = _open_tasks(members)
    names_shown = viewer.role == Role.OWNER
    sighted = sighted_judges(viewer.collection, seen)
    return [
        PersonRow(
            member=member,
            username=member.user.username if member.user and (names_shown or member == viewer) else "",
            state=_state(member),
            judged=judged.get(member.pk, 0),
            open_tasks=open_tasks.get(member.pk, 0),
            is_viewer=member == viewer,
            saw_runs=sighted.get(member.pk, ""),
        )
        for member in members
    ]


def _state(member: Member) -> str:
    if member.user is None:
        return "removed"
    return "active" if member.user.is_active else "deactivated"


def _judged(members: list[Member]) -> dict[int, int]:
    rows = Judgement.objects.filter(member__in=members, repeat=0, state=State.JUDGED)
    return dict(rows.order_by().values("member").annotate(n=Count("pk")).values_list("member", "n"))


def _open_tasks(members: list[Member]) -> dict[int, int]:
    rows = Assignment.objects.filter(member__in=members, repeat=0, state__in=OPEN)
    return dict(rows.order_by().values("member").annotate(n=Count("pk")).values_list("member", "n"))


def invitations_for(viewer: Member) -> list[InvitationRow]:
    """Return the invitations with roles that the viewer may give, newest first."""
    makers = dict(Member.objects.filter(collection=viewer.collection).values_list("user", "name"))
    rows = with_makers().filter(collection=viewer.collection, role__in=roles_to_invite(viewer))
    return [InvitationRow(row, state_of(row), _maker(row, makers)) for row in rows]


def _maker(invitation: Invitation, makers: dict[int, str]) -> str:
    if invitation.created_by_id is None:
        return "a command"
    return makers.get(invitation.created_by_id, "a former member")


def successors_of(member: Member) -> list[Member]:
    """Return the assessors who could take over the open work of another one."""
    assessors = Member.objects.filter(collection=member.collection, role=Role.ASSESSOR, user__is_active=True)
    return list(assessors.exclude(pk=member.pk))


def other_roles(member: Member) -> list[str]:
    """Return the roles that the member does not have."""
    return [role.value for role in ROLES_OF_PEOPLE if role != member.role]
