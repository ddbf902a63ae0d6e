"""What an assessor is to do next, and how far they are.

This module reads assignments, documents and the assessor's own judgements; it has no way to runs, ranks or
other assessors, so nothing that an assessor's page shows can betray them.
"""

from dataclasses import asdict, dataclass

from django.db.models import (
    Case,
    Count,
    F,
    FilteredRelation,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from assess.models import Assignment, Judgement, JudgementEvent, Member, State, Topic

OPEN = (State.LATER, State.UNDONE)
AHEAD = 6  # the document on the screen and five more


@dataclass(frozen=True)
class Card:
    """One document to judge, as the page needs it.

    `text` is None where the document's text is still lacking. `relevance` and `comment` are what was said of it, or
    what had been said before it was taken back.
    """

    task: str
    doc_id: str
    title: str
    text: str | None
    state: str = ""
    relevance: int | None = None
    comment: str = ""

    def to_dict(self) -> dict:
        return asdict(self)


@dataclass(frozen=True)
class Progress:
    """How many of the tasks given to an assessor are settled; `later` ones are among those left."""

    total: int
    judged: int
    cannot_judge: int
    later: int

    @property
    def done(self) -> int:
        return self.judged + self.cannot_judge

    @property
    def left(self) -> int:
        return self.total - self.done

    def to_dict(self) -> dict:
        return asdict(self) | {"done": self.done, "left": self.left}


def with_own_judgement(member: Member) -> QuerySet[Assignment]:
    """The assessor's assignments, each joined to the assessor's own first judgement of the task."""
    return Assignment.objects.filter(member=member).annotate(
        own=FilteredRelation(
            "task__judgements", condition=Q(task__judgements__member=member, task__judgements__repeat=0)
        )
    )


def progress(member: Member, topic: Topic | None = None) -> Progress:
    """Over one topic, or over all."""
    assignments = with_own_judgement(member)
    if topic is not None:
        assignments = assignments.filter(task__topic=topic)
    return Progress(**assignments.aggregate(**_counts()))


def _counts() -> dict[str, Count]:
    def in_state(state):
        return Count("pk", filter=Q(own__state=state))

    return {
        "total": Count("pk"),
        "judged": in_state(State.JUDGED),
        "cannot_judge": in_state(State.CANNOT_JUDGE),
        "later": in_state(State.LATER),
    }


def topics(member: Member) -> list[tuple[Topic, Progress]]:
    """The assessor's topics with the progress in each, in the collection's order, in two queries."""
    rows = with_own_judgement(member).values("task__topic").annotate(**_counts()).order_by()
    counts = {row.pop("task__topic"): Progress(**row) for row in rows}
    found = Topic.objects.filter(pk__in=counts).order_by("pk")
    return [(topic, counts[topic.pk]) for topic in found]


def upcoming(member: Member, topic: Topic, besides: tuple[str, ...] = (), limit: int = AHEAD) -> list[Card]:
    """The next open tasks: taken back first, then the untouched in the assessor's order, then those put off."""
    turn = Case(
        When(own__state=State.UNDONE, then=Value(0)),
        When(own__state=State.LATER, then=Value(2)),
        default=Value(1),
        output_field=IntegerField(),
    )
    put_off_at = Case(When(own__state=State.LATER, then=F("own__judged_at")))
    open_tasks = (
        with_own_judgement(member)
        .filter(task__topic=topic)
        .filter(Q(own__isnull=True) | Q(own__state__in=OPEN))
        .exclude(task__public_id__in=besides)
        .order_by(turn, put_off_at, "position", "pk")
    )
    return _cards(open_tasks[:limit])


def last_settled(member: Member, topic: Topic) -> Card | None:
    """What the assessor said last in this topic: where undo goes back to."""
    last = (
        Judgement.objects.filter(member=member, task__topic=topic, repeat=0)
        .exclude(state=State.UNDONE)
        .filter(task__assignments__member=member)
        .order_by("-judged_at", "-pk")
        .values_list("task__public_id", flat=True)
        .first()
    )
    return card(member, last) if last else None


def card(member: Member, public_id) -> Card | None:
    """One task of the assessor's own, or None where it is not theirs."""
    return next(iter(_cards(with_own_judgement(member).filter(task__public_id=public_id))), None)


def _cards(assignments: QuerySet[Assignment]) -> list[Card]:
    before_undo = (
        JudgementEvent.objects.filter(judgement=OuterRef("own__pk")).exclude(state=State.UNDONE).order_by("-pk")
    )
    rows = assignments.annotate(
        former_relevance=Subquery(before_undo.values("relevance")[:1]),
        former_comment=Subquery(before_undo.values("comment")[:1]),
    ).values(
        "task__public_id",
        "task__document__doc_id",
        "task__document__title",
        "task__document__text",
        "own__state",
        "former_relevance",
        "former_comment",
    )
    return [_card(row) for row in rows]


def _card(row: dict) -> Card:
    return Card(
        task=str(row["task__public_id"]),
        doc_id=row["task__document__doc_id"],
        title=row["task__document__title"],
        text=row["task__document__text"],
        state=row["own__state"] or "",
        relevance=row["former_relevance"],
        comment=row["former_comment"] or "",
    )
