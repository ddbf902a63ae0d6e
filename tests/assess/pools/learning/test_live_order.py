"""The learner proposes from the whole collection, as the library's replay does."""

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, LearnerModel, Proposal, Provenance, Task
from assess.pools.adaptive_order import end_adaptive_order
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.claims import open_to_claims
from assess.pools.learning import begin as learning_begin
from assess.pools.learning import learner
from assess.pools.learning.propose import RESERVE, SPARE, enter_pool, withdraw_spares
from assess.pools.learning.replay import replay_learner
from tests.assess.pools.adaptive import fresh, judge, pooled
from tests.assess.pools.learning.whole import (
    begin,
    doc_ids,
    judge_cards,
    library_replay,
    proposed,
    ranking,
    relevant,
    texts,
    versions,
    whole_collection,
)

pytestmark = pytest.mark.database


def judge_next(member, topic) -> str:
    (doc_id,) = doc_ids(member, topic, limit=1)
    judge_cards(member, topic, [doc_id])
    return doc_id


def holds(member, topic) -> set[str]:
    """The documents that the assessor has."""
    return set(Assignment.objects.filter(member=member, topic=topic).values_list("task__document__doc_id", flat=True))


# ---- the order is the library's


@pytest.mark.slow
def test_one_judge_gets_the_documents_of_the_librarys_replay(whole, ada, topic, at_once):
    begin(whole)
    judged = [judge_next(ada, topic) for _ in range(40)]
    assert judged == library_replay(whole, topic, 40)
    assert sum(relevant(topic, doc_id) for doc_id in judged[:25]) == 15  # all of them
    assert versions(topic)[:5] == [(1, 0, 1), (2, 1, 2), (3, 3, 3), (4, 6, 4), (5, 10, 5)]
    assert len(versions(topic)) == 9
    result = replay_learner(whole)
    assert (result.models, result.problems) == (10, [])
    assert result.proposals >= 40


@pytest.mark.slow
def test_whole_collection_is_judged_in_the_order_of_the_replay(whole, ada, topic, at_once):
    begin(whole)
    judged = []
    while doc_ids(ada, topic, limit=1):
        judged.append(judge_next(ada, topic))
    assert judged == library_replay(whole, topic, 90)
    assert pooled(topic) == sorted(judged)


@pytest.mark.slow
def test_assigned_documents_are_ordered_as_in_the_replay(db, join, at_once):
    every = [f"d{number:03}" for number in range(90)]
    whole = whole_collection(runs={"all": {"1": every, "2": every[:3]}}, judges=None)
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    build_pool(whole, depth=100)
    assign(whole, judges=1)
    begin(whole)
    assert [judge_next(ada, topic) for _ in range(30)] == library_replay(whole, topic, 30)
    assert len(pooled(topic)) == 90
    assert pooled(whole.topics.get(query_id="2")) == every[:3]  # nobody is assigned anything else


@pytest.mark.slow
def test_runs_and_pool_do_not_limit_what_is_proposed(db, join, at_once):
    whole = whole_collection(runs={"some": {"1": ["d001", "d002", "d006"], "2": ["d001"]}})
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    build_pool(whole, depth=3)
    begin(whole)
    assert [judge_next(ada, topic) for _ in range(20)] == library_replay(whole, topic, 20)
    origins = dict(Provenance.objects.filter(task__topic=topic).values_list("task__document__doc_id", "systems"))
    assert origins["d006"] == ["some"]
    assert origins["d000"] == []
    entered = Proposal.objects.filter(model__topic=topic, entered_pool=True)
    assert {doc_id for doc_id, systems in origins.items() if not systems} == set(
        entered.values_list("document__doc_id", flat=True)
    )


def test_existing_judgements_teach_the_first_model(whole, ada, topic, at_once):
    begin(whole)
    judged = [judge_next(ada, topic) for _ in range(7)]
    end_adaptive_order(fresh(ada).collection)
    begin(whole)
    assert versions(topic)[-1] == (len(versions(topic)), 7, 1)
    assert not set(judged) & set(ranking(topic))
    assert doc_ids(ada, topic, limit=1) == ranking(topic)[:1]


# ---- undo, repeats, documents that cannot be judged


@pytest.mark.in_ci
def test_undone_judgement_comes_first_and_is_forgotten_by_the_next_model(whole, ada, topic, at_once):
    begin(whole)
    judged = [judge_next(ada, topic) for _ in range(4)]
    judge(ada, topic, judged[1], state="undone")
    assert doc_ids(ada, topic, limit=1) == [judged[1]]
    judge(ada, topic, judged[1], 1 - relevant(topic, judged[1]))  # changed
    judged += [judge_next(ada, topic) for _ in range(2)]
    doc_ids(ada, topic, limit=1)
    model = LearnerModel.objects.filter(topic=topic).last()
    grades = {doc_id: relevant(topic, doc_id) for doc_id in judged}
    grades[judged[1]] = 1 - grades[judged[1]]
    keys = dict(whole.documents.values_list("pk", "doc_id"))
    assert {keys[document]: grade for document, grade in model.judged} == grades


def test_document_that_cannot_be_judged_goes_to_somebody_else(whole, ada, bob, topic, at_once):
    begin(whole)
    (first,) = doc_ids(ada, topic, limit=1)
    assignment = Assignment.objects.get(member=ada, topic=topic)
    record_judgement(fresh(ada), assignment.public_id, JudgementInput("cannot_judge", reason="broken"), uuid.uuid4())
    assert doc_ids(ada, topic, limit=1) == ranking(topic)[1:2]
    assert doc_ids(bob, topic, limit=1) == [first]
    assert versions(topic) == [(1, 0, 1)]


@pytest.mark.slow
def test_postponed_document_comes_last(whole, ada, topic):
    begin(whole)
    (first,) = doc_ids(ada, topic, limit=1)
    judge(ada, topic, first, state="later")
    after: list[str] = []
    while (cards := doc_ids(ada, topic, limit=16)) != [first]:
        judge_cards(ada, topic, cards[:1])
        after += cards[:1]
    assert len(after) == 89


@pytest.mark.slow
def test_hidden_repeats_come_later_and_teach_nothing(whole, ada, topic, at_once):
    Collection.objects.filter(pk=whole.pk).update(repeat_share=0.2)
    whole.refresh_from_db()
    begin(whole)
    shown = []
    while len(set(shown)) < 40:
        card = doc_ids(ada, topic, limit=16)[0]
        again = card in shown
        assert not again or card not in shown[-5:]
        judge(ada, topic, card, relevant(topic, card) ^ again, repeat=int(again))
        shown.append(card)
    assert len(shown) > 43
    assert set(proposed(topic)) > set(shown)
    learned = LearnerModel.objects.filter(topic=topic).last()
    doc_id_of = dict(whole.documents.values_list("pk", "doc_id"))
    assert all(grade == relevant(topic, doc_id_of[document]) for document, grade in learned.judged)


# ---- several assessors


def test_several_assessors_share_the_proposals(whole, ada, bob, topic):
    begin(whole)
    first = ranking(topic)
    assert doc_ids(ada, topic) == first[:5]
    assert doc_ids(bob, topic) == first[5:10]
    judge_cards(ada, topic, first[:3])
    assert doc_ids(ada, topic) == [*first[3:5], *first[10:13]]  # the next model is not trained yet
    assert pooled(topic) == sorted(first[:14])  # one more is in the pool


def test_second_judges_come_before_new_documents(db, join):
    whole = whole_collection(judges=2)
    topic, ada, bob, cem = whole.topics.get(query_id="1"), *(join(whole, name) for name in ("ada", "bob", "cem"))
    begin(whole, rule="intersection")
    first = ranking(topic)
    assert doc_ids(ada, topic) == doc_ids(bob, topic) == first[:5]
    assert doc_ids(cem, topic) == first[5:10]
    judge_cards(ada, topic, first[:5])
    assert doc_ids(ada, topic) == first[5:10]
    assert set(Task.objects.filter(topic=topic, taken__gt=0).values_list("taken", flat=True)) == {2}


@pytest.mark.slow
def test_rule_says_when_documents_are_decided(db, join, at_once):
    whole = whole_collection(judges=2)
    topic, ada, bob = whole.topics.get(query_id="1"), join(whole, "ada"), join(whole, "bob")
    begin(whole, rule="both_agree")
    first = doc_ids(ada, topic)
    judge_cards(ada, topic, first)
    doc_ids(ada, topic)
    assert versions(topic) == [(1, 0, 1)]  # one judge decides nothing
    assert doc_ids(bob, topic)[:3] == first[:3]
    judge_cards(bob, topic, first[:3])
    doc_ids(bob, topic)
    assert versions(topic) == [(1, 0, 1), (2, 3, 2)]


# ---- the pool


def test_topic_has_something_to_claim_as_soon_as_it_is_open(db, join):
    whole = whole_collection(judges=None)
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    begin(whole)
    assert pooled(topic) == []
    open_to_claims(whole, 1)
    assert pooled(topic) == ranking(topic)[:1]
    assert doc_ids(ada, topic, limit=2) == ranking(topic)[:2]


def test_end_removes_what_entered_the_pool_for_nobody(whole, ada, topic):
    begin(whole)
    cards = doc_ids(ada, topic)
    judge_cards(ada, topic, cards[:2])
    end_adaptive_order(fresh(ada).collection)
    assert pooled(topic) == sorted(cards)
    assert proposed(topic)[:1] + sorted(proposed(topic)[1:]) == ranking(topic)[:1] + sorted(ranking(topic)[1:6])
    assert sorted(doc_ids(ada, topic)) == sorted(cards[2:])


def test_pool_built_later_keeps_the_proposed_documents(db, join):
    whole = whole_collection(runs={"some": {"1": ["d000", "d002", "d003"], "2": ["d001"]}})
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    begin(whole)
    held = set(doc_ids(ada, topic))
    build_pool(whole, depth=3)
    assert set(pooled(topic)) >= held | {"d000", "d002", "d003"}
    assert Provenance.objects.get(task__topic=topic, task__document__doc_id="d000").systems == ["some"]
    assert set(doc_ids(ada, topic)) == held


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 16])
def test_documents_that_everybody_has_judged_are_the_end(whole, ada, bob, topic, at_once, limit):
    begin(whole)
    members, judged = [ada, bob], []
    while cards := doc_ids(members[0], topic, limit=limit):
        judge_cards(members[0], topic, cards)
        judged += cards
        members.reverse()
    assert len(judged) == len(set(judged)) == 90


@pytest.mark.parametrize("begun", [30, 80])
def test_claim_sends_the_same_short_statements_however_many_are_begun(db, join, begun):
    whole = whole_collection(judges=2)
    topic, ada, bob = whole.topics.get(query_id="1"), join(whole, "ada"), join(whole, "bob")
    begin(whole)
    cards = doc_ids(ada, topic, limit=begun)
    with CaptureQueriesContext(connection) as queries:
        assert doc_ids(bob, topic) == cards[:5]
    statements = [query["sql"] for query in queries]
    assert len(statements) <= 25
    assert max(keys_in(statement) for statement in statements) == 5 + SPARE + RESERVE


def keys_in(statement: str) -> int:
    """Return the length of the longest list of keys in a statement."""
    return max((len(keys.split(",")) for keys in re.findall(r"IN \(([\d, ]+)\)", statement)), default=0)


@pytest.mark.slow
def test_documents_behind_the_ranking_follow_when_the_rule_decides_nothing(db, join, monkeypatch, at_once):
    """A model ranks its batch and two more. Only ada decides, and bob judges everything."""
    monkeypatch.setattr(learner, "AHEAD", 2)
    whole = whole_collection()
    topic, bob = whole.topics.get(query_id="1"), join(whole, "bob")
    ada = join(whole, "ada")
    begin(whole, rule=f"judge:{ada.name}")
    first = ranking(topic)
    judged: list[str] = []
    while cards := doc_ids(bob, topic):
        judge_cards(bob, topic, cards)
        judged += cards
    others = [doc_id for doc_id in sorted(texts()) if doc_id not in first]
    assert (len(first), judged) == (3, first + others)
    assert versions(topic) == [(1, 0, 1)]
    positions = Proposal.objects.filter(model__topic=topic).order_by("position").values_list("position", flat=True)
    assert list(positions) == list(range(90))
    assert replay_learner(whole).problems == []


def test_first_document_behind_the_ranking_keeps_the_topic_visible(db, join, monkeypatch):
    monkeypatch.setattr(learner, "AHEAD", 0)
    whole = whole_collection()
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    begin(whole)
    assert len(ranking(topic)) == 1
    doc_ids(ada, topic, limit=1)
    assert Task.objects.filter(topic=topic, taken=0, provenance__isnull=False).count() == 1


def test_end_takes_equally_many_statements_for_many_proposals(whole, topic):
    begin(whole)
    model = LearnerModel.objects.get(topic=topic)
    numbers = []
    for count in (2, 60):
        enter_pool(whole, model, model.ranking[:count])
        with CaptureQueriesContext(connection) as queries:
            assert withdraw_spares(whole) >= count
        numbers.append(len(queries))
        Proposal.objects.all().delete()
    assert numbers[0] == numbers[1] < 30
    assert pooled(topic) == []


def test_models_of_simultaneous_beginnings_have_different_versions(whole, topic, monkeypatch):
    """Another order begins while the first models are trained."""
    new_model = learning_begin.new_model

    def meanwhile(*arguments, **options):
        monkeypatch.undo()
        begin(whole)
        return new_model(*arguments, **options)

    monkeypatch.setattr(learning_begin, "new_model", meanwhile)
    begin(whole)
    assert [version for version, *_ in versions(topic)] == [1, 2]
