"""The largest pool within a number of documents per topic, compared with pools that are really made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import STRATEGIES, largest_pool, pool, prepare
from pooling.planning.pool_size import documents_by_depth, growing_parameter
from pooling.strategies import NEED_SEED
from tests.examples import examples
from tests.pooling.runs import DEPTHS, ROWS, lists, run
from tests.realdata import dl19_runs

FITTED = sorted(set(STRATEGIES) - {"stratified"})
# Topic 1: 2, 3 and 5 documents at depths 1, 2 and 3. Topic 2: 1 and 2 documents, and no third rank.
BY_HAND = run([*lists(alpha="abc", beta="bde"), *lists("2", alpha="xy", beta="x")])


def seed_of(strategy: str) -> dict[str, int]:
    return {"seed": 1} if strategy in NEED_SEED else {}


@pytest.mark.parametrize(
    ("target", "value", "documents"),
    [
        (1.5, 1, 3),
        (2.49, 1, 3),
        (2.5, 2, 5),  # (3 + 2) / 2, exactly the target
        (3.5, 3, 7),  # (5 + 2) / 2
        (1_000, 3, 7),  # deeper pools are the same, because no run has a fourth document
    ],
)
def test_depth_by_hand(target, value, documents):
    size = largest_pool(BY_HAND, "depth", documents_per_topic=target)
    assert (size.parameter, size.value, size.documents, size.topics) == ("depth", value, documents, 2)


@pytest.mark.parametrize(
    ("target", "value", "documents"),
    [(1, 1, 2), (2, 2, 4), (2.5, 3, 5), (3.4, 4, 6), (3.5, 5, 7), (9, 5, 7)],  # topic 2 has only two documents
)
def test_size_by_hand(target, value, documents):
    size = largest_pool(BY_HAND, "rrf", documents_per_topic=target)
    assert (size.parameter, size.value, size.documents) == ("size", value, documents)


def test_budget_by_hand():
    assert largest_pool(BY_HAND, "take", documents_per_topic=2.5).value == 5
    assert largest_pool(BY_HAND, "take", documents_per_topic=2.4).value == 4
    assert largest_pool(BY_HAND, "take", documents_per_topic=50).value == 7


def test_depth_limits_what_a_size_can_reach():
    # At depth 1, topic 1 has 2 documents and topic 2 has one.
    size = largest_pool(BY_HAND, "rrf", documents_per_topic=9, depth=1)
    assert (size.value, size.documents) == (2, 3)


def test_counts_by_depth():
    assert documents_by_depth(prepare(BY_HAND)).tolist() == [[2, 3, 5], [1, 2, 2]]


@pytest.mark.slow
def test_published_depth_pool_of_dl19():
    """The 37 runs pooled to depth 10 give 2,495 documents of 43 topics (docs/studies/pooling.md), 58.02 per topic."""
    runs = prepare(dl19_runs())
    at_target = largest_pool(runs, "depth", documents_per_topic=2_495 / 43)
    assert (at_target.value, at_target.documents, at_target.topics) == (10, 2_495, 43)
    assert largest_pool(runs, "depth", documents_per_topic=58).value == 9


@examples(50)
@given(ROWS, st.sampled_from(FITTED), st.floats(0.25, 12))
def test_pool_meets_the_target_and_the_next_larger_one_does_not(rows, strategy, target):
    runs = run(rows)
    topics = runs["query_id"].nunique()
    parameter = growing_parameter(strategy)

    def documents(value):
        return len(pool(runs, strategy, **{parameter: value}, **seed_of(strategy)))

    try:
        size = largest_pool(runs, strategy, documents_per_topic=target)
    except ValueError:
        assert documents(1) > target * topics
        return
    everything = len(runs.drop_duplicates(["query_id", "doc_id"]))
    assert documents(size.value) <= size.documents <= target * topics
    if strategy != "stat_ap":
        assert documents(size.value) == size.documents
        assert size.documents == everything or documents(size.value + 1) > target * topics


@examples(50)
@given(ROWS, DEPTHS, st.floats(1, 12), st.floats(1, 12))
def test_larger_target_gives_no_smaller_pool(rows, depth, one, other):
    sizes = [largest_pool(run(rows), "rrf", documents_per_topic=target, depth=depth) for target in sorted((one, other))]
    assert sizes[0].value <= sizes[1].value
    assert sizes[0].documents <= sizes[1].documents


def test_sentence():
    size = largest_pool(BY_HAND, "rrf", documents_per_topic=2.5)
    assert str(size) == "rrf with size 3 has 5 documents in 2 topics, 2.5 per topic"


def test_one_document_is_the_smallest_pool():
    size = largest_pool(run(lists(only="a")), "depth", documents_per_topic=1)
    assert (size.value, size.documents, size.per_topic) == (1, 1, 1.0)


def test_target_below_the_smallest_pool_is_refused():
    with pytest.raises(ValueError, match=r"^documents_per_topic must be at least 1\.5, not 1: the smallest pool"):
        largest_pool(BY_HAND, "depth", documents_per_topic=1)


@pytest.mark.parametrize("target", [0, -1, float("nan"), float("inf"), "50", None, True])
def test_invalid_target_is_refused(target):
    with pytest.raises(ValueError, match="documents_per_topic must be a number above 0, not"):
        largest_pool(BY_HAND, "depth", documents_per_topic=target)


def test_huge_target_takes_everything():
    assert largest_pool(BY_HAND, "depth", documents_per_topic=1e300).documents == 7


def test_strategies_without_one_growing_parameter_are_refused():
    with pytest.raises(ValueError, match="strategy 'stratified' has no single parameter that its pool grows with"):
        largest_pool(BY_HAND, "stratified", documents_per_topic=5)
    with pytest.raises(ValueError, match="strategy 'hedge' is unknown"):
        largest_pool(BY_HAND, "hedge", documents_per_topic=5)


@pytest.mark.parametrize("strategy", ["depth", "take"])
def test_depth_besides_depth_or_budget_is_refused(strategy):
    with pytest.raises(ValueError, match=f"strategy '{strategy}' takes no depth besides its"):
        largest_pool(BY_HAND, strategy, documents_per_topic=5, depth=2)
