"""Built-in exercises: every answer equals the oracle's, and every printed number that differs is explained."""

import json
from fractions import Fraction

import pytest

from agreement.exercises.textbook import EXERCISES, exercise
from agreement.exercises.worksheets.answers import check
from agreement.exercises.worksheets.marks import score
from agreement.exercises.worksheets.worksheet import Choice, Field
from tests.oracles import oracle

CASES = {case["id"]: case for case in oracle("textbook")["cases"]}
# case, expected value (a fraction or a float), exercise, field
ANSWERS = [
    ("iir-table8.2", "observed", "kappa-table-8.2", "observed"),
    ("iir-table8.2", "pooled_expected", "kappa-table-8.2", "expected_pooled"),
    ("iir-table8.2", "pooled_kappa", "kappa-table-8.2", "kappa_pooled"),
    ("iir-table8.2", "unpooled_expected", "kappa-table-8.2", "expected_unpooled"),
    ("iir-table8.2", "unpooled_kappa", "kappa-table-8.2", "kappa_unpooled"),
    ("rug-kappa", "pooled_expected", "kappa-0.9-0.8", "expected_pooled"),
    ("rug-kappa", "pooled_kappa", "kappa-0.9-0.8", "kappa_pooled"),
    ("rug-kappa", "unpooled_expected", "kappa-0.9-0.8", "expected_unpooled"),
    ("rug-kappa", "unpooled_kappa", "kappa-0.9-0.8", "kappa_unpooled"),
    ("iir-ex8.10", "kappa_pooled", "exercise-8.10", "kappa_pooled"),
    ("iir-ex8.10", "kappa_unpooled", "exercise-8.10", "kappa_unpooled"),
    ("iir-ex8.10", "both_judges.P", "exercise-8.10", "precision_both"),
    ("iir-ex8.10", "both_judges.R", "exercise-8.10", "recall_both"),
    ("iir-ex8.10", "both_judges.F1", "exercise-8.10", "f1_both"),
    ("iir-ex8.10", "either_judge.P", "exercise-8.10", "precision_either"),
    ("iir-ex8.10", "either_judge.R", "exercise-8.10", "recall_either"),
    ("iir-ex8.10", "either_judge.F1", "exercise-8.10", "f1_either"),
    ("iir-ex8.1", "P", "exercise-8.1", "precision"),
    ("iir-ex8.1", "R", "exercise-8.1", "recall"),
    ("iir-ex8.8-system1", "AP", "exercise-8.8", "ap_1"),
    ("iir-ex8.8-system2", "AP", "exercise-8.8", "ap_2"),
    ("iir-ex8.8-system1", "Rprec", "exercise-8.8", "rprec_1"),
    ("iir-ex8.8-system2", "Rprec", "exercise-8.8", "rprec_2"),
    ("iir-ex8.9", "P", "exercise-8.9", "precision"),
    ("iir-ex8.9", "F1", "exercise-8.9", "f1"),
    ("iir-ex8.9", "iprec_at_033", "exercise-8.9", "interpolated"),
    ("iir-ex8.9", "AP", "exercise-8.9", "ap"),
    ("iir-ex8.9", "AP_largest_if_ranking_continues", "exercise-8.9", "ap_largest"),
    ("iir-ex8.9", "AP_smallest_if_ranking_continues", "exercise-8.9", "ap_smallest"),
    ("iir-ex8.9", "largest_error", "exercise-8.9", "error"),
    ("uic-ex1", "AP", "average-precision-1", "ap"),
    ("uic-ex1", "Rprec", "average-precision-1", "rprec"),
    *(("uic-ex1", f"precision_at_recall_points.{k}", "average-precision-1", f"precision_{k + 1}") for k in range(5)),
    ("uic-ex2", "AP", "average-precision-2", "ap"),
    *(("uic-ex2", f"precision_at_recall_points.{k}", "average-precision-2", f"precision_{k + 1}") for k in range(6)),
    ("unc-dcg", "DCG", "dcg", "dcg_max2"),
    ("dcg-other-discount", "DCG", "dcg", "dcg_log2"),
    ("rug-80docs", "AP", "interpolated-precision", "ap"),
    ("rug-80docs", "iprec_11pt", "interpolated-precision", "eleven_points"),
    ("rug-80docs", "iprec_3pt", "interpolated-precision", "three_points"),
    *(("rug-80docs", f"interpolated.{k}", "interpolated-precision", f"interpolated_{k + 1}") for k in range(4)),
    *(
        ("rug-80docs", f"precision_at_recall_points.{k}", "interpolated-precision", f"precision_{k + 1}")
        for k in range(4)
    ),
]
# Fields without a value in the oracle, by hand.
BY_HAND = [
    ("exercise-8.9", "highest_at_quarter", "1"),  # rank 2: 2/2
    ("exercise-8.9", "lowest_at_quarter", "1/4"),  # rank 8: 2/8
    ("average-precision-2", "rprec", "1/2"),  # 1, 3 and 5 are among the first six
    ("dcg", "gain_3_log2", "2"),  # 4 / log2 4
    ("kappa-table-8.2", "share_pooled_0", "63/80"),
    ("kappa-table-8.2", "share_rows_0", "4/5"),
    ("kappa-table-8.2", "share_columns_0", "31/40"),
    ("kappa-0.9-0.8", "share_pooled", "17/20"),
    ("exercise-8.10", "cell_both", "2"),
    ("exercise-8.10", "cell_only_1", "4"),
    ("exercise-8.10", "cell_only_2", "4"),
    ("exercise-8.10", "cell_neither", "2"),
    ("exercise-8.10", "observed", "1/3"),
    ("exercise-8.10", "expected_pooled", "1/2"),
]


def expected_value(case, path):
    value = CASES[case]["want"]
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def get_field(key, name):
    return exercise(key).field(name)


@pytest.mark.parametrize(("case", "path", "key", "name"), ANSWERS)
def test_answer_equals_the_oracle(case, path, key, name):
    field, want = get_field(key, name), expected_value(case, path)

    if isinstance(field.exact, Fraction):
        assert field.exact == Fraction(want)
    else:
        assert field.exact == pytest.approx(float(Fraction(want)), abs=1e-15, rel=1e-15)
    # an exact fraction is right
    if isinstance(want, str) and len(want) < 40:
        assert check(field, want).right


@pytest.mark.parametrize(("key", "name", "want"), BY_HAND)
def test_answers_by_hand(key, name, want):
    assert float(get_field(key, name).exact) == float(Fraction(want))


def test_exhibits_show_the_input_of_the_oracle():
    table = exercise("kappa-table-8.2").public_data()["exhibits"][0]
    assert [row["cells"] for row in table["rows"]] == CASES["iir-table8.2"]["given"]["table"]

    judges = exercise("exercise-8.10").public_data()["exhibits"][0]["rows"]
    given = CASES["iir-ex8.10"]["given"]
    assert [row["cells"] for row in judges] == [given["judge1"], given["judge2"]]

    systems = exercise("exercise-8.8").public_data()["exhibits"][0]["rows"]
    assert [relevant_ranks(row) for row in systems] == [
        CASES[case]["given"]["relevant_at_ranks"] for case in ("iir-ex8.8-system1", "iir-ex8.8-system2")
    ]
    for key, case in (
        ("exercise-8.9", "iir-ex8.9"),
        ("average-precision-1", "uic-ex1"),
        ("average-precision-2", "uic-ex2"),
    ):
        row = exercise(key).public_data()["exhibits"][0]["rows"][0]
        given = CASES[case]["given"]
        assert (relevant_ranks(row), len(row["cells"])) == (given["relevant_at_ranks"], given["retrieved"])

    grades = exercise("dcg").public_data()["exhibits"][0]["rows"][0]["cells"]
    assert (
        grades == CASES["unc-dcg"]["given"]["grades_by_rank"] == CASES["dcg-other-discount"]["given"]["grades_by_rank"]
    )


def relevant_ranks(row):
    return [rank for rank, mark in enumerate(row["cells"], 1) if mark == "R"]


def test_facts_show_the_input_of_the_oracle():
    given = CASES["rug-kappa"]["given"]
    assert facts("kappa-0.9-0.8") == {
        "P(nonrelevant) of judge A": str(given["judge_A_nonrelevant"]),
        "P(nonrelevant) of judge B": str(given["judge_B_nonrelevant"]),
        "P(A)": str(given["observed"]),
    }
    given = CASES["iir-ex8.1"]["given"]
    assert list(facts("exercise-8.1").values()) == [
        given["relevant_retrieved"],
        given["retrieved"] - given["relevant_retrieved"],
        given["relevant_total"],
    ]
    given = CASES["rug-80docs"]["given"]
    assert facts("interpolated-precision") == {
        "documents retrieved": given["retrieved"],
        "relevant documents": given["relevant_total"],
        "their ranks": ", ".join(map(str, given["relevant_at_ranks"])),
    }


def facts(key):
    return {row["name"]: row["cells"][0] for row in exercise(key).public_data()["exhibits"][0]["rows"]}


# Numbers that a source prints


def test_misprinted_share_of_the_book_is_explained():
    field = get_field("kappa-table-8.2", "share_pooled_0")

    verdict = check(field, "0.7878")

    assert (verdict.right, verdict.mistakes) == (False, ("printed",))
    assert "The book prints this number" in verdict.hint
    assert "0.7878" in field.solution
    assert "0.7875" in field.solution


def test_printed_kappa_of_the_book_has_too_few_digits():
    for name in ("kappa_pooled", "kappa_unpooled"):
        assert check(
            get_field("kappa-table-8.2", name), str(CASES["iir-table8.2"]["want"]["printed_kappa"])
        ).mistakes == ("too_few_digits",)
    assert "0.776" in get_field("kappa-table-8.2", "kappa_pooled").solution


@pytest.mark.parametrize(
    ("case", "key", "mistake"),
    [
        ("uic-ex1", "average-precision-1", "cut_off"),  # 0.63354...: to three digits 0.634
        ("uic-ex2", "average-precision-2", "too_few_digits"),
        ("rug-80docs", "interpolated-precision", "cut_off"),  # 0.29583...: to three digits 0.296
    ],
)
def test_printed_average_precision_of_the_slides_is_explained(case, key, mistake):
    printed = str(CASES[case]["want"]["printed_AP"])
    field = get_field(key, "ap")

    assert check(field, printed).mistakes == (mistake,)
    assert (f"print {printed}, cut off" in field.solution) == (mistake == "cut_off")


def test_printed_dcg_of_the_slides_is_right():
    assert check(get_field("dcg", "dcg_max2"), str(CASES["unc-dcg"]["want"]["printed_DCG"])).right


def test_kappas_of_the_slides_differ_in_expected_agreement():
    sheet = exercise("kappa-0.9-0.8")
    printed = CASES["rug-kappa"]["want"]["printed_kappa"]

    assert round(sheet.field("kappa_unpooled").exact, 2) == printed == 0.42
    assert round(sheet.field("kappa_pooled").exact, 2) == 0.41
    why = sheet.field("why")
    assert why.right_key == "shares"
    # with two grades pooled P(E) - unpooled P(E) = (p - q)² / 2
    difference = sheet.field("expected_pooled").exact - sheet.field("expected_unpooled").exact
    assert difference == pytest.approx((0.9 - 0.8) ** 2 / 2, abs=1e-15)
    assert "0.005" in why.solution


# All of them


@pytest.mark.parametrize("key", EXERCISES)
def test_every_exercise_is_complete(key):
    sheet = exercise(key)

    assert sheet.key == key
    assert all((sheet.title, sheet.story, sheet.source, sheet.exhibits, sheet.fields))
    right = {f.name: f.right_key if isinstance(f, Choice) else f.answer for f in sheet.fields}
    assert score(sheet, right).total == sheet.marks
    for field in sheet.fields:
        assert field.answer in field.solution or isinstance(field, Choice)
        assert field.default_hint
        if isinstance(field, Choice):
            wrong = [option.key for option in field.options if option.key != field.right_key]
            assert wrong
            assert all(check(field, each).hint for each in wrong)


@pytest.mark.parametrize("key", EXERCISES)
def test_public_data_contains_no_answers(key):
    sheet = exercise(key)
    text = json.dumps(sheet.public_data(), ensure_ascii=False)

    for field in sheet.fields:
        assert field.solution not in text
        assert field.default_hint not in text
        if isinstance(field, Field):
            assert not any(mistake.hint in text for mistake in field.mistakes)


def test_exercise_is_cached():
    assert exercise("exercise-8.9") is exercise("exercise-8.9")


def test_unknown_exercise_is_refused():
    with pytest.raises(ValueError, match=r"An exercise must be one of kappa-table-8\.2, .*, not 'exercise-8\.11'"):
        exercise("exercise-8.11")
