"""The measures of effectiveness that a collection allows, and what they need of it. Loads pandas."""

from agreement.effectiveness.measure import Measure, parse_measure
from assess.collections.scale import check_threshold, scale_of
from assess.errors import Refused
from assess.models import Collection

BINARY = (0, 1)
UNKNOWN = {  # what a site cannot give to a measure
    "collection_size": "the number of documents in the whole collection",
    "known": "the documents that the reader knew",
}


def check_measure(collection: Collection, measure: str) -> None:
    """Refuse a measure that cannot be read, whose threshold is not on the scale, or that needs what is not known."""
    parsed = parsed_measure(measure)
    rel = parsed.parameters.get("rel")
    if rel is not None:
        check_threshold(collection, rel)


def parsed_measure(measure: str) -> Measure:
    """Return the measure of a name, or refuse it."""
    try:
        parsed = parse_measure(measure)
    except ValueError as error:
        raise Refused(str(error)) from None
    for needed in parsed.needs:
        if needed in UNKNOWN:
            raise Refused(
                f"{parsed.name} needs {UNKNOWN[needed]}, which this site does not know. Use agreement.evaluate for it."
            )
    return parsed


def scale_for(collection: Collection, measure: str, rel: int | None = None) -> tuple[int, ...] | None:
    """Return the declared scale for a measure that needs it, such as ERR; with `rel`, that of a binary gold.

    Other measures get None: they also score golds with fractions, which are not on the scale.
    """
    if "highest" not in parsed_measure(measure).needs:
        return None
    return scale_of(collection) if rel is None else BINARY
