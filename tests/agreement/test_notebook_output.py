"""Results of the library in a notebook and a paper."""

import json

import pandas as pd
import pytest

from agreement import (
    Ratings,
    cohen_kappa,
    compare_golds,
    cross_precision_recall,
    dawid_skene,
    gate_candidate,
    glad,
    krippendorff_alpha,
    leverage,
    mace,
    mixed_golds,
    overall,
    ranking_shift,
    tau_b,
    why_swapped,
    worked,
)
from agreement.estimate import ConfidenceInterval, undefined
from pooling.result import MOST_LINES
from tests.agreement.random_collections import random_judgements, random_runs, seeded

RNG = seeded(5)
RUNS, JUDGEMENTS = random_runs(RNG), random_judgements(RNG)
GOLDS = JUDGEMENTS.rename(columns={"assessor": "gold"})
ANN, BOB = ({name: GOLDS[GOLDS["gold"] == name].drop(columns="gold")} for name in ("ann", "bob"))
RATINGS = Ratings.from_judgements(JUDGEMENTS, (0, 1, 2, 3))
KAPPA = cohen_kappa([[300, 20], [10, 70]]).interval("analytic")
UNDEFINED = cohen_kappa([[5, 0], [0, 0]])
RESULTS = {
    "estimate": lambda: KAPPA,
    "undefined estimate": lambda: UNDEFINED,
    "overall": lambda: overall(RATINGS, "fleiss_kappa"),
    "rank correlation": lambda: tau_b([1, 2, 3], [1, 3, 2]),
    "ratings": lambda: RATINGS,
    "anonymous ratings": lambda: Ratings.from_counts([[3, 0], [1, 2]], (0, 1)),
    "ranking_shift": lambda: ranking_shift(RUNS, GOLDS, "AP"),
    "gold pair": lambda: ranking_shift(RUNS, GOLDS, "AP").pairs[0],
    "mixed_golds": lambda: mixed_golds(RUNS, JUDGEMENTS, "AP"),
    "leverage": lambda: leverage(RUNS, JUDGEMENTS, "AP", ANN),
    "why_swapped": lambda: why_swapped(RUNS, "a", "b", ANN, BOB, "AP"),
    "dawid_skene": lambda: dawid_skene(RATINGS),
    "glad": lambda: glad(RATINGS),
    "mace": lambda: mace(RATINGS, seed=1),
    "gate_candidate": lambda: gate_candidate(*(RUNS[RUNS["system"] == name] for name in "ab"), GOLDS, "AP"),
    "compare_golds": lambda: compare_golds(JUDGEMENTS, scale=(0, 1, 2, 3), seed=1),
    "undefined dawid_skene": lambda: dawid_skene(Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors")),
    "worked": lambda: worked([[3, 1], [2, 4]]),
    "precision and recall": lambda: cross_precision_recall(RATINGS.binary(1), "ann", "bob"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RESULTS)
def test_every_result_shows_itself(name):
    result = RESULTS[name]()

    assert 1 <= len(repr(result).splitlines()) <= MOST_LINES
    assert repr(result).startswith(f"{type(result).__name__}: ")
    assert "<p>" in result._repr_html_()
    assert isinstance(result.to_frame(), pd.DataFrame)
    assert result.to_latex().startswith(r"\begin{tabular}")


def test_an_estimate_is_a_number():
    assert float(KAPPA) == KAPPA.value
    assert f"{KAPPA:.2f}" == "0.78"
    assert f"{KAPPA:>8.4f}" == "  0.7761"
    assert f"{KAPPA}" == str(KAPPA)


def test_the_interval_of_an_estimate_is_a_pair():
    low, high = KAPPA.confidence_interval

    assert (low, high) == (KAPPA.low, KAPPA.high)
    assert KAPPA.confidence_interval.low == low
    assert isinstance(KAPPA.confidence_interval, ConfidenceInterval)
    assert cohen_kappa([[3, 1], [1, 3]]).confidence_interval is None


def test_an_undefined_estimate_is_no_number():
    assert f"{UNDEFINED:.2f}" == "undefined (one category)"
    with pytest.raises(ValueError, match=r"cohen kappa is undefined \(one category\), so there is no number"):
        float(UNDEFINED)
    row = UNDEFINED.to_frame().iloc[0]
    assert row["value"] is pd.NA
    assert (row["status"], row["reason"], row["n"]) == ("undefined", "one_category", 5)
    assert "undefined (one category)" in UNDEFINED._repr_html_()
    assert "undefined (one category)" in UNDEFINED.to_latex()


def test_estimates_have_one_form_of_table():
    rows = [
        estimate.to_frame() for estimate in (KAPPA, UNDEFINED, krippendorff_alpha(RATINGS), undefined("x", "empty"))
    ]

    table = pd.concat(rows, ignore_index=True)
    assert table["value"].isna().tolist() == [False, True, False, True]
    assert table["reason"].isna().tolist() == [True, False, True, False]
    assert str(table["value"].dtype) == "Float64"


def test_the_table_of_a_paper_has_the_interval():
    assert "<th>95% interval</th>" in KAPPA._repr_html_()
    assert f"[{KAPPA.low:.3f}, {KAPPA.high:.3f}]" in KAPPA._repr_html_()
    negative = cohen_kappa([[10, 30], [30, 12]]).interval("analytic")
    assert "$-$" in negative.to_latex().split("95")[1]
    assert "-0." not in negative.to_latex()


def test_ratings_as_a_table_are_the_judgements():
    judged = JUDGEMENTS[JUDGEMENTS["relevance"] >= 0]
    columns = ["assessor", "query_id", "doc_id", "relevance"]

    table = RATINGS.to_frame()[columns]

    pd.testing.assert_frame_equal(
        table, judged.sort_values(columns[:3], ignore_index=True)[columns], check_dtype=False, check_index_type=False
    )
    again = Ratings.from_judgements(table, RATINGS.scale)
    assert cohen_kappa(again, "ann", "bob") == cohen_kappa(RATINGS, "ann", "bob")


@pytest.mark.slow
def test_figures_of_results(tmp_path):
    shift, mixed = ranking_shift(RUNS, GOLDS, "AP"), mixed_golds(RUNS, JUDGEMENTS, "AP")

    for number, figure in enumerate((shift.plot(), shift.plot("heat map"), mixed.plot())):
        assert figure._repr_svg_().startswith("<?xml")
        figure.save(tmp_path / f"{number}.pdf")
    with pytest.raises(ValueError, match="chart must be one of 'slopes', 'heat map', not 'pie'"):
        shift.plot("pie")


def test_the_fields_of_an_estimate_as_json():
    assert json.loads(json.dumps(KAPPA.to_dict()))["confidence"] == 0.95
