"""A worksheet that computes kappa by hand from any table of two judges.

The questions follow the order of the solution:

    totals of both judges, n, P(A)
    each judge's P(relevant), unpooled P(E), unpooled kappa         J. Cohen (1960)
    pooled P(relevant), pooled P(E), pooled kappa                   Manning, Raghavan and Schuetze (2008), section 8.5
    the band of the pooled kappa, and what it means

With two grades, only the share of the relevant one is requested; with more, the share of each. If P(E) = 1, kappa is
0 / 0. Then the fields of kappa are choices, and the right option is "undefined".
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy.typing as npt

from agreement.coefficients.worked import Step, Worked, worked
from agreement.exercises.worksheets import kappa_mistakes as mistakes
from agreement.exercises.worksheets.interpretation import interpretation_choices, undefined_kappa_choice
from agreement.exercises.worksheets.sums import Sums
from agreement.exercises.worksheets.worksheet import DIGITS, Choice, Exhibit, Field, Worksheet, number_field

LABELS = ("relevant", "nonrelevant")
JUDGES = ("judge 1", "judge 2")
TITLE = "Kappa by hand"
STORY = (
    "Two judges have judged the same documents, and the table counts their grades. Calculate how often they agree, how "
    "often they would agree by chance, and kappa, which corrects for chance. Do so for both forms of kappa."
)


def kappa_worksheet(
    table: npt.ArrayLike,
    labels: Sequence[str] = LABELS,
    judges: Sequence[str] = JUDGES,
    *,
    relevant: int = 0,
    digits: int = DIGITS,
    key: str = "kappa",
    title: str = TITLE,
    story: str = STORY,
    source: str = "",
) -> Worksheet:
    """Make a worksheet from a table of two judges.

    Shapes: `table` (n_grades, n_grades).

    Examples
    --------
    >>> worksheet = kappa_worksheet([[7, 2], [1, 5]])
    >>> worksheet.field("kappa_pooled").answer, worksheet.marks
    ('0.5928', 19)
    """
    sums, working = Sums.from_table(table), worked(table, labels, judges)
    _check_arguments(working, relevant, digits)
    grades = (relevant,) if len(working.labels) == 2 else tuple(range(len(working.labels)))
    fields = (
        *_total_fields(working, sums),
        _observed_field(working, sums, digits),
        *(_share_field(working, sums, first, grade, digits) for first in (True, False) for grade in grades),
        *_chance_fields(working, sums, "unpooled", digits),
        *(_pooled_share_field(working, sums, grade, digits) for grade in grades),
        *_chance_fields(working, sums, "pooled", digits),
        *interpretation_choices(working),
    )
    return Worksheet(key, title, story, (contingency_exhibit(working),), fields, source)


def contingency_exhibit(working: Worked) -> Exhibit:
    """Return the table of two judges, without its sums."""
    rows = tuple((label, cells) for label, cells, _ in working.rows)
    return Exhibit("contingency", f"{working.judges[0]} in rows, {working.judges[1]} in columns", working.labels, rows)


def _check_arguments(working: Worked, relevant: int, digits: int) -> None:
    if relevant not in range(len(working.labels)):
        raise ValueError(f"relevant must be a row from 0 to {len(working.labels) - 1}, not {relevant!r}.")
    if digits < 2:
        raise ValueError(f"digits must be at least 2, not {digits!r}.")


def _total_fields(working: Worked, sums: Sums) -> list[Field]:
    fields = [
        _total_field(working, sums, first, grade) for first in (True, False) for grade in range(len(working.labels))
    ]
    calculation = " + ".join(map(str, sums.rows))
    hint = "Every document is in one cell. Add all cells."
    wrong = [mistakes.agreed_only(sums), mistakes.judgements_for_documents(sums)]
    return [*fields, number_field("n", "How many documents", sums.n, calculation, hint, mistakes=wrong, digits=0)]


def _total_field(working: Worked, sums: Sums, first: bool, grade: int) -> Field:
    label, judge, side = working.labels[grade], _judge(working, first), "rows" if first else "columns"
    cells = sums.counts[grade] if first else tuple(row[grade] for row in sums.counts)
    wrong = [
        mistakes.other_judge(sums, first, grade, working.judges),
        mistakes.other_grade(sums, first, grade),
        mistakes.one_cell(sums, grade),
    ]
    hint = f"Add the cells of the {side[:-1]} {label}: together they are all documents that {judge} called {label}."
    calculation, question = " + ".join(map(str, cells)), f"{judge}: how many {label}"
    return number_field(f"{side}_{grade}", question, sum(cells), calculation, hint, mistakes=wrong, digits=0)


def _observed_field(working: Worked, sums: Sums, digits: int) -> Field:
    step = working.group("observed")[0]
    wrong = [mistakes.one_cell_agreed(sums), mistakes.disagreed(sums), mistakes.agreed_not_a_share(sums)]
    hint = "The judges agree in the cells of the diagonal. What share of all documents is in them?"
    question = "P(A): how often they agree"
    return number_field("observed", question, sums.observed, step.formula, hint, mistakes=wrong, digits=digits)


def _share_field(working: Worked, sums: Sums, first: bool, grade: int, digits: int) -> Field:
    label, total = working.labels[grade], sums.judge(first)[grade]
    wrong = [
        mistakes.other_judge_share(sums, first, grade, working.judges),
        mistakes.other_grade_share(sums, first, grade),
        mistakes.one_cell_share(sums, grade),
        mistakes.not_a_share(total),
    ]
    judge, side = _judge(working, first), "rows" if first else "columns"
    hint = f"Divide {judge}'s total of {label} by the number of documents."
    name, question = f"share_{side}_{grade}", f"P({label}) of {judge}"
    exact, calculation = sums.shares(first)[grade], f"{total} / {sums.n}"
    return number_field(name, question, exact, calculation, hint, mistakes=wrong, digits=digits)


def _pooled_share_field(working: Worked, sums: Sums, grade: int, digits: int) -> Field:
    step, label = working.group("pooled")[grade], working.labels[grade]
    wrong = [
        mistakes.one_judge_for_both(sums, grade),
        mistakes.both_over_documents(sums, grade),
        mistakes.other_grade_pooled(sums, grade),
        mistakes.not_a_share(sums.rows[grade] + sums.columns[grade]),
    ]
    hint = f"Count how often either judge gave {label}, and divide by the number of all judgements."
    name, question = f"share_pooled_{grade}", f"pooled P({label}): of the judgements of both"
    exact = sums.pooled_shares[grade]
    return number_field(name, question, exact, step.formula, hint, mistakes=wrong, digits=digits)


def _chance_fields(working: Worked, sums: Sums, chance: str, digits: int) -> list[Field | Choice]:
    expected, kappa = working.group(chance)[-2:]
    return [_expected_field(expected, sums, chance, digits), _kappa_field(kappa, sums, chance, digits)]


def _expected_field(step: Step, sums: Sums, chance: str, digits: int) -> Field:
    if chance == "pooled":
        specific = [mistakes.not_squared(sums)]
        hint = "Square the pooled share of each grade, and add the squares."
    else:
        specific = [mistakes.one_judge_twice(sums), mistakes.not_multiplied(sums)]
        hint = "For each grade multiply one judge's share by the other's, and add the products."
    wrong = [
        mistakes.other_chance(sums, chance),
        *specific,
        mistakes.one_grade_only(sums, chance),
        mistakes.chance_of_disagreement(sums, chance),
        mistakes.shares_rounded_early(sums, chance),
    ]
    question, exact = f"{chance} P(E): how often they would agree by chance", sums.expected(chance)
    return number_field(
        f"expected_{chance}", question, exact, step.formula, hint, mistakes=wrong, digits=digits, marks=2
    )


def _kappa_field(step: Step, sums: Sums, chance: str, digits: int) -> Field | Choice:
    if step.exact is None:
        return undefined_kappa_choice(chance)
    hint = "Kappa is P(A) − P(E), divided by 1 − P(E). Use the P(E) of the previous question."
    other: Fraction = sums.expected("unpooled" if chance == "pooled" else "pooled")
    wrong = [
        mistakes.kappa_of_other_chance(sums.observed, other, chance),
        *mistakes.kappa_mistakes(sums.observed, sums.expected(chance)),
        mistakes.kappa_of_one_grade(sums, chance),
    ]
    name, question = f"kappa_{chance}", f"{chance} kappa"
    return number_field(name, question, step.exact, step.formula, hint, mistakes=wrong, digits=digits, marks=2)


def _judge(working: Worked, first: bool) -> str:
    return working.judges[0 if first else 1]
