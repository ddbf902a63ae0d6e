"""Reads the query parameters of the analysis pages. An unknown value is refused."""

from collections.abc import Mapping

from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection

ALL_GRADES = "all"


def relevance_threshold(query: Mapping[str, str], collection: Collection) -> int | None:
    """Return the lowest grade that counts as relevant (`?rel=`), or None if all grades stay separate (`all`)."""
    text = query.get("rel") or str(lowest_relevant_grade(collection))
    allowed = [value for value, _ in threshold_choices(collection)]
    if text not in allowed:
        raise Refused(f"rel must be one of {', '.join(allowed)}, not {text[:20]!r}.")
    return None if text == ALL_GRADES else int(text)


def threshold_choices(collection: Collection) -> list[tuple[str, str]]:
    """Return values and labels. A binary scale has one threshold, which keeps its two grades separate anyway."""
    thresholds = [(str(grade), f"relevant: grade {grade} and above") for grade in scale_of(collection)[1:]]
    return thresholds + ([(ALL_GRADES, "all grades separate")] if len(thresholds) > 1 else [])


def suggested_measures(collection: Collection) -> list[str]:
    """Return the measures that the shift page offers. Users may also type any other measure that can be parsed."""
    rel = lowest_relevant_grade(collection)
    return [f"AP(rel={rel})", "nDCG@10", f"P(rel={rel})@10"]
