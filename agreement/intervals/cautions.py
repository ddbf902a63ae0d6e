"""The warnings of an interval: reasons for caution, as short sentences."""

from collections.abc import Iterable

from agreement.judgements import Grade

FEW_ITEMS, FEW_USES, FEW_TOPICS = 100, 5, 10
TOO_FEW = "too few items for an interval"
NO_WIDTH = "the interval has no width: the value is the same in every sample, which is not certainty"
ONE_TOPIC_DECIDES = "one topic has more than half of the variance: the interval may be too narrow"


def undefined_draws(number: int, total: int, what: str) -> tuple[str, ...]:
    """How many of the `total` draws or samples have no value; `what` names them."""
    return (f"undefined in {number} of {total} {what}",) if number else ()


def few_topics(number: int) -> tuple[str, ...]:
    """That there are few topics."""
    if number == 1:
        return ("only one topic: the variation between topics is unknown",)
    return (f"only {number} topics",) if number < FEW_TOPICS else ()


def one_topic_decides(largest: float) -> tuple[str, ...]:
    """That most of the variance between topics is that of one topic; `largest` is its share."""
    return (ONE_TOPIC_DECIDES,) if largest > 0.5 else ()


def few_items(n: int | None) -> tuple[str, ...]:
    """That there are few items."""
    return (f"n < {FEW_ITEMS}",) if n is not None and n < FEW_ITEMS else ()


def rare_grades(rare: Iterable[bool], grades: Iterable[Grade]) -> tuple[str, ...]:
    """Which of the grades are rare, that is, used fewer than `FEW_USES` times by a judge."""
    names = ", ".join(str(grade) for grade, few in zip(grades, rare, strict=True) if few)
    return (f"used fewer than {FEW_USES} times by a judge: grade {names}",) if names else ()


def width(width: float | None) -> tuple[str, ...]:
    """That there is no interval, or that its width, or the standard error, is 0."""
    if width is None:
        return (TOO_FEW,)
    return () if width else (NO_WIDTH,)
