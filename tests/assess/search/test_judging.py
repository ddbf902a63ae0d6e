"""A result that is judged enters the pool with its provenance."""

import pytest

from assess.analysis.data import collection_judgements
from assess.campaign.overview import overview
from assess.errors import Conflict, Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, OpenedResult, Provenance, SearchedTask, State, Task
from assess.people.erasure import erase
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.claims import open_to_claims
from assess.pools.tasks import pooled_tasks
from assess.search.find import search
from assess.search.open import open_result
from assess.search.permission import may_search, permit_search
from assess.search.recorded import recorded_searches
from tests.assess.search.found import add_searcher, first_topic, judge, open_document, searchable_collection


@pytest.fixture
def ada(db):
    return add_searcher(searchable_collection())


def test_opened_result_is_not_in_the_pool(ada):
    before = pooled_tasks(ada.collection).count()
    made, assignment = open_document(ada, "mill", "mill")
    assert pooled_tasks(ada.collection).count() == before
    assert OpenedResult.objects.get().search == made
    assert worklist.card(ada, assignment.public_id).title == "The water mill"


def test_judged_result_enters_the_pool_with_its_provenance(ada):
    before = pooled_tasks(ada.collection).count()
    made, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    task = Task.objects.get(document__doc_id="mill")
    assert pooled_tasks(ada.collection).count() == before + 1
    assert task.provenance.systems == []
    assert (task.searched.search, task.searched.search.member) == (made, ada)
    assert task.searched.entered_at is not None
    frame = collection_judgements(ada.collection)
    assert frame[["assessor", "query_id", "doc_id", "relevance"]].to_numpy().tolist() == [["ada", "1", "mill", 1]]


def test_postponed_or_unjudgeable_results_do_not_enter_the_pool(ada):
    before = pooled_tasks(ada.collection).count()
    _, assignment = open_document(ada, "mill", "mill")
    record_judgement(ada, assignment.public_id, JudgementInput(State.LATER), assignment.public_id)
    assert pooled_tasks(ada.collection).count() == before
    judge(ada, assignment)
    assert pooled_tasks(ada.collection).count() == before + 1


def test_opening_a_result_twice_changes_nothing(ada):
    made, first = open_document(ada, "mill", "mill")
    rank = OpenedResult.objects.get().rank
    assert open_result(ada, made, rank) == first
    assert OpenedResult.objects.count() == Assignment.objects.filter(member=ada).count() == 1


def test_pooled_result_keeps_its_systems(ada):
    _, assignment = open_document(ada, '"text of a"', "a")
    judge(ada, assignment)
    assert Provenance.objects.get(task=assignment.task).systems
    assert not SearchedTask.objects.exists()


def test_assigned_result_is_the_same_assignment(ada):
    assign(ada.collection)
    _, assignment = open_document(ada, '"text of a"', "a")
    assert Assignment.objects.filter(member=ada, task=assignment.task).count() == 1


def test_provenance_names_the_search_of_who_judged(ada):
    bob = add_searcher(ada.collection, "bob")
    open_document(ada, "mill", "mill")
    made, assignment = open_document(bob, "mill name", "mill")
    judge(bob, assignment)
    assert SearchedTask.objects.get().search == made


def test_later_pool_adds_the_systems_and_its_undo_removes_them(ada):
    topic = first_topic(ada.collection)
    _, assignment = open_document(ada, '"text of c" OR mill', "mill")
    judge(ada, assignment)
    build_pool(ada.collection, depth=3)
    undo_pool(ada.collection)
    assert Provenance.objects.get(task=assignment.task).systems == []
    assert pooled_tasks(ada.collection).filter(topic=topic, document__doc_id="mill").exists()


def test_others_get_the_document_when_it_is_assigned(ada):
    bob = add_searcher(ada.collection, "bob")
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    assign(ada.collection, judges=2)
    assert Assignment.objects.filter(member=bob, task=assignment.task).exists()


def test_open_collection_offers_the_document_to_others(ada):
    bob = add_searcher(ada.collection, "bob")
    open_to_claims(ada.collection, 2)
    ada.collection.refresh_from_db()
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    task = Task.objects.get(pk=assignment.task_id)
    assert (task.wanted, task.taken) == (2, 1)
    bob.collection.refresh_from_db()
    titles = {card.title for card in worklist.upcoming(bob, first_topic(bob.collection))}
    assert "The water mill" in titles


def test_document_with_all_its_judges_cannot_be_opened(ada):
    bob = add_searcher(ada.collection, "bob")
    open_to_claims(ada.collection, 1)
    for member in (ada, bob):
        member.collection.refresh_from_db()
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    with pytest.raises(Conflict, match="all the judgements it needs"):
        open_document(bob, "mill", "mill")
    assert not Assignment.objects.filter(member=bob, task=assignment.task).exists()


def test_nothing_is_opened_while_judging_is_closed(ada):
    made = search(ada, first_topic(ada.collection), "mill")
    ada.collection.judging_open = False
    with pytest.raises(Refused):
        open_result(ada, made, 1)
    assert not OpenedResult.objects.exists()


def test_result_that_does_not_exist_is_refused(ada):
    made = search(ada, first_topic(ada.collection), "mill")
    for rank in (0, 3):
        with pytest.raises(Refused, match=f"there is no result {rank}"):
            open_result(ada, made, rank)


def test_erased_searcher_leaves_the_pool_without_a_name(ada):
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    erase([ada], "on request", ada.collection)
    assert SearchedTask.objects.get().search is None
    assert not OpenedResult.objects.exists()


def test_recorded_searches_count_what_came_of_them(ada):
    for doc_id, grade in (("mill", 1), ("windmill", 0)):
        _, assignment = open_document(ada, "mill", doc_id)
        judge(ada, assignment, grade)
    search(ada, first_topic(ada.collection), "nothing")
    empty, second, first = recorded_searches(ada.collection)
    assert (empty.query, empty.matched, empty.opened) == ("nothing", 0, 0)
    assert (second.opened, second.judged, second.relevant, second.pooled) == (1, 1, 0, 1)
    assert (first.opened, first.judged, first.relevant, first.pooled) == (1, 1, 1, 1)


def test_permission_is_off_by_default_and_can_be_withdrawn(ada, join):
    bob = join(ada.collection, "bob")
    assert not may_search(bob)
    permit_search(ada.collection, [bob.name])
    assert (may_search(ada), may_search(bob)) == (False, True)
    with pytest.raises(Refused, match="cannot search"):
        permit_search(ada.collection, ["nobody"])
    assert may_search(bob)


def test_opened_results_are_not_counted_as_judged_outside_the_pool(ada):
    _, assignment = open_document(ada, "mill", "mill")
    assert overview(ada.collection).outside_pool == 0
    judge(ada, assignment)
    assert overview(ada.collection).outside_pool == 0


def test_adaptive_order_goes_on_after_a_search(ada):
    assign(ada.collection)
    begin_adaptive_order(ada.collection, "move_to_front", rel=1)
    ada.collection.refresh_from_db()
    before = [card.title for card in worklist.upcoming(ada, first_topic(ada.collection))]
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    assert [card.title for card in worklist.upcoming(ada, first_topic(ada.collection))] == before
