"""Slips on the way to kappa: what number comes out if a step is done wrong, and what to say of it.

Every function recomputes one step the wrong way and returns a `Slip`: the wrong numbers, and a hint that names what
was likely done. A hint never says the right number. That a wrong way may by chance lead to the right number (a
symmetric table has both judges' totals alike) is not looked at here: `agreement.exercises.worksheets.worksheet` drops such numbers.

Slips of writing (a percent sign that lacks, digits cut off) are those of `agreement.exercises.worksheets.writing_mistakes`; slips with
rankings those of `agreement.exercises.worksheets.ranking_mistakes`.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from agreement.exercises.worksheets.sums import Sums, products

EARLY = (2, 3)  # digits to which a number in between is often rounded


@dataclass(frozen=True)
class Slip:
    """A wrong way.

    Attributes
    ----------
    name : str
    values : tuple of Fraction or float
        The wrong numbers that it leads to.
    hint : str
        A sentence that names it.
    """

    name: str
    values: tuple[Fraction | float, ...]
    hint: str


def rounded(value: Fraction, digits: int) -> Fraction:
    """Rounded as it is done by hand: half a unit goes up."""
    unit = Decimal(1).scaleb(-digits)
    number = Decimal(value.numerator) / Decimal(value.denominator)
    return Fraction(number.quantize(unit, ROUND_HALF_UP))


def kappa(observed: Fraction, expected: Fraction) -> tuple[Fraction, ...]:
    """The kappa of these two; none where P(E) = 1."""
    return () if expected == 1 else ((observed - expected) / (1 - expected),)


# Totals and shares of one judge


def other_judge(sums: Sums, first: bool, grade: int, judges: tuple[str, str]) -> Slip:
    """The total of the other judge: marginals, or rows and columns, swapped."""
    hint = f"This is the other judge's: {judges[0]} is in the rows, {judges[1]} in the columns."
    return Slip("other_judge", (sums.judge(not first)[grade],), hint)


def other_judge_share(sums: Sums, first: bool, grade: int, judges: tuple[str, str]) -> Slip:
    """The share of the other judge."""
    slip = other_judge(sums, first, grade, judges)
    return Slip(slip.name, (sums.shares(not first)[grade],), slip.hint)


def other_grade(sums: Sums, first: bool, grade: int) -> Slip:
    """The total of another grade, such as nonrelevant for relevant."""
    return Slip("other_grade", _without(sums.judge(first), grade), _OTHER_GRADE)


def other_grade_share(sums: Sums, first: bool, grade: int) -> Slip:
    """The share of another grade."""
    return Slip("other_grade", _without(sums.shares(first), grade), _OTHER_GRADE)


def one_cell(sums: Sums, grade: int) -> Slip:
    """Only the cell in which both said this grade."""
    hint = "This is the cell where both said so: a judge's total counts the cells where the other said otherwise, too."
    return Slip("one_cell", (sums.counts[grade][grade],), hint)


def one_cell_share(sums: Sums, grade: int) -> Slip:
    """Only the cell in which both said this grade, as a share."""
    slip = one_cell(sums, grade)
    return Slip(slip.name, (Fraction(*slip.values, sums.n),), slip.hint)


def agreed_only(sums: Sums) -> Slip:
    """For the number of documents, those on which the judges agree."""
    hint = "These are the documents on which they agree: the cells where they differ are documents, too."
    return Slip("agreed_only", (_diagonal(sums),), hint)


def judgements_for_documents(sums: Sums) -> Slip:
    """For the number of documents, the number of judgements."""
    hint = "These are the judgements: each document was judged by two, and is counted once."
    return Slip("judgements_for_documents", (2 * sums.n,), hint)


def not_a_share(count: int) -> Slip:
    """A number of documents where a share is asked."""
    hint = "This is a number of documents, and a share is asked: divide it by all of them."
    return Slip("not_a_share", (count,), hint)


_OTHER_GRADE = "This belongs to another grade: look again which row or column is asked."


def _without(values: tuple, grade: int) -> tuple:
    return tuple(value for k, value in enumerate(values) if k != grade)


def _diagonal(sums: Sums) -> int:
    return sum(row[k] for k, row in enumerate(sums.counts))


# P(A)


def one_cell_agreed(sums: Sums) -> Slip:
    """P(A) from one cell of the diagonal."""
    values = tuple(Fraction(row[k], sums.n) for k, row in enumerate(sums.counts))
    hint = "This counts one cell of the diagonal: they agree wherever both said the same, whatever it was."
    return Slip("one_cell_agreed", values, hint)


def disagreed(sums: Sums) -> Slip:
    """How often they disagree, for P(A)."""
    hint = "This is how often they disagree: P(A) takes the diagonal, where both said the same."
    return Slip("disagreed", (1 - sums.observed,), hint)


def agreed_not_a_share(sums: Sums) -> Slip:
    """The number of documents on which they agree, for P(A)."""
    return not_a_share(_diagonal(sums))


# The pooled share


def one_judge_for_both(sums: Sums, grade: int) -> Slip:
    """One judge's share where the pooled one is asked."""
    values = (sums.shares(True)[grade], sums.shares(False)[grade])
    hint = "This is the share of one judge (unpooled): pooled, the judgements of both are counted together."
    return Slip("one_judge_for_both", values, hint)


def both_over_documents(sums: Sums, grade: int) -> Slip:
    """The judgements of both over the documents."""
    hint = "Both judges' totals are added here, so divide by all judgements: there are two of each document."
    return Slip("both_over_documents", (2 * sums.pooled_shares[grade],), hint)


def other_grade_pooled(sums: Sums, grade: int) -> Slip:
    """The pooled share of another grade."""
    return Slip("other_grade", _without(sums.pooled_shares, grade), _OTHER_GRADE)


# P(E)

_OTHER_CHANCE = {
    "pooled": "This is the unpooled one: pooled, both judges are given the shares that they have together.",
    "unpooled": "This is the pooled one: unpooled, each judge keeps shares of their own.",
}


def other_chance(sums: Sums, chance: str) -> Slip:
    """The pooled P(E) in place of the unpooled, and the reverse."""
    other = "unpooled" if chance == "pooled" else "pooled"
    return Slip("other_chance", (sums.expected(other),), _OTHER_CHANCE[chance])


def not_squared(sums: Sums) -> Slip:
    """The pooled P(E) from the shares as they are: one of them, or their sum."""
    hint = "The shares are not squared: chance must have the first judge say it and the second say it as well."
    return Slip("not_squared", (sum(sums.pooled_shares), *sums.pooled_shares), hint)


def not_multiplied(sums: Sums) -> Slip:
    """The unpooled P(E) from the shares of one grade, added instead of multiplied."""
    both = zip(sums.shares(True), sums.shares(False), strict=True)
    hint = "The two judges' shares of a grade are to be multiplied: chance must have both of them say it."
    return Slip("not_multiplied", tuple(p + q for p, q in both), hint)


def one_judge_twice(sums: Sums) -> Slip:
    """The unpooled P(E) with the shares of one judge squared."""
    values = tuple(sum(products(sums.shares(first), sums.shares(first))) for first in (True, False))
    hint = "This takes one judge's shares twice: unpooled, multiply the first judge's share by the second's."
    return Slip("one_judge_twice", values, hint)


def one_grade_only(sums: Sums, chance: str) -> Slip:
    """The term of one grade for P(E)."""
    hint = "This is the chance to agree on one grade: they may agree on any other by chance, too; add them up."
    return Slip("one_grade_only", sums.terms(chance), hint)


def chance_of_disagreement(sums: Sums, chance: str) -> Slip:
    """1 - P(E) for P(E)."""
    hint = "This is the chance to disagree: multiply shares of the same grade, not of different ones."
    return Slip("chance_of_disagreement", (1 - sums.expected(chance),), hint)


def shares_rounded_early(sums: Sums, chance: str) -> Slip:
    """P(E) from shares that were rounded."""
    both = (sums.pooled_shares,) * 2 if chance == "pooled" else (sums.shares(True), sums.shares(False))
    values = []
    for digits in EARLY:
        first, second = (tuple(rounded(share, digits) for share in shares) for shares in both)
        values.append(sum(products(first, second)))
    return Slip("rounded_early", tuple(values), ROUNDED_EARLY)


ROUNDED_EARLY = "A number in between seems to have been rounded too early: keep all its digits, and round at the end."


# Kappa, of any P(A) and P(E)


def kappa_of_other_chance(observed: Fraction, other: Fraction, chance: str) -> Slip:
    """Kappa with the P(E) of the other kind; `chance` is the kind that is asked."""
    return Slip("other_chance", kappa(observed, other), _OTHER_CHANCE[chance])


def rest_forgotten(observed: Fraction, expected: Fraction) -> Slip:
    """P(A) - P(E), divided by nothing."""
    hint = "This is P(A) − P(E) as it is: it is still to be divided by what chance leaves open, 1 − P(E)."
    return Slip("rest_forgotten", (observed - expected,), hint)


def over_expected(observed: Fraction, expected: Fraction) -> Slip:
    """Divided by P(E)."""
    hint = "This is divided by P(E): divide by what chance leaves open, 1 − P(E)."
    return Slip("over_expected", ((observed - expected) / expected,) if expected else (), hint)


def over_disagreement(observed: Fraction, expected: Fraction) -> Slip:
    """Divided by 1 - P(A)."""
    hint = "This is divided by 1 − P(A): below the line stands P(E)."
    return Slip("over_disagreement", ((observed - expected) / (1 - observed),) if observed != 1 else (), hint)


def from_percentages(observed: Fraction, expected: Fraction) -> Slip:
    """P(A) and P(E) as percentages, and 1 left as it is."""
    hint = "P(A) and P(E) seem to have been put in as percentages, while the 1 below the line stayed: use shares."
    return Slip("from_percentages", kappa(100 * observed, 100 * expected), hint)


def kappa_rounded_early(observed: Fraction, expected: Fraction) -> Slip:
    """Kappa from a rounded P(E), or from P(A) and P(E) rounded."""
    values = []
    for digits in EARLY:
        values += kappa(observed, rounded(expected, digits))
        values += kappa(rounded(observed, digits), rounded(expected, digits))
    return Slip("rounded_early", tuple(values), ROUNDED_EARLY)


def sign_turned(observed: Fraction, expected: Fraction) -> Slip:
    """P(E) - P(A) above the line, or a minus that lacks."""
    hint = "Only the sign is not right: above the line, P(E) is taken from P(A)."
    return Slip("sign_turned", tuple(-value for value in kappa(observed, expected)), hint)


def not_corrected(observed: Fraction) -> Slip:
    """P(A) for kappa."""
    return Slip("not_corrected", (observed,), "This is P(A): kappa takes from it what chance alone would give.")


def kappa_of_one_grade(sums: Sums, chance: str) -> Slip:
    """Kappa with a P(E) of one grade only."""
    values = [value for term in sums.terms(chance) for value in kappa(sums.observed, term)]
    hint = "P(E) seems to count one grade only: the judges may agree on any other by chance, too."
    return Slip("one_grade_only", tuple(values), hint)
