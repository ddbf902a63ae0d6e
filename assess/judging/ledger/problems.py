"""Everything that does not match the ledger, one sentence for each problem."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import connection

from assess.judging.checkpoints import checkpoint_problems
from assess.judging.ledger.chains import chain_problems
from assess.judging.ledger.displays import display_problems
from assess.judging.ledger.judgements import assignment_problems, events_of, judgement_problems, judgements_of
from assess.judging.ledger.triggers import trigger_problems
from assess.models import Collection, ErasurePermit
from assess.pools import slots
from pooling.errors import shown


class LedgerSize(NamedTuple):
    judgements: int
    events: int


def ledger_size(collection: Collection | None = None) -> LedgerSize:
    return LedgerSize(judgements_of(collection).count(), events_of(collection).count())


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one consistent state of the database while others keep judging. Do not write inside the block."""
    if connection.in_atomic_block:
        yield
        return
    # Not atomic(): on SQLite that is a writing transaction, which would keep every assessor waiting.
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else "BEGIN DEFERRED"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def ledger_problems(
    collection: Collection | None = None, progress: Callable[[int], object] | None = None
) -> Iterator[str]:
    """Yield one sentence for everything that does not match the ledger, in one collection or in all.

    `progress` is called with 1 for each judgement.
    """
    yield from trigger_problems()
    yield from _open_permits()
    yield from judgement_problems(collection, progress)
    yield from chain_problems(collection)
    yield from display_problems(collection)
    yield from checkpoint_problems(collection)
    yield from assignment_problems(collection)
    yield from slots.slot_problems(collection)


def _open_permits() -> Iterator[str]:
    for permit in ErasurePermit.objects.select_related("member"):
        whose = f"of {shown(permit.member.name)}" if permit.member else "of everyone"
        yield f"The ledger {whose} is unprotected: an erasure was not finished (assess_erasing {permit.pk})."
