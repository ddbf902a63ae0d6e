"""A result that is judged enters the pool with its provenance."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.analysis.data import collection_judgements
from assess.campaign.overview import overview
from assess.errors import Conflict, Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, LearnerModel, OpenedResult, Proposal, Provenance, SearchedTask, State, Task
from assess.people.erasure import erase
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.claims import open_to_claims
from assess.pools.learning.propose import enter_pool
from assess.pools.slots import slot_problems
from assess.pools.tasks import pooled_tasks
from assess.releases.choices import ReleaseChoices
from assess.releases.freeze import create_release
from assess.releases.spec import written_time
from assess.releases.verify import verify_stored
from assess.search.find import search
from assess.search.found_documents import found_only_by_searching
from assess.search.permission import may_search, open_result, permit_search
from assess.search.recorded import recorded_searches
from tests.assess.releases.conftest import files_of, without_reports  # noqa: F401 - a fixture
from tests.assess.search.found import (
    add_documents,
    add_searcher,
    first_topic,
    judge,
    open_document,
    searchable_collection,
)

pytestmark = pytest.mark.database(slow=True)


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


@pytest.mark.in_ci
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


@pytest.mark.in_ci
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


@pytest.mark.in_ci
def test_adaptive_order_goes_on_after_a_search(ada):
    assign(ada.collection)
    begin_adaptive_order(ada.collection, "move_to_front", rel=1)
    ada.collection.refresh_from_db()
    before = [card.title for card in worklist.upcoming(ada, first_topic(ada.collection))]
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    assert [card.title for card in worklist.upcoming(ada, first_topic(ada.collection))] == before


# ---- undo


def undo(member, assignment) -> None:
    record_judgement(member, assignment.public_id, JudgementInput(State.UNDONE), uuid.uuid4())


def test_undone_judgement_takes_the_document_out_of_the_pool_again(ada):
    before = pooled_tasks(ada.collection).count()
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    undo(ada, assignment)
    assert pooled_tasks(ada.collection).count() == before
    assert SearchedTask.objects.get().entered_at is None
    assert found_only_by_searching(ada.collection) == set()
    judge(ada, assignment)
    assert pooled_tasks(ada.collection).count() == before + 1
    assert found_only_by_searching(ada.collection) == {("1", "mill")}


def test_undone_document_is_not_offered_to_others_in_an_open_collection(ada):
    bob = add_searcher(ada.collection, "bob")
    open_to_claims(ada.collection, 2)
    for member in (ada, bob):
        member.collection.refresh_from_db()
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    undo(ada, assignment)
    task = Task.objects.get(pk=assignment.task_id)
    assert (task.wanted, task.taken) == (0, 0)
    titles = {card.title for card in worklist.upcoming(bob, first_topic(bob.collection))}
    assert "The water mill" not in titles
    assert list(slot_problems(ada.collection)) == []
    judge(ada, assignment)
    task.refresh_from_db()
    assert (task.wanted, task.taken) == (2, 1)
    assert list(slot_problems(ada.collection)) == []


def test_undone_document_stays_if_somebody_else_has_it(ada):
    bob = add_searcher(ada.collection, "bob")
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    assign(ada.collection, judges=2)
    undo(ada, assignment)
    assert pooled_tasks(ada.collection).filter(pk=assignment.task_id).exists()
    assert Assignment.objects.filter(member=bob, task=assignment.task).exists()
    assert found_only_by_searching(ada.collection) == set()  # nobody has judged it


def test_undone_document_stays_if_a_run_or_every_document_was_pooled(ada):
    _, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    build_pool(ada.collection, "every_document")
    undo(ada, assignment)
    assert pooled_tasks(ada.collection).filter(pk=assignment.task_id).exists()


def test_undone_judgement_of_a_document_of_a_run_changes_nothing(ada):
    before = pooled_tasks(ada.collection).count()
    _, assignment = open_document(ada, '"text of a"', "a")
    judge(ada, assignment)
    undo(ada, assignment)
    assert pooled_tasks(ada.collection).count() == before


# ---- documents that something else pools after they were opened


def test_document_that_was_pooled_before_its_judgement_is_not_found_by_searching(ada):
    _, assignment = open_document(ada, "mill", "mill")
    build_pool(ada.collection, "every_document")
    judge(ada, assignment)
    assert not SearchedTask.objects.filter(entered_at__isnull=False).exists()
    assert found_only_by_searching(ada.collection) == set()
    undo(ada, assignment)
    assert pooled_tasks(ada.collection).filter(pk=assignment.task_id).exists()


def test_document_that_the_learner_proposed_before_its_judgement_is_not_found_by_searching(ada):
    open_to_claims(ada.collection, 1)
    ada.collection.refresh_from_db()
    _, assignment = open_document(ada, "mill", "mill")
    add_documents(ada.collection, {doc_id: ("", f"text of {doc_id}") for doc_id in "cf"})  # which runs retrieved
    begin_adaptive_order(ada.collection, "cal")
    model = LearnerModel.objects.get(topic=assignment.topic_id)
    enter_pool(ada.collection, model, [assignment.task.document_id])
    judge(ada, assignment)
    assert not SearchedTask.objects.exists()
    proposal = Proposal.objects.get(model=model, document=assignment.task.document_id)
    assert proposal.entered_pool


def test_learner_does_not_take_credit_for_what_a_search_brought_meanwhile(ada):
    """The ranking was read before the searcher's judgement was committed."""
    open_to_claims(ada.collection, 1)
    ada.collection.refresh_from_db()
    _, assignment = open_document(ada, "mill", "mill")
    add_documents(ada.collection, {doc_id: ("", f"text of {doc_id}") for doc_id in "cf"})  # which runs retrieved
    begin_adaptive_order(ada.collection, "cal")
    model = LearnerModel.objects.get(topic=assignment.topic_id)
    judge(ada, assignment)
    assert enter_pool(ada.collection, model, [assignment.task.document_id])
    assert SearchedTask.objects.get().entered_at is not None
    assert not Proposal.objects.filter(document=assignment.task.document_id).exists()


# ---- releases


@pytest.fixture
def released(ada, without_reports):  # noqa: F811
    """A release of what bob and ada judged. One document was found by ada."""
    bob = add_searcher(ada.collection, "bob")
    made, assignment = open_document(ada, "mill", "mill")
    judge(ada, assignment)
    _, other = open_document(bob, '"text of a"', "a")
    judge(bob, other)
    SearchedTask.objects.update(entered_at=timezone.now() - timedelta(minutes=1))
    return made


def pool_rows(release) -> dict[str, dict]:
    rows = [json.loads(line) for line in files_of(release)["pool.jsonl"].splitlines()]
    return {row["doc_id"]: row for row in rows if row["query_id"] == "1"}


@pytest.mark.in_ci
def test_release_states_what_searching_added_before_it(ada, released):
    stored = create_release(ada.collection, ReleaseChoices("main", "union"))
    row = pool_rows(stored)["mill"]
    assert (row["systems"], row["best_rank"]) == ([], None)
    assert row["found_by_search"] == {
        "searcher": "ada",
        "query": "mill",
        "searched_at": written_time(released.searched_at),
        "entered_pool_at": written_time(SearchedTask.objects.get().entered_at),
    }
    assert "found_by_search" not in pool_rows(stored)["a"]
    _, later = open_document(ada, "wind*", "windmill")
    judge(ada, later)
    assert pooled_tasks(ada.collection).filter(document__doc_id="windmill").exists()
    assert verify_stored(stored).problems == []


@pytest.mark.in_ci
def test_released_document_stays_in_the_pool_when_its_judgement_is_undone(ada, released):
    stored = create_release(ada.collection, ReleaseChoices("main", "union"))
    undo(ada, Assignment.objects.get(member=ada, task__document__doc_id="mill"))
    assert verify_stored(stored).problems == []


@pytest.mark.slow
def test_release_without_the_searchers_judgements_names_nobody_and_survives_the_erasure(ada, released):
    stored = create_release(ada.collection, ReleaseChoices("main", "union", judges=["bob"]))
    assert pool_rows(stored)["mill"]["found_by_search"].keys() == {"entered_pool_at"}
    erase([ada], "on request", ada.collection)
    stored.refresh_from_db()
    assert verify_stored(stored).problems == []


@pytest.mark.slow
def test_release_with_the_searchers_judgements_is_withdrawn_by_the_erasure(ada, released):
    stored = create_release(ada.collection, ReleaseChoices("main", "union"))
    erase([ada], "on request", ada.collection)
    stored.refresh_from_db()
    assert stored.archive is None
    second = create_release(ada.collection, ReleaseChoices("main", "union"))
    assert pool_rows(second)["mill"]["found_by_search"].keys() == {"entered_pool_at"}
    assert verify_stored(second).problems == []
