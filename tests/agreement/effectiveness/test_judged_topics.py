"""Frames of runs are ranked only on the topics of the golds, and nothing else changes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from pandas.testing import assert_frame_equal

from agreement import evaluate, judged_share, mixed_golds, prepare, ranking_shift, score_table
from agreement.effectiveness import RankedRuns
from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.effectiveness.ranked_runs import prepare_for
from tests.agreement.random_collections import few, gold_of, random_gold, random_runs, run_of, seeds

MEASURES = ["AP", "nDCG@3", "P@2", "Judged@2"]


def collection(seed):
    rng = np.random.default_rng(seed)
    runs = random_runs(rng)
    other = runs.assign(query_id="other " + runs["query_id"])
    return pd.concat([other, runs], ignore_index=True), {
        "x": random_gold(rng),
        "y": random_gold(rng, topics=("2", "3")),
    }


@pytest.mark.slow
@few
@given(seeds)
def test_scores_equal_those_of_runs_prepared_with_all_topics(seed):
    runs, golds = collection(seed)
    ranked = prepare(runs)

    for missing in ("zero", "skip"):
        assert_frame_equal(
            evaluate(runs, golds, MEASURES, missing=missing), evaluate(ranked, golds, MEASURES, missing=missing)
        )
    assert_frame_equal(score_table(runs, golds["y"], "AP"), score_table(ranked, golds["y"], "AP"))
    assert_frame_equal(judged_share(runs, golds, 2), judged_share(ranked, golds, 2))


@pytest.mark.slow
@few
@given(seeds)
def test_the_shift_equals_that_of_runs_prepared_with_all_topics(seed):
    runs, golds = collection(seed)
    by_system = [part for _, part in runs.groupby("system")]

    expected = ranking_shift(prepare(runs), golds, "nDCG@3")
    for given_runs in (runs, iter(by_system), runs.astype({"query_id": "category", "system": "category"})):
        shift = ranking_shift(given_runs, golds, "nDCG@3")
        assert (shift.systems, shift.pairs) == (expected.systems, expected.pairs)
        assert_frame_equal(shift.ranks, expected.ranks)
        assert_frame_equal(shift.judged, expected.judged)


@pytest.mark.slow
@few
@given(seeds)
def test_mixed_golds_equal_those_of_runs_prepared_with_all_topics(seed):
    runs, golds = collection(seed)
    judged = pd.concat([gold.assign(assessor=name) for name, gold in golds.items()], ignore_index=True)
    judged = judged[judged["relevance"] >= 0]
    references = {"third": gold_of({"1": {"p": 1}, "other 2": {"q": 1}})}

    ours, expected = (mixed_golds(one, judged, "AP", references=references) for one in (runs, prepare(runs)))

    assert_frame_equal(ours.taus, expected.taus)
    assert (scores_by_judge(runs, judged, "AP").scores == scores_by_judge(prepare(runs), judged, "AP").scores).all()


def test_a_system_without_a_judged_topic_keeps_its_score_of_0():
    runs = run_of({"a": {"1": "pq", "2": "p"}, "b": {"2": "pq"}})
    shift = ranking_shift(runs, {"x": gold_of({"1": {"p": 1}}), "y": gold_of({"1": {"q": 1}})}, "AP")

    assert shift.systems == ("a", "b")
    assert shift.ranks.loc[shift.ranks["system"] == "b", "score"].tolist() == [0, 0]


def test_only_topics_of_the_golds_are_ranked():
    runs, golds = collection(1)

    assert prepare_for(runs, golds.values()).query_ids.tolist() == ["1", "2", "3"]
    assert prepare_for(runs, [golds["y"]]).query_ids.tolist() == ["2", "3"]
    assert prepare_for(run_of({"a": {7: "p", 8: "p"}}), [pd.DataFrame({"query_id": [7]})]).query_ids.tolist() == ["7"]


def test_prepared_runs_keep_all_topics():
    runs, golds = collection(1)
    ranked = prepare(runs)

    assert prepare_for(ranked, [golds["y"]]) is ranked
    assert isinstance(prepare_for(runs, [golds["y"]]), RankedRuns)


def test_invalid_rows_of_other_topics_are_refused_except_documents_that_occur_twice():
    runs, golds = run_of({"a": {"1": "pq", "2": "pp"}}), {"x": gold_of({"1": {"p": 1}})}

    assert ranking_shift(runs, golds, "AP").scores["x"].loc["a", "1"] == 1
    with pytest.raises(ValueError, match="document 'p' occurs twice"):
        ranking_shift(runs, {"x": gold_of({"2": {"p": 1}})}, "AP")
    with pytest.raises(ValueError, match="every score of a run must be a finite number"):
        ranking_shift(runs.assign(score=[2.0, 1.0, 1.0, np.nan]), golds, "AP")


def test_a_gold_without_topics_column_is_refused_as_before():
    runs, _ = collection(1)

    with pytest.raises(ValueError, match="A gold needs the columns query_id, doc_id, relevance; missing: query_id"):
        score_table(runs, pd.DataFrame({"doc_id": ["p"], "relevance": [1]}), "AP")
