"""Ranking exercises of a textbook; the words are our own.

C. D. Manning, P. Raghavan and H. Schuetze (2008), Introduction to Information Retrieval, exercises 8.1, 8.8 and 8.9.
"""

from fractions import Fraction

from agreement.exercises.textbook.kappa import BOOK
from agreement.exercises.worksheets import ranking_mistakes as wrong
from agreement.exercises.worksheets.kappa_mistakes import Slip
from agreement.exercises.worksheets.ranking import Ranked, facts, rankings_shown
from agreement.exercises.worksheets.worksheet import Choice, Field, Option, Worksheet, number, said

AP_LOOK = "Take the precision at the rank of each relevant document, add these up, and divide by all relevant ones."

# Exercise 8.1

SET = Ranked(tuple(range(1, 9)), relevant=20, retrieved=18)


def exercise_8_1() -> Worksheet:
    """Precision and recall of a set."""
    known = {"relevant documents retrieved": 8, "nonrelevant documents retrieved": 10, "relevant documents in all": 20}
    slips = [wrong.recall_for_precision(SET), wrong.over_nonrelevant(SET)]
    look = "Of what was retrieved, how much is relevant?"
    precision = number("precision", "Precision", SET.score("SetP"), "8 / (8 + 10)", look, slips=slips)
    slips = [wrong.precision_for_recall(SET), wrong.over_missed(SET)]
    look = "Of what is relevant, how much was retrieved?"
    recall = number("recall", "Recall", SET.score("SetR"), "8 / 20", look, slips=slips)
    return Worksheet(
        "exercise-8.1",
        "Precision and recall of one answer",
        "A system has answered a question with some documents, and a judge has read them all. What is its precision, "
        "and what its recall?",
        (facts("What the judge found", known),),
        (precision, recall),
        f"{BOOK}, exercise 8.1",
    )


# Exercise 8.8

SYSTEMS = {
    "system 1": Ranked((1, 3, 9, 10), relevant=4, retrieved=10),
    "system 2": Ranked((2, 5, 6, 7), relevant=4, retrieved=10),
}


def exercise_8_8() -> Worksheet:
    """MAP and R-precision of two systems."""
    return Worksheet(
        "exercise-8.8",
        "Two systems: MAP and R-precision",
        "A topic has four relevant documents, and both systems find all of them among their first ten. With one topic "
        "only, MAP is its average precision. Which system is better, and do both measures say so?",
        (rankings_shown("The first ten documents: R is relevant, N is not", SYSTEMS),),
        (*_two("AP"), _better(), *_two("Rprec"), _same_order()),
        f"{BOOK}, exercise 8.8",
    )


def _two(measure: str) -> list[Field]:
    fields = []
    for name, other in (("system 1", "system 2"), ("system 2", "system 1")):
        ranking = SYSTEMS[name]
        slips = wrong.ap_slips(ranking) if measure == "AP" else [wrong.not_at_r(ranking)]
        slips = [wrong.other_system(SYSTEMS[other].score(measure)), *slips]
        how = f"({ranking.terms}) / 4" if measure == "AP" else f"{ranking.found(4)} / 4"
        look = AP_LOOK if measure == "AP" else "There are four relevant documents: how many of the first four ranks?"
        label = f"{'MAP' if measure == 'AP' else 'R-precision'} of {name}"
        exact = ranking.score(measure)
        fields.append(number(f"{measure.lower()}_{name[-1]}", label, exact, how, look, slips=slips))
    return fields


def _better() -> Choice:
    first, second = (ranking.score("AP") for ranking in SYSTEMS.values())
    options = (
        Option("1", "system 1"),
        Option("2", "system 2", "It has its relevant documents closer together, but the first of them lower down."),
        Option("equal", "both alike", "Compare your two numbers again."),
    )
    why = "Compare your two MAPs: a relevant document at rank 1 outweighs two at ranks 9 and 10."
    right = "1" if first > second else "2"
    return Choice("better", "Which has the higher MAP?", options, right, why, "Compare your two numbers.")


def _same_order() -> Choice:
    first, second = (ranking.score("Rprec") for ranking in SYSTEMS.values())
    options = (
        Option("yes", "yes"),
        Option("no", "no", "Compare your two R-precisions, and then your two MAPs."),
    )
    why = "Compare your two R-precisions: by them, too, system 1 is first. On another topic they may differ."
    look = "Compare your two R-precisions, and then your two MAPs."
    right = "yes" if first > second else "no"
    return Choice("same_order", "Does R-precision put them in the same order as MAP?", options, right, why, look)


# Exercise 8.9

TOP_20 = Ranked((1, 2, 9, 11, 15, 20), relevant=8, retrieved=20)
COLLECTION = 10_000
QUARTER, THIRD = Fraction(1, 4), Fraction(33, 100)


def exercise_8_9() -> Worksheet:
    """Everything that is asked of one ranking, and what lies below its end."""
    return Worksheet(
        "exercise-8.9",
        "One ranking, and what lies below its end",
        "A collection has 10,000 documents, of which 8 are relevant to a topic. Of a system's ranking the first 20 "
        "are known. Work out the usual measures. Then think on: if the ranking goes on over the whole collection, how "
        "good may it turn out to be, how bad, and how far off is it to judge by the first 20 alone?",
        (TOP_20.shown("The first 20 documents: R is relevant, N is not"),),
        (*_top_20(), *_at_recalls(), *_bounds()),
        f"{BOOK}, exercise 8.9",
    )


def _top_20() -> list[Field]:
    precision, recall = Fraction(6, 20), Fraction(6, 8)
    slips = [wrong.recall_for_precision(TOP_20), wrong.over_nonrelevant(TOP_20)]
    look = "How many of the 20 are relevant?"
    first = number("precision", "(a) Precision of the first 20", TOP_20.score("P@20"), "6 / 20", look, slips=slips)
    slips = [wrong.arithmetic_mean(precision, recall), wrong.half_of_f(precision, recall)]
    slips += [wrong.recall_for_precision(TOP_20), wrong.precision_for_recall(TOP_20)]
    look = "F1 is the harmonic mean of precision and recall: 2PR / (P + R)."
    how = "2 × 0.3 × 0.75 / (0.3 + 0.75)"
    return [first, number("f1", "(b) F1 of the first 20", TOP_20.score("SetF"), how, look, slips=slips)]


def _at_recalls() -> list[Field]:
    at_quarter = TOP_20.precisions_at(QUARTER)
    look = "Recall stays as it is from the second relevant document until the third is found: walk down the ranks."
    ends = "This is the other end: precision falls with every nonrelevant document, until the next relevant one."
    label = "(c) {} precision, not interpolated, while recall is 0.25"
    high, low = max(at_quarter), min(at_quarter)
    slips = [Slip("other_end", (low,), ends)]
    highest = number("highest_at_quarter", label.format("Highest"), high, "at rank 2: 2 / 2", look, slips=slips)
    slips = [Slip("other_end", (high,), ends), Slip("one_too_far", (TOP_20.precisions[2],), _NEXT)]
    lowest = number("lowest_at_quarter", label.format("Lowest"), low, "at rank 8: 2 / 8", look, slips=slips)
    exact = TOP_20.score("IPrec(recall=0.33)")
    slips = [wrong.not_interpolated(TOP_20, 2), wrong.from_the_left(TOP_20, 2)]
    look = "Take the highest precision at any recall of 0.33 or more."
    how = "the largest of 3/9, 4/11, 5/15 and 6/20: 4 / 11"
    return [
        highest,
        lowest,
        number("interpolated", "(d) Interpolated precision at recall 0.33", exact, how, look, slips=slips),
    ]


_NEXT = "This is already the next relevant document, where recall is higher."


def _bounds() -> list[Field]:
    value, (low, high) = TOP_20.score("AP"), TOP_20.bounds(COLLECTION)
    terms = TOP_20.terms
    look = "Only two relevant documents are missing: write down the ranks where they would have to stand."
    ended = number(
        "ap",
        "(e) MAP if the answer ends after these 20",
        value,
        f"({terms}) / 8",
        AP_LOOK,
        slips=wrong.ap_slips(TOP_20),
    )
    slips = [wrong.other_bound(low), wrong.rest_not_found(value), wrong.both_at_one_rank(TOP_20, 21)]
    how = f"({terms} + 7/21 + 8/22) / 8"
    largest = number("ap_largest", "(f) Largest MAP possible if the ranking goes on", high, how, look, slips=slips)
    slips = [wrong.other_bound(high), wrong.rest_not_found(value), wrong.both_at_one_rank(TOP_20, COLLECTION)]
    how = f"({terms} + 7/9999 + 8/10000) / 8"
    smallest = number("ap_smallest", "(g) Smallest MAP possible if the ranking goes on", low, how, look, slips=slips)
    slips = [wrong.width_of_the_range(low, high), wrong.nearer_bound(low, value)]
    look = "Compare (e) with (f) and with (g): which lies farther away?"
    how = f"{said(high)} − {said(value)}, of (f) and (e)"
    label = "(h) Largest error of (e), if the truth lies between (g) and (f)"
    return [ended, largest, smallest, number("error", label, max(high - value, value - low), how, look, slips=slips)]
