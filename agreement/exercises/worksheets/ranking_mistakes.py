"""Typical mistakes with measures of rankings: the wrong number that each leads to, and a hint.

Every function does one step wrongly and returns a `Mistake`. A hint names the likely mistake and never contains the
right number.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import log, log2

from agreement.exercises.worksheets.mistake import Mistake
from agreement.exercises.worksheets.ranking import Ranking

TENTHS = tuple(Fraction(tenths, 10) for tenths in range(11))

# Precision, recall and F


def recall_for_precision(ranking: Ranking) -> Mistake:
    """Divided by the relevant documents."""
    hint = "This is recall. Precision divides by the number of retrieved documents."
    return Mistake("recall_for_precision", (Fraction(len(ranking.ranks), ranking.relevant),), hint)


def precision_for_recall(ranking: Ranking) -> Mistake:
    """Divided by the retrieved documents."""
    hint = "This is precision. Recall divides by all relevant documents, retrieved or not."
    return Mistake("precision_for_recall", (Fraction(len(ranking.ranks), ranking.retrieved),), hint)


def over_nonrelevant(ranking: Ranking) -> Mistake:
    """Relevant divided by nonrelevant retrieved documents."""
    found, others = len(ranking.ranks), ranking.retrieved - len(ranking.ranks)
    hint = "This divides by the nonrelevant documents retrieved. Divide by all documents retrieved."
    return Mistake("over_nonrelevant", (Fraction(found, others),) if others else (), hint)


def over_missed(ranking: Ranking) -> Mistake:
    """Relevant documents retrieved, divided by those not retrieved."""
    found, missed = len(ranking.ranks), ranking.relevant - len(ranking.ranks)
    hint = "This divides by the relevant documents that were missed. Divide by all relevant documents."
    return Mistake("over_missed", (Fraction(found, missed),) if missed else (), hint)


def arithmetic_mean(precision: Fraction | float, recall: Fraction | float) -> Mistake:
    """The arithmetic mean, instead of F1."""
    hint = "This is the arithmetic mean of precision and recall. F1 is their harmonic mean."
    return Mistake("arithmetic_mean", ((precision + recall) / 2,), hint)


def half_of_f(precision: Fraction | float, recall: Fraction | float) -> Mistake:
    """The 2 forgotten in 2PR / (P + R)."""
    value = (precision * recall / (precision + recall),) if precision + recall else ()
    return Mistake("half_of_f", value, "This is half of F1. The numerator is twice the product.")


# Average precision and R-precision


def over_found(ranking: Ranking) -> Mistake:
    """AP divided by the relevant documents that were retrieved."""
    value = sum(ranking.precisions, Fraction()) / len(ranking.ranks)
    hint = "This divides by the relevant documents retrieved. The missed ones count as well, with a precision of 0."
    return Mistake("over_found", (value,), hint)


def over_retrieved(ranking: Ranking) -> Mistake:
    """AP divided by the number of documents retrieved."""
    value = sum(ranking.precisions, Fraction()) / ranking.retrieved
    hint = "This divides by all documents retrieved. Average precision is a mean over the relevant documents."
    return Mistake("over_retrieved", (value,), hint)


def sum_of_precisions(ranking: Ranking) -> Mistake:
    """AP, not divided."""
    hint = "This is the sum of the precisions. Divide it by the number of relevant documents."
    return Mistake("sum_of_precisions", (sum(ranking.precisions, Fraction()),), hint)


def at_every_rank(ranking: Ranking) -> Mistake:
    """The mean of the precision at every rank."""
    ranks = range(1, ranking.retrieved + 1)
    total = sum((Fraction(ranking.relevant_up_to(rank), rank) for rank in ranks), Fraction())
    hint = "This uses the precision at every rank. Only the ranks of relevant documents count."
    return Mistake("at_every_rank", (total / ranking.retrieved,), hint)


def reciprocal_ranks(ranking: Ranking) -> Mistake:
    """1 / rank, instead of the precision at a rank."""
    value = sum((Fraction(1, rank) for rank in ranking.ranks), Fraction()) / ranking.relevant
    hint = "This adds 1 / rank. The precision at a rank counts all relevant documents up to this rank."
    return Mistake("reciprocal_ranks", (value,), hint)


def not_at_r(ranking: Ranking) -> Mistake:
    """The precision of all retrieved documents, instead of R-precision."""
    hint = "This is the precision of the whole ranking. R-precision uses only the first R ranks."
    return Mistake("not_at_r", (Fraction(len(ranking.ranks), ranking.retrieved),), hint)


def other_system(exact: float) -> Mistake:
    """The number of the other system."""
    return Mistake("other_system", (exact,), "This belongs to the other system. Check the row.")


def ap_mistakes(ranking: Ranking) -> list[Mistake]:
    """Return all mistakes with average precision."""
    return [
        over_found(ranking),
        sum_of_precisions(ranking),
        over_retrieved(ranking),
        at_every_rank(ranking),
        reciprocal_ranks(ranking),
    ]


# Precision at recall points, interpolated or not; `point` counts the relevant documents from 0


def recall_point(ranking: Ranking, point: int) -> Mistake:
    """The recall at a relevant document, instead of the precision."""
    hint = "This is the recall at this document. Precision divides by the rank."
    return Mistake("recall_point", (Fraction(point + 1, ranking.relevant),), hint)


def reciprocal_rank(ranking: Ranking, point: int) -> Mistake:
    """1 / rank, instead of the precision."""
    hint = "This counts only the document at this rank. Count all relevant documents up to this rank."
    return Mistake("reciprocal_rank", (Fraction(1, ranking.ranks[point]),), hint)


def neighbours(values: Sequence[Fraction | float], point: int) -> Mistake:
    """The number of the recall point before or after."""
    adjacent = tuple(values[k] for k in (point - 1, point + 1) if 0 <= k < len(values))
    hint = "This belongs to the recall point before or after. Count the relevant documents."
    return Mistake("neighbour", adjacent, hint)


def not_interpolated(ranking: Ranking, point: int) -> Mistake:
    """The precision at the point itself, although a later one is higher."""
    hint = (
        "This is the precision at the point itself. Interpolated precision is the highest precision at this or any "
        "higher recall."
    )
    return Mistake("not_interpolated", (ranking.precisions[point],), hint)


def from_the_left(ranking: Ranking, point: int) -> Mistake:
    """The highest precision up to this point, instead of from this point on."""
    hint = (
        "This is the highest precision at this or any lower recall. Interpolation uses this recall and the higher ones."
    )
    return Mistake("from_the_left", (max(ranking.precisions[: point + 1]),), hint)


def interpolated_at(ranking: Ranking, recall: Fraction) -> Fraction:
    """Return interpolated precision at a recall; 0 if the ranking never reaches it."""
    values = ranking.precisions
    reached = [values[k] for k in range(len(values)) if Fraction(k + 1, ranking.relevant) >= recall]
    return max(reached, default=Fraction(0))


def without_recall_zero(ranking: Ranking) -> Mistake:
    """The 11-point average over 10 points."""
    values = [interpolated_at(ranking, recall) for recall in TENTHS]
    without, complete = sum(values[1:], Fraction()), sum(values, Fraction())
    hint = "Eleven recalls are averaged. Recall 0 is one of them, both in the sum and in the number to divide by."
    return Mistake("without_recall_zero", (without / 10, without / 11, complete / 10), hint)


def over_found_points(ranking: Ranking) -> Mistake:
    """The mean of the interpolated precisions at the relevant documents, instead of the 11-point average."""
    points = [Fraction(k + 1, ranking.relevant) for k in range(len(ranking.ranks))]
    value = sum((interpolated_at(ranking, recall) for recall in points), Fraction()) / len(points)
    hint = "This averages over the relevant documents. The recalls of this average are fixed."
    return Mistake("over_found_points", (value,), hint)


def plain_average_precision(ranking: Ranking) -> Mistake:
    """Average precision, instead of an average of interpolated precisions."""
    value = sum(ranking.precisions, Fraction()) / ranking.relevant
    return Mistake("average_precision", (value,), "This is average precision, which is not interpolated.")


# Bounds


def rest_not_found(exact: float) -> Mistake:
    """AP of the ranking as if it ended."""
    hint = (
        "This is average precision as if the ranking ended. The missing relevant documents appear in the rest of the "
        "ranking."
    )
    return Mistake("rest_not_found", (exact,), hint)


def other_bound(exact: float) -> Mistake:
    """The smallest instead of the largest, or the reverse."""
    hint = "This is the other bound. At which ranks would the missing relevant documents have to be?"
    return Mistake("other_bound", (exact,), hint)


def both_at_one_rank(ranking: Ranking, rank: int) -> Mistake:
    """All missing relevant documents at the same rank."""
    missing = range(len(ranking.ranks) + 1, ranking.relevant + 1)
    total = sum(ranking.precisions, Fraction()) + sum((Fraction(count, rank) for count in missing), Fraction())
    hint = "The missing relevant documents seem to be at the same rank. Each has a different rank."
    return Mistake("both_at_one_rank", (total / ranking.relevant,), hint)


def width_of_the_range(low: float, high: float) -> Mistake:
    """The range from the smallest to the largest, instead of the error."""
    hint = "This is the difference between the two bounds. The error is the difference between (e) and a bound."
    return Mistake("width_of_the_range", (high - low,), hint)


def nearer_bound(low: float, value: float) -> Mistake:
    """The error towards the nearer bound."""
    hint = "This is the error towards one bound. The other bound is farther away."
    return Mistake("nearer_bound", (low - value,), hint)


# Discounted cumulative gain; `shift` is 1 for the divisor log(rank + 1), and 0 for log(rank) from rank 2 on


def other_discount(exact: float) -> Mistake:
    """The other discount."""
    hint = "This is the other discount. Check which rank is the first to be divided by more than 1."
    return Mistake("other_discount", (exact,), hint)


def not_discounted(grades: Sequence[int]) -> Mistake:
    """The sum of the grades."""
    hint = "This is the cumulative gain. Divide each grade by the logarithm for its rank."
    return Mistake("not_discounted", (sum(grades),), hint)


def natural_logarithm(grades: Sequence[int], shift: int) -> Mistake:
    """The natural logarithm."""
    divisors = (log(rank + shift) if rank + shift > 1 else 1.0 for rank in range(1, len(grades) + 1))
    value = sum(grade / divisor for grade, divisor in zip(grades, divisors, strict=True))
    return Mistake("natural_logarithm", (value,), "The logarithm seems to be the natural one. Use base 2.")


def over_the_rank(grades: Sequence[int]) -> Mistake:
    """Divided by the rank itself."""
    value = sum((Fraction(grade, rank) for rank, grade in enumerate(grades, 1)), Fraction())
    return Mistake("over_the_rank", (value,), "This divides by the rank itself. Divide by its logarithm.")


def exponential_gain(grades: Sequence[int], shift: int) -> Mistake:
    """The gain 2^grade - 1."""
    divisors = (log2(rank + shift) if rank + shift > 1 else 1.0 for rank in range(1, len(grades) + 1))
    value = sum((2**grade - 1) / divisor for grade, divisor in zip(grades, divisors, strict=True))
    hint = "The gain seems to be a power of 2. In this exercise the gain is the grade itself."
    return Mistake("exponential_gain", (value,), hint)


def dcg_mistakes(grades: Sequence[int], shift: int, other: float) -> list[Mistake]:
    """Return all mistakes with DCG."""
    return [
        other_discount(other),
        not_discounted(grades),
        natural_logarithm(grades, shift),
        over_the_rank(grades),
        exponential_gain(grades, shift),
    ]
