"""Typical mistakes on the way to kappa: the wrong number that each leads to, and a hint.

Every function does one step wrongly and returns a `Mistake`. A hint names the likely mistake and never contains the
right number. A mistake can lead to the right number by coincidence (in a symmetric table both judges have the same
totals); `number_field` removes such numbers. `chance` is always "pooled" or "unpooled", the kind of kappa requested.
"""

from fractions import Fraction
from typing import TypeVar

from agreement.exercises.worksheets.mistake import Mistake, round_half_up
from agreement.exercises.worksheets.sums import Sums, products

EARLY = (2, 3)  # digits to which intermediate results are often rounded

T = TypeVar("T")


# Totals and shares of one judge


def other_judge(sums: Sums, first: bool, grade: int, judges: tuple[str, ...]) -> Mistake:
    """The total of the other judge: marginals, or rows and columns, swapped."""
    hint = f"This belongs to the other judge: {judges[0]} is in the rows, {judges[1]} in the columns."
    return Mistake("other_judge", (sums.judge(not first)[grade],), hint)


def other_judge_share(sums: Sums, first: bool, grade: int, judges: tuple[str, ...]) -> Mistake:
    """The share of the other judge."""
    mistake = other_judge(sums, first, grade, judges)
    return Mistake(mistake.name, (sums.shares(not first)[grade],), mistake.hint)


def other_grade(sums: Sums, first: bool, grade: int) -> Mistake:
    """The total of another grade, such as nonrelevant instead of relevant."""
    return Mistake("other_grade", _without(sums.judge(first), grade), _OTHER_GRADE)


def other_grade_share(sums: Sums, first: bool, grade: int) -> Mistake:
    """The share of another grade."""
    return Mistake("other_grade", _without(sums.shares(first), grade), _OTHER_GRADE)


def one_cell(sums: Sums, grade: int) -> Mistake:
    """Only the cell in which both judges gave this grade."""
    hint = (
        "This is only the cell where both judges gave this grade. A judge's total also includes the cells where the "
        "other judge gave another grade."
    )
    return Mistake("one_cell", (sums.counts[grade][grade],), hint)


def one_cell_share(sums: Sums, grade: int) -> Mistake:
    """Only the cell in which both judges gave this grade, as a share."""
    mistake = one_cell(sums, grade)
    return Mistake(mistake.name, (Fraction(sums.counts[grade][grade], sums.n),), mistake.hint)


def agreed_only(sums: Sums) -> Mistake:
    """The documents on which the judges agree, instead of all documents."""
    hint = "These are only the documents on which the judges agree. Add the cells where they disagree."
    return Mistake("agreed_only", (_diagonal(sums),), hint)


def judgements_for_documents(sums: Sums) -> Mistake:
    """The number of judgements, instead of documents."""
    hint = "This is the number of judgements. Each document was judged twice, but counts once."
    return Mistake("judgements_for_documents", (2 * sums.n,), hint)


def not_a_share(count: int) -> Mistake:
    """A number of documents, instead of a share."""
    hint = "This is a number of documents. Divide it by the total to get a share."
    return Mistake("not_a_share", (count,), hint)


_OTHER_GRADE = "This belongs to another grade. Check which row or column the question asks for."


def _without(values: tuple[T, ...], grade: int) -> tuple[T, ...]:
    return tuple(value for k, value in enumerate(values) if k != grade)


def _diagonal(sums: Sums) -> int:
    return sum(row[k] for k, row in enumerate(sums.counts))


# P(A)


def one_cell_agreed(sums: Sums) -> Mistake:
    """P(A) from one cell of the diagonal."""
    values = tuple(Fraction(row[k], sums.n) for k, row in enumerate(sums.counts))
    hint = "This is only one cell of the diagonal. The judges agree in every cell of the diagonal."
    return Mistake("one_cell_agreed", values, hint)


def disagreed(sums: Sums) -> Mistake:
    """How often the judges disagree, instead of P(A)."""
    hint = "This is how often they disagree. P(A) counts the diagonal, where both gave the same grade."
    return Mistake("disagreed", (1 - sums.observed,), hint)


def agreed_not_a_share(sums: Sums) -> Mistake:
    """The number of documents on which the judges agree, instead of P(A)."""
    return not_a_share(_diagonal(sums))


# The pooled share


def one_judge_for_both(sums: Sums, grade: int) -> Mistake:
    """One judge's share, instead of the pooled one."""
    values = (sums.shares(True)[grade], sums.shares(False)[grade])
    hint = "This is the share of one judge (unpooled). For the pooled share, count the judgements of both together."
    return Mistake("one_judge_for_both", values, hint)


def both_over_documents(sums: Sums, grade: int) -> Mistake:
    """The judgements of both judges, divided by the number of documents."""
    hint = "This adds both judges' totals, so divide by the number of all judgements: two for each document."
    return Mistake("both_over_documents", (2 * sums.pooled_shares[grade],), hint)


def other_grade_pooled(sums: Sums, grade: int) -> Mistake:
    """The pooled share of another grade."""
    return Mistake("other_grade", _without(sums.pooled_shares, grade), _OTHER_GRADE)


# P(E)

_OTHER_CHANCE = {
    "pooled": "This is the unpooled value. For the pooled one, both judges have the shares of all judgements together.",
    "unpooled": "This is the pooled value. For the unpooled one, each judge has separate shares.",
}


def other_chance(sums: Sums, chance: str) -> Mistake:
    """The unpooled P(E) instead of the pooled one, or the reverse."""
    return Mistake("other_chance", (sums.expected(_other(chance)),), _OTHER_CHANCE[chance])


def _other(chance: str) -> str:
    return "unpooled" if chance == "pooled" else "pooled"


def not_squared(sums: Sums) -> Mistake:
    """The pooled P(E) from shares that are not squared: one of them, or their sum."""
    hint = "The shares are not squared: by chance, both the first and the second judge must give the grade."
    return Mistake("not_squared", (sum(sums.pooled_shares, Fraction()), *sums.pooled_shares), hint)


def not_multiplied(sums: Sums) -> Mistake:
    """The unpooled P(E) from the shares of one grade, added instead of multiplied."""
    both = zip(sums.shares(True), sums.shares(False), strict=True)
    hint = "Multiply the two judges' shares of a grade: by chance, both of them must give it."
    return Mistake("not_multiplied", tuple(p + q for p, q in both), hint)


def one_judge_twice(sums: Sums) -> Mistake:
    """The unpooled P(E) with the shares of one judge squared."""
    values = tuple(sum(products(sums.shares(first), sums.shares(first)), Fraction()) for first in (True, False))
    hint = (
        "This uses one judge's shares twice. For the unpooled P(E), multiply the first judge's share by the second's."
    )
    return Mistake("one_judge_twice", values, hint)


def one_grade_only(sums: Sums, chance: str) -> Mistake:
    """The term of one grade, instead of P(E)."""
    hint = "This is the chance to agree on one grade. They may agree on any other by chance, too; add the terms."
    return Mistake("one_grade_only", sums.terms(chance), hint)


def chance_of_disagreement(sums: Sums, chance: str) -> Mistake:
    """1 - P(E), instead of P(E)."""
    hint = "This is the chance to disagree. Multiply shares of the same grade, not of different ones."
    return Mistake("chance_of_disagreement", (1 - sums.expected(chance),), hint)


def shares_rounded_early(sums: Sums, chance: str) -> Mistake:
    """P(E) from rounded shares."""
    both = (sums.pooled_shares,) * 2 if chance == "pooled" else (sums.shares(True), sums.shares(False))
    values = []
    for digits in EARLY:
        first, second = (tuple(round_half_up(share, digits) for share in shares) for shares in both)
        values.append(sum(products(first, second), Fraction()))
    return Mistake("rounded_early", tuple(values), ROUNDED_EARLY)


ROUNDED_EARLY = "An intermediate result seems to be rounded too early. Keep all its digits, and round only at the end."


# Kappa, from any P(A) and P(E)


def kappa_of_other_chance(observed: Fraction, other: Fraction, chance: str) -> Mistake:
    """Kappa with the other P(E)."""
    return Mistake("other_chance", _kappas(observed, other), _OTHER_CHANCE[chance])


def not_divided(observed: Fraction, expected: Fraction) -> Mistake:
    """P(A) - P(E), not divided."""
    hint = "This is P(A) − P(E). Divide it by the agreement possible beyond chance, 1 − P(E)."
    return Mistake("not_divided", (observed - expected,), hint)


def over_expected(observed: Fraction, expected: Fraction) -> Mistake:
    """Divided by P(E)."""
    hint = "This is divided by P(E). Divide by the agreement possible beyond chance, 1 − P(E)."
    return Mistake("over_expected", ((observed - expected) / expected,) if expected else (), hint)


def over_disagreement(observed: Fraction, expected: Fraction) -> Mistake:
    """Divided by 1 - P(A)."""
    hint = "This is divided by 1 − P(A). The denominator contains P(E) instead."
    return Mistake("over_disagreement", ((observed - expected) / (1 - observed),) if observed != 1 else (), hint)


def from_percentages(observed: Fraction, expected: Fraction) -> Mistake:
    """P(A) and P(E) as percentages, but 1 not as 100."""
    hint = "P(A) and P(E) seem to be percentages, while the 1 in the denominator is not. Use shares."
    return Mistake("from_percentages", _kappas(100 * observed, 100 * expected), hint)


def kappa_rounded_early(observed: Fraction, expected: Fraction) -> Mistake:
    """Kappa from a rounded P(E), or from rounded P(A) and P(E)."""
    values: list[Fraction] = []
    for digits in EARLY:
        values += _kappas(observed, round_half_up(expected, digits))
        values += _kappas(round_half_up(observed, digits), round_half_up(expected, digits))
    return Mistake("rounded_early", tuple(values), ROUNDED_EARLY)


def wrong_sign(observed: Fraction, expected: Fraction) -> Mistake:
    """P(E) - P(A) in the numerator, or a missing minus sign."""
    hint = "Only the sign is wrong: the numerator is P(A) − P(E)."
    return Mistake("wrong_sign", tuple(-value for value in _kappas(observed, expected)), hint)


def not_corrected(observed: Fraction) -> Mistake:
    """P(A), instead of kappa."""
    return Mistake("not_corrected", (observed,), "This is P(A). Kappa corrects it for agreement by chance.")


def kappa_of_one_grade(sums: Sums, chance: str) -> Mistake:
    """Kappa with a P(E) of one grade only."""
    values = [value for term in sums.terms(chance) for value in _kappas(sums.observed, term)]
    hint = "P(E) seems to include one grade only. The judges may agree on any other by chance, too."
    return Mistake("one_grade_only", tuple(values), hint)


def kappa_mistakes(observed: Fraction, expected: Fraction) -> list[Mistake]:
    """Return the mistakes in the last step, from P(A) and P(E) to kappa."""
    return [
        not_divided(observed, expected),
        over_expected(observed, expected),
        over_disagreement(observed, expected),
        from_percentages(observed, expected),
        kappa_rounded_early(observed, expected),
        wrong_sign(observed, expected),
        not_corrected(observed),
    ]


def _kappas(observed: Fraction, expected: Fraction) -> tuple[Fraction, ...]:
    """Return kappa in a tuple, which is empty if P(E) = 1."""
    return () if expected == 1 else ((observed - expected) / (1 - expected),)
