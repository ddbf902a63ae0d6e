"""Kappa by hand: a worksheet of any table of two judges, in the order of the working.

    totals of both judges, n, P(A)
    each judge's P(relevant), unpooled P(E), unpooled kappa         J. Cohen (1960)
    pooled P(relevant), pooled P(E), pooled kappa                   Manning, Raghavan and Schuetze (2008), section 8.5
    the band of the pooled kappa, and what it means

The numbers are those of `agreement.coefficients.worked`. Of two grades only the share of the relevant one is asked; of more, the
share of each. Where P(E) = 1, kappa is 0 / 0: then the fields of kappa are choices, and the right one is "undefined".
"""

from collections.abc import Sequence

from agreement.coefficients.worked import Step, Worked, worked
from agreement.exercises.worksheets import meaning, slips
from agreement.exercises.worksheets.fields import DIGITS, Choice, Exhibit, Field, Worksheet, number
from agreement.exercises.worksheets.sums import Sums

LABELS = ("relevant", "nonrelevant")
JUDGES = ("judge 1", "judge 2")
TITLE = "Kappa by hand"
STORY = (
    "Two judges have read the same documents, and the table counts what they said of them. Work out how often they "
    "agree, how often chance alone would make them agree, and what is left: kappa, both ways."
)


def kappa_worksheet(
    table,
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
    """A worksheet of a table of two judges.

    Parameters
    ----------
    table : array of int, shape (n_grades, n_grades)
        Rows: grades of the first judge; columns: grades of the second.
    labels : sequence of str
        Names of the grades, in the order of the rows.
    judges : sequence of two str
    relevant : int
        Which row of two is the relevant grade, whose share is asked.
    digits : int
        How many digits after the point are asked; from 2, so that a slip can be told from another.
    key, title, story, source : str
        As for `Worksheet`.

    Raises
    ------
    ValueError
        The table is no square of counts, or all zeros; labels or judges are not as many as there are; `relevant` is
        no row, or `digits` below 2.
    """
    sums, working = Sums.of(table), worked(table, labels, judges)
    _check_asked(working, relevant, digits)
    asked = (relevant,) if len(working.labels) == 2 else tuple(range(len(working.labels)))
    fields = (
        *_totals(working, sums),
        _observed(working, sums, digits),
        *(_share(working, sums, first, grade, digits) for first in (True, False) for grade in asked),
        *_chance(working, sums, "unpooled", digits),
        *(_pooled_share(working, sums, grade, digits) for grade in asked),
        *_chance(working, sums, "pooled", digits),
        *meaning.choices(working),
    )
    return Worksheet(key, title, story, (contingency(working),), fields, source)


def contingency(working: Worked) -> Exhibit:
    """The table of two judges, without its sums."""
    rows = tuple((label, cells) for label, cells, _ in working.rows)
    return Exhibit("contingency", f"{working.judges[0]} in rows, {working.judges[1]} in columns", working.labels, rows)


def _check_asked(working: Worked, relevant: int, digits: int) -> None:
    if len(working.judges) != 2:
        raise ValueError(f"a table is of two judges; got the names of {len(working.judges)}")
    if relevant not in range(len(working.labels)):
        raise ValueError(f"relevant is a row from 0 to {len(working.labels) - 1}; got {relevant!r}")
    if digits < 2:
        raise ValueError(f"two digits after the point or more are asked; got {digits!r}")


def _totals(working: Worked, sums: Sums) -> list[Field]:
    fields = []
    for first, side in ((True, "rows"), (False, "columns")):
        for grade, label in enumerate(working.labels):
            cells = sums.counts[grade] if first else [row[grade] for row in sums.counts]
            wrong = [
                slips.other_judge(sums, first, grade, working.judges),
                slips.other_grade(sums, first, grade),
                slips.one_cell(sums, grade),
            ]
            look = f"Add up the cells of the {side[:-1]} {label}: it has all that {_judge(working, first)} called so."
            name, asked = f"{side}_{grade}", f"{_judge(working, first)}: how many {label}"
            how = " + ".join(map(str, cells))
            fields.append(number(name, asked, sum(cells), how, look, slips=wrong, digits=0))
    how, look = " + ".join(map(str, sums.rows)), "Every document is in one cell: add up all cells."
    wrong = [slips.agreed_only(sums), slips.judgements_for_documents(sums)]
    return [*fields, number("n", "How many documents", sums.n, how, look, slips=wrong, digits=0)]


def _observed(working: Worked, sums: Sums, digits: int) -> Field:
    step = working.group("observed")[0]
    wrong = [slips.one_cell_agreed(sums), slips.disagreed(sums), slips.agreed_not_a_share(sums)]
    look = "The judges agree in the cells of the diagonal: what share of all documents is in them?"
    asked = "P(A): how often they agree"
    return number("observed", asked, step.exact, step.formula, look, slips=wrong, digits=digits)


def _share(working: Worked, sums: Sums, first: bool, grade: int, digits: int) -> Field:
    label, total = working.labels[grade], sums.judge(first)[grade]
    wrong = [
        slips.other_judge_share(sums, first, grade, working.judges),
        slips.other_grade_share(sums, first, grade),
        slips.one_cell_share(sums, grade),
        slips.not_a_share(total),
    ]
    judge, side = _judge(working, first), "rows" if first else "columns"
    look = f"Take the total of {label} of {judge}, and divide it by the number of documents."
    asked = f"P({label}) of {judge}"
    exact = sums.shares(first)[grade]
    return number(f"share_{side}_{grade}", asked, exact, f"{total} / {sums.n}", look, slips=wrong, digits=digits)


def _pooled_share(working: Worked, sums: Sums, grade: int, digits: int) -> Field:
    step, label = working.group("pooled")[grade], working.labels[grade]
    wrong = [
        slips.one_judge_for_both(sums, grade),
        slips.both_over_documents(sums, grade),
        slips.other_grade_pooled(sums, grade),
        slips.not_a_share(sums.rows[grade] + sums.columns[grade]),
    ]
    look = f"Count how often {label} was said by either judge, and divide by the number of all judgements."
    asked = f"pooled P({label}): of the judgements of both"
    return number(f"share_pooled_{grade}", asked, step.exact, step.formula, look, slips=wrong, digits=digits)


def _chance(working: Worked, sums: Sums, chance: str, digits: int) -> list[Field | Choice]:
    expected, kappa = working.group(chance)[-2:]
    return [_expected(expected, sums, chance, digits), _kappa(expected, kappa, sums, chance, digits)]


def _expected(step: Step, sums: Sums, chance: str, digits: int) -> Field:
    of_its_own = (
        [slips.not_squared(sums)] if chance == "pooled" else [slips.one_judge_twice(sums), slips.not_multiplied(sums)]
    )
    wrong = [
        slips.other_chance(sums, chance),
        *of_its_own,
        slips.one_grade_only(sums, chance),
        slips.chance_of_disagreement(sums, chance),
        slips.shares_rounded_early(sums, chance),
    ]
    look = {
        "pooled": "Square the pooled share of each grade, and add the squares up.",
        "unpooled": "For each grade multiply the one judge's share by the other's, and add the products up.",
    }[chance]
    asked = f"{chance} P(E): how often chance alone would make them agree"
    return number(f"expected_{chance}", asked, step.exact, step.formula, look, slips=wrong, digits=digits, marks=2)


def _kappa(expected: Step, step: Step, sums: Sums, chance: str, digits: int) -> Field | Choice:
    if step.exact is None:
        return meaning.undefined_kappa(chance)
    look = "Kappa is P(A) − P(E), divided by 1 − P(E), with the P(E) that you have just worked out."
    other = sums.expected("unpooled" if chance == "pooled" else "pooled")
    wrong = [
        slips.kappa_of_other_chance(sums.observed, other, chance),
        *kappa_slips(sums.observed, expected.exact),
        slips.kappa_of_one_grade(sums, chance),
    ]
    name, asked = f"kappa_{chance}", f"{chance} kappa"
    return number(name, asked, step.exact, step.formula, look, slips=wrong, digits=digits, marks=2)


def kappa_slips(observed, expected) -> list[slips.Slip]:
    """The slips on the last division, for any P(A) and P(E), fractions."""
    return [
        slips.rest_forgotten(observed, expected),
        slips.over_expected(observed, expected),
        slips.over_disagreement(observed, expected),
        slips.from_percentages(observed, expected),
        slips.kappa_rounded_early(observed, expected),
        slips.sign_turned(observed, expected),
        slips.not_corrected(observed),
    ]


def _judge(working: Worked, first: bool) -> str:
    return working.judges[0 if first else 1]
