"""Which documents a class judges: disputed and plain ones, topics in turn, and nothing that betrays which is which."""

from collections import Counter

import pytest

from assess.models import Task
from assess.teaching import sampling
from assess.transfer.judgement_import import import_judgements
from tests.assess.exercise_factories import (
    DISPUTED,
    DISPUTED_IF_BINARY,
    DOCUMENTS,
    NONRELEVANT,
    RELEVANT,
    RUNS,
    judged_collection,
)
from tests.factories import small_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(db):
    return judged_collection()


def named(tasks: list[int]) -> list[tuple[str, str]]:
    rows = Task.objects.select_related("topic", "document").in_bulk(tasks)
    return [(rows[pk].topic.query_id, rows[pk].document.doc_id) for pk in tasks]


def chosen(source, query_ids=(), n=8, seed=1, **options) -> list[tuple[str, str]]:
    return named(sampling.choose_tasks(source, query_ids, n, seed, **options))


def kinds(found, disputed=DISPUTED) -> tuple[int, int, int]:
    doc_ids = [doc_id for _, doc_id in found]
    relevant = (RELEVANT | DISPUTED) - disputed
    return tuple(sum(doc_id in kind for doc_id in doc_ids) for kind in (disputed, relevant, NONRELEVANT))


@pytest.mark.parametrize("seed", range(5))
def test_half_is_disputed_and_the_plain_half_is_half_relevant(source, seed):
    found = chosen(source, seed=seed)
    assert kinds(found) == (4, 2, 2)
    assert Counter(query_id for query_id, _ in found) == {"1": 4, "2": 4}
    assert len(set(found)) == 8


def test_an_odd_number_leans_to_the_disputed(source):
    assert kinds(chosen(source, n=7)) == (4, 2, 1)
    assert kinds(chosen(source, n=2)) == (1, 1, 0)


@pytest.mark.parametrize("seed", range(5))
def test_on_a_binary_scale_only_a_doubt_about_relevance_is_a_dispute(source, seed):
    found = chosen(source, n=16, seed=seed, binary=True)
    assert kinds(found, DISPUTED_IF_BINARY) == (8, 4, 4)


def test_what_lacks_is_filled_with_others(source):
    assert kinds(chosen(source, ["1"], n=11)) == (6, 3, 2)
    assert kinds(chosen(source, ["1"], n=12)) == (6, 3, 3)
    assert len(chosen(source, ["1"], n=100)) == 12
    assert {query_id for query_id, _ in chosen(source, ["2"], n=100)} == {"2"}


def test_the_order_tells_nothing_of_the_kind(source):
    """Over many seeds every place holds disputed documents about as often as plain ones."""
    at = Counter()
    for seed in range(60):
        at.update(place for place, (_, doc_id) in enumerate(chosen(source, seed=seed)) if doc_id in DISPUTED)
    assert all(15 <= at[place] <= 45 for place in range(8))


def test_chance_is_the_seeds(source):
    assert chosen(source, seed=5) == chosen(source, seed=5)
    assert len({tuple(chosen(source, seed=seed)) for seed in range(10)}) == 10


def test_without_judgements_the_best_ranks_are_spread():
    source = small_collection(RUNS, "unjudged", depth=12)
    found = sampling.choose_tasks(source, ["1"], 4, 3)
    ranks = dict(Task.objects.filter(pk__in=found).values_list("pk", "provenance__best_rank"))
    # Twelve documents, ranked from both ends: the best ranks are 1 to 6, so there are the bands 1, 2-3 and 4-6.
    assert {rank.bit_length() for rank in ranks.values()} == {1, 2, 3}
    assert len(sampling.choose_tasks(source, [], 100, 3)) == 24


def test_a_document_without_text_is_never_chosen(source):
    source.documents.filter(doc_id__in=DOCUMENTS[:10]).update(text=None)
    assert sorted(chosen(source)) == [("1", "d11"), ("1", "d12"), ("2", "d11"), ("2", "d12")]
    source.documents.filter(doc_id="d11").update(text="")  # an empty text is a text
    assert len(chosen(source)) == 4


def test_one_judgement_makes_no_document_plain_or_disputed(source):
    found = sampling.candidates(source, ["1"], 1)
    assert Counter(each.kind for each in found) == {"disputed": 6, "relevant": 3, "nonrelevant": 3}
    alone = small_collection(RUNS, "alone", depth=12)
    import_judgements(alone, b"assessor,query_id,doc_id,relevance\nada,1,d01,1\n")
    assert {each.kind for each in sampling.candidates(alone, [], 1)} == {"unknown"}


def test_the_others_are_others(source):
    first = sampling.choose_tasks(source, ["1"], 5, 1)
    more = sampling.other_tasks(source, ["1"], first, 4, 1)
    assert len(set(more)) == 4
    assert not set(more) & set(first)
    assert len(sampling.other_tasks(source, ["1"], first, 100, 1)) == 7
    assert sampling.other_tasks(source, ["1"], first, 0, 1) == []


def test_few_queries_for_however_many_documents(source, django_assert_num_queries):
    with django_assert_num_queries(3):
        sampling.choose_tasks(source, [], 20, 1)
