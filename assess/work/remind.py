"""Reminds assessors of their open documents by email, at most once a day for each person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from assess import audit, mail
from assess.errors import Refused
from assess.models import Action, Assignment, Collection, Member, Reminder, User
from assess.pools.tasks import OPEN


@dataclass(frozen=True)
class ReminderText:
    """A reminder that can be sent or copied. `is_sent` says whether the person got one today."""

    member: Member
    open: int
    recipient: str
    subject: str
    body: str
    is_sent: bool


def reminders(collection: Collection, address: str) -> list[ReminderText]:
    """Return a reminder for everybody with open documents. `address` is that of their page."""
    sent = set(Reminder.objects.filter(member__collection=collection, day=_today()).values_list("member", flat=True))
    rows = _open_work(collection)
    people = collection.members.filter(pk__in=rows, user__is_active=True).select_related("user")
    return [_text(collection, member, rows[member.pk], address, member.pk in sent) for member in people]


def _open_work(collection: Collection) -> dict[int, int]:
    rows = Assignment.objects.filter(topic__collection=collection, repeat=0, state__in=OPEN).order_by()
    return dict(rows.values_list("member").annotate(Count("pk")))


def _text(collection: Collection, member: Member, number: int, address: str, is_sent: bool) -> ReminderText:
    subject, body = mail.render("reminder", {"collection": collection, "number": number, "address": address})
    return ReminderText(member, number, member.user.email if member.user else "", subject, body, is_sent)


@dataclass(frozen=True)
class Reminded:
    """Who gets a reminder, and how many people are left because of the limit of emails."""

    people: list[Member]
    left: int = 0

    def sentence(self) -> str:
        """Return the result for people."""
        names = ", ".join(member.name for member in self.people)
        left = "1 person is" if self.left == 1 else f"{self.left:,} people are"
        return f"Reminders are being sent to: {names}." + (
            f" {mail.limit_sentence()} {left} left to remind later." if self.left else ""
        )


def remind(collection: Collection, address: str, names: Sequence[str] = (), actor: User | None = None) -> Reminded:
    """Send reminders to the named assessors, or to all with open documents whom nobody reminded today.

    Without an address of the person, nothing is sent to them. Of named people, all get their email or none; of all
    people, as many as the actor may send emails to in this hour.
    """
    if not mail.is_configured():
        raise Refused("This site has no mail server. Copy the text and send it yourself.")
    if collection.closed_because:
        raise Refused(f"{collection.closed_because} Nobody can be reminded now.")
    with transaction.atomic():
        chosen = _chosen(reminders(collection, address), names)
        left = 0
        if actor and not names and (allowed := mail.left_this_hour(actor)):
            left, chosen = max(len(chosen) - allowed, 0), chosen[:allowed]
        for each in chosen:
            _, is_first = Reminder.objects.get_or_create(member=each.member, day=_today())
            if not is_first:
                raise Refused(f"{each.member} has been reminded today already.")
            mail.send(each.recipient, each.subject, each.body, actor)
        audit.record(Action.REMINDED, actor=actor, collection=collection, details={"people": len(chosen)})
    return Reminded([each.member for each in chosen], left)


def _chosen(texts: list[ReminderText], names: Sequence[str]) -> list[ReminderText]:
    """Return the reminders to send, or refuse with the reason why one cannot be sent."""
    if not names:
        chosen = [each for each in texts if each.recipient and not each.is_sent]
        if not chosen:
            raise Refused("Nobody with open documents and an email address is left to remind today.")
        return chosen
    by_name = {each.member.name: each for each in texts}
    for name in names:
        if name not in by_name:
            raise Refused(f"{name[:80]} has no open documents, so there is no reminder to send.")
        if by_name[name].is_sent:
            raise Refused(f"{name} has been reminded today already.")
        if not by_name[name].recipient:
            raise Refused(f"{name} has no email address. Copy the text and send it yourself.")
    return [by_name[name] for name in dict.fromkeys(names)]


def _today() -> date:
    return timezone.now().date()
