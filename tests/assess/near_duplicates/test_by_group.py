"""One judgement applies to all near-duplicates of an assessor: it is copied, changed and undone with its source."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.errors import Conflict, Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.models import Assignment, Document, Judgement, JudgementEvent
from assess.near_duplicates.by_group import judged_by_group
from assess.pools.assign import assign
from tests.assess.claiming import fresh
from tests.assess.near_duplicates.grouped import add_group, assignment_of, grouped_collection, judged, task_of
from tests.factories import remove_content, set_content

pytestmark = pytest.mark.database


@pytest.fixture
def members(db, add_assessors):
    """Two assessors with all documents, of which a, b and c, and d and e are near-duplicates."""
    collection = grouped_collection("abc", "de")
    members = add_assessors(collection, "ada", "ben")
    assign(collection, judges=2)
    return members


@pytest.fixture
def ada(members):
    return members[0]


def record(member, doc_id, state="judged", grade=None, client_id=None, **fields):
    """Record a judgement made with a key."""
    judgement = JudgementInput(state, grade, input="key", **fields)
    task = assignment_of(member, doc_id).public_id
    return record_judgement(fresh(member), task, judgement, client_id or uuid.uuid4())


def by_hand(grade):
    return ("judged", grade, "key")


def by_group(grade):
    return ("judged", grade, "group")


UNDONE_BY_GROUP = ("undone", None, "group")


def test_grade_applies_to_the_other_documents_of_the_group(members):
    ada, ben = members
    event = record(ada, "b", grade=1, comment="why", confidence=3, active_ms=900, passages=[[0, 2]])
    assert judged(ada) == {"a": by_group(1), "b": by_hand(1), "c": by_group(1)}
    assert judged(ben) == {}
    assert judged_by_group(event) == [task_of(ada, "a"), task_of(ada, "c")]
    for other in Judgement.objects.filter(input="group"):
        assert (other.comment, other.confidence, other.passages, other.active_ms) == ("", None, [], 0)
        assert other.guidelines_version == event.guidelines_version
    assert {row.state for row in Assignment.objects.filter(member=ada, task__judgements__isnull=False)} == {"judged"}
    assert list(ledger_problems()) == []


def test_events_follow_in_the_chain_and_show_no_text(ada):
    source = record(ada, "b", grade=1)
    events = list(JudgementEvent.objects.order_by("position"))
    assert [(event.position, event.input, event.client_id is None) for event in events] == [
        (1, "key", False),
        (2, "group", True),
        (3, "group", True),
    ]
    assert {event.actor_id for event in events} == {source.actor_id}
    assert bytes(events[1].document_hash) == bytes(events[2].document_hash) != bytes(source.document_hash)
    assert bytes(events[1].topic_hash) == bytes(source.topic_hash)


def test_changing_and_undoing_the_source_changes_those_by_group(ada):
    record(ada, "a", grade=1)
    event = record(ada, "a", grade=0)
    assert judged(ada) == {"a": by_hand(0), "b": by_group(0), "c": by_group(0)}
    assert len(judged_by_group(event)) == 2
    event = record(ada, "a", "undone")
    assert judged(ada) == {"a": ("undone", None, "key"), "b": UNDONE_BY_GROUP, "c": UNDONE_BY_GROUP}
    assert len(judged_by_group(event)) == 2
    record(ada, "a", grade=1)
    assert judged(ada) == {"a": by_hand(1), "b": by_group(1), "c": by_group(1)}
    assert list(ledger_problems()) == []


@pytest.mark.parametrize(("state", "fields"), [("later", {}), ("cannot_judge", {"reason": "broken"})])
def test_source_without_a_grade_takes_the_others_back(ada, state, fields):
    record(ada, "a", grade=1)
    record(ada, "a", state, **fields)
    assert judged(ada) == {"a": (state, None, "key"), "b": UNDONE_BY_GROUP, "c": UNDONE_BY_GROUP}


@pytest.mark.parametrize(("state", "fields"), [("later", {}), ("cannot_judge", {"reason": "broken"})])
def test_only_grades_are_copied(ada, state, fields):
    event = record(ada, "a", state, **fields)
    assert judged(ada) == {"a": (state, None, "key")}
    assert judged_by_group(event) == []


def test_revised_judgement_is_no_longer_by_group_and_changes_nothing_else(ada):
    record(ada, "a", grade=1)
    event = record(ada, "b", grade=0)
    assert judged(ada) == {"a": by_hand(1), "b": by_hand(0), "c": by_group(1)}
    assert judged_by_group(event) == []
    # Two were made by hand now, so neither decides about c.
    record(ada, "a", grade=0)
    record(ada, "b", grade=1)
    record(ada, "b", "undone")
    assert judged(ada) == {"a": by_hand(0), "b": ("undone", None, "key"), "c": by_group(1)}
    # Only a is left by hand: it decides again.
    record(ada, "a", grade=1)
    assert judged(ada) == {"a": by_hand(1), "b": by_group(1), "c": by_group(1)}


def test_undoing_a_judgement_by_group_undoes_it_alone(ada):
    record(ada, "a", grade=1)
    record(ada, "b", "undone")
    assert judged(ada) == {"a": by_hand(1), "b": ("undone", None, "key"), "c": by_group(1)}


def test_postponed_and_undone_documents_are_judged_and_others_left_alone(ada):
    record(ada, "a", "later")
    record(ada, "b", "cannot_judge", reason="broken")
    record(ada, "c", grade=1)
    assert judged(ada) == {"a": by_group(1), "b": ("cannot_judge", None, "key"), "c": by_hand(1)}


def test_document_without_text_is_left_out(ada):
    remove_content(Document.objects.filter(doc_id="b"))
    set_content(Document.objects.filter(doc_id="c"), text=" \n")
    event = record(ada, "a", grade=1)
    assert judged(ada) == {"a": by_hand(1)}
    assert judged_by_group(event) == []


def test_document_outside_the_pool_is_left_out(ada):
    assignment_of(ada, "b").task.provenance.delete()
    record(ada, "a", grade=1)
    assert set(judged(ada)) == {"a", "c"}


@pytest.mark.parametrize("rules", [{"rule": "apart"}, {"rule": "together"}, {"passages": "required"}])
def test_other_rules_copy_nothing(db, join, rules):
    collection = grouped_collection("abc", **rules)
    ada = join(collection, "ada")
    assign(collection, judges=1)
    record(ada, "a", grade=1, passages=[[0, 2]])
    record(ada, "a", grade=0)
    assert judged(ada) == {"a": by_hand(0)}


def test_rule_that_ended_keeps_judgements_by_group(ada):
    record(ada, "a", grade=1)
    type(ada.collection).objects.update(near_duplicates="apart")
    record(ada, "a", grade=0)
    assert judged(ada) == {"a": by_hand(0), "b": by_group(1), "c": by_group(1)}


def test_documents_of_other_assessors_and_topics_are_left_alone(db, add_assessors):
    collection = grouped_collection()
    add_group(collection, "abc", query_id=None)  # of the whole collection
    ada, ben = add_assessors(collection, "ada", "ben")
    assign(collection, judges=1)
    own = Assignment.objects.filter(member=ada).values_list("task__document__doc_id", flat=True)
    of_group = sorted(set(own) & set("abc"))
    assert 0 < len(of_group) < 3, "both have one of the group"
    record(ada, of_group[0], grade=1)
    assert sorted(judged(ada)) == of_group
    assert judged(ben) == {}


def test_repeated_request_copies_nothing_twice(ada):
    client_id = uuid.uuid4()
    first = record(ada, "a", grade=1, client_id=client_id)
    again = record(ada, "a", grade=1, client_id=client_id)
    assert again == first
    assert judged_by_group(again) == judged_by_group(first) == [task_of(ada, "b"), task_of(ada, "c")]
    assert JudgementEvent.objects.count() == 3
    record(ada, "b", grade=0)
    record(ada, "a", grade=1, client_id=client_id)  # late
    assert judged(ada)["b"] == by_hand(0)
    with pytest.raises(Conflict):
        record(ada, "a", grade=0, client_id=client_id)
    assert JudgementEvent.objects.count() == 4


def test_refused_judgement_changes_no_document_of_the_group(ada):
    with pytest.raises(Refused):
        record(ada, "a", grade=7)
    assert not JudgementEvent.objects.exists()


def test_nobody_can_send_the_mark(ada):
    judgement = JudgementInput("judged", 1, input="group")
    with pytest.raises(Refused, match="Input must be one of key, pointer, form, not 'group'"):
        record_judgement(fresh(ada), assignment_of(ada, "a").public_id, judgement, uuid.uuid4())


def test_hidden_repeats_are_not_judged_by_group(db, join):
    collection = grouped_collection("abc")
    ada = join(collection, "ada")
    assign(collection, judges=1, repeats=0.5)
    record(ada, "a", grade=1)
    assert set(Judgement.objects.values_list("repeat", flat=True)) == {0}
    repeats = Assignment.objects.filter(member=ada, repeat=1, task__document__doc_id__in="abc")
    assert repeats.count() > 0
    for repeat in repeats:
        record_judgement(fresh(ada), repeat.public_id, JudgementInput("judged", 0, input="key"), uuid.uuid4())
    assert judged(ada) == {"a": by_hand(1), "b": by_group(1), "c": by_group(1)}


def test_judgement_of_a_document_without_a_group_costs_few_statements_more(ada):
    counts = {}
    for rule, doc_id in (("apart", "f"), ("once", "g")):
        type(ada.collection).objects.update(near_duplicates=rule)
        member, task = fresh(ada), assignment_of(ada, doc_id).public_id
        with CaptureQueriesContext(connection) as statements:
            record_judgement(member, task, JudgementInput("judged", 1), uuid.uuid4())
        counts[rule] = len(statements)
    # The assignment, the lock of the member, the group's assignments, and the others' states.
    assert counts["once"] - counts["apart"] <= 4
