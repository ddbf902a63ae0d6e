"""Properties of all strategies, and the best-rank strategies against reference implementations."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import pool
from pooling.strategies import NEED_SCORES, NEED_SEED, STRATEGIES
from tests.examples import examples
from tests.pooling.runs import COUNTS, DEPTHS, ROWS, lists, lot, pairs_of, rankings_of, run, tasks_of

# stat_ap may draw fewer documents, and its samples are not nested.
SIZED = sorted(
    name for name, choose in STRATEGIES.items() if "size" in inspect.signature(choose).parameters and name != "stat_ap"
)
BY_RANK = [name for name in SIZED if name not in NEED_SEED]  # the others draw at random
BUDGETED = ["fair_take", "take"]


def made(runs, strategy, **options):
    return pool(runs, strategy, seed=1 if strategy in NEED_SEED else None, **options)


def candidates_of(rows, depth=None):
    """How many documents each topic has."""
    return {
        query_id: len({doc_id for ranking in rankings.values() for doc_id, _ in ranking[:depth]})
        for query_id, rankings in rankings_of(rows).items()
    }


def best_ranks_of(rows):
    """Of each pair of topic and document, the runs that have it at its best rank: (rank, number of runs)."""
    ranks = {}
    for query_id, rankings in rankings_of(rows).items():
        for ranking in rankings.values():
            for rank, (doc_id, _) in enumerate(ranking, start=1):
                ranks.setdefault((query_id, doc_id), []).append(rank)
    return {pair: (min(found), found.count(min(found))) for pair, found in ranks.items()}


def expected_take(values, budget):
    """The pairs with the highest values, ties to the larger lot."""
    return set(sorted(values, key=lambda pair: (values[pair], lot(*pair)), reverse=True)[:budget])


def test_every_strategy_is_registered_under_its_name():
    names = (
        "depth ntcir take fair_take rrf combsum combmnz combmax combmin combmed combanz borda condorcet dcg rbp random"
    )
    assert sorted(STRATEGIES) == sorted([*names.split(), "stratified", "stat_ap", "ask_people"])
    assert set(STRATEGIES) >= NEED_SCORES
    assert all(choose.__name__ == name and choose.__doc__ for name, choose in STRATEGIES.items())
    assert all(inspect.getmodule(choose).__name__.startswith("pooling.strategies.") for choose in STRATEGIES.values())


@examples(30)
@given(strategy=st.sampled_from(SIZED), rows=ROWS, size=COUNTS, depth=DEPTHS)
def test_size_is_exact(strategy, rows, size, depth):
    sizes = made(run(rows), strategy, size=size, depth=depth).size_by_topic.to_dict()
    assert sizes == {query_id: min(size, n) for query_id, n in candidates_of(rows, depth).items()}


@examples(30)
@given(strategy=st.sampled_from(BUDGETED), rows=ROWS, budget=st.integers(1, 50))
def test_budget_is_exact(strategy, rows, budget):
    assert len(pool(run(rows), strategy, budget=budget)) == min(budget, sum(candidates_of(rows).values()))


@examples(30)
@given(strategy=st.sampled_from([*SIZED, *BUDGETED]), rows=ROWS, size=COUNTS)
def test_a_larger_pool_contains_the_smaller(strategy, rows, size):
    count = "budget" if strategy in BUDGETED else "size"
    smaller, larger = (set(pairs_of(made(run(rows), strategy, **{count: n}))) for n in (size, size + 2))
    assert smaller <= larger


@examples(30)
@given(strategy=st.sampled_from([*SIZED, *BUDGETED]), rows=ROWS, size=COUNTS, data=st.data())
def test_names_and_order_of_the_runs_do_not_matter(strategy, rows, size, data):
    names = dict(zip("stuv", data.draw(st.permutations("stuv")), strict=True))
    count = "budget" if strategy in BUDGETED else "size"
    renamed = [(names[system], *rest) for system, *rest in data.draw(st.permutations(rows))]
    assert tasks_of(made(run(renamed), strategy, **{count: size})) == tasks_of(
        made(run(rows), strategy, **{count: size})
    )


@examples(30)
@given(strategy=st.sampled_from(SIZED), rows=ROWS, size=COUNTS)
def test_topics_are_pooled_independently(strategy, rows, size):
    alone = [row for row in rows if row[1] == rows[0][1]]
    in_topic = [pair for pair in tasks_of(made(run(rows), strategy, size=size)) if pair[0] == rows[0][1]]
    assert tasks_of(made(run(alone), strategy, size=size)) == in_topic


@pytest.mark.parametrize("strategy", BY_RANK)
def test_identical_runs_are_pooled_in_their_common_order(strategy):
    assert tasks_of(pool(run(lists(s="dcab", t="dcab", u="dcab")), strategy, size=3)) == [
        ("1", "d"),
        ("1", "c"),
        ("1", "a"),
    ]


@pytest.mark.parametrize("strategy", [name for name in BY_RANK if name != "condorcet"])
def test_first_documents_of_disjoint_runs_go_first(strategy):
    # Both first documents have the same score, and so have both second ones: ties are resolved by lot.
    first = sorted("ax", key=lambda doc_id: -lot("1", doc_id))
    assert tasks_of(pool(run(lists(s="abc", t="xyz")), strategy, size=4))[:2] == [("1", doc_id) for doc_id in first]


@pytest.mark.parametrize("strategy", SIZED)
def test_a_run_without_a_topic_does_not_affect_it(strategy):
    with_it = run([*lists(s="abc"), *lists("2", s="de", t="ed")])
    without = run([*lists(s="abc"), *lists("2", s="de")])
    first, second = (
        [pair for pair in tasks_of(made(runs, strategy, size=2)) if pair[0] == "1"] for runs in (with_it, without)
    )
    assert first == second


@pytest.mark.parametrize("strategy", [*SIZED, *BUDGETED])
def test_a_pool_can_have_one_document(strategy):
    count = "budget" if strategy in BUDGETED else "size"
    assert pairs_of(made(run([("s", "1", "a", 0.0)]), strategy, **{count: 5})) == [("1", "a")]


@pytest.mark.parametrize("strategy", SIZED)
@pytest.mark.parametrize("options", [{"size": 0}, {"size": 2.0}, {"size": "2"}, {"size": 1, "depth": 0}])
def test_size_and_depth_must_be_positive_whole_numbers(strategy, options):
    with pytest.raises(ValueError, match=r"(size|depth) must be a whole number from 1, not"):
        made(run([("s", "1", "a", 0.0)]), strategy, **options)


@pytest.mark.parametrize("strategy", BUDGETED)
@pytest.mark.parametrize("budget", [0, 2.0])
def test_budget_must_be_a_positive_whole_number(strategy, budget):
    with pytest.raises(ValueError, match=r"budget must be a whole number from 1, not"):
        pool(run([("s", "1", "a", 0.0)]), strategy, budget=budget)


@pytest.mark.slow
@examples(30)
@given(ROWS, st.integers(1, 50))
def test_take_matches_a_reference_implementation(rows, budget):
    values = {pair: -rank for pair, (rank, _) in best_ranks_of(rows).items()}
    assert set(pairs_of(pool(run(rows), "take", budget=budget))) == expected_take(values, budget)


@pytest.mark.slow
@examples(30)
@given(ROWS, st.integers(1, 50))
def test_fair_take_matches_a_reference_implementation(rows, budget):
    values = {pair: (-rank, runs) for pair, (rank, runs) in best_ranks_of(rows).items()}
    assert set(pairs_of(pool(run(rows), "fair_take", budget=budget))) == expected_take(values, budget)


def test_take_selects_more_where_the_runs_disagree():
    # Topic 1: both runs agree, one document at each rank. Topic 2: they share nothing, two documents at each rank.
    runs = run([*lists("1", s="abc", t="abc"), *lists("2", s="abc", t="xyz")])
    assert pool(runs, "take", budget=6).size_by_topic.to_dict() == {"1": 2, "2": 4}


@pytest.mark.parametrize("seed", range(4))
def test_last_rank_of_take_is_by_lot(seed):
    runs = run([*lists("1", s="ab"), *lists("2", s="ac"), *lists("3", s="xb")])
    # Rank 1: a of 1, a of 2, x of 3. Then two of b of 1, c of 2, b of 3.
    last = sorted([("1", "b"), ("2", "c"), ("3", "b")], key=lambda pair: lot(*pair, seed))[1:]
    made = pool(runs, "take", budget=5, seed=seed)
    assert set(pairs_of(made)) == {("1", "a"), ("2", "a"), ("3", "x"), *last}


@pytest.mark.parametrize("strategy", BUDGETED)
def test_the_last_rank_is_not_cut_by_prefixes_of_doc_ids_or_by_topic(strategy):
    # Two runs that each retrieve documents of one source, in 40 topics; half of the 80 first documents are selected.
    rows = [row for topic in range(40) for row in lists(str(topic), s=[f"news-{topic}"], t=[f"web-{topic}"])]
    made = pool(run(rows), strategy, budget=40, seed=1)
    from_web = made.frame["doc_id"].str.startswith("web").sum()
    assert 10 <= from_web <= 30  # 20 expected, standard deviation 2.2
    assert made.frame["query_id"].nunique() >= 24  # 30 expected


FUSED = [name for name in BY_RANK if name != "condorcet"]


@pytest.mark.parametrize("strategy", [*FUSED, "condorcet"])
def test_ties_within_a_topic_are_not_cut_by_prefixes_of_doc_ids(strategy):
    # Each topic: 20 runs with one document each, of two sources. All are tied, and 10 are selected.
    rows = [
        (f"s{n:02}", str(topic), f"{'web' if n % 2 else 'news'}-{n}", 1.0) for topic in range(10) for n in range(20)
    ]
    frame = pool(run(rows), strategy, size=10, seed=3).frame
    from_web = frame["doc_id"].str.startswith("web").groupby(frame["query_id"]).sum()
    assert 35 <= from_web.sum() <= 65  # 50 expected, standard deviation 3.6
    assert from_web.between(1, 9).all()


@pytest.mark.parametrize("strategy", [*FUSED, "condorcet", *BUDGETED])
def test_the_lot_of_a_document_depends_on_nothing_else(strategy):
    # Of 6 tied documents, any 3 leave the order of the others unchanged.
    count = "budget" if strategy in BUDGETED else "size"
    rows = [(f"s{n}", "1", doc_id, 1.0) for n, doc_id in enumerate("abcdef")]
    whole = [doc_id for _, doc_id in tasks_of(pool(run(rows), strategy, **{count: 6}))]
    some = [doc_id for _, doc_id in tasks_of(pool(run(rows[::-2]), strategy, **{count: 3}))]
    assert some == [doc_id for doc_id in whole if doc_id in some]
    orders = {tuple(tasks_of(pool(run(rows), strategy, **{count: 6}, seed=seed))) for seed in range(5)}
    assert len(orders) > 1


@examples(30)
@given(strategy=st.sampled_from([*FUSED, "condorcet", *BUDGETED]), rows=ROWS, size=COUNTS, seed=st.integers(0, 9))
def test_the_first_tasks_of_a_pool_are_the_smaller_pool(strategy, rows, size, seed):
    # Selection and judging order resolve ties by the same lots.
    rows = [row for row in rows if row[1] == rows[0][1]]
    count = "budget" if strategy in BUDGETED else "size"
    smaller, larger = (tasks_of(pool(run(rows), strategy, **{count: n}, seed=seed)) for n in (size, size + 3))
    assert larger[: len(smaller)] == smaller


def test_last_rank_of_fair_take_prefers_documents_of_most_runs():
    # All firsts are a. At rank 2, two runs have b and one has z: with some seeds, take chooses z.
    runs = run(lists(s="ab", t="ab", u="az"))
    made = {name: [pairs_of(pool(runs, name, budget=2, seed=seed)) for seed in range(6)] for name in BUDGETED}
    assert made["fair_take"] == [[("1", "a"), ("1", "b")]] * 6
    assert [("1", "a"), ("1", "z")] in made["take"]
