"""What the members of a release could see, as its settings state it: roles over time, under pseudonyms."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assess.adjudication.openings import blind_decisions
from assess.collections.sight import people_behind, role_periods, runs_since
from assess.judging.chain_format import DISPLAY_HASHES
from assess.models import Collection, Judgement, JudgementEvent, JudgementKind, State
from assess.releases.certificates import Hashes, Key
from assess.releases.spec import PERSON, Chain, ReleasedMember, written_time

CHUNK = 5_000


def blindness_of(collection: Collection, members: Sequence[ReleasedMember], query_ids: Sequence[str]) -> dict[str, Any]:
    """Return since when there were runs, the roles of each person over time, and the decisions of adjudicators."""
    behind, periods = _people(collection), role_periods(collection)
    first = runs_since(collection)
    roles = {
        member.name: [
            [each.role, written_time(each.since), written_time(each.until) if each.until else None]
            for each in periods.get(behind[member.pk], [])
        ]
        for member in members
        if member.kind == PERSON and member.pk in behind
    }
    decisions = _decisions(collection, {member.pk: member.name for member in members}, query_ids)
    found = {"runs_since": written_time(first) if first else None, "roles": roles}
    return found | ({"decisions": decisions} if decisions else {})


def _people(collection: Collection) -> dict[int, int]:
    """Return the user of each member, also of researchers, who may adjudicate."""
    members = dict(collection.members.filter(user__isnull=False).values_list("pk", "user"))
    return people_behind(collection) | members


def _decisions(collection: Collection, names: Mapping[int, str], query_ids: Sequence[str]) -> dict[str, list[int]]:
    """Return how many documents each adjudicator decided, and how many of them blind to the grades."""
    decided = Judgement.objects.filter(
        task__topic__collection=collection,
        task__topic__query_id__in=list(query_ids),
        repeat=JudgementKind.DECISION,
        state=State.JUDGED,
        member__in=list(names),
    )
    rows = list(decided.values_list("task", "member"))
    if not rows:
        return {}
    blind = blind_decisions(collection)
    totals = Counter(names[member] for _, member in rows)
    blinded = Counter(names[member] for task, member in rows if blind.get(task))
    return {name: [n, blinded[name]] for name, n in sorted(totals.items())}


def displayed_at(chains: Sequence[Chain], members: Sequence[ReleasedMember], keys: set[Key]) -> dict[Key, Hashes]:
    """Return the hashes of what was displayed for each judgement, from its last event at a checkpoint."""
    lengths = {int(member): int(length) for member, length, _ in chains}
    names = {member.pk: member.name for member in members}
    events = JudgementEvent.objects.filter(member__in=list(names), position__isnull=False).order_by("position")
    pair = ("judgement__task__topic__query_id", "judgement__task__document__doc_id")
    found: dict[Key, Hashes] = {}
    rows = events.values_list("member", "position", "judgement__repeat", *pair, *DISPLAY_HASHES)
    for member, position, kind, query_id, doc_id, *hashes in rows.iterator(CHUNK):
        is_decision = kind == JudgementKind.DECISION
        key = (names[member], query_id, doc_id, 0 if is_decision else kind, is_decision)
        if key in keys and (position or 0) <= lengths.get(member, 0):
            document, topic, scale, guidelines = (bytes(each).hex() if each else "" for each in hashes)
            found[key] = (document, topic, scale, guidelines)
    return found
