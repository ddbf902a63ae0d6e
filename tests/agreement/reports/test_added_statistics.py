"""The statistics that an agreement report has on request: their figures, in each format, and without enough data."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from agreement import (
    Ratings,
    agreement_data,
    agreement_text,
    benchmark_probabilities,
    bhapkar,
    cohen_kappa,
    generalisability,
    icc,
    mcnemar,
    pooled_kappa,
    stuart_maxwell,
)
from agreement.choices import ADDED
from agreement.coefficients.intraclass import KINDS
from agreement.reports.added_sections import p_text
from agreement.reports.agreement_report import added_table
from agreement.reports.enough_judges import basis_sentence, enough_sentence, study_of
from tests.slow_cases import slow_cases

GRADES = [[0, 1, 2, 2, 0, 1, 0, 2], [0, 2, 2, 1, 0, 1, 1, 2], [0, 1, 1, 2, 1, 2, 0, 2]]
TOPICS = ["1", "1", "1", "2", "2", "2", "3", "3"]
JACKKNIFE = "jackknife_topics"


def ratings_of(grades, topics=None, scale=(0, 1, 2)) -> Ratings:
    names = [f"judge{number}" for number in range(len(grades))]
    matrix = Ratings.from_matrix(grades, scale, names, axis="assessors")
    topics = topics or ["1"] * matrix.n_items
    return Ratings(matrix.codes, scale, names, topics, [f"d{item}" for item in range(matrix.n_items)])


@pytest.fixture
def ratings() -> Ratings:
    return ratings_of(GRADES, TOPICS)


def test_icc_has_every_kind(ratings):
    frame = added_table(ratings, "icc")
    assert tuple(frame["kind"]) == KINDS
    for row in frame.itertuples():
        one = icc(ratings, row.kind)
        assert (row.value, row.low, row.high, row.n, row.n_judges) == (one.value, one.low, one.high, 8, 3)
        assert (row.status, row.method) == ("ok", "F distribution")


def test_generalisability_has_a_row_for_each_number_of_judges(ratings):
    frame, study = added_table(ratings, "generalisability"), generalisability(ratings, "nested")
    decision = study.decision_study(10)
    pd.testing.assert_frame_equal(frame[list(decision)], decision)
    assert set(frame["design"]) == {"nested"}
    assert (frame["n"].unique(), frame["n_topics"].unique(), frame["judges_in_study"].unique()) == (8, 3, 3)
    assert frame["variance_documents"].unique() == study.components["documents"]


def test_one_topic_has_the_crossed_study():
    one_topic = ratings_of(GRADES)
    assert study_of(one_topic) == generalisability(one_topic)
    assert added_table(one_topic, "generalisability")["variance_topics"].isna().all()
    one_document_each = ratings_of(GRADES, [str(number) for number in range(8)])
    assert study_of(one_document_each).design == "crossed"


def test_tests_of_totals_are_those_of_each_pair(ratings):
    frame = added_table(ratings, "marginals")
    assert list(frame["test"]) == ["stuart_maxwell", "bhapkar"] * 3  # McNemar's test needs two grades
    for row in frame.itertuples():
        test = {"stuart_maxwell": stuart_maxwell, "bhapkar": bhapkar}[row.test](ratings, row.assessor_a, row.assessor_b)
        assert (row.statistic, row.df, row.p, row.n) == (test.statistic, test.df, test.p, 8)
    binary = added_table(ratings, "marginals", rel=2)
    assert list(binary["test"]) == ["mcnemar", "stuart_maxwell", "bhapkar"] * 3
    assert binary.loc[0, "p"] == mcnemar(ratings, "judge0", "judge1", 2).p
    assert "relevant from grade 2" in binary.loc[0, "convention"]


@pytest.mark.parametrize("interval", [JACKKNIFE, "jackknife", "analytic"])
def test_benchmarks_are_those_of_the_interval(ratings, interval):
    frame = added_table(ratings, "benchmarks", interval=interval, reference="judge2", sort="value", top=1)
    ((a, b),) = set(zip(frame["assessor_a"], frame["assessor_b"], strict=True))
    for name, kappa in (("pooled_kappa", pooled_kappa), ("cohen_kappa", cohen_kappa)):
        expected = benchmark_probabilities(kappa(ratings, a, b).interval(interval)).to_frame()
        found = frame.loc[frame["coefficient"] == name, list(expected)].reset_index(drop=True)
        assert found[["scale", "band", "chosen"]].to_numpy().tolist() == (
            expected[["scale", "band", "chosen"]].to_numpy().tolist()
        )
        np.testing.assert_allclose(found["probability"].astype(float), expected["probability"], rtol=0, atol=1e-12)


def test_benchmarks_need_an_interval(ratings):
    frame = added_table(ratings, "benchmarks")
    assert len(frame) == 2 * 3
    assert set(frame["reason"]) == {"no_standard_error"}
    assert frame["probability"].isna().all()
    assert "undefined (no standard error)" in agreement_text(ratings, add=["benchmarks"])


STYLES = ["plain", "markdown", "latex"]


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("name", "style"),
    [
        *product(ADDED[:1], STYLES),
        *product(ADDED[1:], STYLES[:1]),
        *slow_cases(product(ADDED[1:], STYLES[1:])),
    ],
)
def test_every_statistic_is_a_section_after_the_report(ratings, style, name):
    report = agreement_text(ratings, 2, style=style, interval=JACKKNIFE)
    longer = agreement_text(ratings, 2, style=style, interval=JACKKNIFE, add=[name])
    assert longer.startswith(report)
    assert "nan" not in longer.lower().replace("binan", "")
    more = longer.removeprefix(report)
    if name == "icc":
        assert f"{icc(ratings.binary(2), 'ICC(2,k)').value:.3f}" in more
        assert "8 documents that all 3 judges judged" in more
    if name == "generalisability":
        assert f"{study_of(ratings.binary(2)).decision_study(7)['dependability'].iloc[6]:.3f}" in more
    if name == "marginals":
        assert f"{mcnemar(ratings, 'judge0', 'judge2', 2).p:.3g}" in more
    if name == "benchmarks":
        assert "Landis and Koch" in more


def test_two_judges_have_the_probability_of_each_band():
    two = ratings_of(GRADES[:2], TOPICS)
    text = agreement_text(two, interval=JACKKNIFE, add=["benchmarks"])
    bands = benchmark_probabilities(pooled_kappa(two).interval(JACKKNIFE)).to_frame()
    rows = [line for line in text.splitlines() if line.startswith("Altman")]
    assert [row.split()[-4] for row in rows] == [
        f"{value:.3f}" for value in bands.loc[bands["scale"] == "altman", "probability"]
    ]


def test_data_have_the_rows_of_the_tables(ratings):
    data = agreement_data(ratings, interval=JACKKNIFE, add=ADDED)
    assert list(data["added"]) == list(ADDED)
    for name in ADDED:
        assert len(data["added"][name]) == len(added_table(ratings, name, interval=JACKKNIFE))
    assert "added" not in agreement_data(ratings)


def test_unknown_statistics_are_refused(ratings):
    for report in (agreement_text, agreement_data):
        with pytest.raises(ValueError, match=r"^add must be one of icc, generalisability, marginals, benchmarks"):
            report(ratings, add=["kappa"])
    with pytest.raises(ValueError, match="'kappa'"):
        added_table(ratings, "kappa")


DEGENERATE = {
    "one judge": ([[0, 1, 2]], "one_assessor"),
    "no overlap": ([[0, 1, None, None], [None, None, 2, 1]], "no_overlap"),
    "no judgement": ([[None, None], [None, None]], "empty"),
    "one document": ([[1], [2]], "one_item"),
    "one grade": ([[1, 1, 1], [1, 1, 1]], "no_variance"),
}


@pytest.mark.parametrize(("grades", "reason"), DEGENERATE.values(), ids=DEGENERATE)
def test_without_enough_data_there_is_a_reason(grades, reason):
    few = ratings_of(grades)
    for name in ("icc", "generalisability"):
        frame = added_table(few, name)
        assert set(frame["reason"]) == {reason}
        assert set(frame["status"]) == {"undefined"}
    for name in ("marginals", "benchmarks"):
        frame = added_table(few, name, interval="jackknife")
        assert frame["status"].isin(["undefined", "ok"]).all()
        assert (frame["reason"].notna() == (frame["status"] == "undefined")).all()
    text = agreement_text(few, interval="jackknife", add=ADDED)
    assert "How many judges would be enough is undefined" in text
    data = agreement_data(few, interval="jackknife", add=ADDED)["added"]
    assert {row["value"] for row in data["icc"]} == {None}


def test_sentences_say_how_many_judges_are_needed(ratings):
    study = study_of(ratings)
    assert basis_sentence(study) == (
        "n = 8 documents of 3 topics that all 3 judges judged; 0 that only some of them judged are left out."
    )
    needed = study.judges_needed(0.8), study.judges_needed(0.8, "dependability")
    assert all(str(number) in enough_sentence(study) for number in needed)
    alike = ratings_of([[0, 1, 0, 1], [1, 0, 1, 0]])  # the variance between documents is estimated below 0
    assert enough_sentence(study_of(alike)).startswith("No number of judges would be enough")


def test_higher_grades_are_counted_by_hand(ratings):
    # judge0 0 1 2 2 0 1 0 2 and judge1 0 2 2 1 0 1 1 2: judge0 is higher on the fourth,
    # judge1 on the second and seventh
    first = added_table(ratings, "marginals").iloc[0]
    assert (first["assessor_a"], first["assessor_b"]) == ("judge0", "judge1")
    assert (first["a_higher"], first["b_higher"], first["n_disagreeing"]) == (1, 2, 3)
    # from grade 2 on, judge0 is alone on the fourth document, judge1 on the second
    binary = added_table(ratings, "marginals", rel=2).iloc[0]
    assert (binary["a_higher"], binary["b_higher"]) == (1, 1)


@pytest.mark.parametrize("reference", ["judge0", "judge2"])
def test_a_reference_is_not_repeated_in_each_row(ratings, reference):
    text = agreement_text(ratings, interval=JACKKNIFE, reference=reference, add=["marginals", "benchmarks"])
    more = text.split("Do two judges give the grades equally often?")[1]
    a, b = sorted(("judge1", reference))
    test = added_table(ratings, "marginals").query(f"assessor_a == '{a}' and assessor_b == '{b}'").iloc[0]
    higher = [test["a_higher"], test["b_higher"]] if a == "judge1" else [test["b_higher"], test["a_higher"]]
    table = next(line.split() for line in more.splitlines() if line.startswith("judge1"))
    assert [int(cell) for cell in table[1:4]] == [8, *higher]


def test_small_probabilities_are_below_the_smallest_shown():
    assert [p_text(p) for p in (0.0, 9.99e-5, 0.0001, 0.03456)] == ["< 0.0001", "< 0.0001", "0.0001", "0.0346"]


def test_few_documents_are_preliminary(ratings):
    study = study_of(ratings)
    assert enough_sentence(study, 3, 8) == enough_sentence(study)
    for topics, documents in ((4, 8), (3, 9)):
        assert enough_sentence(study, topics, documents) == (
            f"Preliminary: 3 topics and 8 documents in common to all judges; answers need {topics} topics, "
            f"{documents} documents in common. {enough_sentence(study)}"
        )
    assert "3 topics and 8 documents in common to all judges; " in agreement_text(ratings, add=["generalisability"])
