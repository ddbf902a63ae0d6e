"""The same systems under several golds: by hand, properties, and golds that share little or nothing."""

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


def test_ranks_by_hand_with_ties_shared():
    assert by_hand().to_frame().to_dict("index") == {
        "a": {"x": 1, "y": 2, "z": 2},
        "b": {"x": 2, "y": 1, "z": 2},
        "c": {"x": 3, "y": 2, "z": 1},
    }


def test_figures_of_a_pair_by_hand():
    pair = by_hand().pair("z", "x")

    # pairs ab: tied under z; ac and bc: turned over; tau_b = -2 / sqrt(3 * 2)
    assert (pair.gold_a, pair.gold_b, pair.n_topics, pair.n_systems) == ("x", "z", 1, 3)
    assert (pair.swapped, pair.n_pairs) == (2, 3)
    assert pair.tau_b.value == -2 / 6**0.5
    assert pair.tau is None
    assert (pair.top_a, pair.top_b, pair.top_changed) == (("a",), ("c",), True)


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
    assert shift.of("x").set_index("system")["change"].to_dict() == {"a": 1, "b": 0, "c": -2}


def test_without_ties_there_is_tau_too():
    golds = {"x": gold_of("x"), "same": gold_of("x")}

    pair = ranking_shift(runs_of(SYSTEMS), golds, "AP").pair("x", "same")

    assert pair.tau.value == pair.tau_b.value == 1
    assert not pair.top_changed


def test_golds_meet_on_the_topics_that_both_have():
    runs = runs_of(SYSTEMS, ("1", "2", "3"))
    golds = {"x": gold_of("x", "12"), "y": gold_of("y", "23")}

    shift = ranking_shift(runs, golds, "AP")

    assert shift.pair("x", "y").n_topics == 1
    assert shift.of("x")["n_topics"].unique().tolist() == [2]
    assert shift.of("y")["n_topics"].unique().tolist() == [1]
    own = ranking_shift(runs, golds, "AP", topics="own")
    assert own.pair("x", "y").n_topics == 3
    assert own.of("y")["n_topics"].unique().tolist() == [2]


def test_the_reference_is_ranked_on_the_same_topics():
    # topic 1 prefers a, topic 2 prefers c; y knows topic 2 only
    reference = pd.concat([gold_of("x", "1"), gold_of("z", "2")])
    golds = {"x": reference, "y": gold_of("y", "2")}

    rows = ranking_shift(runs_of(SYSTEMS, ("1", "2")), golds, "AP").of("y").set_index("system")

    assert rows["reference_rank"].to_dict() == {"a": 2, "b": 2, "c": 1}
    assert rows["change"].to_dict() == {"a": 0, "b": 1, "c": -1}


def test_golds_without_a_common_topic_are_not_compared():
    runs = runs_of(SYSTEMS, ("1", "2"))

    shift = ranking_shift(runs, {"x": gold_of("x", "1"), "y": gold_of("y", "2")}, "AP")

    assert shift.pair("x", "y").tau_b.reason == "no_topics"
    assert shift.of("y")["rank"].isna().all()
    assert shift.pairs_frame()["tau_b"].isna().all()
    assert shift.to_frame()["x"].tolist() == [1, 2, 3]
    assert "no topic in common" in shift.summary()


def test_one_system_has_no_ranking():
    shift = ranking_shift(runs_of({"a": "xyz"}), {"x": gold_of("x"), "y": gold_of("y")}, "AP")

    assert shift.pair("x", "y").tau_b.reason == "one_system"
    assert "fewer than two systems" in shift.summary()


def test_a_gold_that_ties_all_systems():
    nothing = gold_of("nothing")

    shift = ranking_shift(runs_of(SYSTEMS), {"x": gold_of("x"), "none": nothing}, "AP")

    assert shift.pair("x", "none").tau_b.reason == "all_tied"
    assert shift.of("none")["rank"].tolist() == [1, 1, 1]
    assert "all systems tied" in shift.summary()


def test_how_much_of_the_top_each_gold_judges():
    some = gold_of("x").query("doc_id != 'z'")

    shift = ranking_shift(runs_of(SYSTEMS), {"all": gold_of("x"), "some": some}, "AP")

    assert shift.judged_of("all") == (9, 9)
    assert shift.judged_of("some") == (6, 9)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"reference": "w"}, "reference is one of the golds x, y; got 'w'"),
        ({"topics": "all"}, "topics is one of common, own; got 'all'"),
        ({"measure": "MRR@x"}, "no measure"),
    ],
)
def test_unknown_options_are_refused(options, sentence):
    golds = {"x": gold_of("x"), "y": gold_of("y")}

    with pytest.raises(ValueError, match=sentence):
        ranking_shift(runs_of(SYSTEMS), golds, **{"measure": "AP"} | options)


def test_a_pair_that_there_is_not():
    with pytest.raises(ValueError, match="no two of the golds x, y, z"):
        by_hand().pair("x", "x")


@pytest.mark.parametrize(
    ("golds", "sentence"),
    [
        ({"x": gold_of("x")}, "Not to be said: x is the only gold; a second one is needed."),
        (
            {"x": gold_of("x"), "again": gold_of("x")},
            "No: under again, against x, none of 3 pairs of systems turns over (tau_b 1.000, 1 topic, 100% of the "
            "first 10 judged), and the best stays a.",
        ),
        (
            {"x": gold_of("x"), "again": gold_of("x"), "z": gold_of("z")},
            "Much at the whole, and yes at the top: under z, which of 2 golds differs most from x, the order of 2 of 3 "
            "pairs of systems turns over (tau_b -0.816, 1 topic, 100% of the first 10 judged), and the best is c "
            "instead of a.",
        ),
    ],
)
def test_the_answer_in_words(golds, sentence):
    assert ranking_shift(runs_of(SYSTEMS), golds, "AP").summary() == sentence


rankings = st.dictionaries(st.sampled_from("abcde"), st.permutations("xyz"), min_size=2)
grades = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 2), min_size=1)


def graded(docs):
    rows = [("1", doc, grade) for doc, grade in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


@given(rankings, grades, grades)
def test_it_says_what_evaluate_and_tau_b_say(systems, first, second):
    runs, golds = runs_of(systems), {"first": graded(first), "second": graded(second)}

    shift = ranking_shift(runs, golds, "nDCG@2")

    means = evaluate(runs, golds, "nDCG@2", per_query=False)
    assert shift.ranks["score"].tolist() == pytest.approx(means["value"].tolist(), abs=1e-12)
    x, y = (means.loc[means["gold"] == name, "value"].tolist() for name in golds)
    assert shift.pair("first", "second").tau_b == tau_b(x, y)


@given(rankings, grades, grades)
def test_turning_the_golds_round_turns_the_changes_round(systems, first, second):
    runs, golds = runs_of(systems), {"first": graded(first), "second": graded(second)}

    there = ranking_shift(runs, golds, "AP").of("second")["change"]
    back = ranking_shift(runs, golds, "AP", reference="second").of("first")["change"]

    assert there.tolist() == [-change for change in back]


def test_the_gold_that_differs_most_is_the_one_of_the_sentence():
    shift = by_hand()
    assert shift.farthest == min(shift.others, key=lambda gold: shift.pair(shift.reference, gold).tau_b.value)


def test_some_of_the_golds_keep_their_figures():
    shift = by_hand()
    some = shift.only("z")
    assert some.golds == ("x", "z")
    assert some.of("z").equals(shift.of("z"))
    assert some.pairs == (shift.pair("x", "z"),)
    with pytest.raises(ValueError, match="none of the golds x, y, z"):
        shift.only("nobody")
