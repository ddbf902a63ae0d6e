"""Near-duplicates in the queue: one after the other, or one of each group at a time."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.judging import worklist
from assess.models import Assignment, JudgementKind
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from tests.assess.claiming import fresh, judge, topic_of
from tests.assess.near_duplicates.grouped import add_group, grouped_collection, queue, task_of

pytestmark = pytest.mark.database


@pytest.fixture
def ada_with(db, join):
    """A function that returns an assessor with all documents of a collection with these groups and rules."""

    def ada_with(*groups: str, **rules):
        collection = grouped_collection(*groups, **rules)
        ada = join(collection, "ada")
        assign(collection, judges=1)
        return ada

    return ada_with


def test_members_follow_their_first_one(ada_with):
    ada = ada_with("adg", "bh", rule="together")
    assert queue(ada) == "adgbhcef"


def test_begun_groups_come_first(ada_with):
    ada = ada_with("ag", "bh", rule="together")
    judge(ada, task_of(ada, "h"))
    assert queue(ada) == "bagcdef"
    assert queue(ada, besides="bg") == "acdef"
    judge(ada, task_of(ada, "g"), "cannot_judge")
    assert queue(ada) == "abcdef"


def test_group_that_a_page_has_in_part_is_continued_first(ada_with):
    ada = ada_with("bh", "ag", rule="together")
    judge(ada, task_of(ada, "a"))
    assert queue(ada, besides="bc") == "hgdef"


def test_page_that_ends_within_a_group_continues_it(ada_with):
    ada = ada_with("ag", rule="together")
    cards = worklist.upcoming(fresh(ada), topic_of(ada), limit=1)
    assert [card.doc_id for card in cards] == ["a"]
    assert queue(ada, besides="a") == "gbcdefh"


def test_undone_documents_come_first_and_postponed_ones_last(ada_with):
    ada = ada_with("ag", "bdh", rule="together")
    for doc_id in "fd":
        judge(ada, task_of(ada, doc_id))
        judge(ada, task_of(ada, doc_id), "undone")
    judge(ada, task_of(ada, "b"), "later")
    assert queue(ada) == "dfhagceb"


def test_group_of_the_whole_collection_holds_within_each_topic(ada_with):
    ada = ada_with(rule="together")
    add_group(ada.collection, "ah", query_id=None)
    assert queue(ada) == "ahbcdefg"


def test_order_of_each_assessor_is_kept_apart_from_the_groups(ada_with):
    ada = ada_with("ah", rule="together", order="shuffled")
    order = queue(ada)
    type(ada.collection).objects.update(near_duplicates="apart")
    apart = queue(ada)
    assert abs(order.index("a") - order.index("h")) == 1
    others = [doc_id for doc_id in apart if doc_id not in "ah"]
    assert [doc_id for doc_id in order if doc_id not in "ah"] == others


def test_adaptive_order_is_kept_apart_from_the_groups(ada_with):
    ada = ada_with("ah", rule="together")
    begin_adaptive_order(ada.collection, "move_to_front")
    assert queue(ada) == "ahbcdefg"


@pytest.mark.parametrize("rule", ["apart", "together", "once"])
def test_number_of_statements_does_not_depend_on_the_groups(ada_with, rule):
    ada = ada_with("ab", rule=rule)
    counts = []
    for doc_ids in ("", "cd", "efgh"):
        add_group(ada.collection, doc_ids)
        member, topic = fresh(ada), topic_of(ada)
        with CaptureQueriesContext(connection) as statements:
            worklist.upcoming(member, topic)
        counts.append(len(statements))
        names = " ".join(statement["sql"] for statement in statements)
        assert ("groupmember" in names) == (rule != "apart")
    assert len(set(counts)) == 1


# ---- one judgement applies to all


@pytest.mark.slow
def test_one_document_of_a_group_is_open_at_a_time(ada_with):
    ada = ada_with("adg", "bh")
    assert queue(ada) == "abcef"
    assert queue(ada, besides="abc") == "ef"
    judge(ada, task_of(ada, "a"), input="key")
    assert queue(ada) == "bcef"
    judge(ada, task_of(ada, "a"), "undone", input="key")
    assert queue(ada) == "abcef"


def test_next_one_follows_if_the_first_gets_no_grade(ada_with):
    ada = ada_with("adg")
    judge(ada, task_of(ada, "a"), "cannot_judge")
    assert queue(ada) == "bcdefh"
    judge(ada, task_of(ada, "d"), "later")
    assert queue(ada) == "bcefgh"
    judge(ada, task_of(ada, "g"), "later")
    assert queue(ada) == "bcefhd"
    assert queue(ada, besides="bcefh") == "d"
    assert queue(ada, besides="d") == "bcefh"


def test_postponed_document_on_a_page_does_not_hide_the_new_ones(ada_with):
    ada = ada_with("adg")
    judge(ada, task_of(ada, "a"), "later")
    assert queue(ada, besides="a") == "bcdefh"


def test_document_undone_by_hand_comes_before_those_undone_by_group(ada_with):
    ada = ada_with("adg")
    judge(ada, task_of(ada, "d"), input="key")
    judge(ada, task_of(ada, "d"), "undone", input="key")
    assert queue(ada) == "dbcefh"


def test_undo_goes_back_to_the_judgement_made_by_hand(ada_with):
    ada = ada_with("adg")
    judge(ada, task_of(ada, "d"), input="key")
    assert worklist.last_settled(fresh(ada), topic_of(ada)).doc_id == "d"
    type(ada.collection).objects.update(continuous=True)
    assert worklist.last_settled(fresh(ada), topic_of(ada)).doc_id == "d"


def test_continuous_queue_has_one_document_of_a_group(ada_with):
    ada = ada_with("adg", continuous=True)
    assert queue(ada) == "abcefh"
    judge(ada, task_of(ada, "a"), "later")
    assert queue(ada) == "bcdefh"


def test_required_passages_are_asked_for_each_document_in_a_row(ada_with):
    ada = ada_with("adg", passages="required")
    assert queue(ada) == "adgbcefh"


def test_hidden_repeat_and_check_are_in_no_group(ada_with):
    ada = ada_with("ad")
    first = Assignment.objects.get(member=ada, task__document__doc_id="a")
    keys = {"task": first.task, "topic": first.topic, "member": ada, "position": 99}
    Assignment.objects.create(**keys, repeat=JudgementKind.CHECK)
    assert queue(ada) == "aabcefgh"
