"""The question after a relevant grade: recorded with the judgement, taken back by undo, and covered by the ledger."""

import json
import uuid

import pytest
from django.urls import reverse

from assess.deletion import delete_collection
from assess.errors import Conflict, Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.marginal import own_relevant
from assess.marginal.own_relevant import relevant_documents
from assess.marginal.report import export_diversity_qrels, marginal_answers, marginal_report
from assess.models import Collection, Document, JudgementEvent, MarginalAnswer
from assess.people.erasure import erase
from assess.transfer.exports import record_export
from tests.assess.judging.asking import asking_collection, join_judges, judge, judge_all, task, undo
from tests.assess.web.judge.test_judging_page import form_of, page_of, post_judgement, script_of
from tests.factories import set_content
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return asking_collection()


@pytest.fixture
def judges(collection, join):
    return join_judges(collection, join)


def only_list(script):
    """The relevant documents of the only topic of a page."""
    (listed,) = script["marginal"].values()
    return listed["documents"]


def stored():
    return list(MarginalAnswer.objects.order_by("pk").values_list("answer", "repeats"))


def test_subtopics_and_agreement_of_two_judges(collection, judges):
    judge_all(*judges)
    judge(judges[1], "d")  # without an answer: new
    assert export_diversity_qrels(collection, "judge:ada") == b"1 1 a 1\n1 1 b 1\n1 1 c 1\n1 2 c 1\n"
    assert export_diversity_qrels(collection, "judge:ben").decode().splitlines() == [
        *("1 1 a 1", "1 2 a 1", "1 1 b 1", "1 2 b 1", "1 1 c 1", "1 3 d 1")
    ]
    report = marginal_report(collection)
    assert report.answers.drop(columns="subtopics").to_numpy().tolist() == [
        ["ada", 3, 1, 1, 1, 0],
        ["ben", 4, 1, 1, 1, 1],
    ]
    (pair,) = report.pairs.itertuples()
    assert (pair.documents, pair.pairs, pair.shared_by_both, pair.shared_by_a) == (3, 3, 3, 0)
    assert pair.kappa == pytest.approx(-0.5)  # they agree on no document, by chance on a third
    assert list(ledger_problems()) == []


def test_undo_takes_the_answer_back_and_a_later_grade_replaces_it(collection, judges):
    ada, _ = judges
    judge(ada, "a", 1, "new")
    judge(ada, "b", 1, "nothing", ["a"])
    undo(ada, "b")
    assert marginal_answers(collection)["ada"]["doc_id"].tolist() == ["a"]
    judge(ada, "b", 2, "partly", ["a"])
    judge(ada, "a", 0)  # no longer relevant: the link leads nowhere
    assert marginal_answers(collection)["ada"][["doc_id", "answer"]].to_numpy().tolist() == [["b", "partly"]]
    assert export_diversity_qrels(collection, "judge:ada") == b"1 1 b 1\n"
    assert stored() == [("new", []), ("nothing", ["a"]), ("partly", ["a"])]  # the ledger keeps all
    assert list(ledger_problems()) == []


@pytest.mark.parametrize(
    ("grade", "marginal", "repeats", "sentence"),
    [
        (1, "maybe", [], "The answer must be one of new, partly, nothing, not 'maybe'."),
        (1, "", ["a"], "The answer must be one of new, partly, nothing, not ''."),
        (1, "new", ["a"], "A document that only adds something new cannot repeat others; choose “partly new”."),
        (1, "nothing", [], "Choose the documents that this one repeats."),
        (0, "new", [], "Only a relevant document, with a grade from 1, can add something new."),
        (1, "nothing", ["c"], "A document that this one repeats is not among your other relevant documents of this"),
        (1, "nothing", ["d"], "A document that this one repeats is not among your other relevant documents of this"),
        (1, "nothing", ["b"], "A document that this one repeats is not among your other relevant documents of this"),
    ],
)
def test_invalid_answer_changes_nothing(judges, grade, marginal, repeats, sentence):
    ada, _ = judges
    judge(ada, "a")
    judge(ada, "c", 0)
    events = JudgementEvent.objects.count()
    with pytest.raises(Refused) as refused:
        judge(ada, "b", grade, marginal, repeats)
    assert str(refused.value).startswith(sentence)
    assert (JudgementEvent.objects.count(), stored()) == (events, [])


def test_documents_of_others_and_of_other_topics_cannot_be_named(judges):
    ada, ben = judges
    judge(ben, "a")
    judge(ada, "x", query_id="2")
    for named in (task(ben, "a"), task(ada, "x", "2"), uuid.uuid4()):
        judgement = JudgementInput("judged", 1, marginal="nothing", repeats=(named,))
        with pytest.raises(Refused, match="not among your other relevant documents"):
            record_judgement(ada, task(ada, "b"), judgement, uuid.uuid4())


def test_repeated_request_gets_the_same_answer_although_the_named_document_changed(judges):
    ada, _ = judges
    judge(ada, "a")
    client_id = uuid.uuid4()
    first = judge(ada, "b", 1, "nothing", ["a"], client_id)
    judge(ada, "a", 0)
    assert judge(ada, "b", 1, "nothing", ["a"], client_id) == first
    for answer, repeats in (("partly", ["a"]), ("new", []), ("", [])):
        with pytest.raises(Conflict):
            judge(ada, "b", 1, answer, repeats, client_id)
    assert len(stored()) == 1


@pytest.mark.parametrize("change", [{"answer": "new"}, {"repeats": ["c"]}])
def test_changed_answer_is_found_in_the_ledger(judges, change):
    ada, _ = judges
    judge(ada, "a", 1, "new")
    judge(ada, "b", 1, "nothing", ["a"])
    judge(ada, "c")
    MarginalAnswer.objects.filter(answer="nothing").update(**change)
    (problem,) = ledger_problems()
    assert "(document 'b', topic '1'): it was changed after it was recorded" in problem
    MarginalAnswer.objects.all().delete()
    assert len(list(ledger_problems())) == 2


def test_list_has_only_own_relevant_documents_of_the_topic(judges):
    ada, ben = judges
    set_content(Document.objects.filter(doc_id="a"), text="<p>It is\n <b>hot</b></p>", format="html", title="Coffee")
    judge(ada, "a")
    judge(ada, "c", 0)
    judge(ada, "x", query_id="2")
    judge(ben, "b", 2)
    topic, _ = topics_with_progress(ada)[0]
    (listed,) = relevant_documents(ada, [topic.pk])[topic.pk].documents
    assert listed["task"] == str(task(ada, "a"))
    assert (listed["title"], listed["beginning"]) == ("Coffee", "It is hot")


def test_hidden_doc_ids_stay_hidden(collection, judges, signed_in):
    Collection.objects.update(hide_doc_ids=True)
    ada = judges[0]
    ada.collection.refresh_from_db()
    set_content(Document.objects.all(), text="Some words.", title="")
    judge(ada, "a")
    script = script_of(signed_in(ada).get(page_of(ada)).content.decode())
    (listed,) = only_list(script)
    assert listed["title"] == ""
    card = script["cards"][0]
    assert card["doc_id"] == ""
    assert card["document"] != listed["document"]
    assert worklist.card(ada, task(ada, "a")).document == listed["document"]


def test_page_lists_and_request_of_the_script_records(collection, judges, signed_in):
    ada, ben = judges
    judge(ada, "a", 2)
    judge(ben, "b", 2)
    http = signed_in(ada)
    html = http.get(page_of(ada)).content.decode()
    script = script_of(html)
    (listed,) = only_list(script)
    assert 'id="marginal"' in html
    assert str(task(ben, "b")) not in html  # another assessor's judgement
    fields = {"state": "judged", "relevance": 1, "marginal": "partly", "repeats": json.dumps([listed["task"]])}
    assert post_judgement(http, ada, task(ada, "b"), **fields).status_code == 200
    assert stored() == [("partly", ["a"])]
    answer = post_judgement(http, ada, task(ada, "c"), **fields | {"repeats": '["evil"]'})
    assert (answer.status_code, "is not the id of a document" in answer.json()["error"]) == (400, True)
    topic, _ = topics_with_progress(ada)[0]
    address = reverse("judge:next", args=[collection.slug, topic.pk])
    listed = http.get(address).json()["marginal"][str(topic.pk)]["documents"]
    assert [each["task"] for each in listed] == [str(task(ada, name)) for name in "ab"]
    known = http.get(address, {"known": [topic.pk, "999", "evil", "9" * 30]}).json()
    assert known["cards"]
    assert "marginal" not in known


def test_list_is_limited_and_older_documents_are_found_by_their_words(
    judges, signed_in, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(own_relevant, "LISTED", 2)
    ada, ben = judges
    texts = {"a": "Old <i>coffee</i>.", "b": "Tea.", "c": "New Coffee."}
    for doc_id, text in texts.items():
        set_content(Document.objects.filter(doc_id=doc_id), text=text, format="html", title=doc_id.upper())
        judge(ada, doc_id)
    judge(ben, "d")
    judge(ada, "x", query_id="2")
    topic, _ = topics_with_progress(ada)[0]
    with django_assert_num_queries(3):  # the scale, the latest ones, and their texts
        listed = relevant_documents(ada, [topic.pk])[topic.pk]
    assert ([each["title"] for each in listed.documents], listed.older) == (["B", "C"], 1)
    http = signed_in(ada)
    html = compact(http.get(page_of(ada)).content.decode())
    assert "(the latest 2; 1 older ones can be found only with JavaScript)" in html
    address = reverse("judge:relevant", args=[ada.collection.slug, topic.pk])
    found = {q: http.get(address, {"q": q}).json()["documents"] for q in ("COFFEE", "coffee old", "<i>", "tea milk")}
    titles = {q: [each["title"] for each in documents] for q, documents in found.items()}
    assert titles == {"COFFEE": ["A", "C"], "coffee old": ["A"], "<i>": [], "tea milk": []}
    judge(ada, "d", 1, "nothing", ["a"])  # the server validates documents that the page did not list
    assert stored() == [("nothing", ["a"])]
    refused = http.get(address, {"q": "x" * 201})
    assert (refused.status_code, refused.json()["error"]) == (400, "q must have at most 200 characters, not 201.")
    assert http.post(address).status_code == 405


def test_plain_form_asks_and_records(judges, signed_in):
    ada, _ = judges
    judge(ada, "a")
    judge(ada, "b")
    http = signed_in(ada)
    html = http.get(page_of(ada)).content.decode()
    assert html.count('name="repeats"') == 2
    action, hidden = form_of(html)
    named = [str(task(ada, name)) for name in "ab"]
    hidden |= {"marginal": ""}
    http.post(action, hidden | {"relevance": "1", "marginal": "nothing", "repeats": named})
    assert stored() == [("nothing", ["a", "b"])]
    action, hidden = form_of(http.get(page_of(ada)).content.decode())
    refused = http.post(action, hidden | {"relevance": "1", "marginal": "partly"})
    assert refused.status_code == 400
    assert "Choose the documents that this one repeats." in refused.content.decode()


def test_nothing_is_asked_while_the_rule_is_off(collection, judges, signed_in):
    Collection.objects.update(ask_marginal=False)
    ada, _ = judges
    judge(ada, "a", 1, "new")  # it waited in the browser when the rule was switched off
    http = signed_in(ada)
    html = http.get(page_of(ada)).content.decode()
    assert "marginal" not in html.replace('"marginal": null', "").replace('"marginal":null', "")
    topic, _ = topics_with_progress(ada)[0]
    assert "marginal" not in http.get(reverse("judge:next", args=[collection.slug, topic.pk])).json()
    assert stored() == [("new", [])]


def test_erasure_and_deletion_delete_the_answers(collection, judges):
    judge_all(*judges)
    ada, _ = judges
    erase([ada], "she asked for it", collection)
    assert marginal_answers(collection).keys() == {"ben"}
    collection.refresh_from_db()
    record_export(collection, "judgements")
    delete_collection(collection.slug, collection.slug)
    assert stored() == []
