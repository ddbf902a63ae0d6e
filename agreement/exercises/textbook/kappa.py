"""Kappa exercises of a textbook and of lecture slides; the words are our own.

C. D. Manning, P. Raghavan and H. Schuetze (2008), Introduction to Information Retrieval, table 8.2 and exercise 8.10;
lecture slides, Search Engines: two judges of whom only shares are known.
"""

from dataclasses import replace

import pandas as pd

from agreement.coefficients.proportions import kappa_from_proportions
from agreement.effectiveness import evaluate
from agreement.exercises.worksheets import kappa_mistakes as slips
from agreement.exercises.worksheets import ranking_mistakes as ranking_slips
from agreement.exercises.worksheets.kappa import kappa_slips, kappa_worksheet
from agreement.exercises.worksheets.kappa_mistakes import Slip
from agreement.exercises.worksheets.ranking import TOPIC, facts, run_of
from agreement.exercises.worksheets.sums import Sums
from agreement.exercises.worksheets.worksheet import Choice, Exhibit, Field, Option, Worksheet, number, said
from agreement.golds.make_gold import make_gold

BOOK = "Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval"

# Table 8.2

TABLE = ((300, 20), (10, 70))
PRINTED = Slip(
    "printed",
    (0.7878,),
    "So the book prints it, and its last digit is a slip of the press: work it out from the totals of both judges.",
)
PRINTED_NOTE = "The book prints 0.7878: a misprint, for (320 + 310) / 800 has no more digits than these."
BOTH_ALIKE = "To three digits both kappas are 0.776, which is what the book prints: four tell them apart."


def table_8_2() -> Worksheet:
    """The table of 400 documents."""
    sheet = kappa_worksheet(
        TABLE,
        key="kappa-table-8.2",
        title="Kappa of two judges on 400 documents",
        story="Two judges have read the same 400 documents and said of each whether it is relevant. They agree on "
        "most. How much of that is more than chance? Work out kappa with the judges kept apart (unpooled), and with "
        "their judgements thrown together (pooled), as the book does it.",
        source=f"{BOOK}, table 8.2",
    )
    sheet = _changed(sheet, "share_pooled_0", slip=PRINTED, note=PRINTED_NOTE)
    return _changed(sheet, "kappa_pooled", note=BOTH_ALIKE)


def _changed(sheet: Worksheet, name: str, note: str, slip: Slip | None = None) -> Worksheet:
    """A worksheet with one slip and one note more."""
    field = sheet.field(name)
    more = () if slip is None else (slip,)
    changed = replace(field, slips=(*more, *field.slips), solution=f"{field.solution}. {note}")
    return replace(sheet, fields=tuple(changed if each is field else each for each in sheet.fields))


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
    "both": ("intersection", "relevant where both judges say so"),
    "either": ("union", "relevant where either judge says so"),
}


def exercise_8_10() -> Worksheet:
    """Twelve documents, two judges, and a system under two golds."""
    pairs = list(zip(JUDGE_1, JUDGE_2, strict=True))
    counts = {name: pairs.count(grades) for name, (_, grades) in CELLS.items()}
    table = ((counts["both"], counts["only_1"]), (counts["only_2"], counts["neither"]))
    kappa = [field for field in kappa_worksheet(table).fields if not field.name.startswith(("rows", "columns", "n"))]
    return Worksheet(
        "exercise-8.10",
        "Two judges, twelve documents, and one system",
        "Two judges have read twelve documents: 1 is relevant, 0 is not. (a) Count their table and work out kappa. "
        "A system has answered with documents 4, 5, 6, 7 and 8. (b) How good is it if only what both judges call "
        "relevant is relevant? (c) And if it is enough that one of them does?",
        (_judgements_shown(),),
        (*_cells(counts), *kappa, *_under_golds()),
        f"{BOOK}, exercise 8.10",
    )


def _judgements_shown() -> Exhibit:
    rows = (("judge 1", JUDGE_1), ("judge 2", JUDGE_2))
    columns = tuple(str(place) for place in range(1, len(JUDGE_1) + 1))
    return Exhibit("judgements", "What the judges said of documents 1 to 12", columns, rows)


def _cells(counts: dict[str, int]) -> list[Field]:
    look = "Go through the documents one by one: each belongs to one of the four cells."
    others = "This is another cell of the table: look again who said what."
    fields = []
    for name, (label, grades) in CELLS.items():
        pairs = enumerate(zip(JUDGE_1, JUDGE_2, strict=True), 1)
        documents = ", ".join(str(place) for place, pair in pairs if pair == grades)
        wrong = [Slip("other_cell", tuple(counts[other] for other in CELLS if other != name), others)]
        how = f"documents {documents}: how many there are"
        fields.append(number(f"cell_{name}", f"Documents {label}", counts[name], how, look, slips=wrong, digits=0))
    return fields


def _under_golds() -> list[Field]:
    scores = {name: _scores(rule) for name, (rule, _) in GOLDS.items()}
    fields = []
    for name, (_, label) in GOLDS.items():
        other = scores["either" if name == "both" else "both"]
        fields += _under_gold(name, label, scores[name], other)
    return fields


def _under_gold(name: str, label: str, scores: dict[str, float], other: dict[str, float]) -> list[Field]:
    hint = "This is the number under the other gold: look again which documents count as relevant here."
    relevant, found = _relevant(name)
    precision, recall = scores["SetP"], scores["SetR"]
    swapped = {"SetP": recall, "SetR": precision}
    f_slips = [ranking_slips.arithmetic_mean(precision, recall), ranking_slips.half_of_f(precision, recall)]
    p, r = said(precision), said(recall)
    f_measure = f"2 × {p} × {r} / ({p} + {r})"
    asked = {
        "SetP": ("precision", f"{found} / {len(RETRIEVED)}", "What share of the five retrieved is relevant?"),
        "SetR": ("recall", f"{found} / {relevant}", "What share of all relevant documents was retrieved?"),
        "SetF": ("F1", f_measure, "F1 is the harmonic mean of precision and recall: 2PR / (P + R)."),
    }
    fields = []
    for measure, (said_of_it, how, look) in asked.items():
        wrong = [Slip("other_gold", (other[measure],), hint)]
        wrong += f_slips if measure == "SetF" else [Slip("swapped", (swapped[measure],), _SWAPPED[measure])]
        title = f"{said_of_it}, {label}"
        fields.append(number(f"{said_of_it.lower()}_{name}", title, scores[measure], how, look, slips=wrong))
    return fields


_SWAPPED = {
    "SetP": "This is recall: precision divides by what was retrieved.",
    "SetR": "This is precision: recall divides by all relevant documents, retrieved or not.",
}


def _gold(rule: str) -> pd.DataFrame:
    frames = [
        pd.DataFrame({"assessor": judge, "query_id": TOPIC, "doc_id": _doc_ids(), "relevance": list(grades)})
        for judge, grades in (("1", JUDGE_1), ("2", JUDGE_2))
    ]
    return make_gold(pd.concat(frames), rule, rel=1)


def _doc_ids() -> list[str]:
    return [str(place) for place in range(1, len(JUDGE_1) + 1)]


def _scores(rule: str) -> dict[str, float]:
    scores = evaluate(run_of([str(place) for place in RETRIEVED]), _gold(rule), ["SetP", "SetR", "SetF"])
    return dict(zip(scores["measure"], scores["value"], strict=True))


def _relevant(name: str) -> tuple[int, int]:
    """How many documents are relevant under a gold, and how many of them were retrieved."""
    gold = _gold(GOLDS[name][0])
    relevant = set(gold.loc[gold["relevance"] > 0, "doc_id"])
    return len(relevant), len(relevant & {str(place) for place in RETRIEVED})


# The slides' example of shares

SHARES = {"judge A": "0.9", "judge B": "0.8"}
OBSERVED = "0.85"
# The one table that has these shares, for the slips: rows and columns are nonrelevant, relevant
SHARES_TABLE = ((155, 25), (5, 15))


def slide_shares() -> Worksheet:
    """Two judges who find nearly everything nonrelevant."""
    sums = Sums.of(SHARES_TABLE)
    given = {f"P(nonrelevant) of {judge}": share for judge, share in SHARES.items()}
    return Worksheet(
        "kappa-0.9-0.8",
        "Why 0.42 here and 0.41 there",
        "Of two judges only this is known: how often each of them says nonrelevant, and how often they agree. It is "
        "all that kappa needs. Two books give two numbers for it, and both are right: work out each, and say why.",
        (facts("What is known of the judges", {**given, "P(A)": OBSERVED}),),
        (*_slide_fields(sums, "unpooled"), _slide_share(sums), *_slide_fields(sums, "pooled"), _why()),
        "lecture slides, Search Engines",
    )


def _slide_fields(sums: Sums, chance: str) -> list[Field]:
    estimate = kappa_from_proportions(OBSERVED, *SHARES.values(), chance=chance)
    other = "unpooled" if chance == "pooled" else "pooled"
    how = {"unpooled": "0.9 × 0.8 + 0.1 × 0.2", "pooled": "0.85² + 0.15²"}[chance]
    look = "Both say nonrelevant by chance, or both say relevant: work out each, and add the two up."
    of_its_own = {
        "pooled": [slips.not_squared(sums)],
        "unpooled": [slips.one_judge_twice(sums), slips.not_multiplied(sums)],
    }[chance]
    wrong = [
        slips.other_chance(sums, chance),
        *of_its_own,
        slips.one_grade_only(sums, chance),
        slips.chance_of_disagreement(sums, chance),
    ]
    expected = number(f"expected_{chance}", f"{chance} P(E)", estimate.expected, how, look, slips=wrong, marks=2)
    wrong = [
        slips.kappa_of_other_chance(sums.observed, sums.expected(other), chance),
        *kappa_slips(sums.observed, sums.expected(chance)),
        slips.kappa_of_one_grade(sums, chance),
    ]
    how = f"(0.85 − {expected.answer}) / (1 − {expected.answer})"
    look = "Kappa is P(A) − P(E), divided by 1 − P(E)."
    note = "The slides print 0.42, and say that they keep the judges apart." if chance == "unpooled" else ""
    kappa = number(
        f"kappa_{chance}", f"{chance} kappa", estimate.value, how, look, slips=wrong, marks=2, note=note and f"({note})"
    )
    return [expected, kappa]


def _slide_share(sums: Sums) -> Field:
    wrong = [slips.one_judge_for_both(sums, 0), slips.both_over_documents(sums, 0), slips.other_grade_pooled(sums, 0)]
    look = "Both judged equally many documents, so this lies in the middle between the two judges."
    label = "pooled P(nonrelevant): of the judgements of both"
    return number("share_pooled", label, sums.pooled_shares[0], "(0.9 + 0.8) / 2", look, slips=wrong)


def _why() -> Choice:
    options = (
        Option("shares", "They differ in P(E): pooled, a difference between the two judges' shares counts as chance."),
        Option(
            "rounding",
            "They are one number, rounded in different ways.",
            "Compare your two kappas to four digits: rounding does not explain that.",
        ),
        Option("observed", "They differ in P(A).", "P(A) is what was observed, and the same for both."),
        Option(
            "mistake",
            "One of the two books has made a mistake.",
            "Both are coefficients of their own: Cohen's keeps the judges apart, Scott's does not.",
        ),
    )
    why = (
        "With two grades the pooled P(E) is larger by half the square of the difference of the shares, here "
        "(0.9 − 0.8)² / 2 = 0.005. So the pooled kappa is the lower one: 0.41 and not 0.42. Were the judges' shares "
        "alike, both would be one number."
    )
    return Choice("why", "Why are the two kappas not the same?", options, "shares", why, "Compare the two P(E).")
