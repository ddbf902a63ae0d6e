"""Probabilities of inclusion where pools are put together, taken from each other, and added to."""

import pandas as pd
import pytest

from pooling import pool
from tests.pooling.runs import lists, run


def sample(seed=1, size=2, ranking="abcd"):
    return pool(run(lists(s=ranking)), "random", seed=seed, size=size)


def probabilities(made):
    return made.frame.set_index("doc_id")["inclusion_probability"].to_dict()


def found(*doc_ids):
    return pd.DataFrame({"query_id": ["1"] * len(doc_ids), "doc_id": list(doc_ids)})


@pytest.mark.parametrize("seed", range(4))
def test_what_a_certain_pool_has_is_certain_in_a_union_and_the_rest_keeps_its_probability(seed):
    drawn, certain = sample(seed), pool(run(lists(s="abcd")), depth=2)
    # Two of four are drawn: p = 1/2; a and b are certain.
    expected = dict.fromkeys(drawn.frame["doc_id"], 0.5) | {"a": 1.0, "b": 1.0}
    assert probabilities(drawn.union(certain)) == expected
    assert probabilities(certain.union(drawn)) == expected


def test_the_weights_of_a_union_with_a_certain_pool_are_right_over_all_draws():
    # Over every draw, a document is worth 1 in the mean: p of the draw holds for c and d, a and b are always there.
    certain, draws = pool(run(lists(s="abcd")), depth=2), 60
    worth = dict.fromkeys("abcd", 0.0)
    for seed in range(draws):
        for doc_id, p in probabilities(sample(seed).union(certain)).items():
            worth[doc_id] += 1 / p / draws
    # Each of c and d counts 2 half of the time: a standard error of 1 / sqrt(60) = 0.13.
    assert worth == {
        "a": pytest.approx(1),
        "b": pytest.approx(1),
        "c": pytest.approx(1, abs=0.39),
        "d": pytest.approx(1, abs=0.39),
    }


def test_two_samples_are_neither_put_together_nor_taken_from_each_other():
    with pytest.raises(ValueError, match=r"both pools were drawn at random, .*: draw one stratified sample instead"):
        sample(1).union(sample(2))
    for first in (sample(1), pool(run(lists(s="abcd")), depth=4)):
        with pytest.raises(ValueError, match=r"taken away was drawn at random, .*: draw one stratified sample instead"):
            first.difference(sample(2))


def test_a_sample_without_what_is_certain_keeps_its_probabilities():
    rest = sample(1, size=3).difference(pool(run(lists(s="abcd")), depth=1))
    assert set(probabilities(rest)) == set(sample(1, size=3).frame["doc_id"]) - {"a"}
    assert set(probabilities(rest).values()) == {0.75}


def test_a_sample_stays_one_when_nothing_uncertain_is_left_in_it():
    all_of_it = pool(run(lists(s="abcd")), depth=4)
    emptied = sample(1).difference(all_of_it)
    made_certain = sample(1).with_documents(found(*"abcd"))
    for changed in (emptied, made_certain, emptied.union(all_of_it)):
        with pytest.raises(ValueError, match="draw one stratified sample"):
            changed.union(sample(2))


def test_a_draw_that_took_everything_is_certain():
    everything = sample(1, size=9)
    assert set(probabilities(everything.union(sample(2))).values()) == {1.0}


def test_what_was_drawn_and_found_by_hand_too_is_certain():
    drawn = sample(1)
    kept, given = drawn.frame["doc_id"]
    made = drawn.with_documents(found(given, "x"))
    assert probabilities(made) == {kept: 0.5, given: 1.0, "x": 1.0}
    assert made.parameters == {"size": 2, "depth": None, "added": {"hand": 1, "made_certain": 1}}
    assert drawn.parameters == {"size": 2, "depth": None}
    assert made.with_documents(found("y"), "search").parameters["added"] == {"hand": 1, "search": 1, "made_certain": 1}
    assert made.describe().startswith("random (size 2, seed 1) over 1 system: 3 tasks")
    assert probabilities(drawn.with_documents(found(given))) == {kept: 0.5, given: 1.0}
