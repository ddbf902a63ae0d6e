"""The sample of documents that a class judges: disputed and clear documents, topics in turn, in a random order."""

from collections import Counter

import pytest

from assess.models import Task
from assess.teaching import sampling
from assess.transfer.judgements import import_judgements
from tests.assess.exercise_factories import (
    DISPUTED,
    DISPUTED_IF_BINARY,
    DOCUMENTS,
    NONRELEVANT,
    RELEVANT,
    RUNS,
    judged_collection,
)
from tests.factories import remove_content, set_content, small_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(db):
    return judged_collection()


def named(tasks: list[int]) -> list[tuple[str, str]]:
    rows = Task.objects.select_related("topic", "document").in_bulk(tasks)
    return [(rows[pk].topic.query_id, rows[pk].document.doc_id) for pk in tasks]


def choose(source, query_ids=(), n=8, seed=1, **options) -> list[tuple[str, str]]:
    return named(sampling.choose_tasks(source, query_ids, n, seed, **options))


def count_kinds(sample, disputed=DISPUTED) -> tuple[int, int, int]:
    doc_ids = [doc_id for _, doc_id in sample]
    relevant = (RELEVANT | DISPUTED) - disputed
    return tuple(sum(doc_id in kind for doc_id in doc_ids) for kind in (disputed, relevant, NONRELEVANT))


@pytest.mark.parametrize("seed", range(5))
def test_half_is_disputed_and_half_of_the_rest_is_relevant(source, seed):
    sample = choose(source, seed=seed)
    assert count_kinds(sample) == (4, 2, 2)
    assert Counter(query_id for query_id, _ in sample) == {"1": 4, "2": 4}
    assert len(set(sample)) == 8


def test_odd_number_has_one_more_disputed(source):
    assert count_kinds(choose(source, n=7)) == (4, 2, 1)
    assert count_kinds(choose(source, n=2)) == (1, 1, 0)


@pytest.mark.parametrize("seed", range(5))
def test_binary_scale_counts_only_disputes_about_relevance(source, seed):
    sample = choose(source, n=16, seed=seed, binary=True)
    assert count_kinds(sample, DISPUTED_IF_BINARY) == (8, 4, 4)


def test_missing_kind_is_replaced_by_others(source):
    assert count_kinds(choose(source, ["1"], n=11)) == (6, 3, 2)
    assert count_kinds(choose(source, ["1"], n=12)) == (6, 3, 3)
    assert len(choose(source, ["1"], n=100)) == 12
    assert {query_id for query_id, _ in choose(source, ["2"], n=100)} == {"2"}


@pytest.mark.slow
def test_order_does_not_show_the_kind(source):
    """Over many seeds, every position has disputed documents about as often as clear ones."""
    at = Counter()
    for seed in range(60):
        at.update(place for place, (_, doc_id) in enumerate(choose(source, seed=seed)) if doc_id in DISPUTED)
    assert all(15 <= at[place] <= 45 for place in range(8))


def test_same_seed_gives_same_sample(source):
    assert choose(source, seed=5) == choose(source, seed=5)
    assert len({tuple(choose(source, seed=seed)) for seed in range(10)}) == 10


def test_without_judgements_the_best_ranks_are_spread():
    source = small_collection(RUNS, "unjudged", depth=12)
    sample = sampling.choose_tasks(source, ["1"], 4, 3)
    ranks = dict(Task.objects.filter(pk__in=sample).values_list("pk", "provenance__best_rank"))
    # Twelve documents, ranked from both ends: the best ranks are 1 to 6, so there are the bands 1, 2-3 and 4-6.
    assert {rank.bit_length() for rank in ranks.values()} == {1, 2, 3}
    assert len(sampling.choose_tasks(source, [], 100, 3)) == 24


def test_document_without_text_is_never_chosen(source):
    remove_content(source.documents.filter(doc_id__in=DOCUMENTS[:10]))
    assert sorted(choose(source)) == [("1", "d11"), ("1", "d12"), ("2", "d11"), ("2", "d12")]
    set_content(source.documents.filter(doc_id="d11"), text="")  # an empty text is a text
    assert len(choose(source)) == 4


def test_one_judgement_makes_no_document_clear_or_disputed(source):
    sample = sampling.candidates(source, ["1"], 1)
    assert Counter(each.kind for each in sample) == {"disputed": 6, "relevant": 3, "nonrelevant": 3}
    alone = small_collection(RUNS, "alone", depth=12)
    import_judgements(alone, b"assessor,query_id,doc_id,relevance\nada,1,d01,1\n")
    assert {each.kind for each in sampling.candidates(alone, [], 1)} == {"unknown"}


def test_other_tasks_exclude_chosen_tasks(source):
    first = sampling.choose_tasks(source, ["1"], 5, 1)
    more = sampling.other_tasks(source, ["1"], first, 4, 1)
    assert len(set(more)) == 4
    assert not set(more) & set(first)
    assert len(sampling.other_tasks(source, ["1"], first, 100, 1)) == 7
    assert sampling.other_tasks(source, ["1"], first, 0, 1) == []


def test_number_of_queries_is_constant(source, django_assert_num_queries):
    with django_assert_num_queries(3):
        sampling.choose_tasks(source, [], 20, 1)
