"""Ranking exercises of lecture slides; the words are our own.

UIC: two recall-precision examples; UNC INLS 509 and Crash Course IR: DCG, with one discount each (the second is that
of equation 8.9 of the textbook); Search Engines: 80 documents.
"""

from fractions import Fraction

from agreement.exercises.textbook.kappa import BOOK
from agreement.exercises.textbook.rankings import AP_LOOK
from agreement.exercises.worksheets import ranking_mistakes as wrong
from agreement.exercises.worksheets.kappa_mistakes import Slip
from agreement.exercises.worksheets.ranking import Ranked, facts, graded_score
from agreement.exercises.worksheets.worksheet import Choice, Exhibit, Field, Option, Worksheet, number

# The two recall-precision examples

EXAMPLES = {
    "1": Ranked((1, 2, 4, 6, 13), relevant=6, retrieved=14),
    "2": Ranked((1, 3, 5, 8, 9, 14), relevant=6, retrieved=14),
}
MISSED = "One of the six is never found: its precision is 0, and it counts in the six."
CUT = "The slides print 0.633, cut off rather than rounded."


def average_precision_1() -> Worksheet:
    """A ranking that misses one relevant document."""
    return _example("1", "One of the six is not among the 14 documents retrieved.", f"{MISSED} {CUT}")


def average_precision_2() -> Worksheet:
    """A ranking that finds them all, later."""
    return _example("2", "All six are among the 14 documents retrieved.", "")


def _example(which: str, what: str, note: str) -> Worksheet:
    ranking = EXAMPLES[which]
    slips = wrong.ap_slips(ranking)
    how, exact = f"({ranking.terms}) / 6", ranking.score("AP")
    ap = number("ap", "Average precision", exact, how, AP_LOOK, slips=slips, marks=2, note=note and f"({note})")
    look = "There are six relevant documents: how many of the first six ranks?"
    found = ranking.found(ranking.relevant)
    slips = [wrong.not_at_r(ranking), Slip("average_precision", (exact,), "This is average precision, of all ranks.")]
    r_precision = number("rprec", "R-precision", ranking.score("Rprec"), f"{found} / 6", look, slips=slips)
    return Worksheet(
        f"average-precision-{which}",
        f"From recall and precision to average precision, example {which}",
        f"A topic has six relevant documents. {what} Work out the precision wherever recall rises, and put the "
        "numbers together.",
        (ranking.shown(),),
        (*_points(ranking), ap, r_precision),
        "lecture slides, UIC",
    )


def _points(ranking: Ranked) -> list[Field]:
    """Precision at each relevant document retrieved."""
    look = "How many of the documents down to this rank are relevant?"
    fields = []
    for point, rank in enumerate(ranking.ranks):
        others = wrong.neighbours(ranking.precisions, point)
        slips = [wrong.recall_point(ranking, point), wrong.reciprocal_rank(ranking, point), others]
        label = f"Precision at recall {point + 1}/{ranking.relevant}"
        exact, how = ranking.score(f"P@{rank}"), f"at rank {rank}: {point + 1} / {rank}"
        fields.append(number(f"precision_{point + 1}", label, exact, how, look, slips=slips))
    return fields


# DCG with both discounts

GRADES = (4, 3, 4, 2, 0, 0, 0, 1, 1, 0)
DISCOUNTS = {
    "max2": ("dividing by log2 of the rank from rank 2 on", 0, "lecture slides, UNC INLS 509, print 11.17"),
    "log2": ("dividing by log2 of the rank and one", 1, ""),
}
OTHER = {"max2": "log2", "log2": "max2"}


def dcg() -> Worksheet:
    """One ranking under both discounts."""
    return Worksheet(
        "dcg",
        "Discounted cumulative gain with both discounts",
        "The documents of a ranking have grades from 0 to 4, and the grade is the gain. Two discounts are in use. One "
        "leaves the first two ranks whole and divides by the logarithm (to the base 2) of the rank from there on. The "
        "other divides by the logarithm of the rank and one, so that rank 2 is discounted already.",
        (_grades_shown(),),
        (*_dcg_fields("max2"), *_dcg_fields("log2"), _compared()),
        f"lecture slides, UNC INLS 509; lecture slides, Crash Course IR; {BOOK}, equation 8.9",
    )


def _grades_shown() -> Exhibit:
    columns = tuple(str(rank) for rank in range(1, len(GRADES) + 1))
    return Exhibit("ranking", "The grade at every rank", columns, (("grade", GRADES),))


def _dcg_fields(discount: str) -> list[Field]:
    said_of_it, shift, printed = DISCOUNTS[discount]
    third = (0, 0, GRADES[2])
    look = "Divide the grade by the logarithm, to the base 2: your calculator may want log(x) / log(2)."
    label, how = f"What rank 3 adds, {said_of_it}", f"{GRADES[2]} / log2({3 + shift})"
    slips = wrong.dcg_slips(third, shift, _dcg(third, OTHER[discount]))
    one = number(f"gain_3_{discount}", label, _dcg(third, discount), how, look, slips=slips, digits=2)
    look = "Add up the discounted grades of all ranks; a grade of 0 adds nothing."
    label, how, note = f"DCG, {said_of_it}", _dcg_terms(shift), printed and f"({printed}.)"
    slips = wrong.dcg_slips(GRADES, shift, _dcg(GRADES, OTHER[discount]))
    exact = _dcg(GRADES, discount)
    return [one, number(f"dcg_{discount}", label, exact, how, look, slips=slips, digits=2, marks=2, note=note)]


def _dcg(grades: tuple[int, ...], discount: str) -> float:
    return graded_score(grades, f"DCG(discount='{discount}')")


def _dcg_terms(shift: int) -> str:
    whole = 1 if shift else 2
    parts = [
        f"{grade}/log2({rank + shift})" if rank > whole else str(grade) for rank, grade in enumerate(GRADES, 1) if grade
    ]
    return " + ".join(parts)


def _compared() -> Choice:
    options = (
        Option("scale", "No: each is compared only with others of the same discount."),
        Option(
            "first",
            "Yes: the ranking is better by the first.",
            "It is one and the same ranking: the larger number comes from the discount alone.",
        ),
        Option("second", "Yes: the second is the exact one.", "Both are exact; they are two definitions."),
    )
    why = "The two numbers differ by definition: a DCG says which discount it has, and is compared with its like."
    look = "Which of the two numbers tells you more about the ranking?"
    return Choice("compared", "May the two numbers be compared with each other?", options, "scale", why, look)


# Interpolated precision among 80 documents

EIGHTY = Ranked((2, 8, 9, 40), relevant=4, retrieved=80)


def interpolated_precision() -> Worksheet:
    """Plain and interpolated precision, and their averages."""
    known = {"documents retrieved": 80, "relevant documents": 4, "their ranks": "2, 8, 9, 40"}
    return Worksheet(
        "interpolated-precision",
        "Interpolated precision among 80 documents",
        "A system has put 80 documents in order; four are relevant. Work out the precision where each is found, then "
        "the interpolated precision there, and the averages that are made of either.",
        (facts("The ranking", known),),
        (*_points(EIGHTY), *_interpolated_points(), *_averages()),
        "lecture slides, Search Engines",
    )


def _interpolated_points() -> list[Field]:
    recalls = [Fraction(point + 1, EIGHTY.relevant) for point in range(len(EIGHTY.ranks))]
    values = [EIGHTY.score(f"IPrec(recall={float(recall)})") for recall in recalls]
    look = "Take the highest precision at this recall or any higher one."
    fields = []
    for point, exact in enumerate(values):
        slips = [wrong.not_interpolated(EIGHTY, point), wrong.from_the_left(EIGHTY, point)]
        others = EIGHTY.precisions[point:]
        how = f"the largest of {', '.join(map(str, others))}" if len(others) > 1 else f"{others[0]}, the last one"
        label = f"Interpolated precision at recall {point + 1}/{EIGHTY.relevant}"
        fields.append(number(f"interpolated_{point + 1}", label, exact, how, look, slips=slips))
    return fields


def _averages() -> list[Field]:
    note = "(The slides print 0.295, cut off rather than rounded.)"
    how = f"({EIGHTY.terms}) / 4"
    ap = number("ap", "Average precision", EIGHTY.score("AP"), how, AP_LOOK, slips=wrong.ap_slips(EIGHTY), note=note)
    look = (
        "Write down the interpolated precision at each of the recalls, add these up, and divide by how many they are."
    )
    both = [wrong.over_found_points(EIGHTY), wrong.plain_average_precision(EIGHTY)]
    slips = [wrong.without_recall_zero(EIGHTY), *both]
    label, how = "11-point average: recalls 0, 0.1, ..., 1", "(3 × 1/2 + 5 × 1/3 + 3 × 1/10) / 11"
    eleven = number("eleven_points", label, EIGHTY.score("IPrec11"), how, look, slips=slips, marks=2)
    label, how = "3-point average: recalls 0.2, 0.5 and 0.8", "(1/2 + 1/3 + 1/10) / 3"
    return [ap, eleven, number("three_points", label, EIGHTY.score("IPrec3"), how, look, slips=both)]
