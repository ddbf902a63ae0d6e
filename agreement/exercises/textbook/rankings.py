"""Ranking exercises from a textbook, in our own words.

C. D. Manning, P. Raghavan and H. Schuetze (2008), Introduction to Information Retrieval, exercises 8.1, 8.8 and 8.9.
"""

from fractions import Fraction

from agreement.exercises.textbook.kappa import BOOK
from agreement.exercises.worksheets import ranking_mistakes as mistakes
from agreement.exercises.worksheets.mistake import Mistake
from agreement.exercises.worksheets.ranking import Ranking, facts_exhibit, rankings_exhibit
from agreement.exercises.worksheets.worksheet import Choice, Field, Option, Worksheet, format_number, number_field

AP_HINT = "Add the precisions at the ranks of the relevant documents, and divide by the number of relevant documents."

# Exercise 8.1

SET = Ranking(tuple(range(1, 9)), relevant=20, retrieved=18)


def exercise_8_1() -> Worksheet:
    """Precision and recall of a set."""
    known = {"relevant documents retrieved": 8, "nonrelevant documents retrieved": 10, "relevant documents in all": 20}
    wrong = [mistakes.recall_for_precision(SET), mistakes.over_nonrelevant(SET)]
    hint = "What share of the retrieved documents is relevant?"
    precision = number_field("precision", "Precision", SET.score("SetP"), "8 / (8 + 10)", hint, mistakes=wrong)
    wrong = [mistakes.precision_for_recall(SET), mistakes.over_missed(SET)]
    hint = "What share of the relevant documents was retrieved?"
    recall = number_field("recall", "Recall", SET.score("SetR"), "8 / 20", hint, mistakes=wrong)
    return Worksheet(
        "exercise-8.1",
        "Precision and recall of one result",
        "A system has retrieved some documents for a query, and a judge has judged all of them. Calculate the "
        "precision and the recall.",
        (facts_exhibit("What the judge found", known),),
        (precision, recall),
        f"{BOOK}, exercise 8.1",
    )


# Exercise 8.8

SYSTEMS = {
    "system 1": Ranking((1, 3, 9, 10), relevant=4, retrieved=10),
    "system 2": Ranking((2, 5, 6, 7), relevant=4, retrieved=10),
}


def exercise_8_8() -> Worksheet:
    """MAP and R-precision of two systems."""
    return Worksheet(
        "exercise-8.8",
        "Two systems: MAP and R-precision",
        "A topic has four relevant documents, and both systems find all of them among their first ten. With only one "
        "topic, MAP is its average precision. Which system is better, and do both measures agree?",
        (rankings_exhibit("The first ten documents: R is relevant, N is not", SYSTEMS),),
        (*_ap_fields(), _better_choice(), *_r_precision_fields(), _same_order_choice()),
        f"{BOOK}, exercise 8.8",
    )


def _ap_fields() -> list[Field]:
    fields = []
    for name, other in (("system 1", "system 2"), ("system 2", "system 1")):
        ranking = SYSTEMS[name]
        wrong = [mistakes.other_system(SYSTEMS[other].score("AP")), *mistakes.ap_mistakes(ranking)]
        question, calculation = f"MAP of {name}", f"({ranking.terms}) / 4"
        exact = ranking.score("AP")
        fields.append(number_field(f"ap_{name[-1]}", question, exact, calculation, AP_HINT, mistakes=wrong))
    return fields


def _r_precision_fields() -> list[Field]:
    hint = "There are four relevant documents. How many of the first four documents are relevant?"
    fields = []
    for name, other in (("system 1", "system 2"), ("system 2", "system 1")):
        ranking = SYSTEMS[name]
        wrong = [mistakes.other_system(SYSTEMS[other].score("Rprec")), mistakes.not_at_r(ranking)]
        question, calculation = f"R-precision of {name}", f"{ranking.relevant_up_to(4)} / 4"
        exact = ranking.score("Rprec")
        fields.append(number_field(f"rprec_{name[-1]}", question, exact, calculation, hint, mistakes=wrong))
    return fields


def _better_choice() -> Choice:
    first, second = (ranking.score("AP") for ranking in SYSTEMS.values())
    options = (
        Option("1", "system 1"),
        Option("2", "system 2", "Its relevant documents are closer together, but the first of them is further down."),
        Option("equal", "both are equal", "Compare your two numbers again."),
    )
    solution = "Compare your two MAPs: a relevant document at rank 1 outweighs two at ranks 9 and 10."
    right_key = "1" if first > second else "2"
    return Choice(
        "better", "Which system has the higher MAP?", options, right_key, solution, "Compare your two numbers."
    )


def _same_order_choice() -> Choice:
    first, second = (ranking.score("Rprec") for ranking in SYSTEMS.values())
    hint = "Compare your two R-precisions, and then your two MAPs."
    options = (Option("yes", "yes"), Option("no", "no", hint))
    solution = (
        "Compare your two R-precisions: system 1 is also first by R-precision. On another topic the two may differ."
    )
    right_key = "yes" if first > second else "no"
    question = "Does R-precision put them in the same order as MAP?"
    return Choice("same_order", question, options, right_key, solution, hint)


# Exercise 8.9

TOP_20 = Ranking((1, 2, 9, 11, 15, 20), relevant=8, retrieved=20)
COLLECTION = 10_000
QUARTER, THIRD = Fraction(1, 4), Fraction(33, 100)


def exercise_8_9() -> Worksheet:
    """Measures of one ranking, and the bounds of MAP if it continues."""
    return Worksheet(
        "exercise-8.9",
        "One ranking, and what follows its first 20 documents",
        "A collection has 10,000 documents, of which 8 are relevant to a topic. The first 20 documents of a system's "
        "ranking are known. Calculate the usual measures. If the ranking continues over the whole collection, how high "
        "can its MAP be, how low, and how large is the error if it is calculated from the first 20 documents alone?",
        (TOP_20.exhibit("The first 20 documents: R is relevant, N is not"),),
        (*_top_20_fields(), *_recall_fields(), *_bounds_fields()),
        f"{BOOK}, exercise 8.9",
    )


def _top_20_fields() -> list[Field]:
    precision, recall = Fraction(6, 20), Fraction(6, 8)
    wrong = [mistakes.recall_for_precision(TOP_20), mistakes.over_nonrelevant(TOP_20)]
    question, hint = "(a) Precision of the first 20", "How many of the 20 are relevant?"
    first = number_field("precision", question, TOP_20.score("P@20"), "6 / 20", hint, mistakes=wrong)
    wrong = [mistakes.arithmetic_mean(precision, recall), mistakes.half_of_f(precision, recall)]
    wrong += [mistakes.recall_for_precision(TOP_20), mistakes.precision_for_recall(TOP_20)]
    hint = "F1 is the harmonic mean of precision and recall: 2PR / (P + R)."
    calculation = "2 × 0.3 × 0.75 / (0.3 + 0.75)"
    return [
        first,
        number_field("f1", "(b) F1 of the first 20", TOP_20.score("SetF"), calculation, hint, mistakes=wrong),
    ]


def _recall_fields() -> list[Field]:
    at_quarter = TOP_20.precisions_at(QUARTER)
    high, low = max(at_quarter), min(at_quarter)
    hint = "Recall stays the same from the second relevant document to the rank before the third. Check these ranks."
    other_end = "This is the other end. Precision falls with every nonrelevant document, until the next relevant one."
    question = "(c) {} precision, not interpolated, while recall is 0.25"
    wrong = [Mistake("other_end", (low,), other_end)]
    highest = number_field(
        "highest_at_quarter", question.format("Highest"), high, "at rank 2: 2 / 2", hint, mistakes=wrong
    )
    next_document = "This is already at the next relevant document, where recall is higher."
    wrong = [Mistake("other_end", (high,), other_end), Mistake("one_too_far", (TOP_20.precisions[2],), next_document)]
    lowest = number_field("lowest_at_quarter", question.format("Lowest"), low, "at rank 8: 2 / 8", hint, mistakes=wrong)
    return [highest, lowest, _interpolated_field()]


def _interpolated_field() -> Field:
    wrong = [mistakes.not_interpolated(TOP_20, 2), mistakes.from_the_left(TOP_20, 2)]
    hint = "Find the highest precision at any recall of 0.33 or more."
    calculation = "the largest of 3/9, 4/11, 5/15 and 6/20: 4 / 11"
    exact = TOP_20.score("IPrec(recall=0.33)")
    question = "(d) Interpolated precision at recall 0.33"
    return number_field("interpolated", question, exact, calculation, hint, mistakes=wrong)


def _bounds_fields() -> list[Field]:
    value, (low, high) = TOP_20.score("AP"), TOP_20.bounds(COLLECTION)
    terms = TOP_20.terms
    wrong = mistakes.ap_mistakes(TOP_20)
    question = "(e) MAP if the ranking ends after these 20"
    ended = number_field("ap", question, value, f"({terms}) / 8", AP_HINT, mistakes=wrong)
    hint = "Only two relevant documents are missing. At which ranks would they have to be?"
    wrong = [mistakes.other_bound(low), mistakes.rest_not_found(value), mistakes.both_at_one_rank(TOP_20, 21)]
    question, calculation = "(f) Largest possible MAP if the ranking continues", f"({terms} + 7/21 + 8/22) / 8"
    largest = number_field("ap_largest", question, high, calculation, hint, mistakes=wrong)
    wrong = [mistakes.other_bound(high), mistakes.rest_not_found(value), mistakes.both_at_one_rank(TOP_20, COLLECTION)]
    question, calculation = "(g) Smallest possible MAP if the ranking continues", f"({terms} + 7/9999 + 8/10000) / 8"
    smallest = number_field("ap_smallest", question, low, calculation, hint, mistakes=wrong)
    return [ended, largest, smallest, _error_field(value, low, high)]


def _error_field(value: float, low: float, high: float) -> Field:
    wrong = [mistakes.width_of_the_range(low, high), mistakes.nearer_bound(low, value)]
    hint = "Compare (e) with (f) and with (g). Which is farther away?"
    calculation = f"{format_number(high)} − {format_number(value)}, of (f) and (e)"
    question = "(h) Largest error of (e), if the true value is between (g) and (f)"
    return number_field("error", question, max(high - value, value - low), calculation, hint, mistakes=wrong)
