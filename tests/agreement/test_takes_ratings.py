"""Coefficients take Ratings, and name the function that was called with a table of judgements."""

import pandas as pd
import polars
import pytest

import agreement
from agreement import Ratings, cohen_kappa, over_topics, pairwise

JUDGEMENTS = pd.DataFrame(
    [("ada", "1", "x", 1), ("ada", "1", "y", 0), ("bob", "1", "x", 1), ("bob", "1", "y", 1)],
    columns=["assessor", "query_id", "doc_id", "relevance"],
)
ONLY_RATINGS = {
    "agreement_data": (),
    "agreement_frame": (),
    "agreement_text": (),
    "all_judges": (),
    "confusion": (),
    "conger_kappa": (),
    "dawid_skene": (),
    "disagreement_by_distance": (),
    "fleiss_kappa": (),
    "fleiss_kappa_by_grade": (),
    "generalisability": (),
    "glad": (),
    "icc": (),
    "krippendorff_alpha": (),
    "leave_one_assessor_out": (),
    "mace": (1,),
    "majority": (),
    "mean_pairwise": ("cohen_kappa",),
    "overall": ("cohen_kappa",),
    "pairwise": (),
    "pairwise_relevance": (),
    "per_item_disagreement": (),
}
ALSO_TABLES = [
    *["bias_index", "brennan_prediger", "cohen_kappa", "cross_precision_recall", "gwet_ac", "kappa_maximum"],
    *["negative_agreement", "overlap", "percent_agreement", "pooled_kappa", "positive_agreement", "prevalence_index"],
    *["bhapkar", "mcnemar", "stuart_maxwell"],
]


@pytest.mark.parametrize("name", [*ONLY_RATINGS, *ALSO_TABLES])
def test_a_table_of_judgements_is_refused(name):
    message = rf"^{name} takes Ratings; build them with Ratings\.from_judgements\(judgements, scale=\.\.\.\)\.$"
    for table in (JUDGEMENTS, polars.from_pandas(JUDGEMENTS)):
        with pytest.raises(TypeError, match=message):
            getattr(agreement, name)(table, *ONLY_RATINGS.get(name, ()))


def test_ratings_may_be_the_second_argument_or_named():
    with pytest.raises(TypeError, match="over_topics takes Ratings"):
        over_topics(cohen_kappa, JUDGEMENTS)
    with pytest.raises(TypeError, match="pairwise takes Ratings"):
        pairwise(ratings=JUDGEMENTS)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'ratings'"):
        pairwise()


def test_ratings_and_tables_of_counts_are_accepted():
    ratings = Ratings.from_judgements(JUDGEMENTS, scale=(0, 1))
    assert cohen_kappa(ratings).n == 2
    assert cohen_kappa(pd.DataFrame([[3, 1], [0, 2]])).n == 6
    assert len(pairwise(ratings)) == 1
