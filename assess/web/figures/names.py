"""How tables show topics and systems: a topic with its title, a system with its colour.

Titles and colours need a query each. It is made when the first table needs it, and once for a collection's page.
"""

from functools import cached_property

from django.db.models import prefetch_related_objects
from django.utils.html import format_html
from django.utils.safestring import SafeString

from assess.models import Collection
from pooling.palette import SYSTEM_COLOURS

SHAPES = ("", " hollow", " square", " square hollow", " diamond", " diamond hollow", " triangle")  # of one colour


class Names:
    """The titles of the topics of a collection, and the positions of its systems in their sorted list."""

    def __init__(self, collection: Collection | None = None) -> None:
        self.collection = collection

    @cached_property
    def titles(self) -> dict[str, str]:
        if self.collection is None:
            return {}
        return dict(self.collection.topics.values_list("query_id", "title"))

    @cached_property
    def systems(self) -> dict[str, int]:
        if self.collection is None:
            return {}
        prefetch_related_objects([self.collection], "runs")  # most pages with systems have done so
        names = sorted(run.system for run in self.collection.runs.all())
        return {name: position for position, name in enumerate(names)}


def names_of(collection: Collection | None) -> Names:
    """Return the names of a collection; the same ones for each table of a page."""
    if collection is None:
        return Names()
    names: Names = collection.__dict__.setdefault("names_on_page", Names(collection))
    return names


def topic_html(query_id: object, title: str, url: str = "") -> SafeString:
    """Return a topic with its title, which the stylesheet shortens."""
    shown = format_html('<a href="{}">{}</a>', url, query_id) if url else format_html("{}", query_id)
    if not title:
        return shown
    topic = '<span class="topic" data-topic="{}">{} <small dir="auto" title="{}">{}</small></span>'
    return format_html(topic, query_id, shown, title, title)


def system_html(name: str, position: int | None, url: str = "") -> SafeString:
    """Return a system with its colour. A system that is not of the collection has none."""
    shown = format_html('<a href="{}">{}</a>', url, name) if url else format_html("{}", name)
    if position is None:
        return shown
    return format_html('<span data-system="{}">{}{}</span>', name, _mark(position), shown)


def _mark(position: int) -> SafeString:
    """Return the colour and the shape of the system at this position. They repeat when all are used."""
    round_, number = divmod(position, len(SYSTEM_COLOURS))
    shape = SHAPES[round_ % len(SHAPES)]
    return format_html('<span class="system-mark{}" style="--mark: {}"></span>', shape, SYSTEM_COLOURS[number])
