"""Every judge against a reference: by hand, published values, other programs, properties and degenerate data."""

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

import agreement
from agreement import Ratings, read_judgements
from agreement.diagnostics.against_reference import FIGURES, against_reference
from tests.realdata import real_data

SCALE = (0, 1, 2, 3)
# arXiv 2502.13908, Tables 3 and 4, with more digits as the README of llmjudge/ has them: unpooled kappa on four grades,
# 0 against 1-3, 0-1 against 2-3, 0-2 against 3, and ordinal alpha.
PUBLISHED = {
    "willia-umbrela1": (0.2862720172, 0.416113, 0.398530, 0.314543, 0.491793),
    "Olz-gpt4o": (0.2624717058, 0.422793, 0.365683, 0.306617, 0.501986),
    "TREMA-4prompts": (0.1829442621, 0.302203, 0.269702, 0.166390, 0.288801),
    "prophet-setting2": (0.1757445898, 0.310214, 0.238159, 0.028386, 0.314390),
    "h2oloo-fewself": (0.2774342062, 0.417169, 0.427999, 0.304812, 0.495764),
}


@pytest.fixture(scope="module")
def llmjudge():
    files = [f"nist={real_data('llmjudge', 'nist_test.qrels')}", str(real_data("llmjudge", "scores") / "*.txt.gz")]
    return Ratings.from_judgements(read_judgements(files, scale=SCALE, off_scale="clip").judgements, SCALE)


def test_by_hand():
    # gold 0 1 1 0 1, ada 1 1 0 0 .: both 1, only ada 1, only gold 1, neither 1. P(A) = 1/2, kappa = 0, bias = 0.
    ratings = Ratings.from_matrix([[0, 1, 1, 0, 1], [1, 1, 0, 0, None]], (0, 1), ("gold", "ada"), axis="assessors")
    row = against_reference(ratings, "gold").iloc[0]
    assert (row["assessor"], row["n"], row["n_dropped"], row["topics"]) == ("ada", 4, 1, 1)
    assert [row[name] for name in FIGURES[:4]] == [0.5, 0, 0, 0]
    assert [row[name] for name in ("bias", "precision", "recall")] == [0, 0.5, 0.5]
    assert row["krippendorff_alpha"] == pytest.approx(1 - 7 * 2 * 2 / (2 * 4 * 4))  # Do 4/8, De 2 * 4 * 4 / (8 * 7)
    assert row[["cohen_kappa_low", "cohen_kappa_high"]].isna().all()  # one topic


@pytest.mark.parametrize("judge", PUBLISHED)
def test_published(llmjudge, judge):
    graded, *binary, alpha = PUBLISHED[judge]
    frame = against_reference(llmjudge, "nist", relevant=1).set_index("assessor")
    assert frame.loc[judge, "cohen_kappa"] == pytest.approx(graded, abs=5e-11)
    assert frame.loc[judge, "krippendorff_alpha"] == pytest.approx(alpha, abs=5e-7)
    for rel, published in enumerate(binary, start=1):
        row = against_reference(llmjudge, "nist", rel).set_index("assessor").loc[judge]
        assert row["cohen_kappa"] == pytest.approx(published, abs=5e-7)


@pytest.mark.in_ci
@pytest.mark.parametrize("rel", [None, 2])
def test_33_judges_equal_other_programs(llmjudge, rel):
    frame = against_reference(llmjudge, "nist", rel, "quadratic", relevant=2)
    assert len(frame) == 33
    nist, cut = llmjudge.row("nist"), 0 if rel is None else rel
    for row in frame.to_dict("records"):
        grades = llmjudge.row(row["assessor"])
        first, second = (codes if rel is None else codes >= cut for codes in (nist, grades))
        weighted = cohen_kappa_score(first, second, labels=None if rel else SCALE, weights="quadratic")
        assert row["percent_agreement"] == pytest.approx((first == second).mean(), abs=1e-12)
        assert row["cohen_kappa"] == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
        assert row["weighted_kappa"] == pytest.approx(weighted, abs=1e-12)
        assert row["precision"] == pytest.approx(precision_score(nist >= 2, grades >= 2), abs=1e-12)
        assert row["recall"] == pytest.approx(recall_score(nist >= 2, grades >= 2), abs=1e-12)
        level = "ordinal" if rel is None else "nominal"
        oracle = krippendorff.alpha(np.array([first, second], float), level_of_measurement=level)
        assert row["krippendorff_alpha"] == pytest.approx(oracle, abs=1e-9)


def test_equals_the_functions_of_one_pair():
    rng = np.random.default_rng(1)
    grades = np.where(rng.random((4, 60)) < 0.2, -1, rng.integers(0, 3, (4, 60)))
    topics = np.sort(rng.integers(1, 7, 60)).astype(str)
    ratings = Ratings(grades, (0, 1, 2), ("gold", "a", "b", "c"), topics, [f"d{n}" for n in range(60)])
    for row in against_reference(ratings, "gold", relevant=1).to_dict("records"):
        for name, weights in (("pooled_kappa", "identity"), ("cohen_kappa", "identity"), ("weighted_kappa", "linear")):
            coefficient = "cohen_kappa" if name == "weighted_kappa" else name
            single = agreement.overall(ratings, coefficient, "pooled", "gold", row["assessor"], weights=weights)
            single = single.interval("jackknife_topics")
            assert row[name] == pytest.approx(single.value, abs=1e-12)
            assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx((single.low, single.high), abs=1e-12)
            assert row["n"] == single.n
        pair = Ratings(ratings.codes[[0, ratings.assessors.index(row["assessor"])]], (0, 1, 2), None, topics)
        alpha = agreement.krippendorff_alpha(pair, "ordinal").interval("jackknife_topics")
        assert row["krippendorff_alpha"] == pytest.approx(alpha.value, abs=1e-12)
        assert row["krippendorff_alpha_low"] == pytest.approx(alpha.low, abs=1e-9)
        bias = agreement.bias_index(ratings, row["assessor"], "gold", rel=1)
        assert row["bias"] == pytest.approx(bias.value)


def test_undefined_figures_have_reasons():
    rows = [[0, 0, 1, None], [0, 0, None, None], [None, None, None, 1]]
    frame = against_reference(Ratings.from_matrix(rows, (0, 1), ("gold", "same", "apart"), axis="assessors"), "gold")
    reasons = {
        name: list(frame[f"{name}_reason"].fillna("none")) for name in ("cohen_kappa", "precision", "percent_agreement")
    }
    assert reasons == {
        "cohen_kappa": ["one_category", "no_overlap"],
        "precision": ["no_relevant", "no_overlap"],
        "percent_agreement": ["none", "no_overlap"],
    }
    assert frame["cohen_kappa"].isna().all()
    assert frame["percent_agreement"].tolist()[0] == 1


def test_reference_without_other_judges():
    frame = against_reference(Ratings.from_matrix([[0, 1]], (0, 1), ("gold",), axis="assessors"), "gold")
    assert len(frame) == 0
    assert {"cohen_kappa", "recall_high"} <= set(frame.columns)


def test_refused_arguments():
    ratings = Ratings.from_matrix([[0, 1, 2], [0, 1, 1]], (0, 1, 2), ("gold", "ada"), axis="assessors")
    with pytest.raises(ValueError, match="There is no assessor 'bob'"):
        against_reference(ratings, "bob", 1)
    with pytest.raises(ValueError, match="rel"):
        against_reference(ratings, "gold")
    with pytest.raises(ValueError, match="confidence"):
        against_reference(ratings, "gold", 1, confidence=95)
