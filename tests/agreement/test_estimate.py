"""Estimates: their text, their JSON, and the reason of an undefined one."""

import json
import pickle

import pytest

from agreement import Estimate, Ratings, cohen_kappa, gwet_ac, krippendorff_alpha, overall
from agreement.estimate import format_value, undefined
from agreement.reasons import REASONS


def test_the_text_is_one_line_with_n():
    line = str(cohen_kappa([[300, 20], [10, 70]]))

    assert line == "cohen kappa 0.776, fair, n = 400, P(A) = 0.925, P(E) = 0.665, unpooled"


@pytest.mark.parametrize("reason", REASONS)
def test_the_text_of_an_undefined_estimate_has_the_reason(reason):
    assert str(undefined("pooled_kappa", reason, n=0)) == f"pooled kappa undefined ({REASONS[reason]}), n = 0"


def test_an_unknown_reason_is_refused():
    with pytest.raises(ValueError, match=r"reason must be one of .*, not 'lazy'"):
        undefined("pooled_kappa", "lazy")


def test_fields_are_json():
    fields = cohen_kappa([[1, 0], [0, 0]]).to_dict()

    assert json.loads(json.dumps(fields)) == fields
    assert (fields["value"], fields["status"], fields["reason"]) == (None, "undefined", "one_category")


def test_skipped_topics_are_json():
    fields = Estimate(0.5, "cohen_kappa", skipped=(("7", "no_overlap"),), topics=("1", "2")).to_dict()

    assert fields["skipped"] == [["7", "no_overlap"]]
    assert fields["topics"] == ["1", "2"]


def test_estimates_are_ordered_by_their_values():
    low, high = Estimate(0.25, "tau_b"), Estimate(0.75, "cohen_kappa")

    assert low < high
    assert low <= high
    assert high > 0.5
    assert high >= low
    assert high > 0.5
    assert not low > high
    assert sorted([high, low]) == [low, high]
    assert max([low, high], key=float) is high
    with pytest.raises(TypeError):
        low < "0.5"  # noqa: B015


def test_a_defined_value_is_rounded_as_a_number():
    assert round(Estimate(2 / 3, "tau_b"), 2) == 0.67
    assert round(Estimate(2 / 3, "tau_b")) == 1


@pytest.mark.parametrize("use", [round, lambda estimate: estimate < 0.5, lambda estimate: estimate <= 0.5])
def test_an_undefined_value_is_neither_ordered_nor_rounded(use):
    sentence = r"^cohen kappa is undefined \(one category\), so there is no number\. Check `defined` first\.$"
    with pytest.raises(ValueError, match=sentence):
        use(undefined("cohen_kappa", "one_category"))


def test_values_are_rounded_only_as_text():
    assert format_value(2 / 3) == "0.667"
    assert format_value(-0.0001) == "0.000"
    assert Estimate(2 / 3, "cohen_kappa").shown(5) == "0.66667"


def test_the_text_of_an_interval_has_level_and_method():
    line = str(cohen_kappa([[300, 20], [10, 70]]).interval("analytic"))

    assert "fair, 95% interval 0.700 to 0.852 (analytic: Fleiss, Cohen and Everitt (1969)), n = 400" in line


def test_the_text_of_alpha_has_disagreements():
    line = str(krippendorff_alpha(Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), axis="assessors")))

    # n_k 5 and 3 of 8: Do = 2/8, De = 2 * 15 / 56
    assert "Do = 0.250, De = 0.536" in line
    assert "Do and De" in line


def test_an_interval_is_json():
    for interval in ("analytic", "bootstrap", "jackknife"):
        fields = gwet_ac([[30, 2], [1, 7]]).interval(interval, seed=1).to_dict()

        assert json.loads(json.dumps(fields)) == fields
        assert fields["confidence"] == 0.95
        assert fields["warnings"][0] == "n < 100"
        assert fields["n_values"] == 80


def test_an_estimate_computes_intervals_of_its_data():
    kappa = cohen_kappa([[300, 20], [10, 70]])

    analytic, jackknife = kappa.interval("analytic"), kappa.interval("jackknife", confidence=0.9)
    assert (kappa.low, analytic.value, jackknife.confidence) == (None, kappa.value, 0.9)
    assert analytic.interval("jackknife", confidence=0.9) == jackknife  # one after the other


def test_an_undefined_estimate_has_no_interval():
    one_category = cohen_kappa([[5, 0], [0, 0]])
    assert one_category.interval("analytic") == one_category
    with pytest.raises(ValueError, match="interval must be one of"):
        one_category.interval("exact")


def test_data_stay_out_of_files_and_pickles():
    kappa = cohen_kappa([[300, 20], [10, 70]])
    stored = pickle.loads(pickle.dumps(kappa))

    assert stored == kappa
    assert "source" not in kappa.to_dict()
    with pytest.raises(ValueError, match="This cohen kappa has no data to compute an interval from"):
        stored.interval("analytic")


@pytest.mark.parametrize("name", ["interval", "seed", "draws"])
def test_a_mean_names_the_method_for_intervals(name):
    ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), axis="assessors")
    with pytest.raises(TypeError, match=f"cohen_kappa has no option '{name}'; the estimate has the method `interval`"):
        overall(ratings, "cohen_kappa", **{name: 1})


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_has_all_fields_and_no_data(protocol):
    estimate = cohen_kappa([[300, 20], [10, 70]]).interval("analytic")

    read = pickle.loads(pickle.dumps(estimate, protocol))

    assert read == estimate
    assert read.to_dict() == estimate.to_dict()
    assert read.source is None
