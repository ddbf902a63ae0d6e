"""Computes the facts of a release again, which are not in the ledger, and names those that cannot be computed."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime

from assess.models import Action, AuditEvent, Checkpoint, Collection, JudgementEvent, JudgementKind
from assess.releases.spec import ReleaseSpec
from assess.releases.state.facts import facts_of

ADJUDICATIONS = (Action.ADJUDICATION_CREATED, Action.ADJUDICATION_UNDONE)
ERASED = (Action.MEMBERS_ERASED, Action.PERSON_ERASED)
OF_ADJUDICATION = ("decided", "blind", "undecided")
OF_ROLES = ("researching_judges",)


def fact_problems(collection: Collection, spec: ReleaseSpec, notes: list[str]) -> Iterator[str]:
    """Yield the facts that the database does not lead to, and note those that cannot be computed again."""
    checkpoint = Checkpoint.objects.filter(collection=collection, hash=spec.checkpoint).first()
    if checkpoint is None:
        notes.append(_note([*OF_ADJUDICATION, *OF_ROLES], "the checkpoint of the release is not in this database"))
        return
    at = checkpoint.created_at
    comparable: list[str] = []
    if _changed(collection, at, (*ADJUDICATIONS, *ERASED)) or _decided_later(spec):
        notes.append(_note(OF_ADJUDICATION, "adjudications, decisions or people have changed since"))
    else:
        comparable += OF_ADJUDICATION
    if _changed(collection, at, (Action.ROLE_CHANGED, *ERASED)):
        notes.append(_note(OF_ROLES, "roles or people have changed since"))
    else:
        comparable += OF_ROLES
    released, now = asdict(spec.facts), asdict(facts_of(collection, spec.members, spec.query_ids))
    for name in comparable:
        if released[name] != now[name]:
            yield f"release.json: {name} is {released[name]} in the release and {now[name]} in the database."


def _note(names: Iterable[str], reason: str) -> str:
    return f"release.json: the facts {', '.join(names)} were not computed again, because {reason}."


def _changed(collection: Collection, at: datetime, actions: Iterable[str]) -> bool:
    return AuditEvent.objects.filter(collection=collection, action__in=list(actions), at__gt=at).exists()


def _decided_later(spec: ReleaseSpec) -> bool:
    lengths = {int(member): int(length) for member, length, _ in spec.chains}
    decisions = JudgementEvent.objects.filter(
        member__collection__slug=spec.collection, judgement__repeat=JudgementKind.DECISION, position__isnull=False
    )
    rows = decisions.values_list("member", "position")
    return any((position or 0) > lengths.get(member, 0) for member, position in rows)
