"""Suggestions next to the document: who sees them, what the ledger records, and that nothing else shows a grade."""

import csv
import json
import uuid

import pytest
from django.db.models import F
from django.urls import reverse

from assess.deletion import delete_collection
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.history import ledger_csv
from assess.judging.ledger import ledger_problems
from assess.models import (
    Assignment,
    Assistance,
    Collection,
    Document,
    DuplicateGroup,
    GroupMember,
    JudgementEvent,
    JudgementKind,
    Member,
    ShownSuggestion,
    Topic,
)
from assess.people.erasure import erase
from assess.people.tokens import create_token
from assess.suggestions.choice import set_suggestions
from assess.transfer.exports import record_export
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.judging.asking import task
from tests.assess.judging.test_tampering import run
from tests.assess.suggestions.suggesting import cards, fresh, judge, judges_of, recorded, suggesting_collection
from tests.assess.web.judge.test_judging_page import form_of, page_of, post_judgement, script_of
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return suggesting_collection()


@pytest.fixture
def judges(collection, join):
    return judges_of(collection, join)


def suggested(member):
    return {doc_id: card.suggestion.text for doc_id, card in cards(member).items() if card.suggestion}


def events():
    return JudgementEvent.objects.filter(source="page").count()


# ---- what is shown


def test_documents_that_the_model_judged_have_its_grade(judges):
    ada, _ = judges
    assert suggested(ada) == {
        "a": "model-a suggests 2 much",
        "b": "model-a suggests 0 none",
        "c": "model-a suggests 1 some",
    }


def test_page_shows_it_without_selecting_a_grade(judges, signed_in):
    ada, _ = judges
    html = signed_in(ada).get(page_of(ada)).content.decode()
    assert '<p class="quiet" id="doc-suggestion" dir="auto" >model-a suggests 2 much</p>' in html
    assert 'aria-pressed="true"' not in html.split('class="grades"')[1].split("</div>")[0]
    first, second, *_ = script_of(html)["cards"]
    assert (first["suggestion"]["grade"], second["suggestion"]["text"]) == (2, "model-a suggests 0 none")
    assert "relevance" in first
    assert first["relevance"] is None


def test_nothing_is_shown_by_default(join, signed_in):
    ada, _ = judges_of(suggesting_collection(is_on=False), join)
    http = signed_in(ada)
    html = http.get(page_of(ada)).content.decode()
    following = http.get(reverse("judge:next", args=["small", Topic.objects.get(query_id="1").pk])).content.decode()
    for text in (html, following):
        assert "model-a" not in text
        assert '"suggestion"' not in text
    assert 'id="doc-suggestion" dir="auto" hidden></p>' in html
    assert not ShownSuggestion.objects.exists()


def test_nothing_is_shown_of_another_model_or_person(collection, judges, signed_in):
    ada, ben = judges
    import_judgements(collection, b"1 0 d 2\n", "model-b", options=JudgementOptions(judge_kind="model"))
    judge(ben, "d", 2)
    html = signed_in(ada).get(page_of(ada)).content.decode()
    assert "model-b" not in html
    assert "d" not in suggested(ada)


@pytest.mark.parametrize("kind", [kind for kind in JudgementKind if kind != JudgementKind.REGULAR])
def test_other_kinds_of_judgements_have_none(judges, kind):
    ada, _ = judges
    Assignment.objects.filter(member=ada, public_id=task(ada, "a")).update(repeat=kind)
    rows = Assignment.objects.filter(member=ada, repeat=kind)
    (card,) = worklist._cards(rows, Topic.objects.get(query_id="1"), fresh(ada).collection)
    assert card.suggestion is None
    assert not ShownSuggestion.objects.exists()


def test_withdrawn_model_suggests_nothing(judges):
    ada, _ = judges
    Member.objects.filter(name="model-a").update(role="withdrawn")
    assert suggested(ada) == {}


def test_names_are_shown_as_text(collection, judges, signed_in):
    Member.objects.filter(name="model-a").update(name="<b>x</b>")
    html = signed_in(judges[0]).get(page_of(judges[0])).content.decode()
    assert "&lt;b&gt;x&lt;/b&gt; suggests" in html
    assert "<b>x</b>" not in html


def test_api_has_the_suggestion_and_its_token(judges, client):
    ada, _ = judges
    (topic,) = Topic.objects.filter(query_id="1")
    token = create_token(ada.user, "judging", "judge")[1]
    headers = {"authorization": f"Bearer {token}"}
    base = "/api/v1/collections/small/judging"
    tasks = client.get(f"{base}/topics/{topic.pk}/tasks", headers=headers).json()
    assert tasks[0]["suggestion"]["judge"] == "model-a"
    body = {"client_id": str(uuid.uuid4()), "relevance": 1, "suggestion": tasks[0]["suggestion"]["token"]}
    sent = client.post(f"{base}/tasks/{tasks[0]['task']}", json.dumps(body), "application/json", headers=headers)
    assert sent.status_code == 200
    assert recorded() == [("a", "model-a", 2)]


# ---- what is recorded


def test_judgement_with_a_suggestion_is_recorded_as_assisted(judges):
    ada, ben = judges
    shown = cards(ada)
    judge(ada, "a", 2, shown["a"].suggestion.token)
    judge(ada, "d", 1)
    judge(ben, "a", 0)  # ben has loaded no page
    assert recorded() == [("a", "model-a", 2)]
    assert list(ledger_problems()) == []


def test_server_records_what_it_sent_although_the_page_names_nothing(judges):
    ada, _ = judges
    cards(ada)
    judge(ada, "b", 1)
    assert recorded() == [("b", "model-a", 0)]


def test_forged_token_is_refused_and_changes_nothing(judges):
    ada, ben = judges
    mine, theirs = cards(ada), cards(ben)
    forged = (str(uuid.uuid4()), theirs["a"].suggestion.token, mine["b"].suggestion.token)
    for doc_id, token in [*(("a", each) for each in forged), ("d", mine["a"].suggestion.token)]:
        with pytest.raises(Refused, match="This suggestion was not shown to you for this document; reload the page"):
            judge(ada, doc_id, 1, token)
    assert (events(), recorded()) == (0, [])


def test_token_is_refused_while_suggestions_were_never_on(join):
    ada, _ = judges_of(suggesting_collection(is_on=False), join)
    with pytest.raises(Refused, match="was not shown to you"):
        judge(ada, "a", 1, str(uuid.uuid4()))


def test_who_has_seen_it_is_assisted_also_after_it_is_off(collection, judges):
    ada, ben = judges
    token = cards(ada)["a"].suggestion.token
    set_suggestions(collection, "")
    judge(ada, "a", 1, token)
    judge(ada, "a", 2)
    judge(ada, "a", None, state="undone")
    cards(ben)
    judge(ben, "a", 1)
    assert recorded() == [("a", "model-a", 2)] * 3


@pytest.mark.in_ci
def test_two_models_after_each_other(collection, judges):
    ada, _ = judges
    first = cards(ada)
    import_judgements(collection, b"1 0 a 0\n1 0 b 1\n", "model-b", options=JudgementOptions(judge_kind="model"))
    set_suggestions(collection, "model-b")
    second = cards(ada)
    assert second["a"].suggestion.text == "model-b suggests 0 none"
    judge(ada, "a", 1, first["a"].suggestion.token)  # from a page that was open before
    judge(ada, "b", 1)
    assert recorded() == [("a", "model-a", 2), ("b", "model-b", 1)]
    assert cards(ada)["c"].suggestion is None


def test_same_page_twice_saves_it_once(judges):
    ada, _ = judges
    assert cards(ada)["a"].suggestion == cards(ada)["a"].suggestion
    assert ShownSuggestion.objects.filter(member=ada, task__topic__query_id="1").count() == 3


def test_repeated_request_gets_the_same_answer(judges):
    ada, _ = judges
    token, client_id = cards(ada)["a"].suggestion.token, uuid.uuid4()
    first = judge(ada, "a", 1, token, client_id)
    assert judge(ada, "a", 1, token, client_id) == first
    assert len(recorded()) == 1


@pytest.mark.in_ci
def test_with_an_answer_about_marginal_relevance(judges):
    ada, _ = judges
    cards(ada)
    judge(ada, "a", 1, marginal="new")
    assert recorded() == [("a", "model-a", 2)]
    assert list(ledger_problems()) == []


def test_script_and_plain_form_send_the_token(judges, signed_in):
    ada, _ = judges
    http = signed_in(ada)
    html = http.get(page_of(ada)).content.decode()
    action, hidden = form_of(html)
    token = script_of(html)["cards"][0]["suggestion"]["token"]
    assert hidden["suggestion"] == token
    http.post(action, hidden | {"relevance": "1"})
    assert recorded() == [("a", "model-a", 2)]
    for forged in (token, "evil"):
        answer = post_judgement(http, ada, task(ada, "b"), relevance=1, suggestion=forged)
        assert answer.status_code == 400
    assert len(recorded()) == 1


# ---- the ledger


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE assess_assistance SET grade = 1",
        "UPDATE assess_assistance SET judge = 'model-b'",
        "DELETE FROM assess_assistance",
        "INSERT INTO assess_assistance (event_id, judge, grade) "
        "SELECT id, 'model-a', 1 FROM assess_judgementevent WHERE source = 'page' AND relevance = 0",
    ],
)
def test_changed_assistance_is_found_in_the_ledger(judges, statement):
    ada, _ = judges
    judge(ada, "d", 0)
    cards(ada)
    judge(ada, "a", 2)
    assert list(ledger_problems()) == []
    run(statement)
    (problem,) = ledger_problems()
    assert "it was changed after it was recorded" in problem


def test_erasure_and_deletion_delete_it(collection, judges):
    for each in judges:
        cards(each)
        judge(each, "a", 2)
    erase([judges[0]], "she asked for it", collection)
    assert len(recorded()) == 1
    assert not ShownSuggestion.objects.filter(member=judges[0].pk).exists()
    collection.refresh_from_db()
    record_export(collection, "judgements")
    delete_collection(collection.slug, collection.slug)
    assert not Assistance.objects.exists()
    assert not ShownSuggestion.objects.exists()


def test_near_duplicate_that_is_judged_by_group_is_assisted_too(collection, judges):
    group = DuplicateGroup.objects.create(collection=collection)
    documents = Document.objects.filter(doc_id__in=["a", "d"], collection=collection)
    GroupMember.objects.bulk_create(GroupMember(group=group, document=each) for each in documents)
    Collection.objects.update(near_duplicates="once")
    ada, _ = judges
    cards(ada)
    judge(ada, "a", 2)
    assert sorted(recorded()) == [("a", "model-a", 2), ("d", "model-a", 2)]
    assert Assistance.objects.exclude(event__relevance=F("grade")).count() == 0
    assert list(ledger_problems()) == []


def test_an_assessor_reads_the_suggestions_that_they_saw(collection, join, signed_in):
    """The own file and the page have the columns; those of an assessor who saw no suggestion have none."""
    Collection.objects.update(suggesting_judge=None)
    ada, ben = judges_of(collection, join)
    judge(ben, "a")
    set_suggestions(collection, "model-a")
    cards(ada)
    judge(ada, "d")
    judge(ada, "a", 2)
    rows = list(csv.DictReader(ledger_csv(fresh(ada))))
    suggested = [(row["doc_id"], row["assisted"], row["suggested"]) for row in rows]
    assert suggested == [("d", "", ""), ("a", "model-a", "2")]
    assert "assisted" not in next(iter(csv.DictReader(ledger_csv(fresh(ben)))))
    pages = {}
    for each in (ada, ben):
        http = signed_in(each)
        pages[each] = compact(http.get(reverse("judge:recorded", args=[collection.slug])).content.decode())
    assert "<td>model-a: 2</td>" in pages[ada]
    assert "the grade that a model suggested" in pages[ada]
    assert "suggest" not in pages[ben]
    assert "model-a" not in pages[ben]
