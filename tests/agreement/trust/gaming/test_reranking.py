"""Re-ranking by the judge: by hand, reference values on real runs, properties."""

import numpy as np
import pandas as pd
import pytest

from agreement import prepare, score_table
from agreement.trust.gaming.reranking import reranked, reranked_items
from agreement.trust.model_files import read_model_grades
from agreement.trust.scored_judges import ScoredJudges
from pooling.trec import read_qrels
from tests.agreement.trust.judged_runs import PAIR, judged_runs
from tests.realdata import dl19_runs, real_data

RUNS, PEOPLE, MODELS = judged_runs()
JUDGES = ScoredJudges.of(RUNS, PEOPLE, MODELS, "nDCG@10")


def gold(**grades: int) -> pd.DataFrame:
    return pd.DataFrame([("1", doc_id, grade) for doc_id, grade in grades.items()], columns=[*PAIR, "relevance"])


def small(depth: int = 100, **model: int):
    """Two runs on one topic; people find a relevant."""
    rows = [("x", "a", 3), ("x", "b", 2), ("x", "c", 1), ("y", "b", 2), ("y", "a", 1)]
    runs = pd.DataFrame([(system, "1", doc_id, score) for system, doc_id, score in rows])
    runs.columns = ["system", *PAIR, "score"]
    judges = ScoredJudges.of(runs, {"nist": gold(a=1, b=0, c=0)}, {"llm": gold(**model)}, "RR")
    return judges, reranked(judges, "llm", depth=depth)


def test_by_hand():
    # The model finds b relevant: x becomes b, a, c, and y stays b, a. Under people, both have 1/2 then.
    _, found = small(a=0, b=1, c=0)
    table = found.systems.set_index("system")
    assert table["score_by_people"].tolist() == [1, 0.5]
    assert table["reranked_by_people"].tolist() == [0.5, 0.5]
    assert table["reranked_by_judge"].tolist() == [1, 1]
    # x alone: 1 against y's 1 under the judge, and 1/2 against 1/2 under people: tied, so first under both.
    assert table["rank_by_judge"].tolist() == [1, 1]
    assert table["rank_by_people"].tolist() == [1, 2]
    assert (found.first_by_judge, found.first_by_people) == (2, 1)
    # Gains of x: 1 - 1/2 under the judge, 1/2 - 1 under people; y gains nothing. Mean (1 + 0) / 2.
    assert found.finding.effect == 0.5


def test_documents_with_the_same_grade_keep_their_order_and_ungraded_ones_come_last():
    judges, _ = small(b=1, c=1)  # a is not graded
    items = reranked_items(judges.ranked, judges.grades_by_item("llm"), 100)
    assert [judges.ranked.doc_ids_of_items[item] for item in items[0, 0]] == ["b", "c", "a"]


def test_only_the_first_documents_are_sorted():
    judges, _ = small(c=2, a=0, b=1)
    items = reranked_items(judges.ranked, judges.grades_by_item("llm"), 2)
    assert [judges.ranked.doc_ids_of_items[item] for item in items[0, 0]] == ["b", "a", "c"]


def test_short_rankings_stay_short():
    judges, _ = small(a=0, b=0, c=0)
    items = reranked_items(judges.ranked, judges.grades_by_item("llm"), 100)
    assert items[1, 0].tolist()[2] == len(judges.ranked.keys)


def test_scores_after_are_those_of_rankings_sorted_with_pandas():
    model = MODELS["good"].rename(columns={"relevance": "grade"})
    runs = RUNS.merge(model, on=PAIR).sort_values(["grade", "score"], ascending=False)
    runs = runs.assign(score=-np.arange(len(runs)))
    expected = score_table(runs, PEOPLE["p0"], "nDCG@10").mean(axis=1)
    found = reranked(JUDGES, "good").systems.set_index("system")["reranked_by_people"]
    pd.testing.assert_series_equal(found, expected, check_names=False, check_index_type=False)


def test_re_ranking_never_lowers_the_score_under_the_judge():
    for model in MODELS:
        table = reranked(JUDGES, model).systems
        assert (table["reranked_by_judge"] >= table["score_by_judge"] - 1e-12).all()


def test_people_as_the_judge_gain_what_the_judge_gains():
    judges = ScoredJudges.of(RUNS, {"p0": PEOPLE["p0"]}, {"copy": PEOPLE["p0"]}, "nDCG@10")
    found = reranked(judges, "copy")
    assert found.finding.effect == 0
    assert found.tau_before == 1
    assert found.systems["rank_by_judge"].tolist() == found.systems["rank_by_people"].tolist()


@pytest.fixture(scope="module")
def dl19():
    folder = real_data("dl19", "model_judges")
    files = {name: folder / f"{name}.umbrela.txt" for name in ("gpt-4o", "gpt-4", "llama3.2")}
    models = read_model_grades(files, duplicates="last").golds
    people = {"nist": read_qrels(real_data("dl19", "judges", "nist.qrels"))}
    return ScoredJudges.of(prepare(dl19_runs()), people, models, "nDCG@10")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("judge", "first", "median", "tau", "means"),
    [
        ("gpt-4o", (34, 9), 4, 0.831, (0.908, 0.727)),
        ("gpt-4", (36, 4), 8, 0.824, (0.921, 0.716)),
        ("llama3.2", (36, 0), 21, 0.385, (0.931, 0.592)),
    ],
)
def test_dl19(dl19, judge, first, median, tau, means):
    """Computed by another program: 37 runs, 43 topics, the first 100 documents; the last of repeated grades counts."""
    found = reranked(dl19, judge)
    assert (found.first_by_judge, found.first_by_people) == first
    assert found.systems["rank_by_people"].median() == median
    assert found.tau_after == pytest.approx(tau, abs=5e-4)
    after = found.systems[["reranked_by_judge", "reranked_by_people"]].mean()
    assert after.tolist() == pytest.approx(means, abs=5e-4)
