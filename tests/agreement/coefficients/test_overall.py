"""Combinations of pairs and topics, with the names of those left out."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement
from agreement import Ratings, agreement_text, cohen_kappa, mean_pairwise, overall, pairwise, percent_agreement
from tests.agreement.random_ratings import seeded, with_topics
from tests.oracles import oracle

CASES = {case["id"]: case for case in oracle("agreement")["cases"]}


def ratings_of(tables, scale=("N", "R")):
    """Two assessors whose table in each topic is the given one."""
    rows = [
        (assessor, topic, f"{topic}-{first}{second}-{number}", scale[grade])
        for topic, table in tables.items()
        for first, row in enumerate(table)
        for second, count in enumerate(row)
        for number in range(count)
        for assessor, grade in (("ann", first), ("bob", second))
    ]
    columns = ["assessor", "query_id", "doc_id", "relevance"]
    return Ratings.from_judgements(pd.DataFrame(rows, columns=columns), scale)


def published(name):
    case = CASES[name]
    return Ratings.from_matrix(case["input"]["ratings"], tuple(case["categories"]), axis="assessors"), case


def test_two_topics_below_chance_can_pool_to_good_agreement():
    tables = {"1": CASES["topics-1-cohen"]["input"]["table"], "2": CASES["topics-2-cohen"]["input"]["table"]}
    ratings = ratings_of(tables)

    topics, pooled = overall(ratings, "cohen_kappa"), overall(ratings, "cohen_kappa", across="pooled")

    assert topics.value == pytest.approx(-1 / 9, abs=1e-15)
    assert pooled.value == 3 / 5
    assert (topics.n, topics.n_averaged, topics.topics) == (100, 2, ("1", "2"))
    assert "mean over topics" in topics.convention
    assert "one table" in pooled.convention


def test_an_undefined_topic_is_skipped_and_named():
    # topic 1: P(A) = 1/2, P(E) = 1/2, kappa 0; topic 2: all relevant; topic 3: kappa 1
    ratings = ratings_of({"1": [[1, 1], [1, 1]], "2": [[0, 0], [0, 3]], "3": [[2, 0], [0, 2]]})

    mean = overall(ratings, "cohen_kappa")

    assert mean.value == 1 / 2
    assert mean.observed == 3 / 4
    assert mean.expected is None
    assert mean.skipped == (("2", "one_category"),)
    assert (mean.n, mean.n_dropped, mean.n_averaged, mean.topics) == (8, 3, 2, ("1", "3"))
    assert mean.left_out == "1 topic left out: one category"
    assert "mean of 2 topics, 1 topic left out: one category" in str(mean)


def test_a_topic_with_one_active_assessor_is_not_a_topic_of_the_pair():
    rows = [("ann", "1", "x", 0), ("bob", "1", "x", 1), ("ann", "2", "x", 0)]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])

    mean = overall(Ratings.from_judgements(frame, (0, 1)), "cohen_kappa")

    assert (mean.value, mean.n_averaged, mean.skipped, mean.n_dropped) == (0, 1, (), 1)


def test_a_topic_without_common_documents_is_named():
    rows = [("ann", "1", "x", 0), ("bob", "1", "y", 1)]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])

    mean = overall(Ratings.from_judgements(frame, (0, 1)), "cohen_kappa")

    assert (mean.status, mean.reason, mean.skipped) == ("undefined", "no_overlap", (("1", "no_overlap"),))


def test_the_mean_of_undefined_topics_is_undefined():
    mean = overall(ratings_of({"1": [[0, 0], [0, 3]], "2": [[2, 0], [0, 0]]}), "pooled_kappa")

    assert (mean.value, mean.reason, mean.observed, mean.n_averaged) == (None, "one_category", 1, 0)


@pytest.mark.parametrize("across", ["topics", "pooled"])
def test_empty_ratings_are_undefined(across):
    assert (
        overall(Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors"), "cohen_kappa", across).reason == "one_assessor"
    )
    assert overall(Ratings.from_matrix([], (0, 1), axis="assessors"), "cohen_kappa", across).reason == "empty"


@pytest.mark.parametrize("name", ["pv211-3judges-mean-pairwise-cohen", "pv211-3judges-mean-pairwise-pooled"])
def test_published_mean_over_the_pairs_of_three_judges(name):
    ratings, case = published(name)
    coefficient = "cohen_kappa" if case["coefficient"] == "light_kappa" else "pooled_kappa"

    mean = mean_pairwise(ratings, coefficient)

    assert mean.value == pytest.approx(case["expected"], abs=1e-15)
    assert (mean.n_averaged, mean.skipped, mean.n) == (3, (), 30)
    assert pairwise(ratings, coefficient)[coefficient].tolist() == pytest.approx(case["pairwise"], abs=1e-15)


def test_undefined_pairs_are_skipped_and_named():
    ratings = Ratings.from_matrix(
        [[0, 1, None], [0, 1, None], [None, 1, 0]], (0, 1), ("ann", "bob", "eve"), axis="assessors"
    )

    mean = mean_pairwise(ratings, "cohen_kappa")

    assert (mean.value, mean.n_averaged, mean.n) == (1, 1, 2)
    assert mean.skipped == (("ann and eve", "one_category"), ("bob and eve", "one_category"))
    assert mean.assessors == ("ann", "bob", "eve")


def test_a_weighted_mean_weights_pairs_by_their_items():
    # ann, bob: 3 of 4; ann, eve: 1 of 1; bob, eve: 0 of 1; weighted (3 + 1 + 0) / 6, plain (3/4 + 1 + 0) / 3
    ratings = Ratings.from_matrix([[0, 0, 1, 1], [0, 0, 1, 0], [None, None, None, 1]], (0, 1), axis="assessors")

    assert mean_pairwise(ratings, "percent_agreement", weighted=True).value == 4 / 6
    assert mean_pairwise(ratings, "percent_agreement").value == pytest.approx(1.75 / 3, abs=1e-15)


def test_one_assessor_has_no_pair():
    ratings = Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors")

    assert mean_pairwise(ratings, "cohen_kappa").reason == "one_assessor"
    assert len(pairwise(ratings)) == 0
    assert "cohen_kappa_reason" in pairwise(ratings).columns


def test_pairwise_states_n_of_each_pair():
    ratings = Ratings.from_matrix(
        [[0, 1, 1, 0], [0, 1, 0, None], [1, 1, None, None]], (0, 1), ("ann", "bob", "eve"), axis="assessors"
    )

    rows = pairwise(ratings).set_index(["assessor_a", "assessor_b"])

    assert rows.index.tolist() == [("ann", "bob"), ("ann", "eve"), ("bob", "eve")]
    ann_bob = rows.loc[("ann", "bob")]
    assert (ann_bob["n"], ann_bob["n_dropped"], ann_bob["topics"]) == (3, 1, 1)
    assert ann_bob["cohen_kappa"] == cohen_kappa(ratings, "ann", "bob").value
    assert ann_bob["observed"] == percent_agreement(ratings, "ann", "bob").value
    assert ann_bob["cohen_kappa_band"] == "dubious"


def test_an_undefined_pair_is_na_with_its_reason():
    row = pairwise(Ratings.from_matrix([[1, 1], [1, 1]], (0, 1), axis="assessors")).iloc[0]

    assert row["cohen_kappa"] is pd.NA
    assert (row["cohen_kappa_status"], row["cohen_kappa_reason"]) == ("undefined", "one_category")
    assert row["observed"] == 1


@pytest.mark.parametrize("call", [overall, mean_pairwise, pairwise])
def test_unknown_names_are_refused(call):
    ratings = Ratings.from_matrix([[0, 1], [0, 1]], (0, 1), axis="assessors")

    with pytest.raises(ValueError, match="coefficient must be one of percent_agreement, pooled_kappa, cohen_kappa"):
        call(ratings, "kappa")
    with pytest.raises(ValueError, match="across must be one of pooled, topics"):
        call(ratings, "cohen_kappa", across="documents")


@pytest.mark.parametrize("across", ["pooled", "topics"])
@pytest.mark.parametrize("seed", range(5))
def test_pairwise_equals_each_pair(across, seed):
    ratings = with_topics(seeded(seed, n_items=40), 6)
    names = ("percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger", "gwet_ac")

    frame = pairwise(ratings, names, across, weights="linear")

    for row in frame.to_dict("records"):
        for name in names:
            result = overall(ratings, name, across, row["assessor_a"], row["assessor_b"], weights="linear")
            close = 0 if across == "pooled" else 1e-14
            assert row[name] == pytest.approx(result.value, abs=close)
            assert (row[f"{name}_n"], row[f"{name}_status"], row[f"{name}_band"]) == (result.n, "ok", result.band)
        raw = overall(ratings, "percent_agreement", across, row["assessor_a"], row["assessor_b"], weights="linear")
        assert (row["n"], row["n_dropped"], row["topics"]) == (raw.n, raw.n_dropped, len(raw.topics))


def test_pairwise_has_the_reason_of_each_undefined_pair():
    ratings = Ratings.from_matrix([[0, 0, None], [0, 0, 1], [None, None, 1], [None] * 3], (0, 1), axis="assessors")

    frame = pairwise(ratings)

    for row in frame.to_dict("records"):
        result = cohen_kappa(ratings, row["assessor_a"], row["assessor_b"])
        assert (row["cohen_kappa_reason"], row["cohen_kappa_n"]) == (result.reason, result.n)
    assert set(frame["cohen_kappa_reason"]) == {"one_category", "no_overlap"}
    nothing = pairwise(Ratings.from_matrix([[None], [None]], (0, 1), axis="assessors"), across="topics")
    assert nothing["cohen_kappa_reason"].tolist() == ["empty"]


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac", "percent_agreement"])
def test_all_judges_over_topics(name):
    ratings = with_topics(seeded(1), 5)
    function = getattr(agreement, name)

    mean = overall(ratings, name)

    values = [function(part).value for part in ratings.by_topic().values()]
    assert mean.value == pytest.approx(sum(values) / 5, abs=1e-14)
    assert (mean.n_averaged, mean.topics) == (5, ("t00", "t01", "t02", "t03", "t04"))
    assert overall(ratings, name, "pooled").value == function(ratings).value


def test_options_reach_the_coefficient():
    ratings = with_topics(seeded(1), 5)

    assert overall(ratings, "krippendorff_alpha", "pooled", level="ordinal").value == pytest.approx(
        agreement.krippendorff_alpha(ratings, "ordinal").value
    )
    weighted = overall(ratings, "cohen_kappa", "pooled", "1", "2", weights="quadratic")
    assert weighted.value == cohen_kappa(ratings, "1", "2", weights="quadratic").value
    assert "quadratic weights" in mean_pairwise(ratings, "cohen_kappa", weights="quadratic").convention


@pytest.mark.parametrize("coefficient", ["percent_agreement", "pooled_kappa", "cohen_kappa", "gwet_ac"])
def test_the_default_interval_of_a_mean_counts_pairs_with_common_documents(coefficient):
    """A third judge judges alone, and the two others agree on all documents, so that the score-type interval holds."""
    rows = [6 * [0] + 6 * [1] + [None], 6 * [0] + 6 * [1] + [None]]
    of_two = Ratings.from_matrix(rows, (0, 1), axis="assessors")
    of_three = Ratings.from_matrix([12 * [None] + [1], *rows], (0, 1), axis="assessors")
    first, second = (mean_pairwise(ratings, coefficient).interval("default", seed=1) for ratings in (of_two, of_three))

    assert first.method in ("Wilson's score interval of P(A)", "goodness of fit (Donner and Eliasziw 1992)")
    assert (first.low, first.high, first.method) == (second.low, second.high, second.method)
    assert first.warnings == second.warnings
    assert (second.n_averaged, len(second.skipped)) == (1, 2)


def test_coefficients_of_all_judges_refuse_a_pair():
    with pytest.raises(ValueError, match="fleiss_kappa compares all assessors, not '1' and '2'"):
        overall(seeded(1), "fleiss_kappa", "topics", "1", "2")


def test_a_topic_with_one_active_assessor_is_not_a_topic_of_all():
    rows = [("ann", "1", "x", 0), ("bob", "1", "x", 1), ("eve", "1", "x", 1), ("ann", "2", "x", 0)]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])

    mean = overall(Ratings.from_judgements(frame, (0, 1)), "fleiss_kappa")

    assert (mean.n_averaged, mean.skipped, mean.n_dropped) == (1, (), 1)


@given(st.lists(st.lists(st.sampled_from([0, 1, 2, None]), min_size=6, max_size=6), min_size=2, max_size=4))
def test_both_combinations_of_one_topic_are_equal(rows):
    ratings = Ratings.from_matrix(rows, (0, 1, 2), axis="assessors")

    for coefficient in ("percent_agreement", "pooled_kappa", "cohen_kappa"):
        pooled = mean_pairwise(ratings, coefficient, across="pooled")
        assert pooled.value == mean_pairwise(ratings, coefficient, across="topics").value
        assert pooled.status == ("ok" if pooled.n_averaged else "undefined")


@pytest.mark.parametrize(
    "ratings",
    [Ratings.from_counts([[3, 0], [2, 1]], (0, 1)), Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors")],
    ids=["no judge", "one judge"],
)
def test_fewer_than_two_judges_have_no_pair(ratings):
    assert pairwise(ratings).empty
    assert "There is no pair of judges." in agreement_text(ratings)
