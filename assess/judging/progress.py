"""The progress of an assessor: how many of their documents are settled, and how many more they may claim.

An assessor must not learn that some documents come twice. So a document with a hidden repeat counts once, and what is
left of the assignments is shown as the same share of the documents: the count ends at the number of documents, and no
document stands out.

The answer to every judgement contains it. The queries are SQL because both databases count fast only in this form,
topic by topic on the index `task_to_claim`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from assess.models import JudgementKind, Member, State

COUNTS = """
    SELECT topic_id, state, repeat = %(again)s, COUNT(*) FROM assess_assignment
    WHERE member_id = %(member)s AND state <> 'lapsed' AND repeat <> %(practice)s AND {topic} GROUP BY 1, 2, 3
"""
# `taken >= 0` is always true, but lets SQLite see that it can use the index. The tasks that the assessor has are looked
# up once for all topics.
CLAIMABLE = """
    UNION ALL
    SELECT topic.id, 'free', FALSE, (SELECT COUNT(*) FROM (
        SELECT 1 FROM assess_task task
        WHERE task.topic_id = topic.id AND task.taken >= 0 AND task.taken < task.wanted AND task.id NOT IN (
            SELECT task_id FROM assess_assignment
            WHERE member_id = %(member)s AND state <> 'lapsed' AND {held})
        {limit}) AS found)
    FROM assess_topic topic WHERE {topics}
"""
# A task that was postponed or undone while others judged it is no longer the assessor's, nor is its hidden repeat.
LOST = """
    SELECT mine.topic_id, mine.state, mine.repeat = %(again)s, -COUNT(*)
    FROM assess_assignment mine
    JOIN assess_assignment first
        ON first.task_id = mine.task_id AND first.member_id = mine.member_id AND first.repeat = 0
    JOIN assess_task task ON task.id = mine.task_id
    WHERE mine.member_id = %(member)s AND mine.state IN ('', 'later', 'undone') AND {topic}
        AND first.state IN ('later', 'undone') AND NOT first.holds_place AND task.taken >= task.wanted
    GROUP BY 1, 2, 3
"""
CLAIMABLE_IN_ONE = CLAIMABLE.format(topics="topic.id = %(to_claim_in)s", held="topic_id = %(to_claim_in)s", limit="")
CLAIMABLE_IN_EACH = CLAIMABLE.format(
    topics="topic.collection_id = %(collection)s", held="TRUE", limit="LIMIT %(enough)s"
)
FREE = "free"  # the state of claimable tasks in CLAIMABLE
Counts = Counter[tuple[str, bool]]  # of assignments by state, and whether they are hidden repeats
ENOUGH = 100  # claimable tasks counted for each topic when all topics are counted; more than anybody needs to see


@dataclass(frozen=True)
class Progress:
    """The number of documents of an assessor by state; postponed ones (`later`) are among those left.

    `to_claim` is the number of tasks that the assessor could claim: all of them in one topic, at most ENOUGH for each
    topic when all topics are counted.
    """

    total: int = 0
    judged: int = 0
    cannot_judge: int = 0
    later: int = 0
    to_claim: int = 0

    @property
    def done(self) -> int:
        return self.judged + self.cannot_judge

    @property
    def left(self) -> int:
        return self.total - self.done

    def to_dict(self) -> dict[str, int]:
        return vars(self) | {"done": self.done, "left": self.left}


def progress_for(member: Member, topic: int | None = None) -> Progress:
    """Return the progress in one topic, or in all."""
    return sum_progress(progress_by_topic(member, topic).values())


def sum_progress(parts: Iterable[Progress]) -> Progress:
    totals: Counter[str] = Counter()
    for part in parts:
        totals.update(vars(part))
    return Progress(**totals)


def progress_by_topic(member: Member, topic: int | None = None, to_claim_in: int | None = None) -> dict[int, Progress]:
    """Return the progress by topic key, for one topic or for all.

    Claimable tasks are counted in the topic `to_claim_in`, or up to ENOUGH in each topic.
    """
    counts = _counts(member, topic, topic or to_claim_in)
    return {pk: _progress(states) for pk, states in counts.items()}


def _counts(member: Member, topic: int | None, to_claim_in: int | None) -> dict[int, Counts]:
    query = COUNTS.format(topic="topic_id = %(topic)s" if topic else "TRUE")
    if member.collection.open_to_claims:
        query += CLAIMABLE_IN_ONE if to_claim_in else CLAIMABLE_IN_EACH
    keys = {
        "member": member.pk,
        "topic": topic,
        "to_claim_in": to_claim_in,
        "collection": member.collection_id,
        "enough": ENOUGH,
        "practice": JudgementKind.PRACTICE.value,
        "again": JudgementKind.REPEAT.value,
    }
    counts: dict[int, Counts] = defaultdict(Counter)
    _add_counts(counts, query, keys)
    # Only these can be lost, so most answers to a judgement need one query.
    has_postponed = any(state in (State.LATER, State.UNDONE) for states in counts.values() for state, _ in states)
    if member.collection.open_to_claims and has_postponed:
        _add_counts(counts, LOST.format(topic="mine.topic_id = %(topic)s" if topic else "TRUE"), keys)
    return counts


def _add_counts(counts: dict[int, Counts], query: str, keys: dict[str, int | None]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(query, keys)
        for topic, state, is_repeat, number in cursor.fetchall():
            # CLAIMABLE has a row for every topic of the collection, and a topic without tasks is not the assessor's.
            if number:
                counts[topic][state, bool(is_repeat)] += number


def _progress(counts: Counts) -> Progress:
    to_claim = counts.pop((FREE, False), 0)
    states: Counter[str] = Counter()
    for (state, _), number in counts.items():
        states[state] += number
    total = sum(number for (_, is_repeat), number in counts.items() if not is_repeat)
    left = _left(states, total)
    cannot_judge = min(counts[State.CANNOT_JUDGE, False], total - left)
    return Progress(
        total=total,
        judged=total - left - cannot_judge,
        cannot_judge=cannot_judge,
        later=min(states[State.LATER], left),
        to_claim=to_claim,
    )


def _left(states: Counter[str], total: int) -> int:
    """Return how many of the documents are left: the share of the assignments that are.

    While others than postponed ones are left, there are more than these.
    """
    assignments = states.total()
    if assignments == total:
        return total - states[State.JUDGED] - states[State.CANNOT_JUDGE]
    left = assignments - states[State.JUDGED] - states[State.CANNOT_JUDGE]
    shown = (2 * left * total + assignments) // (2 * assignments)  # rounded
    least = states[State.LATER] + (left > states[State.LATER])
    return min(max(shown, least), total)
