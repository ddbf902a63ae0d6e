"""The hosts that this site may ask: search engines and models. A site owner lists them; nobody else can."""

from typing import TYPE_CHECKING

from django.db import transaction

from assess import audit
from assess.errors import Refused
from assess.models import Action, AllowedHost, User

if TYPE_CHECKING:
    from pooling.outgoing import AllowedHosts

MOST = 200


def allowed_hosts() -> "AllowedHosts":
    """Return the hosts that may be asked now."""
    from pooling.outgoing import AllowedHosts  # loads the HTTP client

    return AllowedHosts.parse(AllowedHost.objects.values_list("host", flat=True))


@transaction.atomic
def allow_host(text: str, actor: User | None = None) -> AllowedHost:
    """Add a host: a name, an address or a network, each with or without a port."""
    from pooling.outgoing import Entry, Forbidden

    try:
        host = str(Entry.parse(text))
    except Forbidden as error:
        raise Refused(str(error)) from None
    if AllowedHost.objects.count() >= MOST:
        raise Refused(f"A site allows at most {MOST} hosts. Remove one first.")
    row, is_new = AllowedHost.objects.get_or_create(host=host, defaults={"added_by": actor})
    if not is_new:
        raise Refused(f"{host} is allowed already.")
    audit.record(Action.HOST_ALLOWED, actor=actor, subject=host)
    return row


@transaction.atomic
def remove_host(host: str, actor: User | None = None) -> None:
    """Remove a host. A job that asks it at the moment ends at its next connection."""
    deleted, _ = AllowedHost.objects.filter(host=host).delete()
    if not deleted:
        raise Refused(f"{host} is not in the list of allowed hosts.")
    audit.record(Action.HOST_REMOVED, actor=actor, subject=host)
