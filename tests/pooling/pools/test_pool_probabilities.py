"""Inclusion probabilities of unions, differences and extended pools."""

import pandas as pd
import pytest

from pooling import pool
from tests.pooling.runs import lists, run


def sample(seed=1, size=2, ranking="abcd"):
    return pool(run(lists(s=ranking)), "random", seed=seed, size=size)


def probabilities(made):
    return made.frame.set_index("doc_id")["inclusion_probability"].to_dict()


def documents(*doc_ids):
    return pd.DataFrame({"query_id": ["1"] * len(doc_ids), "doc_id": list(doc_ids)})


@pytest.mark.parametrize("seed", range(4))
def test_a_union_with_a_certain_pool_keeps_other_probabilities(seed):
    drawn, certain = sample(seed), pool(run(lists(s="abcd")), depth=2)
    # Two of four are drawn: p = 1/2; a and b are certain.
    expected = dict.fromkeys(drawn.frame["doc_id"], 0.5) | {"a": 1.0, "b": 1.0}
    assert probabilities(drawn.union(certain)) == expected
    assert probabilities(certain.union(drawn)) == expected


@pytest.mark.soak
def test_the_weights_of_a_union_are_unbiased():
    # Over every draw, a document is worth 1 in the mean: c and d have the p of the draw, a and b are always included.
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


def test_two_samples_have_neither_union_nor_difference():
    with pytest.raises(ValueError, match=r"both pools were drawn at random, .*; draw one stratified sample instead"):
        sample(1).union(sample(2))
    for first in (sample(1), pool(run(lists(s="abcd")), depth=4)):
        with pytest.raises(ValueError, match=r"the pool to subtract was drawn at random, .*; draw one stratified"):
            first.difference(sample(2))


def test_a_difference_keeps_the_probabilities_of_a_sample():
    rest = sample(1, size=3).difference(pool(run(lists(s="abcd")), depth=1))
    assert set(probabilities(rest)) == set(sample(1, size=3).frame["doc_id"]) - {"a"}
    assert set(probabilities(rest).values()) == {0.75}


def test_a_sample_without_uncertain_documents_is_still_a_sample():
    all_of_it = pool(run(lists(s="abcd")), depth=4)
    emptied = sample(1).difference(all_of_it)
    made_certain = sample(1).with_documents(documents(*"abcd"))
    for changed in (emptied, made_certain, emptied.union(all_of_it)):
        with pytest.raises(ValueError, match="draw one stratified sample"):
            changed.union(sample(2))


def test_a_sample_of_everything_is_certain():
    everything = sample(1, size=9)
    assert set(probabilities(everything.union(sample(2))).values()) == {1.0}


def test_a_drawn_document_that_is_added_becomes_certain():
    drawn = sample(1)
    kept, added = drawn.frame["doc_id"]
    made = drawn.with_documents(documents(added, "x"))
    assert probabilities(made) == {kept: 0.5, added: 1.0, "x": 1.0}
    assert made.parameters == {"size": 2, "depth": None, "added": {"hand": 1, "made_certain": 1}}
    assert drawn.parameters == {"size": 2, "depth": None}
    assert made.with_documents(documents("y"), "search").parameters["added"] == {
        "hand": 1,
        "search": 1,
        "made_certain": 1,
    }
    assert made.describe().startswith("random (size 2, seed 1) over 1 system: 3 tasks")
    assert probabilities(drawn.with_documents(documents(added))) == {kept: 0.5, added: 1.0}
