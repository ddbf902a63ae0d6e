"""The settings that a new collection copies from another one: scale, rules of judging, reference, and guidelines."""

from typing import Any

from django.db.models import QuerySet

from assess.errors import Refused
from assess.models import Collection, JudgingRules, Order, Role, User

NOT_COPIED = {"judging_open", "judging_ends_at"}  # the state of judging, not a rule


def sources_for(user: User) -> QuerySet[Collection]:
    """Return the collections whose settings this user may copy: those they own or research in."""
    own = user.memberships.filter(role__in=(Role.OWNER, Role.RESEARCHER), collection__exercise=None)
    return Collection.objects.filter(pk__in=own.values("collection")).order_by("name", "slug")


def check_may_copy(user: User, source: Collection) -> None:
    """Refuse the settings of a collection in which the user is neither owner nor researcher."""
    if not user.pk or not sources_for(user).filter(pk=source.pk).exists():
        raise Refused(f"{user} cannot copy the settings of {source}: only its owners and researchers can.")


def copied_rules(source: Collection) -> dict[str, Any]:
    """Return the rules of judging and the default reference, unless it is a judge's gold, whom the copy does not have.

    An adaptive order depends on runs and judgements, so it becomes a shuffled one.
    """
    names = [field.name for field in JudgingRules._meta.get_fields() if field.name not in NOT_COPIED]
    rules = {name: getattr(source, name) for name in names}
    if rules["order"] == Order.ADAPTIVE:
        rules["order"] = Order.SHUFFLED
    return rules | {"reference": "" if source.reference.startswith("judge:") else source.reference}


def copied_guidelines(source: Collection) -> str | None:
    """Return the text of the latest version of the guidelines; None if there are none."""
    latest = source.guidelines.last()
    return latest.text if latest else None
