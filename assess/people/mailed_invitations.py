"""Sends invitations by email, one link for each address."""

from collections.abc import Callable, Sequence

from django.db import transaction

from assess import mail
from assess.errors import Refused
from assess.models import Collection, Member, User
from assess.people import invitations

MAX_ADDRESSES = 20
SUBJECT = "Invitation to {name}"
BODY = """{sender} invites you to the test collection “{name}” as {role}.

Open this link to accept. You can create an account, or use the one you have. The link is for you only and is valid for
{days} days.

{link}

If you did not expect this email, ignore it.
"""


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
            subject, body = _text(creator.collection, sender, role, days, link_of(token))
            mail.send(address, subject, body, sender)
    return different


def _text(collection: Collection, sender: User, role: str, days: int, link: str) -> tuple[str, str]:
    name = " ".join(collection.name.split())  # a subject is one line
    values = {"name": name[: mail.MAX_SUBJECT // 2], "sender": sender, "role": role, "days": days, "link": link}
    return SUBJECT.format(**values), BODY.format(**values)
