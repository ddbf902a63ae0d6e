"""Rules of golds compared by judgements that were set aside: by hand, slowly, properties, degenerate and real data."""

import math
import statistics
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from agreement import Ratings, compare_golds, dawid_skene, make_gold
from agreement.thresholds import Thresholds
from pooling.trec import read_qrels
from tests.agreement.golds.random_rows import random_rows
from tests.realdata import real_data

COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


def judged(rows, topics=1):
    """Judgements from rows of codes, a row for each judge; documents are dealt to the topics in turn."""
    values = [
        (f"judge{j}", f"t{i % topics}", f"d{i:02}", code)
        for j, row in enumerate(rows)
        for i, code in enumerate(row)
        if code is not None
    ]
    return pd.DataFrame(values, columns=COLUMNS)


def of(result, rule):
    return result.to_frame().set_index("rule").loc[rule]


def slowly(judgements, rule, size):
    """For each judgement set aside with all others of its judge: topic, whether the gold equals it, or None."""
    found = []
    for judge in sorted(judgements["assessor"].unique()):
        rest = judgements[judgements["assessor"] != judge]
        gold = make_gold(rest, rule, scale=range(size)).set_index(["query_id", "doc_id"])["relevance"].to_dict()
        known = set(zip(rest["query_id"], rest["doc_id"], strict=True))
        for row in judgements[judgements["assessor"] == judge].itertuples():
            item = (row.query_id, row.doc_id)
            if item in known:
                found.append((row.query_id, None if item not in gold else int(gold[item] == row.relevance)))
    return found


def test_by_hand():
    judgements = judged([[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 1]])

    result = compare_golds(judgements, ("majority", "union", "both_agree"), "judge", scale=(0, 1), seed=1)

    # The majority of two is the lower grade: 0 1 0 0 against 0 1 1 0 (3 of 4), 0 1 1 0 against 0 1 0 0 (3 of 4),
    # 0 1 0 0 against 0 1 1 1 (2 of 4). Union: 0 1 1 1 (3), 0 1 1 1 (2), 0 1 1 0 (3).
    # Two of the others agree on documents 1 and 2 (all), on 4 for judge2 (0, wrong), on 3 for judge1 (1, wrong).
    # All rules predict these 2 * 3 + 2 = 8 judgements. Of 3 and 4, the majority has 1 and 0, and so has union.
    assert of(result, "both_agree")["n_undecided"] == 4
    assert (result.n, result.n_set_aside, result.folds, result.over) == (8, 12, 3, "documents")
    assert result.to_frame()["equal"].tolist() == [6 / 8, 6 / 8, 6 / 8]
    assert result.to_frame()["log_loss"].isna().all()


def test_the_log_loss_uses_the_probability_of_the_truth_for_an_unknown_judge():
    rows = [[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 1]]

    result = compare_golds(judged(rows), ("dawid_skene",), "judge", scale=(0, 1), seed=1)

    losses = []
    for j in range(3):
        truth = dawid_skene(
            Ratings.from_matrix([row for k, row in enumerate(rows) if k != j], (0, 1), axis="assessors")
        )
        losses += [-math.log(0.999 * truth.fit.posterior[i, code] + 0.0005) for i, code in enumerate(rows[j])]
    assert of(result, "dawid_skene")["log_loss"] == pytest.approx(statistics.mean(losses))


@pytest.mark.in_ci
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed >= 10)) for seed in range(200)])
def test_the_reference_gives_the_same_shares_and_intervals(seed):
    rows, size, _ = random_rows(seed)
    judgements = judged(rows, topics=3)
    result = compare_golds(judgements, ("union", "both_agree"), "judge", scale=range(size), seed=seed)

    union, both = slowly(judgements, "union", size), slowly(judgements, "both_agree", size)
    decides = any(value is not None for _, value in both)
    used = [
        (topic, value)
        for (topic, value), (_, other) in zip(union, both, strict=True)
        if not decides or other is not None
    ]
    assert (result.n, result.n_set_aside) == (len(used), len(union))
    row = of(result, "union")
    share = sum(value for _, value in used) / len(used)
    assert row["equal"] == pytest.approx(share, abs=1e-9)
    topics = sorted({topic for topic, _ in used})
    if len(topics) > 1:
        without = [[value for topic, value in used if topic != left] for left in topics]
        shares = [sum(values) / len(values) for values in without]
        m = len(shares)
        se = math.sqrt((m - 1) / m * sum((each - sum(shares) / m) ** 2 for each in shares))
        reach = stats.t.ppf(0.975, m - 1) * se
        assert row["equal_low"] <= max(share - reach, 0) + 1e-9
        assert row["equal_high"] >= min(share + reach, 1) - 1e-9
    if len(used) > 1:
        assert 0 <= row["equal_low"] <= row["equal"] <= row["equal_high"] <= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_folds_set_each_judgement_of_a_common_item_aside_once(seed):
    rows, size, _ = random_rows(seed)
    judgements = judged(rows, topics=2)

    result = compare_golds(judgements, held_out="judgement", scale=range(size), seed=seed, folds=len(rows))
    again = compare_golds(judgements.sample(frac=1, random_state=1), scale=range(size), seed=seed, folds=len(rows))

    counts = judgements.groupby(["query_id", "doc_id"])["assessor"].transform("size")
    assert result.n_set_aside == int((counts > 1).sum())
    pd.testing.assert_frame_equal(result.to_frame(), again.to_frame())
    frame = result.to_frame()
    assert (frame["difference"].dropna() <= 1e-12).all()
    assert frame["difference"].max() == 0
    assert (frame["log_loss"].dropna() > 0).all()


@pytest.mark.slow
def test_a_judge_who_guesses_makes_models_better_than_the_majority():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 600)
    right = np.array([0.95, 0.95, 0.5, 0.5, 0.5])
    codes = np.where(rng.random((5, 600)) < right[:, None], truth, 1 - truth)

    result = compare_golds(judged(codes.tolist(), topics=20), scale=(0, 1), seed=1)

    frame = result.to_frame().set_index("rule")
    assert (frame.loc[["dawid_skene", "glad", "mace"], "equal"] > frame.loc["majority", "equal"]).all()
    assert frame.loc["majority", "difference_high"] < 0
    assert result.best != "majority"
    assert "600" not in repr(result)
    assert result.to_latex().startswith(r"\begin{tabular}")


def test_relevance_is_predicted_with_rel():
    rows = [[0, 3, 2, 1], [1, 2, 3, 0], [0, 2, 2, 3]]
    graded = compare_golds(judged(rows), ("majority",), "judge", rel=2, seed=1)
    binary = [[int(code >= 2) for code in row] for row in rows]

    cut = compare_golds(judged(binary), ("majority",), "judge", scale=(0, 1), seed=1)
    assert of(graded, "majority")["equal"] == of(cut, "majority")["equal"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[None]], "no_second_judge"),
        ([[0, 1, 1]], "no_second_judge"),
        ([[0, None], [None, 1]], "no_second_judge"),
    ],
)
@pytest.mark.parametrize("held_out", ["judgement", "judge"])
def test_without_a_second_judge_all_is_undefined(rows, reason, held_out):
    result = compare_golds(judged(rows), held_out=held_out, scale=(0, 1), seed=1)

    assert result.to_frame()["reason"].tolist() == [reason] * 4
    assert (result.n, result.best) == (0, None)
    assert "undefined (no item with two judges)" in repr(result)


def test_two_judges_leave_no_second_one_for_the_models():
    result = compare_golds(judged([[0, 1], [0, 0]]), held_out="judge", scale=(0, 1), seed=1)

    assert result.to_frame()["reason"].tolist() == [None, *["no_prediction"] * 3]
    assert of(result, "majority")["equal"] == 0.5


def test_one_grade_and_one_item():
    result = compare_golds(judged([[1], [1], [1]]), held_out="judge", scale=(0, 1), seed=1)

    assert result.to_frame()["equal"].tolist() == [1] * 4
    assert (result.to_frame()["equal_low"] < 1).all()  # Wilson's interval of 3 of 3 judgements
    assert (
        "Preliminary: 1 topic; answers need 10 topics. 3 judgements of 1 topic set aside (one of 3 judges at a "
        "time, seed 1); majority predicts most of "
        "them (1.000), but not clearly more than all others" in repr(result)
    )
    assert "Preliminary" not in repr(replace(result, thresholds=Thresholds(1)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": ("majority", "majority")}, "different rules, not majority, majority"),
        ({"rules": ()}, "different rules, not none"),
        ({"rules": ("vote",)}, "There is no rule 'vote'"),
        ({"held_out": "topic"}, "held_out must be one of judgement, judge, not 'topic'"),
        ({"folds": 1}, "folds must be a whole number of at least 2, not 1"),
        ({"rel": -1}, "rel must be a grade from 0"),
        ({"scale": None}, "The rule dawid_skene needs scale or rel"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        compare_golds(judged([[0, 1], [0, 1]]), **{"scale": (0, 1), "seed": 1, **options})


@pytest.mark.slow
def test_the_judges_of_dl19():
    judges = ["nist", *(f"judge{number}" for number in range(1, 9))]
    frames = [read_qrels(real_data("dl19", "judges", f"{judge}.qrels")).assign(assessor=judge) for judge in judges]

    result = compare_golds(pd.concat(frames), ("majority", "union", "glad"), rel=2, scale=(0, 1, 2, 3), seed=1)

    assert (result.n, result.topics) == (13515, 43)
    assert result.best == "glad"
    assert of(result, "glad")["equal"] == pytest.approx(0.716, abs=0.005)
