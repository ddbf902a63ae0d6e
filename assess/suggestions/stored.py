"""The assistance that belongs to judgements: that of their last events."""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from assess.lib.batches import BATCH
from assess.models import Assistance, Collection, JudgeKind, Judgement, JudgementEvent
from assess.suggestions.choice import suggesting_name

WITHOUT, ONLY = "without", "only"
PARTS = {
    WITHOUT: "without assisted judgements",
    ONLY: "only assisted judgements, and the grades of models",
}


class Assisted(NamedTuple):
    """The name of the model that made a suggestion, and the grade that it suggested; empty without one."""

    assisted: str = ""
    suggested: int | None = None


ALONE = Assisted()


def is_assisted() -> Exists:
    """Return the condition that a judgement was made with a suggestion."""
    last = Assistance.objects.filter(event__judgement=OuterRef("pk"), event__version=OuterRef("version"))
    return Exists(last)


def in_part(part: str) -> list[Q]:
    """Return the conditions of a part of the judgements, of PARTS; none for all of them.

    The grades of models are never assisted. They stay beside assisted judgements, which are compared with them.
    """
    if part == ONLY:
        return [Q(is_assisted()) | Q(member__imported_judge__kind=JudgeKind.MODEL)]
    return [~Q(is_assisted())] if part == WITHOUT else []


def has_assisted(collection: Collection) -> bool:
    """Whether any judgement of the collection was made with a suggestion, also one that was replaced since."""
    return Assistance.objects.filter(event__member__collection=collection).exists()


def suggesting_names(collection: Collection) -> list[str]:
    """Return the names of the models whose suggestions the collection shows, or has shown to somebody who judged."""
    recorded = Assistance.objects.filter(event__member__collection=collection)
    now = suggesting_name(collection)
    return sorted({*recorded.values_list("judge", flat=True).distinct(), *([now] if now else [])})


def assistance_of(judgements: QuerySet[Judgement]) -> dict[int, Assisted]:
    """Return the assistance of judgements by primary key, without those that have none."""
    rows = Assistance.objects.filter(event__judgement__in=judgements.values("pk").order_by())
    last = rows.filter(event__version=F("event__judgement__version"))
    return {pk: Assisted(judge, grade) for pk, judge, grade in last.values_list("event__judgement", "judge", "grade")}


def save_assistance(assisted: Mapping[int, Assisted]) -> None:
    """Save the assistance of new judgements, by primary key, each with its only event."""
    keys = sorted(assisted)
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        events = JudgementEvent.objects.filter(judgement__in=batch).values_list("judgement", "pk")
        Assistance.objects.bulk_create(
            Assistance(event_id=event, judge=assisted[key].assisted, grade=assisted[key].suggested or 0)
            for key, event in events
        )
