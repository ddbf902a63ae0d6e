"""The tags of the frame: `{% sidebar %}` and `{% icon "name" %}`."""

from functools import cache
from typing import Any

from django.template import Context, Library
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

from assess.campaign.counts import counts_of
from assess.web.frame.sidebar import groups_for

register = Library()
SIZE = 18  # pixels


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """An icon of Lucide as SVG. The words beside it say what it means."""
    return mark_safe(lucide(name, size=SIZE, aria_hidden="true", **{"class": "icon"}))  # noqa: S308 - of the package


@register.inclusion_tag("frame/sidebar.html", takes_context=True)
def sidebar(context: Context) -> dict[str, Any]:
    """The sidebar of a collection for its member, with the present page marked."""
    member, collection = context["member"], context["collection"]
    return {
        "collection": collection,
        "member": member,
        "here": context.get("here", ""),
        "groups": list(groups_for(member.role)),
        "counts": SimpleLazyObject(lambda: counts_of(collection)),
        "user": context["user"],
        "csrf_token": context.get("csrf_token"),
    }


@register.filter
def number_in(name: str, counts: object) -> int:
    """The number of this name, 0 without a name."""
    return getattr(counts, name) if name else 0
