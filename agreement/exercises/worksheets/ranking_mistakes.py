"""Slips with measures of rankings: what number comes out if a step is done wrong, and what to say of it.

As in `agreement.exercises.worksheets.kappa_mistakes`: every function recomputes one step the wrong way; a hint names what was likely done
and never says the right number.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import log, log2

from agreement.exercises.worksheets.kappa_mistakes import Slip
from agreement.exercises.worksheets.ranking import Ranked

TENTHS = tuple(Fraction(tenths, 10) for tenths in range(11))

# Precision, recall and F


def recall_for_precision(ranking: Ranked) -> Slip:
    """Divided by the relevant documents."""
    hint = "This is recall: precision divides by what was retrieved."
    return Slip("recall_for_precision", (Fraction(len(ranking.ranks), ranking.relevant),), hint)


def precision_for_recall(ranking: Ranked) -> Slip:
    """Divided by the retrieved documents."""
    hint = "This is precision: recall divides by all relevant documents, retrieved or not."
    return Slip("precision_for_recall", (Fraction(len(ranking.ranks), ranking.retrieved),), hint)


def over_nonrelevant(ranking: Ranked) -> Slip:
    """Relevant over nonrelevant retrieved documents."""
    found, others = len(ranking.ranks), ranking.retrieved - len(ranking.ranks)
    hint = "This divides by the nonrelevant documents retrieved: the relevant ones belong to the whole as well."
    return Slip("over_nonrelevant", (Fraction(found, others),) if others else (), hint)


def over_missed(ranking: Ranked) -> Slip:
    """Relevant documents retrieved, over those that were not."""
    found, missed = len(ranking.ranks), ranking.relevant - len(ranking.ranks)
    hint = "This divides by the relevant documents that were missed: those found belong to the whole as well."
    return Slip("over_missed", (Fraction(found, missed),) if missed else (), hint)


def arithmetic_mean(precision: Fraction, recall: Fraction) -> Slip:
    """The arithmetic mean for F1."""
    hint = "This is the arithmetic mean of precision and recall: F1 is their harmonic mean."
    return Slip("arithmetic_mean", ((precision + recall) / 2,), hint)


def half_of_f(precision: Fraction, recall: Fraction) -> Slip:
    """The 2 forgotten in 2PR / (P + R)."""
    value = (precision * recall / (precision + recall),) if precision + recall else ()
    return Slip("half_of_f", value, "This is half of F1: above the line the product is taken twice.")


# Average precision and R-precision


def over_found(ranking: Ranked) -> Slip:
    """AP over the relevant documents that were retrieved."""
    value = sum(ranking.precisions) / len(ranking.ranks)
    hint = "This divides by the relevant documents found: those that were missed count as well, with a precision of 0."
    return Slip("over_found", (value,), hint)


def over_retrieved(ranking: Ranked) -> Slip:
    """AP over the number of documents retrieved."""
    hint = "This divides by all documents retrieved: average precision is a mean over the relevant documents."
    return Slip("over_retrieved", (sum(ranking.precisions) / ranking.retrieved,), hint)


def sum_of_precisions(ranking: Ranked) -> Slip:
    """AP divided by nothing."""
    hint = "This is the sum of the precisions: it is still to be divided by the number of relevant documents."
    return Slip("sum_of_precisions", (sum(ranking.precisions),), hint)


def at_every_rank(ranking: Ranked) -> Slip:
    """The mean of the precision at every rank."""
    ranks = range(1, ranking.retrieved + 1)
    value = sum(Fraction(ranking.found(rank), rank) for rank in ranks) / ranking.retrieved
    hint = "This takes the precision at every rank: only the ranks of relevant documents count."
    return Slip("at_every_rank", (value,), hint)


def reciprocal_ranks(ranking: Ranked) -> Slip:
    """1 / rank for the precision at a rank."""
    value = sum(Fraction(1, rank) for rank in ranking.ranks) / ranking.relevant
    hint = "This adds up 1 / rank: the precision at a rank counts all relevant documents down to there."
    return Slip("reciprocal_ranks", (value,), hint)


def not_at_r(ranking: Ranked) -> Slip:
    """The precision of all that was retrieved, for R-precision."""
    hint = "This is the precision of the whole ranking: R-precision looks at the first R ranks only."
    return Slip("not_at_r", (Fraction(len(ranking.ranks), ranking.retrieved),), hint)


def other_system(exact: float) -> Slip:
    """The number of the other system."""
    return Slip("other_system", (exact,), "This belongs to the other system: look at its row.")


def ap_slips(ranking: Ranked) -> list[Slip]:
    """All slips with average precision."""
    return [
        over_found(ranking),
        sum_of_precisions(ranking),
        over_retrieved(ranking),
        at_every_rank(ranking),
        reciprocal_ranks(ranking),
    ]


# Precision at recall points, interpolated or not


def recall_point(ranking: Ranked, point: int) -> Slip:
    """The recall at the n-th relevant document, for the precision there; `point` counts from 0."""
    hint = "This is the recall there: precision divides by the rank."
    return Slip("recall_point", (Fraction(point + 1, ranking.relevant),), hint)


def reciprocal_rank(ranking: Ranked, point: int) -> Slip:
    """1 / rank for the precision there."""
    hint = "This counts the document at this rank only: all relevant ones down to there are found."
    return Slip("reciprocal_rank", (Fraction(1, ranking.ranks[point]),), hint)


def neighbours(values: Sequence[Fraction | float], point: int) -> Slip:
    """The number of the recall point before or after."""
    beside = tuple(values[k] for k in (point - 1, point + 1) if 0 <= k < len(values))
    return Slip("neighbour", beside, "This belongs to the recall point before or after: count the relevant documents.")


def not_interpolated(ranking: Ranked, point: int) -> Slip:
    """The precision at the point itself, where it is lower than a later one."""
    hint = "This is the precision at the point itself: interpolated, a higher one at a higher recall counts here, too."
    return Slip("not_interpolated", (ranking.precisions[point],), hint)


def from_the_left(ranking: Ranked, point: int) -> Slip:
    """The highest precision so far, instead of from here on."""
    hint = "This is the highest precision so far: interpolation looks the other way, to this recall and higher ones."
    return Slip("from_the_left", (max(ranking.precisions[: point + 1]),), hint)


def interpolated_at(ranking: Ranked, recall: Fraction) -> Fraction:
    """Interpolated precision at a recall, 0 where the ranking never reaches it."""
    values = ranking.precisions
    reached = [values[k] for k in range(len(values)) if Fraction(k + 1, ranking.relevant) >= recall]
    return max(reached, default=Fraction(0))


def without_recall_zero(ranking: Ranked) -> Slip:
    """The 11-point average over 10 points."""
    values = [interpolated_at(ranking, recall) for recall in TENTHS]
    hint = "Eleven recalls are averaged: recall 0 is one of them, and belongs to the sum and to the number divided by."
    return Slip("without_recall_zero", (sum(values[1:]) / 10, sum(values[1:]) / 11, sum(values) / 10), hint)


def over_found_points(ranking: Ranked) -> Slip:
    """The mean of the interpolated precisions at the relevant documents, for the 11-point average."""
    points = [Fraction(k + 1, ranking.relevant) for k in range(len(ranking.ranks))]
    value = sum(interpolated_at(ranking, recall) for recall in points) / len(points)
    hint = "This averages over the relevant documents: the recalls are fixed ones here, whatever was found where."
    return Slip("over_found_points", (value,), hint)


def plain_average_precision(ranking: Ranked) -> Slip:
    """Average precision, where an average of interpolated precisions is asked."""
    value = sum(ranking.precisions) / ranking.relevant
    return Slip("average_precision", (value,), "This is average precision, which interpolates nothing.")


# Bounds


def rest_not_found(exact: float) -> Slip:
    """AP as if the ranking ended."""
    hint = "This is average precision as if the ranking ended: the documents that were missed do come in what follows."
    return Slip("rest_not_found", (exact,), hint)


def other_bound(exact: float) -> Slip:
    """The smallest for the largest, and the reverse."""
    return Slip("other_bound", (exact,), "This is the other end of what is possible: where may the missed ones stand?")


def both_at_one_rank(ranking: Ranked, rank: int) -> Slip:
    """All missed documents put at one rank, for a bound."""
    missed = range(len(ranking.ranks) + 1, ranking.relevant + 1)
    value = (sum(ranking.precisions) + sum(Fraction(found, rank) for found in missed)) / ranking.relevant
    hint = "The missed documents seem to stand at one rank: each has a rank of its own."
    return Slip("both_at_one_rank", (value,), hint)


def width_of_the_range(low: float, high: float) -> Slip:
    """The range from the smallest to the largest, for the error."""
    hint = "This is how far the two bounds lie apart: the error is taken from the value computed without what follows."
    return Slip("width_of_the_range", (high - low,), hint)


def nearer_bound(low: float, value: float) -> Slip:
    """The error on the nearer side."""
    hint = "This is the error on one side: the other bound lies farther away."
    return Slip("nearer_bound", (low - value,), hint)


# Discounted cumulative gain


def other_discount(exact: float) -> Slip:
    """The other discount."""
    hint = "This is the other discount: look at which rank is the first to be divided by more than 1."
    return Slip("other_discount", (exact,), hint)


def not_discounted(grades: Sequence[int]) -> Slip:
    """The sum of the grades."""
    hint = "This is the cumulative gain: each grade is still to be divided by the logarithm that belongs to its rank."
    return Slip("not_discounted", (sum(grades),), hint)


def natural_logarithm(grades: Sequence[int], shift: int) -> Slip:
    """The natural logarithm; `shift` is 1 for log(rank + 1), and 0 for log(rank), where rank 1 is not discounted."""
    ranks = range(1, len(grades) + 1)
    value = sum(
        grade / (log(rank + shift) if rank + shift > 1 else 1) for rank, grade in zip(ranks, grades, strict=True)
    )
    return Slip("natural_logarithm", (value,), "The logarithm seems to be the natural one: it is to the base 2.")


def over_the_rank(grades: Sequence[int]) -> Slip:
    """Divided by the rank itself."""
    value = sum(Fraction(grade, rank) for rank, grade in enumerate(grades, 1))
    return Slip("over_the_rank", (value,), "This divides by the rank itself: the divisor is its logarithm.")


def exponential_gain(grades: Sequence[int], shift: int) -> Slip:
    """The gain 2^grade - 1."""
    ranks = range(1, len(grades) + 1)
    divisors = (log2(rank + shift) if rank + shift > 1 else 1 for rank in ranks)
    value = sum((2**grade - 1) / divisor for grade, divisor in zip(grades, divisors, strict=True))
    hint = "The gain seems to be a power of 2: here the grade itself is the gain."
    return Slip("exponential_gain", (value,), hint)


def dcg_slips(grades: Sequence[int], shift: int, other: float) -> list[Slip]:
    """All slips with DCG; `other` is its value with the other discount."""
    return [
        other_discount(other),
        not_discounted(grades),
        natural_logarithm(grades, shift),
        over_the_rank(grades),
        exponential_gain(grades, shift),
    ]
