"""Sends invitations by email, one link for each address."""

from collections.abc import Callable, Sequence

from django.db import transaction

from assess import mail
from assess.errors import Refused
from assess.models import Member, User
from assess.people import invitations

MAX_ADDRESSES = 20


def invite_by_mail(
    creator: Member, role: str, addresses: Sequence[str], days: int, link_of: Callable[[str], str]
) -> list[str]:
    """Create an invitation for each address and send it: all, or none. Returns the addresses, each once.

    `link_of` returns the link with a token. The list of invitations shows the address as the note.
    """
    different = list(dict.fromkeys(addresses))
    if len(different) > MAX_ADDRESSES:
        raise Refused(f"You can invite at most {MAX_ADDRESSES} addresses at once, not {len(different)}.")
    sender = User.objects.get(memberships=creator)
    with transaction.atomic():
        for address in different:
            token = invitations.create(creator.collection, creator, role, days=days, note=address)
            values = {"collection": creator.collection, "sender": sender, "role": role, "days": days}
            subject, body = mail.render("invitation", values | {"link": link_of(token)})
            mail.send(address, subject, body, sender)
    return different
