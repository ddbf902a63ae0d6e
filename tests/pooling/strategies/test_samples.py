"""Sampled pools: by hand, against a reference implementation, and the distribution of the random numbers."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool
from tests.examples import examples
from tests.pooling.runs import COUNTS, DEPTHS, ROWS, best_of, lists, rankings_of, run, tasks_of

SEEDS = st.integers(0, 2**64)
STRATA = st.lists(
    st.tuples(st.integers(1, 8), st.sampled_from([0.1, 0.25, 0.5, 1.0])), min_size=1, unique_by=lambda pair: pair[0]
).map(sorted)
LONG = lists(s="abcdefghij", t="jihgfedcba", u="klmno")


def random_number(seed, query_id, doc_id):
    digest = hashlib.blake2b(f"{seed}\0{query_id}\0{doc_id}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) / 2**53


def best_ranks(rankings, depth=None):
    ranks = {}
    for ranking in rankings.values():
        for rank, (doc_id, _) in enumerate(ranking[:depth], start=1):
            ranks[doc_id] = min(rank, ranks.get(doc_id, rank))
    return ranks


def expected_strata(rows, strata, seed):
    drawn = {}
    for query_id, rankings in rankings_of(rows).items():
        ranks, begin = best_ranks(rankings), 1
        for end, rate in strata:
            stratum = {d: random_number(seed, query_id, d) for d, rank in ranks.items() if begin <= rank <= end}
            count = max(round(rate * len(stratum)), 1)
            for doc_id in best_of(stratum, count, query_id):
                drawn[query_id, doc_id] = (f"{begin}-{end}", min(count, len(stratum)) / len(stratum))
            begin = end + 1
    return drawn


def drawn_of(made):
    columns = ["query_id", "doc_id", "stratum", "inclusion_probability"]
    return {(q, d): (stratum, p) for q, d, stratum, p in made.frame[columns].itertuples(index=False, name=None)}


@examples(40)
@given(ROWS, COUNTS, DEPTHS, SEEDS)
def test_random_matches_a_reference_implementation(rows, size, depth, seed):
    expected = []
    for query_id, rankings in rankings_of(rows).items():
        numbers = {doc_id: random_number(seed, query_id, doc_id) for doc_id in best_ranks(rankings, depth)}
        expected += [(query_id, doc_id) for doc_id in best_of(numbers, size, query_id)]
    assert tasks_of(pool(run(rows), "random", seed=seed, size=size, depth=depth)) == expected


@examples(40)
@given(ROWS, STRATA, SEEDS)
def test_stratified_matches_a_reference_implementation(rows, strata, seed):
    assert drawn_of(pool(run(rows), "stratified", seed=seed, strata=strata)) == expected_strata(rows, strata, seed)


@examples(40)
@given(ROWS, SEEDS, st.sampled_from([0.1, 0.3, 1.0]))
def test_inverse_probabilities_sum_to_the_number_of_documents(rows, seed, rate):
    made = pool(run(rows), "stratified", seed=seed, strata=[(2, 1.0), (5, rate), (100, 0.5)])
    added = (1 / made.frame["inclusion_probability"]).groupby(made.frame["query_id"]).sum()
    expected = {query_id: len(best_ranks(rankings)) for query_id, rankings in rankings_of(rows).items()}
    assert added.to_dict() == pytest.approx(expected)


def test_a_stratum_with_rate_one_is_taken_whole():
    # Best ranks: a, j, k 1; b, i, l 2; c, h, m 3; d, g, n 4; e, f, o 5. Strata of 6 and 9: all 6, and a third of 9.
    made = pool(run(LONG), "stratified", seed=5, strata=[(2, 1.0), (5, 1 / 3)])
    assert made.frame["stratum"].value_counts().to_dict() == {"1-2": 6, "3-5": 3}
    assert made.frame.groupby("stratum")["inclusion_probability"].unique().map(list).to_dict() == {
        "1-2": [1.0],
        "3-5": [1 / 3],
    }
    assert {doc_id for _, doc_id in tasks_of(made)[:6]} == set("ajkbil")


def test_a_random_pool_records_inclusion_probabilities():
    made = pool(run(LONG), "random", seed=5, size=3)
    assert drawn_of(made).keys() == set(tasks_of(made))
    assert set(drawn_of(made).values()) == {("random", 3 / 15)}


def test_every_document_is_drawn_equally_often():
    # 15 documents, 3 drawn, 1,000 seeds: each 200 times in the mean, with a standard error of 12.6.
    drawn = Counter(d for seed in range(1_000) for d in _drawn(seed))
    assert set(drawn) == set("abcdefghijklmno")
    assert all(abs(count - 200) < 4 * 12.7 for count in drawn.values())


def _drawn(seed):
    return best_of({doc_id: random_number(seed, "1", doc_id) for doc_id in "abcdefghijklmno"}, 3, "1")


def test_adding_a_run_or_topic_keeps_the_random_numbers():
    before = pool(run(LONG), "random", seed=3, size=15)
    after = pool(run([*LONG, *lists(w="xyz"), *lists("2", s="abc")]), "random", seed=3, size=18)
    kept = [task for task in tasks_of(after) if task[0] == "1" and task[1] not in "xyz"]
    assert kept == tasks_of(before)


def test_another_seed_draws_other_documents():
    assert tasks_of(pool(run(LONG), "random", seed=3, size=4)) != tasks_of(pool(run(LONG), "random", seed=4, size=4))


def test_topics_are_sampled_independently():
    made = tasks_of(pool(run([*lists("1", s="abcdefgh"), *lists("2", s="abcdefgh")]), "random", seed=3, size=8))
    assert [doc_id for topic, doc_id in made if topic == "1"] != [doc_id for topic, doc_id in made if topic == "2"]


@pytest.mark.parametrize(
    ("strata", "sentence"),
    [
        ([], r"strata must be one or more pairs of last rank and rate, such as \(10, 1.0\), not \[\]"),
        ([(10,)], "strata must be one or more pairs"),
        (5, "strata must be one or more pairs .*, not 5"),
        ([10, 1.0], "strata must be one or more pairs"),
        ([(0, 1.0)], "the last rank of a stratum must be a whole number from 1, not 0"),
        ([(10, 1.0), (5, 0.5)], "the last ranks of strata must increase"),
        ([(10, 1.0), (10, 0.5)], "the last ranks of strata must increase"),
        ([(10, 0.0)], "the rate of a stratum must be above 0 and at most 1"),
        ([(10, 1.5)], "the rate of a stratum must be above 0 and at most 1"),
        ([(10, "all")], "the rate of a stratum must be above 0 and at most 1"),
        ([(10, float("nan"))], "the rate of a stratum must be above 0 and at most 1"),
    ],
)
def test_invalid_strata_are_refused(strata, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(run(LONG), "stratified", seed=1, strata=strata)
