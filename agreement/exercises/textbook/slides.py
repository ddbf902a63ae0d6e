"""Ranking exercises from lecture slides, in our own words.

UIC: two recall-precision examples. UNC INLS 509 and Crash Course IR: DCG, each with a different discount (the second is
equation 8.9 of the textbook). Search Engines: 80 documents.
"""

from fractions import Fraction

from agreement.exercises.textbook.kappa import BOOK
from agreement.exercises.textbook.rankings import AP_HINT
from agreement.exercises.worksheets import ranking_mistakes as mistakes
from agreement.exercises.worksheets.mistake import Mistake
from agreement.exercises.worksheets.ranking import Ranking, facts_exhibit, graded_score
from agreement.exercises.worksheets.worksheet import Choice, Exhibit, Field, Option, Worksheet, number_field

# The two recall-precision examples

EXAMPLES = {
    "1": Ranking((1, 2, 4, 6, 13), relevant=6, retrieved=14),
    "2": Ranking((1, 3, 5, 8, 9, 14), relevant=6, retrieved=14),
}
MISSED = "One of the six is not retrieved. Its precision is 0, and it counts among the six."
CUT = "The slides print 0.633, cut off instead of rounded."


def average_precision_1() -> Worksheet:
    """Average precision of a ranking that misses one relevant document."""
    return _example("1", "One of the six is not among the 14 documents retrieved.", f"{MISSED} {CUT}")


def average_precision_2() -> Worksheet:
    """Average precision of a ranking that finds all relevant documents, further down."""
    return _example("2", "All six are among the 14 documents retrieved.", "")


def _example(which: str, fact: str, note: str) -> Worksheet:
    ranking = EXAMPLES[which]
    exact = ranking.score("AP")
    average_precision = number_field(
        "ap",
        "Average precision",
        exact,
        f"({ranking.terms}) / 6",
        AP_HINT,
        mistakes=mistakes.ap_mistakes(ranking),
        marks=2,
        note=note and f"({note})",
    )
    hint = "There are six relevant documents. How many of the first six documents are relevant?"
    wrong = [
        mistakes.not_at_r(ranking),
        Mistake("average_precision", (exact,), "This is average precision, over all ranks."),
    ]
    calculation = f"{ranking.relevant_up_to(ranking.relevant)} / 6"
    r_precision = number_field("rprec", "R-precision", ranking.score("Rprec"), calculation, hint, mistakes=wrong)
    return Worksheet(
        f"average-precision-{which}",
        f"From recall and precision to average precision, example {which}",
        f"A topic has six relevant documents. {fact} Calculate the precision wherever recall rises, and then average "
        "precision and R-precision.",
        (ranking.exhibit(),),
        (*_precision_fields(ranking), average_precision, r_precision),
        "lecture slides, UIC",
    )


def _precision_fields(ranking: Ranking) -> list[Field]:
    """Ask for the precision at each relevant document retrieved."""
    hint = "How many of the documents up to this rank are relevant?"
    fields = []
    for point, rank in enumerate(ranking.ranks):
        wrong = [
            mistakes.recall_point(ranking, point),
            mistakes.reciprocal_rank(ranking, point),
            mistakes.neighbours(ranking.precisions, point),
        ]
        question = f"Precision at recall {point + 1}/{ranking.relevant}"
        exact, calculation = ranking.score(f"P@{rank}"), f"at rank {rank}: {point + 1} / {rank}"
        fields.append(number_field(f"precision_{point + 1}", question, exact, calculation, hint, mistakes=wrong))
    return fields


# DCG with both discounts

GRADES = (4, 3, 4, 2, 0, 0, 0, 1, 1, 0)
DISCOUNTS = {
    "max2": ("dividing by log2(rank) from rank 2 on", 0, "The lecture slides of UNC INLS 509 print 11.17."),
    "log2": ("dividing by log2(rank + 1)", 1, ""),
}
OTHER = {"max2": "log2", "log2": "max2"}


def dcg() -> Worksheet:
    """DCG of one ranking with both discounts."""
    return Worksheet(
        "dcg",
        "Discounted cumulative gain with both discounts",
        "The documents of a ranking have grades from 0 to 4, and the grade is the gain. Two discounts are in use. The "
        "first divides by the logarithm (to base 2) of the rank from rank 2 on, so the first two ranks are not "
        "discounted. The second divides by the logarithm of the rank plus 1, so rank 2 is already discounted.",
        (_grades_exhibit(),),
        (*_dcg_fields("max2"), *_dcg_fields("log2"), _comparison_choice()),
        f"lecture slides, UNC INLS 509; lecture slides, Crash Course IR; {BOOK}, equation 8.9",
    )


def _grades_exhibit() -> Exhibit:
    columns = tuple(str(rank) for rank in range(1, len(GRADES) + 1))
    return Exhibit("ranking", "The grade at every rank", columns, (("grade", GRADES),))


def _dcg_fields(discount: str) -> list[Field]:
    description, shift, printed = DISCOUNTS[discount]
    third = (0, 0, GRADES[2])
    gain = number_field(
        f"gain_3_{discount}",
        f"What rank 3 contributes, {description}",
        _dcg(third, discount),
        f"{GRADES[2]} / log2({3 + shift})",
        "Divide the grade by the logarithm to base 2. On your calculator this may be log(x) / log(2).",
        mistakes=mistakes.dcg_mistakes(third, shift, _dcg(third, OTHER[discount])),
        digits=2,
    )
    total = number_field(
        f"dcg_{discount}",
        f"DCG, {description}",
        _dcg(GRADES, discount),
        _dcg_terms(shift),
        "Add the discounted grades of all ranks. A grade of 0 adds nothing.",
        mistakes=mistakes.dcg_mistakes(GRADES, shift, _dcg(GRADES, OTHER[discount])),
        digits=2,
        marks=2,
        note=printed and f"({printed})",
    )
    return [gain, total]


def _dcg(grades: tuple[int, ...], discount: str) -> float:
    return graded_score(grades, f"DCG(discount='{discount}')")


def _dcg_terms(shift: int) -> str:
    last_undiscounted = 1 if shift else 2
    terms = [
        f"{grade}/log2({rank + shift})" if rank > last_undiscounted else str(grade)
        for rank, grade in enumerate(GRADES, 1)
        if grade
    ]
    return " + ".join(terms)


def _comparison_choice() -> Choice:
    options = (
        Option("scale", "No: compare each only with numbers of the same discount."),
        Option(
            "first",
            "Yes: the ranking is better by the first.",
            "It is the same ranking. The number is larger only because of the discount.",
        ),
        Option("second", "Yes: the second is the exact one.", "Both are exact. They are two definitions."),
    )
    solution = (
        "The two numbers differ by definition. State which discount a DCG uses, and compare it only with DCGs that use "
        "the same discount."
    )
    hint = "Does either of the two numbers tell you more about the ranking?"
    return Choice("compared", "Can the two numbers be compared with each other?", options, "scale", solution, hint)


# Interpolated precision among 80 documents

EIGHTY = Ranking((2, 8, 9, 40), relevant=4, retrieved=80)


def interpolated_precision() -> Worksheet:
    """Plain and interpolated precision, and their averages."""
    known: dict[str, int | str] = {"documents retrieved": 80, "relevant documents": 4, "their ranks": "2, 8, 9, 40"}
    return Worksheet(
        "interpolated-precision",
        "Interpolated precision among 80 documents",
        "A system has ranked 80 documents, of which four are relevant. Calculate the precision at each relevant "
        "document, the interpolated precision there, and the averages of both.",
        (facts_exhibit("The ranking", known),),
        (*_precision_fields(EIGHTY), *_interpolated_fields(), *_average_fields()),
        "lecture slides, Search Engines",
    )


def _interpolated_fields() -> list[Field]:
    recalls = [Fraction(point + 1, EIGHTY.relevant) for point in range(len(EIGHTY.ranks))]
    hint = "Find the highest precision at this recall or any higher one."
    fields = []
    for point, recall in enumerate(recalls):
        wrong = [mistakes.not_interpolated(EIGHTY, point), mistakes.from_the_left(EIGHTY, point)]
        others = EIGHTY.precisions[point:]
        calculation = (
            f"the largest of {', '.join(map(str, others))}" if len(others) > 1 else f"{others[0]}, the last one"
        )
        question = f"Interpolated precision at recall {point + 1}/{EIGHTY.relevant}"
        exact = EIGHTY.score(f"IPrec(recall={float(recall)})")
        fields.append(number_field(f"interpolated_{point + 1}", question, exact, calculation, hint, mistakes=wrong))
    return fields


def _average_fields() -> list[Field]:
    average_precision = number_field(
        "ap",
        "Average precision",
        EIGHTY.score("AP"),
        f"({EIGHTY.terms}) / 4",
        AP_HINT,
        mistakes=mistakes.ap_mistakes(EIGHTY),
        note="(The slides print 0.295, cut off instead of rounded.)",
    )
    hint = "Add the interpolated precisions at these recalls, and divide by the number of recalls."
    wrong = [mistakes.over_found_points(EIGHTY), mistakes.plain_average_precision(EIGHTY)]
    eleven_points = number_field(
        "eleven_points",
        "11-point average: recalls 0, 0.1, ..., 1",
        EIGHTY.score("IPrec11"),
        "(3 × 1/2 + 5 × 1/3 + 3 × 1/10) / 11",
        hint,
        mistakes=[mistakes.without_recall_zero(EIGHTY), *wrong],
        marks=2,
    )
    question, calculation = "3-point average: recalls 0.2, 0.5 and 0.8", "(1/2 + 1/3 + 1/10) / 3"
    three_points = number_field("three_points", question, EIGHTY.score("IPrec3"), calculation, hint, mistakes=wrong)
    return [average_precision, eleven_points, three_points]
