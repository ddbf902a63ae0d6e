"""An estimate says what it is, and an undefined one why."""

import json

import pytest

from agreement import Estimate, cohen_kappa
from agreement.estimate import REASONS, shown, undefined


def test_it_prints_as_one_line_with_its_n():
    line = str(cohen_kappa([[300, 20], [10, 70]]))

    assert line == "cohen kappa 0.776, fair, n = 400, P(A) = 0.925, P(E) = 0.665, unpooled"


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_prints(reason):
    assert str(undefined("pooled_kappa", reason, n=0)) == f"pooled kappa undefined ({REASONS[reason]}), n = 0"


def test_an_unknown_reason_is_refused():
    with pytest.raises(ValueError, match="'lazy' is no reason"):
        undefined("pooled_kappa", "lazy")


def test_it_becomes_json():
    fields = cohen_kappa([[1, 0], [0, 0]]).to_dict()

    assert json.loads(json.dumps(fields)) == fields
    assert (fields["value"], fields["status"], fields["reason"]) == (None, "undefined", "one_category")


def test_what_was_left_out_becomes_json():
    fields = Estimate(0.5, "cohen_kappa", skipped=(("7", "no_overlap"),), topics=("1", "2")).to_dict()

    assert fields["skipped"] == [["7", "no_overlap"]]
    assert fields["topics"] == ["1", "2"]


def test_rounding_is_for_show_only():
    assert shown(2 / 3) == "0.667"
    assert shown(-0.0001) == "0.000"
    assert Estimate(2 / 3, "cohen_kappa").shown(5) == "0.66667"
