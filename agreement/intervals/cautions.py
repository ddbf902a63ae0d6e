"""The warnings of an interval: reasons for caution, as short sentences."""

from collections.abc import Iterable

from agreement.judgements import Grade

FEW_ITEMS, FEW_USES, FEW_TOPICS = 100, 5, 10
TOO_FEW = "too few items for an interval"
NO_WIDTH = "all items alike: the interval has no width"


def undefined_draws(number: int, total: int, what: str) -> tuple[str, ...]:
    """How many of the `total` draws or samples have no value; `what` names them."""
    return (f"undefined in {number} of {total} {what}",) if number else ()


def few_topics(number: int) -> tuple[str, ...]:
    """That there are few topics."""
    if number == 1:
        return ("only one topic: the variation between topics is unknown",)
    return (f"only {number} topics",) if number < FEW_TOPICS else ()


def few_items(n: int | None) -> tuple[str, ...]:
    """That there are few items."""
    return (f"n < {FEW_ITEMS}",) if n is not None and n < FEW_ITEMS else ()


def rare_grades(rare: Iterable[bool], grades: Iterable[Grade]) -> tuple[str, ...]:
    """Which of the grades are rare, that is, used fewer than `FEW_USES` times by a judge."""
    names = ", ".join(str(grade) for grade, few in zip(grades, rare, strict=True) if few)
    return (f"used fewer than {FEW_USES} times by a judge: grade {names}",) if names else ()


def width(se: float | None) -> tuple[str, ...]:
    """That there is no standard error, or that it is 0."""
    if se is None:
        return (TOO_FEW,)
    return () if se else (NO_WIDTH,)
