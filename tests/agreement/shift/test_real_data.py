"""TREC 2019 Deep Learning, passages: the published kappas and scores are reproduced."""

import pandas as pd
import pytest

from agreement import Ratings, evaluate, overall, prepare, ranking_shift
from agreement.plots import slope_chart
from pooling.trec import read_qrels, read_run
from tests.oracles import oracle
from tests.realdata import real_data

pytestmark = pytest.mark.slow


def qrels(judge):
    return read_qrels(real_data("dl19", "judges", f"{judge}.qrels"))


@pytest.fixture(scope="module")
def runs():
    return prepare(read_run(path) for path in sorted(real_data("dl19", "runs").glob("*.run.gz")))


@pytest.mark.parametrize(("first", "kappa"), [(1, 0.380724), (3, 0.369349), (5, 0.468242), (7, 0.337673)])
def test_published_means_of_kappa(first, kappa):
    judges = [f"judge{first}", f"judge{first + 1}"]
    frame = pd.concat([qrels(judge).assign(assessor=judge) for judge in judges])
    ratings = Ratings.from_judgements(frame[frame["query_id"] != "168216"], (0, 1, 2, 3)).binary(2)

    assert round(overall(ratings, "cohen_kappa").value, 6) == kappa


def test_published_scores_of_all_runs(runs):
    names = {"AP(rel=2)": "map", "nDCG@10": "ndcg_cut_10", "P(rel=2)@10": "P_10", "nDCG": "ndcg"}
    published = oracle("dl19_published_measures")["runs"]

    scores = evaluate(runs, qrels("nist"), names, per_query=False)

    assert set(scores["system"]) == set(published)
    for row in scores.itertuples():
        assert round(row.value, 4) == published[row.system]["passages-eval"][names[row.measure]]


def test_the_ranking_under_two_judges(runs):
    golds = {"nist": qrels("nist"), "judge 1": qrels("judge1"), "judge 3": qrels("judge3")}

    shift = ranking_shift(runs, golds, "AP(rel=2)")

    assert [(pair.n_topics, pair.n_systems) for pair in shift.pairs] == [(13, 37), (9, 37), (1, 37)]
    assert shift.judged_counts("nist") == (15839, 15840)
    assert slope_chart(shift).count(b"idst_bert_p1") == 4
