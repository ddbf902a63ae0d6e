"""What the analysis pages are asked for, in the address. An unknown value is refused by name, not guessed around."""

from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection

ALL_GRADES = "all"


def relevance_threshold(query, collection: Collection) -> int | None:
    """`?rel=`: from which grade on a document counts as relevant; `all` keeps the grades apart (None)."""
    word = query.get("rel") or str(lowest_relevant_grade(collection))
    allowed = [value for value, _ in threshold_choices(collection)]
    if word not in allowed:
        raise Refused(f"rel={word[:20]} is not on the scale; it is one of {', '.join(allowed)}.")
    return None if word == ALL_GRADES else int(word)


def threshold_choices(collection: Collection) -> list[tuple[str, str]]:
    """Values and labels; a binary scale has but one threshold, which is also every grade by itself."""
    thresholds = [(str(grade), f"relevant from grade {grade} on") for grade in scale_of(collection)[1:]]
    return thresholds + ([(ALL_GRADES, "every grade by itself")] if len(thresholds) > 1 else [])


def suggested_measures(collection: Collection) -> list[str]:
    """The measures that the shift page offers; any other that the engine knows may be written out."""
    rel = lowest_relevant_grade(collection)
    return [f"AP(rel={rel})", "nDCG@10", f"P(rel={rel})@10"]
