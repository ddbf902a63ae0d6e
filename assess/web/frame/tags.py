"""The tags of the frame: `{% sidebar %}`, `{% teaching_sidebar %}`, `{% icon "name" %}` and `{% choice ... %}`."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django.template import Context, Library
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

from assess.web.frame.sidebar import GROUPS
from assess.web.frame.sides import Side, side_of_exercise, side_of_exercises, side_of_member

register = Library()
SIZE = 18  # pixels
ICONS = ("check", "chevrons-up-down", "download", "loader", "menu", "user")  # beside those of the sidebar
MOST_SEGMENTS, MOST_LETTERS = 3, 48  # of a segmented control


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """An icon of Lucide as SVG. The words beside it say what it means."""
    return mark_safe(lucide(name, size=SIZE, aria_hidden="true", **{"class": "icon"}))  # noqa: S308 - of the package


def load_frame() -> None:
    """Load the icons, the addresses and the template of the first page, so that no request waits for them."""
    reverse("home")
    get_template("research/overview/overview.html")
    for name in (*ICONS, *(entry.icon for group in GROUPS for entry in group.entries)):
        icon(name)


@register.inclusion_tag("forms/choice.html")
def choice(name: str, label: str, options: Iterable[str | tuple[Any, str]], chosen: Any) -> dict[str, Any]:
    """One choice: a segmented control of two or three short options, or else a list.

    Options are texts, or pairs of a value and a text.
    """
    pairs = pairs_of(options)
    letters = sum(len(str(text)) for _, text in pairs)
    is_segmented = 2 <= len(pairs) <= MOST_SEGMENTS and letters <= MOST_LETTERS
    return {"name": name, "label": label, "options": pairs, "chosen": chosen, "is_segmented": is_segmented}


def pairs_of(options: Iterable[str | tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return each option as a value and a text."""
    return [option if isinstance(option, tuple) else (option, option) for option in options]


@register.inclusion_tag("frame/sidebar.html", takes_context=True)
def sidebar(context: Context) -> dict[str, Any]:
    """The sidebar of a collection for its member, with the present page marked.

    A page that has counted what the collection has passes it as `frame_counts`.
    """
    return _page(context, side_of_member(context["member"], str(context.get("here", "")), context.get("frame_counts")))


@register.inclusion_tag("frame/sidebar.html", takes_context=True)
def teaching_sidebar(context: Context) -> dict[str, Any]:
    """The sidebar of an exercise for its instructor, or of the list of exercises."""
    here, exercise = context["request"].resolver_match.url_name, context.get("exercise")
    can_make = bool(context.get("can_make", True))
    return _page(context, side_of_exercise(exercise, here) if exercise else side_of_exercises(here, can_make))


def _page(context: Context, side: Side) -> dict[str, Any]:
    return {"side": side, "user": context["user"], "csrf_token": context.get("csrf_token")}
