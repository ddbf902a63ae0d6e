"""The same systems under several golds: by hand, properties, and golds with few or no common topics."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import evaluate, ranking_shift, tau_b

SYSTEMS = {"a": "xyz", "b": "yxz", "c": "zyx"}


def runs_of(systems, topics=("1",)):
    rows = [
        (system, topic, doc, float(-place))
        for system, docs in systems.items()
        for topic in topics
        for place, doc in enumerate(docs)
    ]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def gold_of(relevant, topics=("1",)):
    """A gold with one relevant document in every topic; the other two are judged not relevant."""
    rows = [(topic, doc, int(doc == relevant)) for topic in topics for doc in "xyz"]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def by_hand():
    # AP under x: a 1, b 1/2, c 1/3; under y: b 1, a and c 1/2; under z: c 1, a and b 1/3
    golds = {"x": gold_of("x"), "y": gold_of("y"), "z": gold_of("z")}
    return ranking_shift(runs_of(SYSTEMS), golds, "AP")


def test_pair_of_a_restricted_shift_is_found_in_any_order_and_no_other_one():
    shift = by_hand()
    assert all(shift.pair(pair.gold_a, pair.gold_b) is pair for pair in shift.pairs)

    restricted = shift.only("z")

    assert restricted.pair("x", "z") is shift.pair("x", "z")
    assert restricted.pair("z", "x") == shift.pair("z", "x")
    for golds in (("x", "y"), ("x", "x"), ("x", "nobody")):
        with pytest.raises(ValueError, match="must be two different golds out of x, z"):
            restricted.pair(*golds)


def test_ranks_by_hand_with_ties_shared():
    assert by_hand().to_frame().to_dict("index") == {
        "a": {"x": 1, "y": 2, "z": 2},
        "b": {"x": 2, "y": 1, "z": 2},
        "c": {"x": 3, "y": 2, "z": 1},
    }


def test_figures_of_a_pair_by_hand():
    pair = by_hand().pair("z", "x")

    # pairs ab: tied under z; ac and bc: swapped; tau_b = -2 / sqrt(3 * 2)
    assert (pair.gold_a, pair.gold_b, pair.truth, pair.n_topics, pair.n_systems) == ("z", "x", "x", 1, 3)
    assert (pair.swapped, pair.n_pairs) == (2, 3)
    assert pair.tau_b.value == -2 / 6**0.5
    assert pair.tau is None
    assert (pair.top_a, pair.top_b, pair.top_changed) == (("c",), ("a",), True)


def test_rise_and_fall_against_the_reference():
    shift = by_hand()

    assert shift.largest_rise("z")["system"].tolist() == ["c"]
    assert shift.largest_rise("z")["change"].tolist() == [2]
    assert shift.largest_fall("z")["system"].tolist() == ["a"]
    assert len(shift.largest_rise("x")) == len(shift.largest_fall("x")) == 0


def test_another_reference():
    golds = {"x": gold_of("x"), "z": gold_of("z")}

    shift = ranking_shift(runs_of(SYSTEMS), golds, "AP", reference="z")

    assert shift.others == ("x",)
    assert shift.to_frame().columns.tolist() == ["z", "x"]
    assert shift.to_frame().index[0] == "c"
    assert shift.ranks_under("x").set_index("system")["change"].to_dict() == {"a": 1, "b": 0, "c": -2}


def test_without_ties_there_is_tau_too():
    golds = {"x": gold_of("x"), "same": gold_of("x")}

    pair = ranking_shift(runs_of(SYSTEMS), golds, "AP").pair("x", "same")

    assert pair.tau.value == pair.tau_b.value == 1
    assert not pair.top_changed


def test_golds_are_compared_on_their_common_topics():
    runs = runs_of(SYSTEMS, ("1", "2", "3"))
    golds = {"x": gold_of("x", "12"), "y": gold_of("y", "23")}

    shift = ranking_shift(runs, golds, "AP")

    assert shift.pair("x", "y").n_topics == 1
    assert shift.ranks_under("x")["n_topics"].unique().tolist() == [2]
    assert shift.ranks_under("y")["n_topics"].unique().tolist() == [1]
    own = ranking_shift(runs, golds, "AP", topics="own")
    assert own.pair("x", "y").n_topics == 3
    assert own.ranks_under("y")["n_topics"].unique().tolist() == [2]


def test_the_reference_is_ranked_on_the_same_topics():
    # topic 1 prefers a, topic 2 prefers c; y knows topic 2 only
    reference = pd.concat([gold_of("x", "1"), gold_of("z", "2")])
    golds = {"x": reference, "y": gold_of("y", "2")}

    rows = ranking_shift(runs_of(SYSTEMS, ("1", "2")), golds, "AP").ranks_under("y").set_index("system")

    assert rows["reference_rank"].to_dict() == {"a": 2, "b": 2, "c": 1}
    assert rows["change"].to_dict() == {"a": 0, "b": 1, "c": -1}


def test_golds_without_a_common_topic_are_not_compared():
    runs = runs_of(SYSTEMS, ("1", "2"))

    shift = ranking_shift(runs, {"x": gold_of("x", "1"), "y": gold_of("y", "2")}, "AP")

    assert shift.pair("x", "y").tau_b.reason == "no_topics"
    assert shift.ranks_under("y")["rank"].isna().all()
    assert shift.pairs_frame()["tau_b"].isna().all()
    assert shift.to_frame()["x"].tolist() == [1, 2, 3]
    assert "no topic in common" in shift.summary()


def test_one_system_has_no_ranking():
    shift = ranking_shift(runs_of({"a": "xyz"}), {"x": gold_of("x"), "y": gold_of("y")}, "AP")

    assert shift.pair("x", "y").tau_b.reason == "one_system"
    assert shift.summary() == "Cannot be determined: there is only one system, and a ranking needs two."


def test_a_gold_that_ties_all_systems():
    nothing = gold_of("nothing")

    shift = ranking_shift(runs_of(SYSTEMS), {"x": gold_of("x"), "none": nothing}, "AP", min_topics=1)

    assert shift.pair("x", "none").tau_b.reason == "all_tied"
    assert shift.ranks_under("none")["rank"].tolist() == [1, 1, 1]
    assert shift.summary() == "Cannot be determined: tau_b against x is undefined (all systems tied)."


def test_judged_counts_of_each_gold():
    some = gold_of("x").query("doc_id != 'z'")

    shift = ranking_shift(runs_of(SYSTEMS), {"all": gold_of("x"), "some": some}, "AP")

    assert shift.judged_counts("all") == (9, 9)
    assert shift.judged_counts("some") == (6, 9)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"reference": "w"}, "reference must be one of the golds x, y, not 'w'"),
        ({"topics": "all"}, "topics must be one of common, own, not 'all'"),
        ({"measure": "MRR@x"}, "measure 'MRR@x'"),
    ],
)
def test_unknown_options_are_refused(options, sentence):
    golds = {"x": gold_of("x"), "y": gold_of("y")}

    with pytest.raises(ValueError, match=sentence):
        ranking_shift(runs_of(SYSTEMS), golds, **{"measure": "AP"} | options)


def test_an_unknown_pair_is_refused():
    with pytest.raises(ValueError, match="two different golds out of x, y, z"):
        by_hand().pair("x", "x")


rankings = st.dictionaries(st.sampled_from("abcde"), st.permutations("xyz"), min_size=2)
grades = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 2), min_size=1)


def graded(docs):
    rows = [("1", doc, grade) for doc, grade in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


@pytest.mark.slow
@given(rankings, grades, grades)
def test_scores_and_tau_b_equal_those_of_evaluate_and_tau_b(systems, first, second):
    runs, golds = runs_of(systems), {"first": graded(first), "second": graded(second)}

    shift = ranking_shift(runs, golds, "nDCG@2")

    means = evaluate(runs, golds, "nDCG@2", per_query=False)
    assert shift.ranks["score"].tolist() == pytest.approx(means["value"].tolist(), abs=1e-12)
    x, y = (means.loc[means["gold"] == name, "value"].tolist() for name in golds)
    assert shift.pair("first", "second").tau_b == tau_b(x, y)


@pytest.mark.slow
@given(rankings, grades, grades)
def test_exchanging_the_golds_negates_the_changes(systems, first, second):
    runs, golds = runs_of(systems), {"first": graded(first), "second": graded(second)}

    forward = ranking_shift(runs, golds, "AP").ranks_under("second")["change"]
    backward = ranking_shift(runs, golds, "AP", reference="second").ranks_under("first")["change"]

    assert forward.tolist() == [-change for change in backward]


def test_a_restricted_shift_keeps_its_figures():
    shift = by_hand()
    some = shift.only("z")
    assert some.golds == ("x", "z")
    assert some.ranks_under("z").equals(shift.ranks_under("z"))
    assert some.pairs == (shift.pair("x", "z"),)
    with pytest.raises(ValueError, match="one of the golds x, y, z"):
        shift.only("unknown")


# Two measures of one gold are two views: grades 2 for x and 1 for z.
def two_grades():
    return pd.DataFrame([("1", "x", 1), ("1", "z", 2), ("1", "y", 0)], columns=["query_id", "doc_id", "relevance"])


def test_views_of_one_gold_have_the_name_of_the_measure():
    shift = ranking_shift(runs_of(SYSTEMS), two_grades(), ["AP", "AP(rel=2)"])

    # AP: a xyz (1 + 2/3)/2 = 5/6, b yxz (1/2 + 2/3)/2 = 7/12, c zyx (1 + 2/3)/2 = 5/6; rel=2: a and b 1/3, c 1
    assert shift.golds == ("AP", "AP(rel=2)")
    assert (shift.measure, shift.reference) == ("AP, AP(rel=2)", "AP")
    assert shift.to_frame().to_dict("index") == {
        "a": {"AP": 1, "AP(rel=2)": 2},
        "b": {"AP": 3, "AP(rel=2)": 2},
        "c": {"AP": 1, "AP(rel=2)": 1},
    }
    assert shift.judged["gold"].unique().tolist() == ["AP", "AP(rel=2)"]


def test_gain_schemes_are_views():
    measures = ["nDCG", "nDCG(dcg='exp-log2')"]

    shift = ranking_shift(runs_of(SYSTEMS), two_grades(), measures)

    linear, exponential = (shift.ranks_under(name).set_index("system")["score"] for name in measures)
    # gains 1 and 2, or 1 and 3: c has the ideal's first document, a its second
    log = 1.584962500721156  # log2(3)
    assert linear["a"] == pytest.approx((1 + 2 / 2) / (2 + 1 / log), abs=1e-15)
    assert exponential["a"] == pytest.approx((1 + 3 / 2) / (3 + 1 / log), abs=1e-15)


def test_several_golds_and_measures_are_combined():
    golds = {"x": gold_of("x"), "z": gold_of("z")}

    shift = ranking_shift(runs_of(SYSTEMS), golds, ["AP", "P@1"], reference="z, P@1")

    assert shift.golds == ("x, AP", "x, P@1", "z, AP", "z, P@1")
    assert len(shift.pairs) == 6
    assert shift.pair("x, AP", "z, P@1").truth == "z, P@1"
    assert [pair.gold_a for pair in shift.pairs][:3] == ["z, P@1"] * 3
    assert shift.pair("x, AP", "z, AP").truth == "x, AP"


@pytest.mark.parametrize("measures", [[], ["AP", "MAP"]])
def test_no_measure_or_one_twice_is_refused(measures):
    with pytest.raises(ValueError, match="Name one or more measures, each once"):
        ranking_shift(runs_of(SYSTEMS), gold_of("x"), measures)


def test_every_correlation_by_hand():
    # a leads b leads c under x; b, c, a under the second gold (two topics: y relevant, z relevant)
    runs = runs_of(SYSTEMS, ("1", "2"))
    first = pd.concat([gold_of("x", "1"), gold_of("x", "2")])
    second = pd.concat([gold_of("y", "1"), gold_of("z", "2")])

    pair = ranking_shift(runs, {"x": first, "yz": second}, "AP").pair("x", "yz")

    # second: a (1/2 + 1/3)/2 = 5/12, b (1 + 1/3)/2 = 2/3, c (1/2 + 1)/2 = 3/4; first: 1, 1/2, 1/3
    assert pair.tau.value == pair.tau_b.value == -1
    assert pair.spearman.value == -1
    # the estimate ranks c, b, a: above b stands c, wrongly; above a stand c and b, both wrongly
    assert pair.tau_ap.value == pair.tau_ap_a.value == -1
    assert pair.rms_change == pytest.approx((((7 / 12) ** 2 + (1 / 6) ** 2 + (5 / 12) ** 2) / 3) ** 0.5, abs=1e-15)
    # overlap 0/1, 1/2, 3/3 with p = 0.9: 0.1 (0 + 0.9/2 + 0.81) + 0.9^3
    assert pair.rbo.value == pytest.approx(0.1 * (0.45 + 0.81) + 0.729, abs=1e-15)
    means = pd.DataFrame({"x": [1, 1 / 2, 1 / 3], "y": [5 / 12, 2 / 3, 3 / 4]})
    assert pair.pearson.value == pytest.approx(means.corr().loc["x", "y"], abs=1e-14)


def test_swapped_systems_with_their_leads():
    # z and x: c leads a under z by 2/3, a leads c under x by 2/3; b and c: c leads by 2/3 under z, b by 1/6 under x
    shift = ranking_shift(runs_of(SYSTEMS), {"x": gold_of("x"), "z": gold_of("z")}, "AP")

    swaps = shift.swaps()

    assert swaps[["ahead_a", "ahead_b"]].to_numpy().tolist() == [["a", "c"], ["b", "c"]]
    assert swaps["difference_a"].tolist() == pytest.approx([2 / 3, 1 / 6])
    assert swaps["difference_b"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert swaps["p_adjusted_a"].isna().all()  # one topic tests nothing
    assert not swaps["significant_a"].any()
    assert swaps.attrs["note"].startswith("With 1 topic, fewer than 50, systems cannot be compared")
    assert "Note: With 1 topic, fewer than 50" in repr(swaps)


def test_consistent_leads_are_significant():
    topics = tuple("123456789")
    runs = runs_of({"a": "xyz", "b": "yzx", "c": "zxy"}, topics)
    noise = gold_of("y", "1")
    x, z = (
        pd.concat([gold_of(doc, topics[1:]), noise.assign(relevance=[int(d == doc) for d in noise["doc_id"]])])
        for doc in "xz"
    )
    z.loc[(z["query_id"] == "1") & (z["doc_id"] == "y"), "relevance"] = 1
    x.loc[(x["query_id"] == "1") & (x["doc_id"] == "y"), "relevance"] = 1

    swaps = ranking_shift(runs, {"x": x, "z": z}, "AP").swaps()

    row = swaps[(swaps["ahead_a"] == "a") & (swaps["ahead_b"] == "c")].iloc[0]
    assert row["significant_a"]
    assert row["significant_b"]
    assert max(row["p_adjusted_a"], row["p_adjusted_b"]) < 0.001


def test_swaps_within_groups_are_counted_separately():
    golds = {"x": gold_of("x"), "z": gold_of("z")}

    shift = ranking_shift(runs_of(SYSTEMS), golds, "AP", groups={"a": "one", "b": "two", "c": "one"})

    pair = shift.pair("x", "z")
    assert (pair.swapped, pair.n_pairs, pair.swapped_within, pair.n_within) == (2, 3, 1, 1)
    assert shift.swaps()["same_group"].tolist() == [True, False]
    with pytest.raises(ValueError, match="Every system needs a group, but 'b' has none"):
        ranking_shift(runs_of(SYSTEMS), golds, "AP", groups={"a": "one", "c": "one"})


def test_tables_are_not_rounded():
    tables = by_hand().tables()

    assert set(tables) == {"ranks", "pairs", "swaps", "judged"}
    row = tables["pairs"].iloc[1]
    assert (row["gold_a"], row["gold_b"], row["tau_b"], row["tau_reason"]) == ("x", "z", -2 / 6**0.5, "ties")
    assert pd.isna(row["tau"])


def test_correlations_without_a_common_topic_are_undefined():
    golds = {"x": gold_of("x", "1"), "y": gold_of("y", "2")}

    pair = ranking_shift(runs_of(SYSTEMS, ("1", "2")), golds, "AP").pair("x", "y")

    assert {pair.rbo.reason, pair.spearman.reason, pair.tau_ap_b.reason} == {"no_topics"}
    assert (pair.rms_change, pair.swapped_within) == (None, None)


def test_the_lowest_score_is_best_if_lower_is_better():
    shift = ranking_shift(runs_of(SYSTEMS), gold_of("x"), ["F@1", "E@1"])

    # a finds x at rank 1, b and c do not: F 1, 0, 0 and E 0, 1, 1 rank alike
    assert shift.ranks_under("E@1")["score"].tolist() == [0, 1, 1]
    assert shift.to_frame().loc["a"].tolist() == [1, 1]
    assert shift.pair("F@1", "E@1").tau_b.value == 1
    assert shift.pair("F@1", "E@1").swapped == 0


def test_the_judged_share_covers_the_compared_topics():
    # topic 1: all three documents judged; topic 2, which only the second gold has: one of three
    runs = runs_of(SYSTEMS, ("1", "2"))
    second = pd.concat([gold_of("z", "1"), gold_of("z", "2").iloc[:1]])

    shift = ranking_shift(runs, {"x": gold_of("x", "1"), "z": second}, "AP")

    assert shift.judged_counts("z") == (9, 9)
    assert ranking_shift(runs, {"x": gold_of("x", "1"), "z": second}, "AP", topics="own").judged_counts("z") == (12, 18)


def test_the_table_of_swaps_is_empty_without_a_swap():
    shift = ranking_shift(runs_of(SYSTEMS), {"x": gold_of("x"), "same": gold_of("x")}, "AP")

    assert len(shift.swaps()) == 0
    assert shift.tables()["swaps"].columns.tolist() == by_hand().swaps().columns.tolist()


def test_rms_change_uses_the_original_scores():
    pair = ranking_shift(runs_of(SYSTEMS), gold_of("x"), ["F@1", "E@1"]).pairs[0]

    # F 1, 0, 0 and E 0, 1, 1
    assert pair.rms_change == 1


def test_the_table_of_pairs_without_a_common_topic():
    golds = {"x": gold_of("x", "1"), "y": gold_of("y", "2")}

    row = ranking_shift(runs_of(SYSTEMS, ("1", "2")), golds, "AP").pairs_frame().iloc[0]

    assert row[["tau_reason", "tau_ap_reason", "tau_b_reason"]].tolist() == ["no_topics"] * 3
    assert row[["swapped", "top_changed", "rms_change"]].isna().all()


def test_groups_are_read_from_a_column_of_the_runs():
    runs = runs_of(SYSTEMS).assign(group=lambda frame: frame["system"].map({"a": "one", "b": "two", "c": "one"}))

    shift = ranking_shift(runs, {"x": gold_of("x"), "z": gold_of("z")}, "AP")

    assert shift.groups == {"a": "one", "b": "two", "c": "one"}
    assert shift.pair("x", "z").swapped_within == 1
