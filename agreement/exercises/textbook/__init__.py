"""Built-in exercises from a textbook and from lecture slides, in our own words.

All answers are computed by `agreement` from the numbers that the source gives. If the source prints another number, the
solution explains the difference.
"""

from collections.abc import Callable
from functools import cache

from agreement.exercises.textbook import kappa as textbook_kappa
from agreement.exercises.textbook import rankings as textbook_rankings
from agreement.exercises.textbook import slides as textbook_slides
from agreement.exercises.worksheets.worksheet import Worksheet

EXERCISES: dict[str, Callable[[], Worksheet]] = {
    "kappa-table-8.2": cache(textbook_kappa.table_8_2),
    "kappa-0.9-0.8": cache(textbook_kappa.slide_shares),
    "exercise-8.10": cache(textbook_kappa.exercise_8_10),
    "exercise-8.1": cache(textbook_rankings.exercise_8_1),
    "exercise-8.8": cache(textbook_rankings.exercise_8_8),
    "exercise-8.9": cache(textbook_rankings.exercise_8_9),
    "average-precision-1": cache(textbook_slides.average_precision_1),
    "average-precision-2": cache(textbook_slides.average_precision_2),
    "interpolated-precision": cache(textbook_slides.interpolated_precision),
    "dcg": cache(textbook_slides.dcg),
}


def exercise(key: str) -> Worksheet:
    """Return a built-in exercise.

    Examples
    --------
    >>> from agreement.exercises.worksheets.answers import check
    >>> worksheet = exercise("kappa-table-8.2")
    >>> check(worksheet.field("observed"), "0,925").right
    True
    """
    if key not in EXERCISES:
        raise ValueError(f"An exercise must be one of {', '.join(EXERCISES)}, not {key!r}.")
    return EXERCISES[key]()
