"""Every mistake by hand: its wrong number gets its hint and no other; no hint contains the right number."""

import re
from fractions import Fraction

import pytest

from agreement.exercises.textbook import EXERCISES, exercise
from agreement.exercises.worksheets.answers import check
from agreement.exercises.worksheets.kappa import kappa_worksheet
from agreement.exercises.worksheets.mistake import round_half_up
from agreement.exercises.worksheets.ranking import Ranking
from agreement.exercises.worksheets.sums import Sums
from agreement.exercises.worksheets.worksheet import Field

F = Fraction
# judge 1: 23 + 9 = 32 relevant, 2 + 13 = 15 not; judge 2: 23 + 2 = 25 relevant, 9 + 13 = 22 not; n = 47
TABLE = ((23, 9), (2, 13))
A = F(36, 47)
UNPOOLED = F(32 * 25 + 15 * 22, 47 * 47)
POOLED = F(57**2 + 37**2, 94**2)
HAND = [
    ("rows_0", "other_judge", 25),
    ("rows_0", "other_grade", 15),
    ("rows_0", "one_cell", 23),
    ("columns_1", "other_judge", 15),
    ("columns_1", "other_grade", 25),
    ("columns_1", "one_cell", 13),
    ("n", "agreed_only", 36),
    ("n", "judgements_for_documents", 94),
    ("observed", "one_cell_agreed", F(23, 47)),
    ("observed", "one_cell_agreed", F(13, 47)),
    ("observed", "disagreed", F(11, 47)),
    ("observed", "not_a_share", 36),
    ("share_rows_0", "other_judge", F(25, 47)),
    ("share_rows_0", "other_grade", F(15, 47)),
    ("share_rows_0", "one_cell", F(23, 47)),
    ("share_rows_0", "not_a_share", 32),
    ("share_columns_0", "other_judge", F(32, 47)),
    ("share_columns_0", "other_grade", F(22, 47)),
    ("share_columns_0", "one_cell", F(23, 47)),
    ("share_columns_0", "not_a_share", 25),
    ("expected_unpooled", "other_chance", POOLED),
    ("expected_unpooled", "one_judge_twice", F(32**2 + 15**2, 47**2)),
    ("expected_unpooled", "one_judge_twice", F(25**2 + 22**2, 47**2)),
    ("expected_unpooled", "not_multiplied", F(32 + 25, 47)),
    ("expected_unpooled", "one_grade_only", F(32 * 25, 47**2)),
    ("expected_unpooled", "one_grade_only", F(15 * 22, 47**2)),
    ("expected_unpooled", "chance_of_disagreement", 1 - UNPOOLED),
    ("expected_unpooled", "rounded_early", F("0.68") * F("0.53") + F("0.32") * F("0.47")),
    ("share_pooled_0", "one_judge_for_both", F(32, 47)),
    ("share_pooled_0", "one_judge_for_both", F(25, 47)),
    ("share_pooled_0", "both_over_documents", F(57, 47)),
    ("share_pooled_0", "other_grade", F(37, 94)),
    ("share_pooled_0", "not_a_share", 57),
    ("expected_pooled", "other_chance", UNPOOLED),
    ("expected_pooled", "not_squared", 1),
    ("expected_pooled", "not_squared", F(57, 94)),
    ("expected_pooled", "one_grade_only", F(57, 94) ** 2),
    ("expected_pooled", "one_grade_only", F(37, 94) ** 2),
    ("expected_pooled", "chance_of_disagreement", 1 - POOLED),
    ("expected_pooled", "rounded_early", F("0.61") ** 2 + F("0.39") ** 2),
    *(
        (field, name, value)
        for field, e, other, term in (
            ("kappa_unpooled", UNPOOLED, POOLED, F(32 * 25, 47**2)),
            ("kappa_pooled", POOLED, UNPOOLED, F(57, 94) ** 2),
        )
        for name, value in (
            ("other_chance", (A - other) / (1 - other)),
            ("not_divided", A - e),
            ("over_expected", (A - e) / e),
            ("over_disagreement", (A - e) / (1 - A)),
            ("from_percentages", (100 * A - 100 * e) / (1 - 100 * e)),
            ("wrong_sign", -(A - e) / (1 - e)),
            ("not_corrected", A),
            ("one_grade_only", (A - term) / (1 - term)),
        )
    ),
    # P(E) is 0.5115 and 0.5226, P(A) 0.7660
    ("kappa_unpooled", "rounded_early", (A - F("0.51")) / F("0.49")),
    ("kappa_unpooled", "rounded_early", F(77 - 51, 100 - 51)),
    ("kappa_pooled", "rounded_early", (A - F("0.52")) / F("0.48")),
    ("kappa_pooled", "rounded_early", F(77 - 52, 100 - 52)),
]
SHEETS = {"by hand": lambda: kappa_worksheet(TABLE), **EXERCISES}


def typed(value, digits=4):
    """Return a number as a student types it, rounded."""
    return str(value) if F(value).denominator == 1 else f"{float(value):.{digits}f}"


@pytest.mark.parametrize(("name", "mistake", "value"), HAND)
def test_wrong_number_gets_its_hint_and_no_other(name, mistake, value):
    field = kappa_worksheet(TABLE).field(name)
    hints = {each.name: each.hint for each in field.mistakes}

    verdict = check(field, typed(value))

    assert (verdict.right, verdict.mistakes, verdict.hint) == (False, (mistake,), hints[mistake])


def test_every_mistake_of_a_kappa_worksheet_is_tested_by_hand():
    mistakes = {(field.name, each.name) for field in numbers(kappa_worksheet(TABLE)) for each in field.mistakes}

    tested = {(name, mistake) for name, mistake, _ in HAND}
    assert {name for name, _ in mistakes} == {name for name, _ in tested} | {"rows_1", "columns_0"}
    assert {pair for pair in mistakes if pair[0] not in ("rows_1", "columns_0")} == tested


def numbers(sheet):
    return [field for field in sheet.fields if isinstance(field, Field)]


RANKED = [
    ("exercise-8.1", "precision", "recall_for_precision", F(8, 20)),
    ("exercise-8.1", "precision", "over_nonrelevant", F(8, 10)),
    ("exercise-8.1", "recall", "precision_for_recall", F(8, 18)),
    ("exercise-8.1", "recall", "over_missed", F(8, 12)),
    ("exercise-8.8", "ap_1", "other_system", F(69, 140)),
    ("exercise-8.8", "ap_1", "sum_of_precisions", F("2.4")),
    ("exercise-8.8", "ap_1", "over_retrieved", F("0.24")),
    # R at 1, 3, 9, 10: 1, 1/2, 2/3, 2/4, 2/5, 2/6, 2/7, 2/8, 3/9, 4/10
    (
        "exercise-8.8",
        "ap_1",
        "at_every_rank",
        (1 + F(1, 2) + F(2, 3) + F(2, 4) + F(2, 5) + F(2, 6) + F(2, 7) + F(2, 8) + F(3, 9) + F(4, 10)) / 10,
    ),
    ("exercise-8.8", "ap_2", "reciprocal_ranks", (F(1, 2) + F(1, 5) + F(1, 6) + F(1, 7)) / 4),
    ("exercise-8.8", "rprec_1", "other_system", F(1, 4)),
    ("exercise-8.8", "rprec_1", "not_at_r", F(4, 10)),
    ("exercise-8.9", "f1", "arithmetic_mean", F("0.525")),
    ("exercise-8.9", "f1", "half_of_f", F(3, 14)),
    ("exercise-8.9", "f1", "precision_for_recall", F("0.3")),
    ("exercise-8.9", "highest_at_quarter", "other_end", F(1, 4)),
    ("exercise-8.9", "lowest_at_quarter", "other_end", 1),
    ("exercise-8.9", "lowest_at_quarter", "one_too_far", F(3, 9)),
    ("exercise-8.9", "interpolated", "not_interpolated", F(3, 9)),
    ("exercise-8.9", "interpolated", "from_the_left", 1),
    ("exercise-8.9", "ap", "over_found", F(1099, 2640) * 8 / 6),
    ("exercise-8.9", "ap_largest", "other_bound", F(20821687, 49995000)),
    ("exercise-8.9", "ap_largest", "rest_not_found", F(1099, 2640)),
    ("exercise-8.9", "ap_largest", "both_at_one_rank", F(1099, 2640) + (F(7, 21) + F(8, 21)) / 8),
    ("exercise-8.9", "ap_smallest", "other_bound", F(443, 880)),
    ("exercise-8.9", "ap_smallest", "rest_not_found", F(1099, 2640)),
    ("exercise-8.9", "error", "width_of_the_range", F(443, 880) - F(20821687, 49995000)),
    ("exercise-8.9", "error", "nearer_bound", F(20821687, 49995000) - F(1099, 2640)),
    ("exercise-8.10", "cell_both", "other_cell", 4),
    ("exercise-8.10", "precision_both", "other_gold", 1),
    ("exercise-8.10", "precision_both", "swapped", F(1, 2)),
    ("exercise-8.10", "recall_both", "swapped", F(1, 5)),
    ("exercise-8.10", "f1_either", "other_gold", F(2, 7)),
    ("average-precision-1", "precision_3", "recall_point", F(3, 6)),
    ("average-precision-1", "precision_3", "reciprocal_rank", F(1, 4)),
    ("average-precision-1", "precision_3", "neighbour", F(4, 6)),
    ("average-precision-1", "rprec", "not_at_r", F(5, 14)),
    ("average-precision-1", "rprec", "average_precision", F(593, 936)),
    ("interpolated-precision", "interpolated_2", "not_interpolated", F(1, 4)),
    ("interpolated-precision", "interpolated_2", "from_the_left", F(1, 2)),
    # of 3 x 1/2, 5 x 1/3, 3 x 1/10 one of the halves forgotten
    ("interpolated-precision", "eleven_points", "without_recall_zero", (F(2, 2) + F(5, 3) + F(3, 10)) / 10),
    ("interpolated-precision", "eleven_points", "without_recall_zero", (F(2, 2) + F(5, 3) + F(3, 10)) / 11),
    ("interpolated-precision", "eleven_points", "over_found_points", (F(1, 2) + F(1, 3) + F(1, 3) + F(1, 10)) / 4),
    ("interpolated-precision", "three_points", "average_precision", F(71, 240)),
    ("dcg", "dcg_max2", "other_discount", F("9.37")),
    ("dcg", "dcg_max2", "not_discounted", 15),
    # 4/ln 1 is taken as 4; 3/0.6931 + 4/1.0986 + 2/1.3863 + 1/2.0794 + 1/2.1972 = 10.3478
    ("dcg", "dcg_max2", "natural_logarithm", F("14.35")),
    # 4 + 3/2 + 4/3 + 2/4 + 1/8 + 1/9
    ("dcg", "dcg_max2", "over_the_rank", F("7.57")),
    # 15 + 7/1 + 15/1.585 + 3/2 + 1/3 + 1/3.1699 = 33.6127
    ("dcg", "dcg_max2", "exponential_gain", F("33.61")),
    ("dcg", "dcg_log2", "other_discount", F("11.17")),
    # 4/0.6931 + 3/1.0986 + 4/1.3863 + 2/1.6094 + 1/2.1972 + 1/2.3026 = 13.5190
    ("dcg", "dcg_log2", "natural_logarithm", F("13.52")),
    ("kappa-table-8.2", "share_pooled_0", "printed", F("0.7878")),
    ("kappa-0.9-0.8", "share_pooled", "one_judge_for_both", F("0.9")),
    ("kappa-0.9-0.8", "kappa_pooled", "other_chance", F(11, 26)),
    ("kappa-0.9-0.8", "expected_unpooled", "one_judge_twice", F("0.82")),
]


@pytest.mark.parametrize(("key", "name", "mistake", "value"), RANKED)
def test_wrong_number_of_an_exercise_gets_its_hint(key, name, mistake, value):
    field = exercise(key).field(name)
    hints = {each.name: each.hint for each in field.mistakes}

    verdict = check(field, typed(value, field.digits))

    assert (verdict.right, verdict.mistakes, verdict.hint) == (False, (mistake,), hints[mistake])


def test_every_mistake_of_the_exercises_is_tested():
    mistakes = {each.name for key in EXERCISES for field in numbers(exercise(key)) for each in field.mistakes}

    assert mistakes == {name for _, _, name, _ in RANKED} | {name for _, name, _ in HAND}


@pytest.mark.parametrize("key", SHEETS)
def test_no_hint_contains_the_right_number(key):
    # 0, 1 and 2 are part of formulas: 1 − P(E), base 2
    for field in numbers(SHEETS[key]()):
        forms = {field.answer, f"{100 * float(field.exact):.1f}", f"{float(field.exact):.3f}"} - {"0", "1", "2"}
        for hint in (field.default_hint, *(each.hint for each in field.mistakes)):
            assert forms.isdisjoint(re.findall(r"\d+(?:[./]\d+)?", hint))


@pytest.mark.parametrize("key", SHEETS)
def test_mistakes_of_a_field_have_different_names_and_hints(key):
    for field in numbers(SHEETS[key]()):
        names, hints = {each.name for each in field.mistakes}, {each.hint for each in field.mistakes}
        assert len(names) == len(hints) == len(field.mistakes)
        assert field.default_hint not in hints


def test_two_mistakes_that_lead_to_the_same_number_are_both_named():
    # with P(E) rounded to three digits the pooled kappa of table 8.2 is the unpooled one
    field = exercise("kappa-table-8.2").field("kappa_pooled")

    verdict = check(field, "0.7761")

    assert verdict.mistakes == ("other_chance", "rounded_early")
    assert verdict.hint.count(" Or: ") == 1
    assert verdict.hint.startswith("This is the unpooled value")


def test_number_with_few_digits_is_matched_to_its_mistake():
    field = kappa_worksheet(TABLE).field("kappa_pooled")  # 0.5097

    assert check(field, "0.243").mistakes == ("not_divided",)  # 0.2433
    assert check(field, "0.2").mistakes == ()  # one digit is too few
    assert check(exercise("kappa-table-8.2").field("expected_pooled"), "0.665").mistakes == (
        "other_chance",
        "too_few_digits",
    )


def test_symmetric_table_has_no_mistakes_by_swapping_judges():
    sheet = kappa_worksheet([[2, 4], [4, 2]])

    names = {each.name for field in numbers(sheet) for each in field.mistakes}
    assert not names & {"other_judge", "other_grade", "other_chance", "one_judge_twice", "one_judge_for_both"}


def test_mistake_that_divides_by_zero_is_left_out():
    sheet = kappa_worksheet([[0, 5], [0, 0]])  # P(A) = 0, unpooled P(E) = 0, so no number is divided by P(E)

    assert "over_expected" not in {each.name for each in sheet.field("kappa_unpooled").mistakes}
    perfect = kappa_worksheet([[4, 0], [0, 5]])  # P(A) = 1, so no number is divided by 1 - P(A)
    assert "over_disagreement" not in {each.name for each in perfect.field("kappa_pooled").mistakes}


def test_halves_are_rounded_away_from_zero():
    assert [
        round_half_up(F(5, 1000), 2),
        round_half_up(F(-5, 1000), 2),
        round_half_up(F(2, 3), 2),
        round_half_up(F(1, 2), 0),
    ] == [
        F("0.01"),
        F("-0.01"),
        F("0.67"),
        1,
    ]


def test_sums_of_a_table_by_hand():
    sums = Sums.from_table(TABLE)

    assert (sums.rows, sums.columns, sums.n) == ((32, 15), (25, 22), 47)
    assert (sums.observed, sums.expected("pooled"), sums.expected("unpooled")) == (A, POOLED, UNPOOLED)
    assert sum(sums.terms("pooled")) == POOLED
    assert sum(sums.terms("unpooled")) == UNPOOLED


def test_ranking_by_hand():
    ranking = Ranking((1, 3), relevant=4, retrieved=5)

    assert ranking.precisions == (1, F(2, 3))
    assert ranking.letters() == ("R", "N", "R", "N", "N")
    assert ranking.precisions_at(F(1, 4)) == [1, 1 / 2]
    assert (ranking.score("P@5"), ranking.score("SetR")) == (2 / 5, 1 / 2)
