"""Messages about what was done, with a button that undoes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest
from django.template.loader import render_to_string

MOST_ITEMS = 200  # whose earlier values fit into a message


@dataclass(frozen=True)
class Undo:
    """A form with one button: the address that it is sent to, and its hidden fields."""

    address: str
    fields: Sequence[tuple[str, object]] = ()


def undoable(request: HttpRequest, text: str, address: str, fields: Sequence[tuple[str, object]] = ()) -> None:
    """Show the text on the next page, with a button that sends these fields to the address."""
    shown = render_to_string("frame/undoable.html", {"text": text, "undo": Undo(address, fields)}, request=request)
    messages.success(request, shown)


def earlier_value(before: Mapping[str, str], now: str) -> tuple[str, list[str]] | None:
    """Return the value that the changed items had, and these items.

    None if there is no single earlier value, if nothing has changed, or if there are too many items.
    """
    changed = [item for item, value in before.items() if value != now]
    values = {before[item] for item in changed}
    return (values.pop(), changed) if len(values) == 1 and len(changed) <= MOST_ITEMS else None
