"""Kappa exercises from a textbook and from lecture slides, in our own words.

C. D. Manning, P. Raghavan and H. Schuetze (2008), Introduction to Information Retrieval, table 8.2 and exercise 8.10;
lecture slides, Search Engines: two judges of whom only the shares are known.
"""

from dataclasses import replace
from fractions import Fraction

import pandas as pd

from agreement.coefficients.proportions import kappa_from_proportions
from agreement.effectiveness import evaluate
from agreement.exercises.worksheets import kappa_mistakes as mistakes
from agreement.exercises.worksheets import ranking_mistakes
from agreement.exercises.worksheets.kappa import kappa_worksheet
from agreement.exercises.worksheets.mistake import Mistake
from agreement.exercises.worksheets.ranking import TOPIC, facts_exhibit, run_frame
from agreement.exercises.worksheets.sums import Sums
from agreement.exercises.worksheets.worksheet import (
    Choice,
    Exhibit,
    Field,
    Option,
    Worksheet,
    format_number,
    number_field,
)
from agreement.golds.make_gold import make_gold

BOOK = "Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval"

# Table 8.2

TABLE = ((300, 20), (10, 70))
PRINTED = Mistake(
    "printed",
    (0.7878,),
    "The book prints this number, but its last digit is a misprint. Calculate it from the totals of both judges.",
)
NOTES = {
    "share_pooled_0": "The book prints 0.7878, a misprint: (320 + 310) / 800 has no more than these digits.",
    "kappa_pooled": "To three digits both kappas are 0.776, as the book prints. They differ in the fourth digit.",
}


def table_8_2() -> Worksheet:
    """The table of 400 documents."""
    sheet = kappa_worksheet(
        TABLE,
        key="kappa-table-8.2",
        title="Kappa of two judges on 400 documents",
        story="Two judges have judged whether the same 400 documents are relevant. They agree on most of them. How "
        "much of this agreement is more than chance? Calculate kappa with separate shares for each judge (unpooled), "
        "and with the shares of both judges together (pooled), as in the book.",
        source=f"{BOOK}, table 8.2",
    )
    return replace(sheet, fields=tuple(map(_with_note, sheet.fields)))


def _with_note(field: Field | Choice) -> Field | Choice:
    """Add the note and the mistake about the numbers that the book prints, if there is one for this field."""
    if not isinstance(field, Field) or field.name not in NOTES:
        return field
    all_mistakes = (PRINTED, *field.mistakes) if field.name == "share_pooled_0" else field.mistakes
    return replace(field, mistakes=all_mistakes, solution=f"{field.solution}. {NOTES[field.name]}")


# Exercise 8.10

JUDGE_1 = (0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
JUDGE_2 = (0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1)
RETRIEVED = (4, 5, 6, 7, 8)
CELLS = {
    "both": ("relevant for both", (1, 1)),
    "only_1": ("relevant for judge 1 only", (1, 0)),
    "only_2": ("relevant for judge 2 only", (0, 1)),
    "neither": ("relevant for neither", (0, 0)),
}
GOLDS = {
    "both": ("intersection", "relevant if both judges say so"),
    "either": ("union", "relevant if either judge says so"),
}


def exercise_8_10() -> Worksheet:
    """Twelve documents, two judges, and a system under two golds."""
    pairs = list(zip(JUDGE_1, JUDGE_2, strict=True))
    counts = {name: pairs.count(grades) for name, (_, grades) in CELLS.items()}
    table = ((counts["both"], counts["only_1"]), (counts["only_2"], counts["neither"]))
    totals = ("rows", "columns", "n")
    kappa_fields = [field for field in kappa_worksheet(table).fields if not field.name.startswith(totals)]
    return Worksheet(
        "exercise-8.10",
        "Two judges, twelve documents, and one system",
        "Two judges have judged twelve documents: 1 is relevant, 0 is not. (a) Count their table and calculate kappa. "
        "A system has retrieved documents 4, 5, 6, 7 and 8. (b) What are its precision, recall and F1 if a document is "
        "relevant only if both judges say so? (c) And if one of them is enough?",
        (_judgements_exhibit(),),
        (*_cell_fields(counts), *kappa_fields, *_gold_fields()),
        f"{BOOK}, exercise 8.10",
    )


def _judgements_exhibit() -> Exhibit:
    rows = (("judge 1", JUDGE_1), ("judge 2", JUDGE_2))
    columns = tuple(str(number) for number in range(1, len(JUDGE_1) + 1))
    return Exhibit("judgements", "The judgements of documents 1 to 12", columns, rows)


def _cell_fields(counts: dict[str, int]) -> list[Field]:
    hint = "Go through the documents one by one. Each belongs to one of the four cells."
    other_hint = "This is another cell of the table. Check which judge gave which grade."
    fields = []
    for name, (label, grades) in CELLS.items():
        pairs = enumerate(zip(JUDGE_1, JUDGE_2, strict=True), 1)
        documents = ", ".join(str(number) for number, pair in pairs if pair == grades)
        wrong = [Mistake("other_cell", tuple(counts[other] for other in CELLS if other != name), other_hint)]
        question, calculation = f"Documents {label}", f"the number of documents {documents}"
        exact = Fraction(counts[name])
        fields.append(number_field(f"cell_{name}", question, exact, calculation, hint, mistakes=wrong, digits=0))
    return fields


def _gold_fields() -> list[Field]:
    scores = {name: _scores(rule) for name, (rule, _) in GOLDS.items()}
    fields = []
    for name, (_, label) in GOLDS.items():
        other = scores["either" if name == "both" else "both"]
        fields += _fields_of_gold(name, label, scores[name], other)
    return fields


def _fields_of_gold(name: str, label: str, scores: dict[str, float], other: dict[str, float]) -> list[Field]:
    other_hint = "This is the number under the other gold. Check which documents count as relevant here."
    relevant, found = _relevant_counts(name)
    precision, recall = scores["SetP"], scores["SetR"]
    p, r = format_number(precision), format_number(recall)
    questions = {
        "SetP": ("precision", f"{found} / {len(RETRIEVED)}", "What share of the five retrieved documents is relevant?"),
        "SetR": ("recall", f"{found} / {relevant}", "What share of all relevant documents was retrieved?"),
        "SetF": (
            "F1",
            f"2 × {p} × {r} / ({p} + {r})",
            "F1 is the harmonic mean of precision and recall: 2PR / (P + R).",
        ),
    }
    specific = {
        "SetP": [Mistake("swapped", (recall,), "This is recall. Precision divides by the retrieved documents.")],
        "SetR": [Mistake("swapped", (precision,), "This is precision. Recall divides by all relevant documents.")],
        "SetF": [ranking_mistakes.arithmetic_mean(precision, recall), ranking_mistakes.half_of_f(precision, recall)],
    }
    fields = []
    for measure, (title, calculation, hint) in questions.items():
        wrong = [Mistake("other_gold", (other[measure],), other_hint), *specific[measure]]
        field_name, question = f"{title.lower()}_{name}", f"{title}, {label}"
        fields.append(number_field(field_name, question, scores[measure], calculation, hint, mistakes=wrong))
    return fields


def _gold(rule: str) -> pd.DataFrame:
    frames = [
        pd.DataFrame({"assessor": judge, "query_id": TOPIC, "doc_id": _doc_ids(), "relevance": list(grades)})
        for judge, grades in (("1", JUDGE_1), ("2", JUDGE_2))
    ]
    return make_gold(pd.concat(frames), rule, rel=1)


def _doc_ids() -> list[str]:
    return [str(number) for number in range(1, len(JUDGE_1) + 1)]


def _scores(rule: str) -> dict[str, float]:
    scores = evaluate(run_frame([str(number) for number in RETRIEVED]), _gold(rule), ["SetP", "SetR", "SetF"])
    return dict(zip(scores["measure"], scores["value"], strict=True))


def _relevant_counts(name: str) -> tuple[int, int]:
    """Return how many documents are relevant under a gold, and how many of them were retrieved."""
    gold = _gold(GOLDS[name][0])
    relevant = set(gold.loc[gold["relevance"] > 0, "doc_id"])
    return len(relevant), len(relevant & {str(number) for number in RETRIEVED})


# The slides' example of shares

SHARES = {"judge A": "0.9", "judge B": "0.8"}
OBSERVED = "0.85"
# The one table with these shares, for the mistakes; rows and columns are nonrelevant, relevant
SHARES_TABLE = ((155, 25), (5, 15))


def slide_shares() -> Worksheet:
    """Two judges who find nearly everything nonrelevant."""
    sums = Sums.from_table(SHARES_TABLE)
    known = {f"P(nonrelevant) of {judge}": share for judge, share in SHARES.items()}
    return Worksheet(
        "kappa-0.9-0.8",
        "Why 0.42 in one book and 0.41 in another",
        "Only this is known about two judges: how often each of them says nonrelevant, and how often they agree. This "
        "is all that kappa needs. Two books print two different numbers, and both are right. Calculate both, and "
        "explain the difference.",
        (facts_exhibit("What is known about the judges", {**known, "P(A)": OBSERVED}),),
        (
            *_slide_fields(sums, "unpooled"),
            _slide_share_field(sums),
            *_slide_fields(sums, "pooled"),
            _difference_choice(),
        ),
        "lecture slides, Search Engines",
    )


def _slide_fields(sums: Sums, chance: str) -> list[Field]:
    expected = _slide_expected_field(sums, chance)
    other = "unpooled" if chance == "pooled" else "pooled"
    wrong = [
        mistakes.kappa_of_other_chance(sums.observed, sums.expected(other), chance),
        *mistakes.kappa_mistakes(sums.observed, sums.expected(chance)),
        mistakes.kappa_of_one_grade(sums, chance),
    ]
    calculation = f"(0.85 − {expected.answer}) / (1 − {expected.answer})"
    hint = "Kappa is P(A) − P(E), divided by 1 − P(E)."
    note = "(The slides print 0.42, and use separate shares for each judge.)" if chance == "unpooled" else ""
    _, exact = _slide_values(chance)
    name, question = f"kappa_{chance}", f"{chance} kappa"
    return [expected, number_field(name, question, exact, calculation, hint, mistakes=wrong, marks=2, note=note)]


def _slide_expected_field(sums: Sums, chance: str) -> Field:
    if chance == "pooled":
        calculation, specific = "0.85² + 0.15²", [mistakes.not_squared(sums)]
    else:
        calculation = "0.9 × 0.8 + 0.1 × 0.2"
        specific = [mistakes.one_judge_twice(sums), mistakes.not_multiplied(sums)]
    hint = "By chance, both say nonrelevant or both say relevant. Calculate the two probabilities and add them."
    wrong = [
        mistakes.other_chance(sums, chance),
        *specific,
        mistakes.one_grade_only(sums, chance),
        mistakes.chance_of_disagreement(sums, chance),
    ]
    exact, _ = _slide_values(chance)
    name, question = f"expected_{chance}", f"{chance} P(E)"
    return number_field(name, question, exact, calculation, hint, mistakes=wrong, marks=2)


def _slide_values(chance: str) -> tuple[float, float]:
    """Return P(E) and kappa."""
    estimate = kappa_from_proportions(OBSERVED, SHARES["judge A"], SHARES["judge B"], chance=chance)
    if estimate.expected is None or estimate.value is None:  # impossible, because P(E) is below 1
        raise ValueError("Kappa is undefined.")
    return estimate.expected, estimate.value


def _slide_share_field(sums: Sums) -> Field:
    wrong = [
        mistakes.one_judge_for_both(sums, 0),
        mistakes.both_over_documents(sums, 0),
        mistakes.other_grade_pooled(sums, 0),
    ]
    hint = "Both judges judged equally many documents, so this is halfway between their shares."
    question = "pooled P(nonrelevant): of the judgements of both"
    return number_field("share_pooled", question, sums.pooled_shares[0], "(0.9 + 0.8) / 2", hint, mistakes=wrong)


def _difference_choice() -> Choice:
    options = (
        Option("shares", "They differ in P(E): the pooled P(E) ignores the difference between the judges' shares."),
        Option(
            "rounding",
            "They are the same number, rounded differently.",
            "Compare your two kappas to four digits. Rounding does not explain the difference.",
        ),
        Option("observed", "They differ in P(A).", "P(A) is observed, and the same for both."),
        Option(
            "mistake",
            "One of the two books has made a mistake.",
            "They are two different coefficients: Cohen's uses separate shares for each judge, Scott's does not.",
        ),
    )
    solution = (
        "With two grades the pooled P(E) is larger by half the square of the difference of the shares, here "
        "(0.9 − 0.8)² / 2 = 0.005. So the pooled kappa is lower: 0.41 instead of 0.42. If the judges had the same "
        "shares, both kappas would be the same."
    )
    question = "Why are the two kappas different?"
    return Choice("why", question, options, "shares", solution, "Compare the two P(E).")
