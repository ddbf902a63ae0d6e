"""Judgements by group are marked wherever they appear, and change no figure about time."""

import csv
import io
import uuid

import pytest
from django.urls import reverse

from assess.judging.ledger import ledger_problems
from assess.judging.pace import recent_times, times_by
from assess.models import Judgement, JudgementEvent, Role, Tombstone
from assess.people.person_erasure import Grades, erase_person
from assess.pools.assign import assign
from assess.transfer.exports import export_judgements
from assess.transfer.judgements import import_judgements
from assess.work.monitor import overall_pace
from tests.assess.claiming import judge
from tests.assess.near_duplicates.grouped import assignment_of, grouped_collection, judged, task_of
from tests.assess.web.judge.test_judging_page import post_judgement

pytestmark = pytest.mark.database


@pytest.fixture
def ada(db, join):
    """An assessor with all documents, of which a, b and c are near-duplicates."""
    collection = grouped_collection("abc")
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


def test_receipt_lists_the_other_documents(ada, signed_in):
    http = signed_in(ada)
    others = [task_of(ada, "b"), task_of(ada, "c")]
    sent = {"relevance": "1", "input": "key", "client_id": str(uuid.uuid4())}
    first = post_judgement(http, ada, task_of(ada, "a"), **sent).json()
    assert first["by_group"] == others
    assert first["topic"]["done"] == 3
    assert post_judgement(http, ada, task_of(ada, "a"), **sent).json()["by_group"] == others
    assert post_judgement(http, ada, task_of(ada, "d"), relevance="1").json()["by_group"] == []
    undone = post_judgement(http, ada, task_of(ada, "a"), state="undone").json()
    assert (undone["by_group"], undone["topic"]["done"]) == (others, 1)


def test_mark_cannot_be_sent(ada, signed_in):
    answer = post_judgement(signed_in(ada), ada, task_of(ada, "a"), relevance="1", input="group")
    assert answer.status_code == 400
    assert answer.json()["error"] == "Input must be one of key, pointer, form, not 'group'."
    assert not Judgement.objects.exists()


def test_plain_form_goes_on_with_the_next_document(ada, signed_in):
    http = signed_in(ada)
    url = reverse("judge:record", args=[ada.collection.slug, task_of(ada, "a")])
    fields = {"client_id": str(uuid.uuid4()), "member": ada.pk, "relevance": "1", "input": "form"}
    html = http.post(url, fields, follow=True).content.decode()
    assert "Title d" in html
    assert "Title b" not in html


def test_own_judgements_and_own_record_say_by_group(ada, signed_in):
    judge(ada, task_of(ada, "a"), input="key")
    http = signed_in(ada)
    listed = http.get(reverse("judge:judgements", args=[ada.collection.slug])).content.decode()
    assert listed.count("by group: you judged a near-duplicate") == 2
    assert listed.count("Judge again</a>") == 3
    recorded = http.get(reverse("judge:recorded", args=[ada.collection.slug])).content.decode()
    assert recorded.count('<td class="only-wide">by group</td>') == 2
    assert "that a grade was recorded by group" in recorded
    own = http.get(reverse("judge:judgements_csv", args=[ada.collection.slug])).getvalue().decode()
    assert sorted(row["input"] for row in csv.DictReader(io.StringIO(own))) == ["group", "group", "key"]


def test_document_page_says_by_group(ada, join, signed_in):
    judge(ada, task_of(ada, "a"), input="key")
    http = signed_in(join(ada.collection, "olga", Role.OWNER))
    for doc_id, number in (("a", 0), ("b", 1)):
        task = assignment_of(ada, doc_id).task_id
        html = http.get(reverse("research:document", args=[ada.collection.slug, task])).content.decode()
        assert html.count('<span class="tag">by group</span>') == number
        assert html.count("<td>by group</td>") == number  # the entry of the ledger


def test_times_are_those_of_judgements_made_by_hand(ada):
    for doc_id in "ad":
        judge(ada, task_of(ada, doc_id), active_ms=4_000, input="key")
    assert Judgement.objects.count() == 4
    assert recent_times(ada) == [4_000, 4_000]
    for field in ("member", "task__topic"):
        assert [dict(each) for each in times_by(field, Judgement.objects.all()).values()] == [{40: 2}]
    assert overall_pace(ada.collection) == 900


def test_mark_survives_export_and_import(ada):
    judge(ada, task_of(ada, "a"), input="key")
    exported = export_judgements(ada.collection)
    rows = list(csv.DictReader(io.StringIO(exported.decode())))
    assert {row["doc_id"]: row["input"] for row in rows} == {"a": "key", "b": "group", "c": "group"}
    copy = grouped_collection(slug="copy")
    import_judgements(copy, exported)
    assert judged(copy.members.get()) == judged(ada)
    assert export_judgements(copy) == exported
    assert list(ledger_problems()) == []


def test_erasure_leaves_a_valid_ledger(ada):
    judge(ada, task_of(ada, "a"), input="key")
    erase_person(ada.user, Grades.DELETE)
    assert not JudgementEvent.objects.exists()
    assert Tombstone.objects.get().events == 3
    assert list(ledger_problems()) == []
