"""The assistance that belongs to judgements: that of their last events, and what an imported one states."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.lib.batches import BATCH
from assess.models import Assistance, Collection, JudgeKind, Judgement, JudgementEvent, JudgementKind, Member
from assess.suggestions.choice import suggesting_name
from pooling.errors import shown

WITHOUT, ONLY = "without", "only"
PARTS = {
    WITHOUT: "without assisted judgements",
    ONLY: "only assisted judgements, and the grades of models",
}
LONGEST_NAME = Member._meta.get_field("name").max_length or 0


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


def check_imported_assistance(judgement_input: JudgementInput, repeat: int, scale: Sequence[int]) -> None:
    """Raise Refused unless model and grade are both stated or both missing, and the grade is on the scale."""
    judge, grade = judgement_input.assisted, judgement_input.suggested
    if not judge and grade is None:
        return
    if not judge or grade is None:
        raise Refused("An assisted judgement needs both the model (assisted) and its grade (suggested).")
    if repeat != JudgementKind.REGULAR:
        raise Refused(f"Only a judgement with repeat 0 can be assisted, not one with repeat {repeat}.")
    if len(judge) > LONGEST_NAME:
        raise Refused(f"The name of the model (assisted) can have at most {LONGEST_NAME} characters: {shown(judge)}.")
    if grade not in scale:
        raise Refused(f"The suggested grade must be one of {', '.join(map(str, scale))}, not {grade}.")
