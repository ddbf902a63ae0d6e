"""What planning may be asked for: ranges of its arguments, each refused in a sentence."""

from pooling.assignment.number_checks import MOST, is_number, is_whole_within
from pooling.planning.expected_kappa import check_ranges


def check_width(width: float) -> None:
    """ValueError where no interval for kappa is so wide."""
    if not is_number(width) or not 0 < width <= 2:
        raise ValueError(f"the width of an interval is above 0 and at most 2, as kappa is from -1 to 1; got {width!r}")


def check_countable(documents: float, width: float) -> None:
    """ValueError where an interval of that width takes more documents than can be told apart from one more."""
    if not documents < MOST:
        raise ValueError(f"an interval of width {width} takes more than 2**53 documents; ask for a wider one")


def check_pairs(pairs: int) -> None:
    """ValueError where no interval comes from so many documents."""
    if not is_whole_within(pairs, 2, MOST):
        raise ValueError(f"an interval needs 2 doubly judged documents or more, a whole number; got {pairs!r}")


def check_assessors(kappa: float, prevalence: float, level: float, bias: float) -> None:
    """ValueError where there are no two assessors like that, or no such level of confidence."""
    for name, number in (("kappa", kappa), ("prevalence", prevalence), ("level", level), ("bias", bias)):
        if not is_number(number):
            raise ValueError(f"{name} is a number; got {number!r}")
    check_ranges(kappa, prevalence, bias)
    if not 0 < level < 1:
        raise ValueError(f"a level of confidence is between 0 and 1; got {level}")


def check_pool_size(pool_size: int) -> None:
    """ValueError where no pool has so many tasks."""
    if not is_whole_within(pool_size, 0, MOST):
        raise ValueError(f"pool_size is a whole number, 0 or more and below 2**53; got {pool_size!r}")


def check_work(judges: float, repeats: float, assessors: int) -> None:
    """ValueError where nobody can judge so often."""
    if not is_number(judges) or not 0 <= judges < MOST:
        raise ValueError(f"judges is a number, 0 or more and below 2**53; got {judges!r}")
    if not is_number(repeats) or not 0 <= repeats <= 1:
        raise ValueError(f"repeats is a share from 0 to 1; got {repeats!r}")
    if not is_whole_within(assessors, 1, MOST):
        raise ValueError(f"hours are planned for 1 assessor or more, a whole number; got {assessors!r}")


def seconds_of(seconds: float | None, per_hour: float | None) -> float:
    """Seconds for a judgement, of the one pace that is given."""
    if (seconds is None) == (per_hour is None):
        raise ValueError("a pace is seconds_per_judgement or judgements_per_hour; give one of the two")
    pace = seconds if per_hour is None else per_hour
    if not is_number(pace) or not 1 / MOST < pace < MOST:
        raise ValueError(f"a pace is above 0, from 2**-53 to 2**53; got {pace!r}")
    return pace if per_hour is None else 3600 / pace
