"""Whether judging is open, paused or closed.

While it is paused or closed, assessors get no documents and no judgement is recorded. A judgement that was made before
but not sent yet stays in the assessor's browser, which says so, and is sent when judging is open again. So nothing is
lost, and nothing is recorded after the change.
"""

from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Action, Collection, Exercise, User
from assess.pools.slots import lock_slots


class JudgingState(models.TextChoices):
    OPEN = "open", "open"
    PAUSED = "paused", "paused"
    CLOSED = "closed", "closed"


ACTIONS = {
    JudgingState.OPEN: Action.JUDGING_OPENED,
    JudgingState.PAUSED: Action.JUDGING_PAUSED,
    JudgingState.CLOSED: Action.JUDGING_CLOSED,
}


def judging_state(collection: Collection) -> JudgingState:
    if collection.judging_closed_at:
        return JudgingState.CLOSED
    return JudgingState.OPEN if collection.judging_open else JudgingState.PAUSED


@transaction.atomic
def set_judging_state(collection: Collection, state: str, actor: User | None = None) -> bool:
    """Open, pause or close judging. Returns whether this changed anything.

    A judgement that is being recorded is saved before this returns, and none afterwards.
    """
    if state not in JudgingState.values:
        raise Refused(f"Judging can be {', '.join(JudgingState.values)}, not {state[:20]!r}.")
    if Exercise.objects.filter(collection=collection).exists():
        raise Refused(f"{collection} is a class exercise. Its instructor starts, pauses and ends it.")
    lock_active(collection)
    collection.refresh_from_db(fields=["judging_open", "judging_closed_at"])
    if judging_state(collection) == state:
        return False
    _save(collection, judging_open=state == JudgingState.OPEN, judging_closed_at=_closed_at(state))
    lock_slots(collection)  # waits for judgements that have read the earlier state
    audit.record(ACTIONS[JudgingState(state)], actor=actor, collection=collection)
    return True


def _closed_at(state: str) -> datetime | None:
    return timezone.now() if state == JudgingState.CLOSED else None


def _save(collection: Collection, **values: Any) -> None:
    for name, value in values.items():
        setattr(collection, name, value)
    collection.save(update_fields=list(values))
