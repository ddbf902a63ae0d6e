"""The warnings of an interval: reasons for caution, as short sentences."""

from collections.abc import Iterable

from agreement.judgements import Grade

FEW_ITEMS, FEW_USES, FEW_TOPICS = 100, 5, 10
FEW_TOPICS_OF_MANY_JUDGES = 15  # with fewer, and rare grades, no interval reaches 93 % in docs/studies/coverage.md
TOO_FEW = "too few items for an interval"
NO_WIDTH = "The interval has no width: all samples have the same value. This does not mean that the value is certain."
DIFFERENT_DOCUMENTS = "Conger's kappa is below -1, which is possible because the judges judged different documents"
TINY = 1e-12  # Conger's kappa is rounded
MOST_VARIANCE = "one topic has more than half of the variance: the interval may be too narrow"


def undefined_draws(number: int, total: int, what: str) -> tuple[str, ...]:
    """How many of the `total` draws or samples have no value; `what` names them."""
    return (f"undefined in {number} of {total} {what}",) if number else ()


def unusable_draws(number: int, total: int) -> tuple[str, ...]:
    """That a studentised bootstrap is replaced by a jackknife, because `number` of the `total` draws are unusable."""
    return (f"{number} of {total} draws have no standard error, so the jackknife replaces the studentised bootstrap",)


def few_topics(number: int, many_judges: bool = False) -> tuple[str, ...]:
    """That there are few topics; `many_judges` says whether documents have more than two judgements."""
    if number == 1:
        return ("only one topic: the variation between topics is unknown",)
    if number < FEW_TOPICS:
        return (f"only {number} topics",)
    if many_judges and number < FEW_TOPICS_OF_MANY_JUDGES:
        return (f"only {number} topics, and more than two judgements of a document: the interval may be too narrow",)
    return ()


def most_variance(largest: float) -> tuple[str, ...]:
    """That most of the variance between topics comes from one topic; `largest` is the share of this topic."""
    return (MOST_VARIANCE,) if largest > 0.5 else ()


def single_judgements(number: int, coefficient: str) -> tuple[str, ...]:
    """That P(E) uses items that P(A) cannot use, because they have one judgement."""
    if not number:
        return ()
    items = "1 item" if number == 1 else f"{number} items"
    below = " below its minimum" if coefficient == "fleiss_kappa" else ""  # AC keeps it, and Conger's kappa has none
    return (f"P(E) includes {items} with one judgement, which can move the value{below}",)


def different_documents(value: float | None) -> tuple[str, ...]:
    """That Conger's kappa is lower than it can be if all judges judge the same documents."""
    return (DIFFERENT_DOCUMENTS,) if value is not None and value < -1 - TINY else ()


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
