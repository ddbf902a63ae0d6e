"""Claims of near-duplicates that wait for the judgement of another document of their group."""

from assess.models import DuplicatesRule, Member, State, Topic
from assess.pools.near_duplicates.groups import in_groups, rule_in_effect
from assess.pools.queue import open_tasks


def waiting_duplicates(member: Member, topic: Topic) -> list[int]:
    """Return the keys of the open claims that the page does not show yet, because one judgement applies to all.

    They do not count as documents in hand: otherwise a large group would leave the page without other documents.
    """
    if rule_in_effect(member.collection) != DuplicatesRule.ONCE:
        return []
    claims = in_groups(open_tasks(member, topic, claimed=True).exclude(state=State.LATER), topic)
    seen: set[int] = set()
    result = []
    for pk, group in claims.order_by("position", "pk").values_list("pk", "group"):
        if group in seen:
            result.append(pk)
        seen.add(group)
    return result
