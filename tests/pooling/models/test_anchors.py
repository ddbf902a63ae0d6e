"""The fixed set of pairs: equally many from each topic, reproducible, and independent of the order of the pairs."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.models import Pair, anchor_pairs
from tests.examples import examples


def pairs_of(*sizes):
    return [Pair(f"t{topic}", f"d{n}", {}, "text") for topic, size in enumerate(sizes) for n in range(size)]


def test_topics_have_equally_many_pairs_as_far_as_they_have_them():
    drawn = anchor_pairs(pairs_of(20, 1, 20), 10, seed=1)
    by_topic = Counter(pair.query_id for pair in drawn)
    assert by_topic["t1"] == 1
    assert sorted(by_topic.values()) == [1, 4, 5]
    assert len({pair.query_id for pair in drawn[:3]}) == 3


@examples(30)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=6).filter(any), st.data())
def test_the_set_depends_on_pairs_number_and_seed_alone(sizes, data):
    pairs = pairs_of(*sizes)
    n, seed = data.draw(st.integers(1, len(pairs))), data.draw(st.integers(0, 9))
    drawn = anchor_pairs(pairs, n, seed)
    assert len({(pair.query_id, pair.doc_id) for pair in drawn}) == n
    assert drawn == anchor_pairs(data.draw(st.permutations(pairs)), n, seed)
    assert drawn == anchor_pairs(pairs, len(pairs), seed)[:n]
    counts = Counter(pair.query_id for pair in drawn)
    short = [size for topic, size in enumerate(sizes) if counts[f"t{topic}"] < max(counts.values()) - 1]
    assert all(size < max(counts.values()) for size in short)


def test_another_seed_draws_another_set():
    pairs = pairs_of(50)
    assert len({tuple(pair.doc_id for pair in anchor_pairs(pairs, 10, seed)) for seed in range(5)}) == 5


@pytest.mark.parametrize("n", [0, -1, 4, 1.5, True, "2"])
def test_the_number_must_be_possible(n):
    with pytest.raises(ValueError, match=r"n must be an integer from 1 to the number of pairs, 3, not"):
        anchor_pairs(pairs_of(3), n, seed=1)


def test_a_pair_twice_is_refused():
    with pytest.raises(ValueError, match="The pair of topic t0, document d0 occurs twice"):
        anchor_pairs(pairs_of(1) * 2, 1, seed=1)
