"""The answers that belong to judgements: those of their last events."""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import F, QuerySet

from assess.lib.batches import BATCH
from assess.models import Judgement, JudgementEvent, MarginalAnswer


class Answered(NamedTuple):
    """An answer, and the doc_ids that the document repeats, in ascending order; empty without an answer."""

    marginal: str = ""
    repeats: tuple[str, ...] = ()


NOT_ANSWERED = Answered()


def answers_of(judgements: QuerySet[Judgement]) -> dict[int, Answered]:
    """Return the answers of judgements by primary key, without those that have none."""
    rows = MarginalAnswer.objects.filter(event__judgement__in=judgements.values("pk").order_by())
    last = rows.filter(event__version=F("event__judgement__version"))
    values = last.values_list("event__judgement", "answer", "repeats")
    return {judgement: Answered(answer, tuple(repeats)) for judgement, answer, repeats in values}


def save_answers(answers: Mapping[int, Answered]) -> None:
    """Save the answers of new judgements, by primary key, each with its only event."""
    keys = sorted(answers)
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        events = JudgementEvent.objects.filter(judgement__in=batch).values_list("judgement", "pk")
        MarginalAnswer.objects.bulk_create(
            MarginalAnswer(event_id=event, answer=answers[key].marginal, repeats=list(answers[key].repeats))
            for key, event in events
        )
