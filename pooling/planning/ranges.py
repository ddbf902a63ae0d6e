"""Check the arguments of planning; each function raises ValueError with the allowed range."""

from pooling.assignment.number_checks import MAX_EXACT, is_number, is_whole_within
from pooling.planning.expected_kappa import check_ranges


def check_width(width: float) -> None:
    """Raise ValueError unless `width` is a possible width of an interval for kappa."""
    if not is_number(width) or not 0 < width <= 2:
        raise ValueError(f"width must be above 0 and at most 2, the range of kappa, not {width!r}")


def check_countable(documents: float, width: float) -> None:
    """Raise ValueError if an interval of this width needs more documents than floats represent exactly."""
    if not documents < MAX_EXACT:
        raise ValueError(f"an interval of width {width} needs more than 2**53 documents; choose a larger width")


def check_pairs(pairs: int) -> None:
    """Raise ValueError unless an interval can be computed from `pairs` documents."""
    if not is_whole_within(pairs, 2, MAX_EXACT):
        raise ValueError(f"pairs must be a whole number from 2 and below 2**53, not {pairs!r}")


def check_assessors(kappa: float, prevalence: float, confidence: float, bias: float) -> None:
    """Raise ValueError if a value is not a number or out of its range."""
    for name, number in (("kappa", kappa), ("prevalence", prevalence), ("confidence", confidence), ("bias", bias)):
        if not is_number(number):
            raise ValueError(f"{name} must be a number, not {number!r}")
    check_ranges(kappa, prevalence, bias)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, both excluded, not {confidence!r}")


def check_pool_size(pool_size: int) -> None:
    """Raise ValueError unless `pool_size` is a possible number of tasks."""
    if not is_whole_within(pool_size, 0, MAX_EXACT):
        raise ValueError(f"pool_size must be a whole number from 0 and below 2**53, not {pool_size!r}")


def check_work(judges: float, repeats: float, assessors: int) -> None:
    """Raise ValueError if the numbers of judges, repeats or assessors are out of range."""
    if not is_number(judges) or not 0 <= judges < MAX_EXACT:
        raise ValueError(f"judges must be a number from 0 and below 2**53, not {judges!r}")
    if not is_number(repeats) or not 0 <= repeats <= 1:
        raise ValueError(f"repeats must be a share from 0 to 1, not {repeats!r}")
    if not is_whole_within(assessors, 1, MAX_EXACT):
        raise ValueError(f"assessors must be a whole number from 1 and below 2**53, not {assessors!r}")


def seconds_per_judgement_from(seconds: float | None, per_hour: float | None) -> float:
    """The seconds per judgement; exactly one of the two arguments must not be None."""
    pace = seconds if per_hour is None else per_hour
    if pace is None or (seconds is not None and per_hour is not None):
        raise ValueError("pass either seconds_per_judgement or judgements_per_hour")
    if not is_number(pace) or not 1 / MAX_EXACT < pace < MAX_EXACT:
        raise ValueError(f"the pace must be between 2**-53 and 2**53, not {pace!r}")
    return pace if per_hour is None else 3600 / pace
