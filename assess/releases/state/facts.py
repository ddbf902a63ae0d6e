"""What a release states beside the ledger: its members, how documents were adjudicated, and who was researcher too."""

from collections.abc import Iterable, Sequence

from assess.adjudication.openings import blind_decisions
from assess.models import (
    Action,
    AdjudicatedTask,
    AuditEvent,
    Collection,
    ImportedJudge,
    Judgement,
    JudgementEvent,
    JudgementKind,
    Member,
    Role,
    State,
    Task,
)
from assess.releases.spec import IMPORTED, PERSON, Chain, Facts, ReleasedMember
from assess.transfer.judge_record import record_of

RESEARCHING = (Role.OWNER, Role.RESEARCHER)


def released_members(collection: Collection, chains: Iterable[Chain], judges: Sequence[str]) -> list[ReleasedMember]:
    """Return the members whose judgements are released: the chosen judges, or all, and the adjudicators."""
    with_events = {int(pk) for pk, *_ in chains}
    imported = {row.member_id: row for row in ImportedJudge.objects.filter(member__collection=collection)}
    deciding = set(
        Judgement.objects.filter(
            task__topic__collection=collection, repeat=JudgementKind.DECISION, state=State.JUDGED
        ).values_list("member", flat=True)
    )
    members = collection.members.filter(pk__in=with_events).exclude(role=Role.WITHDRAWN).order_by("pk")
    return [
        ReleasedMember(
            member.pk,
            member.name,
            _kind(member, imported.get(member.pk)),
            _is_judge(member, judges),
            {name: str(value) for name, value in record_of(imported.get(member.pk)).stated.items()},
        )
        for member in members
        if not judges or member.name in judges or member.pk in deciding
    ]


def _kind(member: Member, imported: ImportedJudge | None) -> str:
    if member.is_person:
        return PERSON
    return (imported.kind if imported else "") or IMPORTED


def _is_judge(member: Member, judges: Sequence[str]) -> bool:
    return member.role == Role.ASSESSOR and (not judges or member.name in judges)


def facts_of(collection: Collection, members: Sequence[ReleasedMember], query_ids: Iterable[str]) -> Facts:
    """Return the facts about the adjudication and the judges of these topics."""
    tasks = Task.objects.filter(topic__collection=collection, topic__query_id__in=list(query_ids))
    in_topics = set(tasks.values_list("pk", flat=True))
    blind = [is_blind for task, is_blind in blind_decisions(collection).items() if task in in_topics]
    planned = AdjudicatedTask.objects.filter(adjudication__collection=collection).values_list("task", flat=True)
    decided = Judgement.objects.filter(
        task__topic__collection=collection, repeat=JudgementKind.DECISION, state=State.JUDGED
    ).values_list("task", flat=True)
    undecided = (set(planned) - set(decided)) & in_topics
    return Facts(len(blind), sum(blind), len(undecided), _researching_judges(collection, members))


def _researching_judges(collection: Collection, members: Sequence[ReleasedMember]) -> int:
    """Count the people who judged and are or were researchers of the collection, also under another pseudonym."""
    events = JudgementEvent.objects.filter(
        member__in=[member.pk for member in members],
        judgement__repeat=JudgementKind.REGULAR,
        source=JudgementEvent.Source.PAGE,
        actor__isnull=False,
    )
    people = set(events.order_by().values_list("actor", flat=True).distinct())
    now = collection.members.filter(user__in=people, role__in=RESEARCHING).values_list("user", flat=True)
    changes = AuditEvent.objects.filter(collection=collection, action=Action.ROLE_CHANGED, person__in=people)
    roles = changes.values_list("person", "details")
    before = {person for person, details in roles if {details["from"], details["to"]} & set(RESEARCHING)}
    return len(before | set(now))
