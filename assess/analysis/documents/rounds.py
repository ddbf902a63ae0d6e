"""The parameter `?round=` of the lists of documents."""

from collections.abc import Mapping

from assess.analysis.query import ALL_ROUNDS
from assess.errors import Refused
from assess.models import Collection, Pilot


def round_choices(collection: Collection) -> list[tuple[str, str, Pilot | None]]:
    """Return values, labels and pilots; only one if there is no pilot."""
    pilots = [(f"pilot-{pilot.number}", f"only pilot {pilot.number}", pilot) for pilot in collection.pilots.all()]
    return [(ALL_ROUNDS, "all documents", None), *pilots]


def chosen_round(query: Mapping[str, str], choices: list[tuple[str, str, Pilot | None]]) -> Pilot | None:
    """Return the pilot whose documents are listed (`?round=pilot-1`), or None for all documents."""
    text = query.get("round") or ALL_ROUNDS
    for value, _, pilot in choices:
        if value == text:
            return pilot
    allowed = ", ".join(value for value, _, _ in choices)
    raise Refused(f"round must be one of {allowed}, not {text[:20]!r}.")
