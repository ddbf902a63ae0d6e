"""Reassigning from a page: a job moves much work, and another one computes its preview."""

from typing import Any

from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Assignment, Collection, Member, User
from assess.pools.new_tasks import row_set
from assess.pools.reassign import ReassignResult, preview_reassign, reassign
from assess.pools.tasks import OPEN

MOST_AT_ONCE = 10_000  # open assignments of one assessor
KEPT_SECONDS = 300  # because people judge meanwhile


def is_long(giver: Member) -> bool:
    """Whether reassigning the work of an assessor, or its preview, takes longer than a page should."""
    return giver.assignments.filter(state__in=OPEN).count() > MOST_AT_ONCE


def arguments_of(giver: Member, takers: list[Member]) -> dict[str, Any]:
    """Return the input of a job."""
    return {"giver": giver.pk, "takers": [taker.pk for taker in takers]}


def reassign_in_background(collection: Collection, giver: int, takers: list[int]) -> ReassignResult:
    """Move the open work of a member, given by keys: the function of the job `reassign`."""
    from_member, *to_members = _members(collection, [giver, *takers])
    return reassign(collection, from_member, to_members)


def preview_or_pending(collection: Collection, user: User, giver: Member, takers: list[Member]) -> ReassignResult:
    """Return what reassigning would do, or raise Pending while a job computes it."""
    if not is_long(giver):
        return preview_reassign(collection, giver, takers)
    arguments = arguments_of(giver, takers)
    result: ReassignResult = known_or_pending(
        "preview_reassign", collection, user, _key(collection, arguments), arguments
    )
    return result


def compute_preview(collection: Collection, key: str, giver: int, takers: list[int]) -> Started:
    """Compute the preview for the cache of results: the function of the job `preview_reassign`."""
    from_member, *to_members = _members(collection, [giver, *takers])
    results.keep(key, preview_reassign(collection, from_member, to_members), KEPT_SECONDS)
    return Started(key)


def _key(collection: Collection, arguments: dict[str, Any]) -> str:
    """Return a key that changes with the assignments and the people, but not with each judgement."""
    assignments = row_set(Assignment.objects.filter(topic__in=collection.topics.values("pk")))
    people = [(member.pk, member.name) for member in active_assessors(collection)]
    return results.key_of("preview_reassign", collection.pk, collection.judges_per_task, assignments, people, arguments)


def _members(collection: Collection, keys: list[int]) -> list[Member]:
    """Return the members with these keys, in this order."""
    members = collection.members.in_bulk(keys)
    if missing := set(keys) - members.keys():
        raise Refused(f"{len(missing)} of these people left {collection} in the meantime; nothing was changed.")
    return [members[key] for key in keys]


def moves_sentence(result: ReassignResult) -> str:
    """Describe in one sentence where the open assignments go."""
    moves = [f"{count:,} to {name}" for name, count in result.moved.items()]
    moves += [f"{result.back:,} available to claim"] if result.back else []
    moves += [f"{result.stay:,} not moved, because nobody else can take them"] if result.stay else []
    return f"Open tasks: {', '.join(moves)}." if moves else "There were no open tasks; nothing was moved."
