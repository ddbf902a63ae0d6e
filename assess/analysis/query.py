"""Reads the query parameters of the analysis pages. An unknown value is refused."""

from collections.abc import Mapping

from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection, Pilot

ALL_GRADES = "all"
ALL_ROUNDS = "all"


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


def round_choices(collection: Collection) -> list[tuple[str, str, Pilot | None]]:
    """Return values, labels and pilots; only one if there is no pilot."""
    pilots = [(f"pilot-{pilot.number}", f"only pilot {pilot.number}", pilot) for pilot in collection.pilots.all()]
    return [(ALL_ROUNDS, "all documents", None), *pilots]


def chosen_round(query: Mapping[str, str], choices: list[tuple[str, str, Pilot | None]]) -> Pilot | None:
    """Return the pilot whose documents are compared (`?round=pilot-1`), or None for all documents."""
    text = query.get("round") or ALL_ROUNDS
    for value, _, pilot in choices:
        if value == text:
            return pilot
    allowed = ", ".join(value for value, _, _ in choices)
    raise Refused(f"round must be one of {allowed}, not {text[:20]!r}.")


def suggested_measures(collection: Collection) -> list[str]:
    """Return the measures that the shift page offers. Users may also type any other measure that can be parsed."""
    rel = lowest_relevant_grade(collection)
    return [f"AP(rel={rel})", "nDCG@10", f"P(rel={rel})@10"]
