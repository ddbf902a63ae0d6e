"""The choice `?set=` of pages of figures: which topics count, and what `research/_set_form.html` needs."""

from dataclasses import asdict, dataclass
from typing import Any

from django.http import HttpRequest

from assess.analysis.query import Choices, set_choices
from assess.collections.topic_sets import describe_set, sets_by_topic, topics_in_set
from assess.models import Collection


@dataclass(frozen=True)
class SetFilter:
    """`sets` are the choices, none if no topic belongs to a set. `query_ids` are the topics that count; none means all.

    `topic_set` describes them.
    """

    sets: Choices
    chosen_set: str
    topic_set: str
    query_ids: tuple[str, ...]

    def context(self) -> dict[str, Any]:
        """Return what the templates need."""
        return {name: value for name, value in asdict(self).items() if name != "query_ids"}


def set_filter(request: HttpRequest, collection: Collection) -> SetFilter:
    """Read the choice from the address. Refused if it is no set, or a set without topics."""
    name = request.GET.get("set", "")
    query_ids = topics_in_set(collection, name)
    sets = set_choices(set(sets_by_topic(collection).values()))
    return SetFilter(sets, name, describe_set(name, query_ids), query_ids)
