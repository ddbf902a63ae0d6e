"""Reads the audit log, page by page or as CSV, and deletes old entries."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from assess.collections.sight import KEPT
from assess.errors import Refused
from assess.judging import judgement_csv
from assess.lib.batches import BATCH
from assess.models import Action, AuditEvent, Collection, ErasurePermit, User

PAGE_SIZE = 100
COLUMNS = ("at", "action", "actor", "person", "collection", "subject", "details", "address")
ERASED, COMMAND, VISITOR, UNKNOWN_NAME = "erased person", "a command", "a visitor", "unknown name"
BY_VISITORS = (Action.SIGN_IN_FAILED, Action.LOCKED_OUT, Action.CODE_FAILED)
ADDRESS_DIGITS = 12  # of the hash: enough to see that two entries have the same address
# Longer numbers do not fit into a key of 64 bits.
MAX_KEY_DIGITS = 18


def events_of(collection: Collection | None) -> QuerySet[AuditEvent]:
    """Return the entries of one collection, which its owners may see; or all, which only site owners may see."""
    return AuditEvent.objects.filter(collection=collection.pk) if collection else AuditEvent.objects.all()


@dataclass(frozen=True)
class AuditRow:
    """An entry as pages and files show it.

    `actor` and `person` are user names. Where there is none, they are words with a space, which no name has.
    """

    event: AuditEvent
    action: str
    actor: str
    person: str
    details: str
    address: str

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        event = self.event
        own = (event.at, event.action, self.actor, self.person, event.collection_slug, event.subject)
        return [*own, self.details, self.address]


def audit_row(event: AuditEvent) -> AuditRow:
    """Return an entry with the names that its keys lead to now."""
    by_visitor = event.action in BY_VISITORS
    return AuditRow(
        event=event,
        action=Action(event.action).label if event.action in Action.values else event.action,
        actor=_name(event.actor_id, event.actor) or (VISITOR if by_visitor else COMMAND),
        person=_name(event.person_id, event.person) or (UNKNOWN_NAME if by_visitor else ""),
        details=", ".join(f"{name}: {value}" for name, value in event.details.items()),
        address=event.address_hash[:ADDRESS_DIGITS],
    )


def _name(key: int | None, user: User | None) -> str:
    """Return the name of a user; empty without a key."""
    if key is None:
        return ""
    return user.username if user and user.erased_at is None else f"{ERASED} {key}"


@dataclass(frozen=True)
class AuditPage:
    """One page, newest first. `older` is the value of `?older=` for the next page, or None on the last."""

    rows: list[AuditRow]
    older: int | None


def audit_page(events: QuerySet[AuditEvent], action: str = "", older: str = "") -> AuditPage:
    """Return the newest entries before the entry `older`, of one action or of all."""
    if action and action not in Action.values:
        raise Refused(f"There is no action {action[:24]!r}. The actions are {', '.join(Action.values)}.")
    if older and not (older.isascii() and older.isdigit() and len(older) <= MAX_KEY_DIGITS):
        raise Refused(f"The page must begin at the number of an entry, not at {older[:24]!r}.")
    selected = events.filter(action=action) if action else events
    if older:
        selected = selected.filter(pk__lt=int(older))
    rows = list(_with_people(selected).order_by("-pk")[: PAGE_SIZE + 1])
    is_last = len(rows) <= PAGE_SIZE
    return AuditPage([audit_row(event) for event in rows[:PAGE_SIZE]], None if is_last else rows[PAGE_SIZE - 1].pk)


def audit_csv(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yield the lines of a CSV file with the columns COLUMNS, oldest entry first.

    UTF-8, comma, double quotes where needed, LF; times in ISO 8601 and UTC. `address` is the beginning of a keyed
    hash. A cell that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    yield judgement_csv.line(COLUMNS)
    for event in _with_people(events).order_by("pk").iterator(chunk_size=BATCH):
        yield judgement_csv.line(audit_row(event).cells())


def _with_people(events: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
    return events.select_related("actor", "person")


def old_events() -> QuerySet[AuditEvent]:
    """Return the entries that are older than settings.AUDIT_DAYS.

    Those that say who could see the runs of a collection stay as long as the collection: see `sight`.
    """
    old = AuditEvent.objects.filter(at__lt=timezone.now() - timedelta(days=settings.AUDIT_DAYS))
    return old.exclude(action__in=KEPT, collection__in=Collection.objects.values("pk"))


def delete_old_events() -> int:
    """Delete the old entries, which the triggers allow while a permit exists. Returns how many."""
    with transaction.atomic():
        permit = ErasurePermit.objects.create()
        deleted, _ = old_events().delete()
        permit.delete()
    return deleted
