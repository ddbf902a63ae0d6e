"""The headline of a ranking shift: by the golds with enough data, or preliminary; one sentence is about the others."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import make_gold, ranking_shift
from agreement.rank_correlation import TIE
from agreement.shift.summary import size_of_change
from agreement.thresholds import Thresholds
from tests.agreement.shift.test_shift import SYSTEMS, gold_of, runs_of

TEN = tuple("0123456789")
TWELVE = (*TEN, "ten", "eleven")
NEEDED = "A comparison needs at least 10 topics in common, and 50% of the first 10 documents judged under each gold."
TAG = "answers need 10 topics, half of the top ten judged"


def shift_of(golds, topics=TEN, systems=SYSTEMS, **options):
    return ranking_shift(runs_of(systems, topics), golds, "AP", **options)


# ---- enough data


def test_the_same_ranking_is_a_no():
    assert shift_of({"x": gold_of("x", TEN), "again": gold_of("x", TEN)}).summary() == (
        "No. Under again, compared with x, none of 3 system pairs swaps (tau_b 1.000, 10 topics, 100% of the first 10 "
        "judged) and the best system stays a."
    )


def test_no_gold_differs_most_if_all_rankings_are_the_same():
    shift = shift_of({name: gold_of("x", TEN) for name in ("x", "again", "third")})

    assert shift.summary() == (
        "No. Under again, as under each of the 2 golds, compared with x, none of 3 system pairs swaps (tau_b 1.000, "
        "10 topics, 100% of the first 10 judged) and the best system stays a."
    )


@pytest.mark.parametrize(
    ("tau_b", "word"), [(0.9 - 1e-15, "slightly"), (0.8 - 1e-15, "moderately"), (0.79, "substantially")]
)
def test_the_size_of_a_change_has_no_rounding_at_its_limits(tau_b, word):
    assert size_of_change(tau_b) == word


def test_the_headline_compares_the_gold_that_differs_most():
    # AP under x: a 1, b 1/2, c 1/3; under z: c 1, a and b 1/3. ab is tied under z, ac and bc swap: tau_b -2 / sqrt(6).
    shift = shift_of({"x": gold_of("x", TEN), "again": gold_of("x", TEN), "z": gold_of("z", TEN)})

    assert shift.farthest == "z"
    assert shift.summary() == (
        "Yes, substantially. Under z (of 2 golds, the one that differs most from x), 2 of 3 system pairs swap "
        "(tau_b -0.816, 10 topics, 100% of the first 10 judged) and the best system changes from a to c."
    )


def test_a_change_of_ties_only_is_a_change():
    # y: a and c tied behind b; in the second gold one topic finds z too, which separates them without a swap
    tied = gold_of("y", TEN)
    parted = pd.concat([gold_of("y", TEN[1:]), gold_of("y", TEN[:1]).assign(relevance=[0, 1, 1])])

    summary = shift_of({"tied": tied, "parted": parted}).summary()

    # of three pairs two are ordered alike, and one is tied under one gold only: tau_b 2 / sqrt(2 * 3)
    assert summary == (
        "Yes, moderately. Under parted, compared with tied, none of 3 system pairs swaps, but ties change (tau_b "
        "0.816, 10 topics, 100% of the first 10 judged) and the best system stays b."
    )


# ---- topics without documents


def test_topics_for_which_no_system_retrieved_a_document_do_not_count():
    golds = {"x": gold_of("x", TWELVE), "z": gold_of("z", TWELVE)}

    shift = shift_of(golds, TWELVE[:1])

    assert shift.basis[["n_topics", "enough"]].values.tolist() == [[1, False]]
    assert shift.summary() == (
        f"Preliminary: 1 topic in common, 100% of the first 10 judged; {TAG}. "
        "Yes, substantially. Under z, compared with x, 2 of 3 system pairs swap (tau_b -0.816, 1 topic, 100% of "
        "the first 10 judged, 3 systems have no documents for some topics, which score 0) and the best system "
        "changes from a to c. "
        "11 of 12 topics of x match nothing in the runs, such as '1'. They have 33 of 36 judgements. The headline does "
        "not count them. 11 of 12 topics of z match nothing in the runs, such as '1'. They have 33 of 36 judgements. "
        "The headline does not count them."
    )


def test_the_headline_names_a_system_without_documents_for_some_topics():
    runs = pd.concat([runs_of({"a": "xyz", "b": "yxz"}, TEN), runs_of({"c": "zyx"}, TEN[:1])])
    golds = {"x": gold_of("x", TEN), "y": gold_of("y", TEN)}

    shift = ranking_shift(runs, golds, "AP")

    assert "100% of the first 10 judged, c has no document for 9 of 10 topics, which score 0)" in shift.summary()
    assert shift.judged["empty_topics"].tolist() == [0, 0, 9] * 2
    # lower is better for E, and a topic without documents scores 1
    assert "c has no document for 9 of 10 topics) and" in ranking_shift(runs, golds, "E").summary()


def test_the_headline_counts_the_systems_without_documents_for_some_topics():
    runs = pd.concat([runs_of({"a": "xyz"}, TEN), runs_of({"b": "yxz", "c": "zyx"}, TEN[1:])])

    summary = ranking_shift(runs, {"x": gold_of("x", TEN), "y": gold_of("y", TEN)}, "AP").summary()

    assert "judged, 2 systems have no documents for some topics, which score 0) and" in summary


# ---- too little data


def seven_judgements():
    """Systems that retrieve ten documents for each of twelve topics, and the judgements of two assessors.

    ada judges all documents; bob judges seven documents of one topic, and turns the ranking around.
    """
    docs = [f"d{number}" for number in range(10)]
    runs = runs_of({"up": docs, "down": docs[::-1], "mixed": [*docs[5:], *docs[:5]]}, TWELVE)
    rows = [("ada", topic, doc, int(doc in ("d0", "d1"))) for topic in TWELVE for doc in docs]
    rows += [("bob", TWELVE[0], doc, int(doc == "d9")) for doc in docs[3:]]
    return runs, pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])


def test_seven_judgements_by_one_assessor_are_preliminary():
    runs, judgements = seven_judgements()

    shift = ranking_shift(runs, [make_gold(judgements, rule) for rule in ("judge:ada", "judge:bob")], "AP")

    assert shift.pair("judge:ada", "judge:bob").tau_b.value == -1
    assert shift.preliminary
    # 7 of the 10 documents of the only common topic
    assert shift.summary() == (
        f"Preliminary: 1 topic in common, 70% of the first 10 judged; {TAG}. "
        ""
        "Yes, substantially. Under judge:bob, compared with judge:ada, 3 of 3 system pairs swap (tau_b -1.000, 1 "
        "topic, 70% of the first 10 judged) and the best system changes from up to down."
    )
    assert shift.preliminary_golds() == [
        "judge:bob: 1 topic in common with judge:ada, 70% of the first 10 judged, tau_b -1.000."
    ]


@pytest.mark.in_ci
def test_seven_judgements_are_preliminary_also_by_way_of_a_combined_gold():
    runs, judgements = seven_judgements()
    rules = ("judge:ada", "judge:bob", "union", "intersection")
    golds = [make_gold(judgements, rule) for rule in rules]
    evidence = {rule: make_gold(judgements, rule, at_least_judges=2) for rule in rules[2:]}

    shift = ranking_shift(runs, golds, "AP", evidence=evidence)

    assert shift.enough == ()
    lines = shift.summary().split("\n")
    assert lines[0].startswith(
        f"Preliminary: 1 topic in common, 70% of the first 10 judged; {TAG}. "
        "Yes, substantially. Under judge:bob (of 3 golds, the one that differs most"
    )
    # 7 documents of 12 topics with 10 documents each: 5.8 %
    assert lines[1:] == [
        "Preliminary for judge:bob, union and intersection: 1 topic in common, 6% to 70% of the first "
        "10 judged, tau_b -1.000 to 1.000."
    ]
    union = shift.preliminary_golds()[1]
    assert union.startswith("union: 1 topic in common with judge:ada, 6% of the first 10 judged")
    assert union.endswith("(counting only the documents of the evidence).")
    assert ranking_shift(runs, golds, "AP").enough == (
        "union",
        "intersection",
    )  # without evidence the whole gold counts


def test_evidence_of_the_reference_is_not_called_documents_with_two_judges():
    runs, judgements = seven_judgements()
    golds = [make_gold(judgements, rule) for rule in ("union", "judge:ada")]
    evidence = {"union": make_gold(judgements, "union").iloc[:3]}

    shift = ranking_shift(runs, golds, "AP", "union", evidence=evidence)

    (line,) = shift.preliminary_golds()
    assert line.startswith("judge:ada: 1 topic in common with union, ")
    assert line.endswith(" (counting only the documents of the evidence).")
    # the figures are those of the whole golds, and the thresholds count the evidence: 3 of 120 documents
    assert shift.headline() == (
        "Preliminary: 1 topic in common, 2% of the first 10 judged (counting only the documents of the evidence); "
        f"{TAG}. No. Under judge:ada, compared with union, none of 3 system pairs swaps "
        "(tau_b 1.000, 12 topics, 100% of the first 10 judged) and the best system stays up."
    )


def test_one_gold_with_too_little_data_is_below_the_headline_with_its_numbers():
    golds = {"x": gold_of("x", TEN), "y": gold_of("y", TEN), "z": gold_of("z", TEN[:9])}

    shift = shift_of(golds)

    # z differs more (tau_b -0.816) than y (a and c tied, ab swaps: (1 - 1) / sqrt(3 * 2) = 0), but has 9 topics
    assert shift.farthest == "y"
    assert shift.summary().split("\n") == [
        "Yes, substantially. Under y, compared with x, 1 of 3 system pairs swaps (tau_b 0.000, 10 topics, 100% of the "
        "first 10 judged) and the best system changes from a to b.",
        f"Preliminary for z: 9 topics in common with x, 100% of the first 10 judged, tau_b -0.816; {TAG}.",
    ]


@pytest.mark.in_ci
def test_one_sentence_is_about_all_golds_with_too_little_data():
    few = {"z": gold_of("z", TEN[:9]), "again": gold_of("x", TEN[:2]), "v": gold_of("z", TEN[:5])}
    golds = {"x": gold_of("x", TEN), "y": gold_of("y", TEN), **few}

    assert shift_of(golds).left_out() == [
        "Preliminary for z, again and v: 2 to 9 topics in common, 100% of the first 10 judged, tau_b -0.816 to "
        f"1.000; {TAG}."
    ]
    more = {**golds, "w": gold_of("z", TEN[:5]), "u": gold_of("z", TEN[:5])}
    assert shift_of(more).left_out()[0].startswith("Preliminary for z, again, v and 2 more: 2 to 9 topics in common")
    assert len(shift_of(more).preliminary_golds()) == 5


def test_without_enough_data_the_golds_with_the_most_topics_are_compared():
    # z differs more than y, but has fewer topics
    golds = {"x": gold_of("x", TEN), "y": gold_of("y", TEN[:9]), "z": gold_of("z", TEN[:2])}

    shift = shift_of(golds)

    assert (shift.compared, shift.farthest) == (("y",), "y")
    assert shift.summary().split("\n") == [
        f"Preliminary: 9 topics in common, 100% of the first 10 judged; {TAG}. "
        "Yes, substantially. Under y, compared with x, 1 of 3 system pairs swaps (tau_b 0.000, 9 topics, "
        "100% of the first 10 judged) and the best system changes from a to b.",
        "Preliminary for y and z: 2 to 9 topics in common, 100% of the first 10 judged, tau_b -0.816 to 0.000.",
    ]


def test_other_thresholds_change_the_sentences_and_no_figure():
    golds = {"x": gold_of("x", TEN), "y": gold_of("y", TEN[:9]), "z": gold_of("z", TEN[:2])}
    shift = shift_of(golds)

    low = shift.with_thresholds(Thresholds(2, 0.5))

    assert low.summary() == shift_of(golds, min_topics=2).summary()
    assert low.enough == ("y", "z")
    assert low.ranks is shift.ranks
    assert low.with_thresholds(shift.thresholds).summary() == shift.summary()


def test_half_of_the_first_ten_documents_must_be_judged():
    some = gold_of("z", TEN).query("doc_id == 'z'")  # one of three documents

    golds = {"x": gold_of("x", TEN), "some": some}

    assert shift_of(golds).headline() == (
        f"Preliminary: 10 topics in common, 33% of the first 10 judged; {TAG}. "
        "Yes, substantially. Under some, compared with x, 2 of 3 system pairs swap (tau_b -0.816, 10 topics, 33% of "
        "the first 10 judged) and the best system changes from a to c."
    )
    assert shift_of(golds, min_judged=1 / 3).headline().startswith("Yes, substantially. Under some")


def test_negative_grades_are_not_judged():
    pooled = pd.concat([gold_of("z", TEN[:1]), gold_of("z", TEN[1:]).assign(relevance=-1)])

    assert shift_of({"x": gold_of("x", TEN), "pooled": pooled}).basis[["n_topics", "judged_share"]].values.tolist() == [
        [1, 0.1]
    ]


def test_the_reference_needs_judged_documents_too():
    some = gold_of("z", TEN).query("doc_id == 'z'")

    shift = shift_of({"some": some, "x": gold_of("x", TEN)})

    assert shift.headline().startswith(
        f"Preliminary: 10 topics in common, 33% of the first 10 judged; {TAG}. "
        "Yes, substantially. Under x, compared with some, 2 of 3 system"
    )
    assert shift.preliminary_golds() == [
        "x: 10 topics in common with some, 100% of the first 10 judged (33% under some), tau_b -0.816."
    ]


def test_the_share_of_the_reference_is_that_of_the_common_topics():
    # the reference judges all of the first ten topics and nothing else of many more; only the common ones count
    reference = pd.concat([gold_of("x", TEN), gold_of("x", ("ten", "eleven")).query("doc_id == 'x'")])

    basis = shift_of({"x": reference, "z": gold_of("z", TEN)}, TWELVE).basis

    assert basis[["n_topics", "judged_share", "reference_judged_share"]].values.tolist() == [[10, 1, 1]]


def test_own_topics_need_common_topics_too():
    golds = {"x": gold_of("x", TEN[:6]), "z": gold_of("z", TEN[5:])}

    shift = ranking_shift(runs_of(SYSTEMS, TEN), golds, "AP", topics="own")

    assert shift.pair("x", "z").n_topics == 10
    assert shift.basis["n_topics"].tolist() == [1]
    assert shift.headline().startswith(
        f"Preliminary: 1 topic in common, 100% of the first 10 judged; {TAG}. "
        "Yes, substantially. Under z, compared with x, "
    )


def test_a_share_is_not_rounded_up_to_the_threshold():
    assert Thresholds().shown(0.4999) == "less than 50%"
    assert Thresholds().shown(0.494) == "49%"
    assert Thresholds(10, 0.125).shown(0.124) == "12%"
    assert Thresholds().shown(0.5) == "50%"


# ---- degenerate data


def test_a_single_gold():
    assert shift_of({"x": gold_of("x", TEN)}).summary() == (
        "Cannot be determined: x is the only gold, and a second one is needed."
    )


def test_golds_without_a_common_topic():
    assert shift_of({"x": gold_of("x", TEN[:5]), "z": gold_of("z", TEN[5:])}).summary().split("\n") == [
        f"Cannot be determined: the two golds have no topic in common. {NEEDED}"
    ]


def test_a_gold_without_a_common_topic_has_no_preliminary_figure():
    golds = {"x": gold_of("x", TEN), "z": gold_of("z", TEN), "other": gold_of("z", ("ten", "eleven"))}

    assert shift_of(golds, TWELVE).left_out() == ["Cannot be determined for other: no topic in common."]
    del golds["z"]
    alone = shift_of(golds | {"more": gold_of("z", ("ten",))}, TWELVE)
    assert alone.summary() == (f"Cannot be determined: no gold has a topic in common with x. {NEEDED}")


def test_an_undefined_tau_b_is_listed():
    golds = {"x": gold_of("x", TEN), "z": gold_of("z", TEN), "none": gold_of("nothing", TEN)}

    shift = shift_of(golds)

    assert shift.farthest == "z"
    assert shift.left_out() == ["Cannot be determined for none: tau_b is undefined (all systems tied)."]


def test_nothing_retrieved_is_not_enough():
    runs = runs_of(SYSTEMS, ("p", "q"))  # no run has a topic of both golds
    golds = {"x": gold_of("x", (*TEN, "p")), "z": gold_of("z", (*TEN, "q"))}

    shift = ranking_shift(runs, golds, "AP", min_judged=0)

    assert shift.enough == ()
    assert ", and nothing retrieved. A comparison needs at least" in shift.headline()


def test_measures_are_compared_like_golds():
    graded = gold_of("x", TEN[:2]).assign(relevance=[1, 0, 2] * 2)

    shift = ranking_shift(runs_of(SYSTEMS, TEN), graded, ["AP", "AP(rel=2)"])

    assert shift.headline().startswith("Preliminary: ")
    assert ", 2 topics, " in shift.headline()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_topics": 0}, "min_topics must be a whole number of at least 1, not 0"),
        ({"min_topics": 2.5}, "min_topics must be a whole number of at least 1, not 2.5"),
        ({"min_judged": 1.1}, "min_judged must be a share from 0 to 1, not 1.1"),
        ({"min_judged": "half"}, "min_judged must be a share from 0 to 1, not 'half'"),
        ({"evidence": {"w": gold_of("x")}}, "evidence must be of the golds x, z, not of 'w'"),
    ],
)
def test_invalid_thresholds_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        shift_of({"x": gold_of("x", TEN), "z": gold_of("z", TEN)}, **options)


def test_a_restricted_shift_keeps_its_thresholds():
    golds = {"x": gold_of("x", TEN), "y": gold_of("y", TEN[:2]), "z": gold_of("z", TEN[:2])}

    some = shift_of(golds, min_topics=2).only("z")

    assert some.basis["gold"].tolist() == ["z"]
    assert some.headline().startswith("Yes, substantially. Under z, compared with x,")


# ---- properties

NAMES = ("gold-p", "gold-q", "gold-r", "gold-s")


@st.composite
def golds_of_any_size(draw):
    """Golds that judge any part of four topics with three documents each."""
    golds = {}
    for name in NAMES[: draw(st.integers(2, 4))]:
        pairs = [(topic, doc) for topic in "1234" for doc in "xyz"]
        kept = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
        rows = [(*pair, draw(st.integers(-1, 1))) for pair in kept]
        golds[name] = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    return golds


def enough_by_definition(golds, name, min_topics, min_judged):
    """Whether a gold meets the thresholds, counted from scratch; every system retrieves all three documents."""
    judged = {
        key: set(gold.loc[gold["relevance"] >= 0, ["query_id", "doc_id"]].itertuples(index=False, name=None))
        for key, gold in golds.items()
    }
    listed = {key: set(gold["query_id"]) for key, gold in golds.items()}
    reference = NAMES[0]
    compared = listed[name] & listed[reference]
    common = {topic for topic, _ in judged[name]} & {topic for topic, _ in judged[reference]}
    shares = [
        sum(topic in compared for topic, _ in judged[key]) / (3 * len(compared)) if compared else -1
        for key in (name, reference)
    ]
    return len(common) >= min_topics and min(shares) >= min_judged


@pytest.mark.slow
@given(golds_of_any_size(), st.integers(1, 4), st.sampled_from([0, 0.25, 0.5, 1]))
def test_a_gold_below_a_threshold_is_in_the_headline_only_if_it_is_preliminary(golds, min_topics, min_judged):
    shift = shift_of(golds, tuple("1234"), min_topics=min_topics, min_judged=min_judged)

    headline, below = shift.headline(), " ".join([*shift.left_out(), *shift.preliminary_golds()])
    for name in shift.others:
        if enough_by_definition(golds, name, min_topics, min_judged):
            assert name in shift.enough
        else:
            assert name not in shift.enough
            assert name not in headline or not shift.enough
            assert f"{name}: " in below
    assert shift.preliminary == (not shift.enough)
    if shift.farthest:
        taus = [tau for name in shift.compared if (tau := shift.pair(NAMES[0], name).tau_b.value) is not None]
        assert shift.pair(NAMES[0], shift.farthest).tau_b.value == min(taus)
        answer = "No." if min(taus) > 1 - TIE else "Yes, "
        assert headline.startswith(answer if shift.enough else "Preliminary: ")
        assert (f"; {TAG}. {answer}" in headline) == (not shift.enough)
    else:
        assert headline.startswith("Cannot be determined: ")


@pytest.mark.slow
@given(golds_of_any_size(), st.integers(1, 3))
def test_higher_thresholds_name_fewer_golds(golds, min_topics):
    low = shift_of(golds, tuple("1234"), min_topics=min_topics, min_judged=0.25)
    high = shift_of(golds, tuple("1234"), min_topics=min_topics + 1, min_judged=0.5)

    assert set(high.enough) <= set(low.enough)
    assert high.pairs == low.pairs
