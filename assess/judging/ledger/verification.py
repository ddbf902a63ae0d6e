"""Records in the audit log that the ledger was verified, so that site owners see when, and with which result."""

from assess import audit
from assess.judging.ledger.judgements import events_of
from assess.models import Action, Collection


def chain_count(collection: Collection | None = None) -> int:
    """Return the number of chains of hashes: one for each member with an event."""
    return events_of(collection).order_by().values("member_id").distinct().count()


def record_verification(chains: int, events: int, differences: int, collection: Collection | None = None) -> None:
    """Add an entry to the audit log. Without a collection, everything was verified."""
    details = {"chains": chains, "events": events, "differences": differences}
    audit.record(Action.LEDGER_VERIFIED, collection=collection, details=details)
