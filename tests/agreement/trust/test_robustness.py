"""Grades under variants of a prompt: by hand, the single functions, properties, little data, refusals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.trust import drift, repeat_agreement, robustness
from tests.agreement.trust.judged_runs import PAIR, judged_runs
from tests.examples import examples

SCALE = (0, 1, 2, 3)
RUNS, PEOPLE, MODELS = judged_runs(n_systems=6, n_topics=12)
REPEATS = pd.concat([gold.assign(repeat=number) for number, gold in enumerate(PEOPLE.values())])
VARIANTS = {"direct": PEOPLE["p0"], "reversed": PEOPLE["p1"], "direct_2": MODELS["random"]}


def gold_of(*grades):
    """Four documents of two topics each."""
    rows = [(f"t{number // 4}", f"d{number}", grade) for number, grade in enumerate(grades)]
    return pd.DataFrame(rows, columns=[*PAIR, "relevance"])


def test_by_hand():
    variants = {
        "a": gold_of(0, 1, 2, 3, 0, 1, 2, None),
        "b": gold_of(0, 1, 2, 3, 1, 2, 3, 3),
        "c": gold_of(0, 1, 2, 3, 0, 1, 2, None),
    }
    found = robustness(variants, SCALE)
    frame = found.frame.set_index("variant")
    assert frame["n"].to_dict() == {"b": 7, "c": 7}
    assert frame["changed"].tolist() == pytest.approx([3 / 7, 0])
    assert frame["difference"].tolist() == [0.5, 0]  # the means of the topics are 0 and 1
    assert frame["without"].tolist() == [1, 0]
    # of the three pairs of variants, two differ on three of seven documents
    assert found.agreement.identical.value == pytest.approx((4 + 3 / 3) / 7)
    assert found.summary().startswith("Of 2 variants, 'b' moves most grades of 'a': 42.9% of 7, by +0.50 on average.")
    assert " Two variants give a pair the same grade in 71.4% of cases (alpha " in found.summary()


def test_figures_are_those_of_the_single_functions():
    found = robustness(VARIANTS, SCALE, repeats=REPEATS, runs=RUNS, measure="nDCG@10")
    for name in ("reversed", "direct_2"):
        one = drift(VARIANTS["direct"], VARIANTS[name], SCALE, repeats=REPEATS, runs=RUNS, measure="nDCG@10")
        figures, row = one.frame.set_index("figure"), found.frame.set_index("variant").loc[name]
        for figure, column in (
            ("changed", "changed"),
            ("difference", "difference"),
            ("beyond repeats", "beyond_repeats"),
        ):
            for end, key in (("", "value"), ("_low", "low"), ("_high", "high")):
                assert row[f"{column}{end}"] == figures.loc[figure, key]
        assert row["tau_b"] == one.shift.pair("before", "after").tau_b.value
        assert row["swapped"] == one.shift.pair("before", "after").swapped
    askings = pd.concat([gold.assign(repeat=n) for n, gold in enumerate(VARIANTS.values())])
    assert found.agreement.alpha.value == repeat_agreement(askings, SCALE).alpha.value
    assert "More than repeats alone change: 'direct_2'." in found.summary()
    assert f"tau_b of the rankings is {found.frame['tau_b'].min():.3f} or higher." in found.summary()


def test_repeats_may_explain_the_changes():
    found = robustness({"a": PEOPLE["p0"], "b": PEOPLE["p1"]}, SCALE, repeats=repeat_agreement(REPEATS, SCALE))
    assert "Repeats alone may explain the changes." in found.summary()


@pytest.mark.slow
@examples(20)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=2, max_size=12))
def test_the_order_of_the_other_variants_does_not_count(rows):
    a, b, c = (gold_of(*grades) for grades in zip(*rows, strict=True))
    one, other = robustness({"a": a, "b": b, "c": c}, SCALE), robustness({"a": a, "c": c, "b": b}, SCALE)
    sort = {"by": "variant", "ignore_index": True}
    pd.testing.assert_frame_equal(one.frame.sort_values(**sort), other.frame.sort_values(**sort))
    assert one.agreement.identical.value == other.agreement.identical.value
    same = np.mean([x == y for x, y in zip(a["relevance"], b["relevance"], strict=True)])
    assert one.frame.set_index("variant").loc["b", "changed"] == pytest.approx(1 - same)


def test_with_few_topics_it_is_too_early_to_speak_of_the_ranking():
    few = {name: gold[gold["query_id"] < "t05"] for name, gold in VARIANTS.items()}
    found = robustness(few, SCALE, runs=RUNS)
    assert "It is too early to say what this does to the ranking." in found.summary()
    assert found.frame["tau_b"].notna().all()


def test_only_the_first_answer_to_a_pair_is_compared():
    again = {
        name: pd.concat([gold.assign(repeat=0), gold.assign(repeat=1, relevance=0)]) for name, gold in VARIANTS.items()
    }
    pd.testing.assert_frame_equal(robustness(again, SCALE).frame, robustness(VARIANTS, SCALE).frame)


def test_a_variant_that_never_judges_is_undefined():
    found = robustness({"a": PEOPLE["p0"], "b": PEOPLE["p1"].assign(relevance=-1)}, SCALE, runs=RUNS, repeats=REPEATS)
    assert found.frame[["changed", "difference", "tau_b"]].isna().all(axis=None)
    assert found.frame["without"].tolist() == [240]
    assert found.summary() == "No variant has a grade for a pair that a graded."


def test_equal_answers():
    found = robustness({"a": PEOPLE["p0"], "b": PEOPLE["p0"]}, SCALE)
    assert found.frame["changed"].tolist() == [0]
    assert found.frame["changed_high"].iloc[0] > 0
    assert set(found.tables()) == {"variants", "by_grade", "spreads", "pairs"}


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        ({}, "needs the answers to two variants or more, not 0"),
        ({"a": PEOPLE["p0"]}, "needs the answers to two variants or more, not 1"),
        ({"a": PEOPLE["p0"], "b": gold_of(1)}, "'a' .before. and 'b' .after.: .* have no pair in common"),
        ({"a": PEOPLE["p0"], "b": PEOPLE["p0"].assign(relevance=9)}, "A grade is not on the scale"),
    ],
)
def test_refusals(variants, message):
    with pytest.raises(ValueError, match=message):
        robustness(variants, SCALE)
