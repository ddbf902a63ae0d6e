"""Texts are replaced after documents were judged: what is stale, who judges again, what stays, and the ledger."""

import json
import threading
import uuid
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import pooling
from assess.documents.contents import UNUSED_AFTER, delete_unused_contents
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.judging.worklist import card, sheet
from assess.living.changed_texts import changed_texts, compare, has_replaced_texts
from assess.living.judge_again import judge_again, keep_changes, list_again
from assess.models import (
    Action,
    Assignment,
    AuditEvent,
    Collection,
    Document,
    DocumentContent,
    Job,
    Judgement,
    JudgementEvent,
    KeptChange,
    ReplacedText,
    Role,
)
from assess.pools.assign import assign
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.judgements import import_judgements
from assess.transfer.undo import undo_import
from tests.assess.near_duplicates.grouped import assignment_of, grouped_collection, judged
from tests.factories import SMALL_RUNS, set_content, small_collection
from tests.html import compact

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
REPLACE = DocumentOptions(replace=True)


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS)


@pytest.fixture
def people(collection, join):
    """Everything is judged by two assessors."""
    members = [join(collection, name) for name in ("ada", "bob")]
    assign(collection, judges=2)
    for number, assignment in enumerate(Assignment.objects.order_by("pk")):
        judge(assignment, number % 2)
    return members


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def judge(assignment, grade=1, state="judged"):
    graded = JudgementInput(state, grade if state == "judged" else None, reason="broken" if grade is None else "")
    return record_judgement(assignment.member, assignment.public_id, graded, uuid.uuid4(), actor=assignment.member.user)


def document(doc_id, text, title=None):
    return pooling.Document(doc_id, title if title is not None else f"Title {doc_id}", text, {}, 1)


def replace(collection, texts, options=REPLACE):
    return import_documents(collection, [document(doc_id, text) for doc_id, text in texts.items()], options)


def of(doc_id):
    return Assignment.objects.filter(task__document__doc_id=doc_id).order_by("pk")


def last(collection):
    return collection.imports.latest("pk").pk


def problems():
    return list(ledger_problems())


# ---- the import


def test_without_the_option_a_text_is_kept(collection, people):
    result = replace(collection, {"a": "Another text."}, DocumentOptions())
    assert (result.added, result.updated, result.same) == (0, 0, 1)
    assert not has_replaced_texts(collection)
    assert not changed_texts(collection).changes


def test_a_text_that_differs_is_replaced_and_the_former_one_is_kept(collection):
    former = Document.objects.get(doc_id="a").content
    result = replace(collection, {"a": "Another text.", "b": "Text of b.", "unpooled": "No."})
    assert (result.read, result.added, result.updated, result.same) == (3, 0, 1, 1)
    assert result.left_out == {"not in the pool": 1}
    assert Document.objects.get(doc_id="a").content.text == "Another text."
    replaced = ReplacedText.objects.get()
    assert (replaced.document.doc_id, replaced.content, replaced.import_record_id) == ("a", former, last(collection))
    assert collection.imports.get(pk=last(collection)).counts["updated"] == 1
    assert AuditEvent.objects.get(action=Action.TEXTS_REPLACED).details["documents"] == 1
    assert "Replaced the text of 1 document." in " ".join(result.notes)


def test_a_new_document_is_added_by_the_same_import(collection):
    result = replace(collection, {"a": "Another text.", "new": "A text."}, DocumentOptions(replace=True, keep_all=True))
    assert (result.added, result.updated) == (1, 1)


def test_the_first_of_two_texts_of_an_import_is_taken(collection):
    result = import_documents(collection, [document("a", "one"), document("a", "two")], REPLACE)
    assert (result.updated, result.same) == (1, 1)
    assert Document.objects.get(doc_id="a").content.text == "one"


def test_the_same_texts_change_nothing(collection):
    before = DocumentContent.objects.count()
    result = replace(collection, {"a": "Text of a.", "b": "Text of b."})
    assert (result.updated, result.same) == (0, 2)
    assert DocumentContent.objects.count() == before
    assert not ReplacedText.objects.exists()


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_an_empty_text_replaces_nothing(collection, text):
    result = replace(collection, {"a": text})
    assert (result.updated, result.left_out) == (0, {"with an empty text": 1})
    assert Document.objects.get(doc_id="a").content.text == "Text of a."


def test_markdown_that_was_imported_as_html_can_be_replaced(collection):
    text = "# Bread\n\nKnead *well*."
    replace(collection, {"a": text}, DocumentOptions(replace=True, text_format="html"))
    result = replace(collection, {"a": text}, DocumentOptions(replace=True, text_format="markdown"))
    assert result.updated == 1
    assert "<em>well</em>" in Document.objects.get(doc_id="a").content.sanitised


def test_an_interrupted_import_changes_nothing(collection):
    def texts():
        yield document("a", "Another text.")
        raise KeyboardInterrupt

    before = DocumentContent.objects.count()
    with pytest.raises(KeyboardInterrupt):
        import_documents(collection, texts(), REPLACE)
    assert DocumentContent.objects.count() == before
    assert Document.objects.get(doc_id="a").content.text == "Text of a."


def test_the_purge_keeps_former_texts(collection, people):
    replace(collection, {"a": "Another text."})
    DocumentContent.objects.update(imported_at=timezone.now() - UNUSED_AFTER - timedelta(hours=1))
    unused = DocumentContent.objects.create(text="left by an import", sha256="0" * 64)
    DocumentContent.objects.filter(pk=unused.pk).update(imported_at=timezone.now() - 2 * UNUSED_AFTER)
    assert delete_unused_contents() == 1
    assert ReplacedText.objects.get().content.text == "Text of a."
    assert problems() == []


# ---- an open page


def test_a_page_with_the_former_text_cannot_judge(collection, join):
    """The event would name a text that the assessor did not see."""
    ada = join(collection, "ada")
    assign(collection, judges=1)
    shown = of("a").first()
    replace(collection, {"a": "Another text."})
    with pytest.raises(Assignment.DoesNotExist):
        judge(shown)
    judge(of("a").first())
    assert not changed_texts(collection).changes
    assert problems() == []
    assert ada.assignments.count() == Assignment.objects.count()


def test_an_import_during_a_judgement(collection, people):
    """Whoever is first: an event has the hash of the text of its page, or there is no event."""
    assignments = list(of("b"))
    barrier, errors = threading.Barrier(2, timeout=30), []

    def replace_text():
        try:
            barrier.wait()
            replace(collection, {"b": "Another text."})
        except Exception as error:  # shown by the test
            errors.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=replace_text)
    thread.start()
    barrier.wait()
    recorded = 0
    for assignment in assignments:
        with suppress(Assignment.DoesNotExist):
            recorded += judge(assignment) is not None
    thread.join()
    assert errors == []
    assert changed_texts(collection).judgements == 2
    events = JudgementEvent.objects.filter(judgement__task__document__doc_id="b", version=2)
    former = ReplacedText.objects.get().content.sha256
    assert [bytes(event.document_hash).hex() for event in events] == [former] * recorded
    assert problems() == []


def test_a_lost_answer_is_given_again_after_the_text_was_replaced(collection, join):
    join(collection, "ada")
    assign(collection, judges=1)
    shown, key, graded = of("a").first(), uuid.uuid4(), JudgementInput("judged", 1)
    event = record_judgement(shown.member, shown.public_id, graded, key, actor=shown.member.user)
    replace(collection, {"a": "Another text."})
    assert record_judgement(shown.member, shown.public_id, graded, key, actor=shown.member.user) == event
    assert JudgementEvent.objects.count() == 1


# ---- stale judgements


def test_stale_judgements_by_hand(collection, people):
    """Document b is in topic 1 only, and both judged it; a has the same text, and c was not judged."""
    replace(collection, {"b": "Another text.", "a": "Text of a."})
    found = changed_texts(collection)
    assert found.sentence() == "2 judgements of 1 document are of former texts."
    (change,) = found.changes
    assert (change.doc_id, change.query_ids, change.had_text) == ("b", ["1"], True)
    assert {judgement.judge for judgement in change.judgements} == {"assessor-1", "assessor-2"}
    assert found.unknown == 0
    assert problems() == []


def test_a_text_that_is_replaced_back_is_not_stale(collection, people):
    replace(collection, {"b": "Another text."})
    replace(collection, {"b": "Text of b."})
    assert not changed_texts(collection).changes
    assert ReplacedText.objects.count() == 2
    assert problems() == []


def test_judgements_of_two_former_texts_are_two_changes(collection, people):
    replace(collection, {"b": "Second text."})
    judge_again(collection)
    judge(of("b").first())
    replace(collection, {"b": "Third text."})
    found = changed_texts(collection)
    assert [len(change.judgements) for change in found.changes] == [1]
    assert compare(found.changes[0]).old[0].text.startswith("Title b")
    assert problems() == []


def test_imported_judgements_are_counted_and_not_called_stale(collection, people):
    import_judgements(collection, b"1 0 b 1\n1 0 a 1\n", "nist")
    replace(collection, {"b": "Another text."})
    found = changed_texts(collection)
    assert (found.judgements, found.unknown) == (2, 1)


def test_a_document_that_had_no_text_when_it_was_marked(collection, join):
    join(collection, "ada")
    assign(collection, judges=1)
    lacking = Document.objects.get(doc_id="b")
    Document.objects.filter(pk=lacking.pk).update(content=None)
    judge(of("b").first(), None, "cannot_judge")
    assert not changed_texts(collection).changes
    import_documents(collection, [document("b", "A text at last.")])
    (change,) = changed_texts(collection).changes
    assert (change.doc_id, change.had_text) == ("b", False)
    assert compare(change).is_known
    assert judge_again(collection).judgements == 1


@pytest.mark.in_ci
def test_judgements_by_group_follow_their_source(add_assessors):
    """Nobody saw the text of the near-duplicates to which a judgement was applied, so they are not stale."""
    collection = grouped_collection("abc")
    (ada,) = add_assessors(collection, "ada")
    assign(collection, judges=1)
    judge(assignment_of(ada, "b"))
    replace(collection, {"a": "Another text."})
    assert not changed_texts(collection).changes
    replace(collection, {"b": "Another text."})
    assert changed_texts(collection).judgements == 1
    assert judge_again(collection).judgements == 1
    assert {state for state, _, _ in judged(ada).values()} == {"undone"}
    assert problems() == []
    judge(assignment_of(ada, "b"), 0)
    assert {grade for _, grade, _ in judged(ada).values()} == {0}
    assert problems() == []


def test_only_the_source_of_a_group_says_that_its_text_was_replaced(add_assessors):
    collection = grouped_collection("abc")
    (ada,) = add_assessors(collection, "ada")
    assign(collection, judges=1)
    judge(assignment_of(ada, "b"))
    replace(collection, {"b": "Another text."})
    judge_again(collection)
    assert {doc_id: replaced(assignment_of(ada, doc_id)) for doc_id in "abc"} == {"a": False, "b": True, "c": False}


def test_html_from_before_its_sanitised_text_was_hashed_is_not_stale(collection, join):
    from assess.documents.contents import content_hash

    join(collection, "ada")
    assign(collection, judges=1)
    set_content(Document.objects.filter(doc_id="b"), text="<p>one</p>", format="html")
    content = Document.objects.get(doc_id="b").content
    now, as_imported = content.sha256, content_hash(content.title, "html", content.text, None)
    DocumentContent.objects.filter(pk=content.pk).update(sha256=as_imported)  # as an earlier version recorded it
    judge(of("b").first())
    DocumentContent.objects.filter(pk=content.pk).update(sha256=now)
    replace(collection, {"b": "two"})
    (change,) = changed_texts(collection).changes
    assert compare(change).is_known
    undo_import(collection, last(collection))
    replace(collection, {"a": "two"})
    assert not changed_texts(collection).changes
    assert problems() == []


def test_the_number_of_queries_does_not_grow(collection, people):
    replace(collection, {"b": "Another text."})
    with CaptureQueriesContext(
        connection,
    ) as few:
        changed_texts(collection)
    replace(collection, {doc_id: f"Another text of {doc_id}." for doc_id in "abcdefxyz"})
    with CaptureQueriesContext(connection) as many:
        assert changed_texts(collection).judgements > 10
    assert len(many) == len(few) <= 3


# ---- both texts


def test_both_texts_with_the_words_that_differ(collection, people):
    replace(collection, {"b": "Text of B."})
    (change,) = changed_texts(collection).changes
    compared = compare(change)
    assert [part.text for part in compared.old if part.is_changed] == ["b"]
    assert [part.text for part in compared.new if part.is_changed] == ["B"]
    assert not compared.has_same_words


def test_only_the_markup_differs(collection, join):
    join(collection, "ada")
    assign(collection, judges=1)
    set_content(Document.objects.filter(doc_id="b"), text="<p>one two</p>", format="html")
    judge(of("b").first())
    replace(collection, {"b": "<p>one <b>two</b></p>"}, DocumentOptions(replace=True, text_format="html"))
    (change,) = changed_texts(collection).changes
    assert compare(change).has_same_words


# ---- judging again


def test_the_assessor_judges_again_with_the_present_text(collection, people):
    replace(collection, {"b": "Another text."})
    result = judge_again(collection)
    assert (result.judgements, result.people, result.notes) == (2, 2, [])
    assert result.sentence() == "2 documents wait again in the queues of 2 assessors."
    assert not changed_texts(collection).changes
    assert set(of("b").values_list("state", flat=True)) == {"undone"}
    ada = people[0]
    shown = sheet(ada, of("b").first().topic).cards[0]
    assert (shown.doc_id, shown.text, shown.relevance, shown.passages) == ("b", "Another text.", None, [])
    assert shown.version == 2
    for assignment in of("b"):
        judge(assignment, 1)
    assert set(Judgement.objects.filter(task__document__doc_id="b").values_list("relevance", "version")) == {(1, 3)}
    assert problems() == []


def test_the_judging_page_says_that_the_text_was_replaced(collection, people, signed_in):
    """The question about marginal relevance stays, and the line is gone when the present text has been judged."""
    Collection.objects.filter(pk=collection.pk).update(ask_marginal=True)
    replace(collection, {"b": "Another text."})
    judge_again(collection)
    assignment = of("b").first()
    judge(of("a").get(member=assignment.member, topic=assignment.topic), 1)
    http, address = signed_in(assignment.member), reverse("judge:topic", args=[collection.slug, assignment.topic_id])
    html = compact(http.get(address).content.decode())
    assert '<p class="note" id="doc-replaced">You judged a former text of this document.' in html
    assert 'name="marginal"' in html
    judge(assignment, 1)
    html = compact(http.get(address, {"task": assignment.public_id}).content.decode())
    assert '<p class="note" id="doc-replaced" hidden>' in html
    assert not replaced(assignment)
    judge(assignment, state="undone")
    assert not replaced(assignment)


def test_a_text_that_was_replaced_back_and_documents_of_others_have_no_line(collection, people):
    replace(collection, {"b": "Another text."})
    judge_again(collection)
    assert [replaced(assignment) for assignment in of("b")] == [True, True]
    assert not any(replaced(assignment) for assignment in of("a"))
    replace(collection, {"b": "Text of b."})
    assert [replaced(assignment) for assignment in of("b")] == [False, False]


def replaced(assignment):
    return card(assignment.member, assignment.public_id).replaced


def test_the_former_judgement_and_who_asked_stay_in_the_ledger(collection, people, join):
    olga = join(collection, "olga", Role.OWNER)
    replace(collection, {"b": "Another text."})
    before = Judgement.objects.get(task__document__doc_id="b", member=people[0])
    judge_again(collection, user=olga.user.pk)
    first, undone = JudgementEvent.objects.filter(judgement=before).order_by("version")
    assert (first.state, first.relevance) == ("judged", before.relevance)
    assert (undone.state, undone.source, undone.actor) == ("undone", "replaced", olga.user)
    assert undone.document_hash is undone.topic_hash is None
    assert AuditEvent.objects.get(action=Action.JUDGED_AGAIN).details == {"judgements": 2}
    assert problems() == []


def test_an_undo_of_the_assessor_still_shows_the_grade(collection, people):
    replace(collection, {"b": "Another text."})
    judge_again(collection)
    assignment = of("b").first()
    judge(assignment, 1)
    record_judgement(
        assignment.member, assignment.public_id, JudgementInput("undone"), uuid.uuid4(), actor=assignment.member.user
    )
    assert sheet(assignment.member, assignment.topic).cards[0].relevance == 1


def test_only_the_chosen_change_is_judged_again(collection, people):
    replace(collection, {"b": "Another text.", "x": "Another text."})
    key = next(change.key for change in changed_texts(collection).changes if change.doc_id == "x")
    assert judge_again(collection, [key]).judgements == 2
    assert [change.doc_id for change in changed_texts(collection).changes] == ["b"]


def test_a_judge_who_left_is_named_as_a_reason(collection, people):
    from assess.people.removal import remove_member

    replace(collection, {"b": "Another text."})
    remove_member(collection, people[0].name)
    result = judge_again(collection)
    assert (result.judgements, result.notes) == (
        1,
        ["Not changed: 1 judgement. The judge has no account here any more."],
    )
    assert problems() == []


@pytest.mark.parametrize("closed", [{"judging_open": False}, {"judging_closed_at": "2026-01-01T00:00Z"}])
def test_judging_must_be_open(collection, people, closed):
    replace(collection, {"b": "Another text."})
    type(collection).objects.filter(pk=collection.pk).update(**closed)
    collection.refresh_from_db()
    with pytest.raises(Refused, match="Open judging first"):
        judge_again(collection)
    assert JudgementEvent.objects.filter(source="replaced").count() == 0


def test_what_was_judged_in_the_meantime_is_left_alone(collection, people, monkeypatch):
    from assess.living import judge_again as module

    replace(collection, {"b": "Another text."})
    found = changed_texts(collection)
    judge(of("b").first(), 1)
    monkeypatch.setattr(module, "changed_texts", lambda _: found)
    result = judge_again(collection)
    assert (result.judgements, result.notes) == (1, ["Not changed: 1 judgement. It was judged again in the meantime."])


def test_in_a_collection_that_is_open_to_claims(collection, join):
    from assess.pools.claims import open_to_claims

    ada = join(collection, "ada")
    open_to_claims(collection, 1)
    collection.refresh_from_db()
    ada.collection = collection
    topic = collection.topics.get(query_id="1")
    for shown in sheet(ada, topic).cards:
        judge(Assignment.objects.select_related("member").get(public_id=shown.task))
    replace(collection, {"b": "Another text."})
    assert judge_again(collection).judgements == 1
    assert problems() == []
    judge(of("b").first(), 0)
    assert problems() == []


# ---- keeping


def test_a_change_that_does_not_matter(collection, people, join):
    olga = join(collection, "olga", Role.OWNER)
    replace(collection, {"b": "Text of b!"})
    assert keep_changes(collection, user=olga.user) == 2
    kept = KeptChange.objects.get()
    assert (kept.by, kept.task.document.doc_id) == (olga.user, "b")
    assert not changed_texts(collection).changes
    replace(collection, {"b": "Quite another text."})  # the decision was about the former change
    assert changed_texts(collection).judgements == 2
    assert problems() == []


def test_the_decision_is_taken_back(collection, people):
    replace(collection, {"b": "Text of b!"})
    keep_changes(collection)
    list_again(collection, KeptChange.objects.get().pk)
    assert changed_texts(collection).judgements == 2
    with pytest.raises(Refused, match="taken back already"):
        list_again(collection, 1)


@pytest.mark.parametrize("action", [judge_again, keep_changes])
def test_an_unknown_change_is_refused(collection, people, action):
    with pytest.raises(Refused, match="no stale judgements"):
        action(collection)
    replace(collection, {"b": "Another text."})
    with pytest.raises(Refused, match=r"'1-ff' any more"):
        action(collection, ["1-ff"])
    assert changed_texts(collection).judgements == 2


# ---- undo


def test_undo_restores_the_former_texts(collection, people):
    before = {row.doc_id: row.content_id for row in Document.objects.all()}
    contents = DocumentContent.objects.count()
    replace(collection, {"b": "Another text.", "x": "Another text."})
    undo_import(collection, last(collection))
    assert {row.doc_id: row.content_id for row in Document.objects.all()} == before
    assert DocumentContent.objects.count() == contents
    assert not ReplacedText.objects.exists()
    assert not changed_texts(collection).changes
    assert problems() == []


def test_undo_after_a_request_to_judge_again(collection, people):
    replace(collection, {"b": "Another text."})
    judge_again(collection)
    undo_import(collection, last(collection))
    for assignment in of("b"):
        judge(assignment)
    assert not changed_texts(collection).changes
    assert problems() == []


def test_no_undo_after_a_judgement_of_the_new_text(collection, people):
    replace(collection, {"b": "Another text."})
    judge_again(collection)
    judge(of("b").first())
    with pytest.raises(Refused, match="Some of its new texts have judgements"):
        undo_import(collection, last(collection))
    assert Document.objects.get(doc_id="b").content.text == "Another text."


def test_no_undo_of_an_import_whose_texts_were_replaced(collection):
    replace(collection, {"b": "Second text."})
    second = last(collection)
    replace(collection, {"b": "Third text."})
    for record in (second, collection.imports.filter(kind="documents").last().pk):
        with pytest.raises(Refused, match="has replaced some of its texts since"):
            undo_import(collection, record)
    undo_import(collection, last(collection))
    undo_import(collection, second)
    assert Document.objects.get(doc_id="b").content.text == "Text of b."


# ---- the ledger


def test_a_changed_former_text_is_found(collection, people):
    replace(collection, {"b": "Another text."})
    former = ReplacedText.objects.get().content
    DocumentContent.objects.filter(pk=former.pk).update(text="Forged.")
    found = problems()
    assert "Document 'b': a former text does not match the hash of its import." in found
    assert any("was changed after 2 judgements had been recorded with another text" in problem for problem in found)


def test_a_former_text_with_a_forged_hash_is_found(collection, people):
    from assess.documents.contents import content_hash

    replace(collection, {"b": "Another text."})
    former = ReplacedText.objects.get().content
    forged = content_hash(former.title, former.format, "Forged.", None)
    DocumentContent.objects.filter(pk=former.pk).update(text="Forged.", sha256=forged)
    assert problems() == ["Document 'b' was changed after 2 judgements had been recorded with another text."]


def test_a_text_that_no_import_replaced_is_found(collection, people):
    replace(collection, {"b": "Another text."})
    ReplacedText.objects.all().delete()
    assert problems() == ["Document 'b' was changed after 2 judgements had been recorded with another text."]


def test_a_former_text_of_another_document_does_not_count(collection, people):
    replace(collection, {"b": "Another text."})
    ReplacedText.objects.update(document=Document.objects.get(doc_id="x"))
    assert problems() == ["Document 'b' was changed after 2 judgements had been recorded with another text."]


def test_a_former_text_that_is_used_again_without_an_import_is_found(collection, people):
    replace(collection, {"b": "Another text."})
    Document.objects.filter(doc_id="b").update(content=ReplacedText.objects.get().content)
    assert problems() == ["Document 'b': its present text is recorded as a former one."]


# ---- deleting


def test_a_collection_with_former_texts_is_deleted(collection, people):
    from assess.deletion import delete_rows
    from assess.people import erasure

    replace(collection, {"b": "Another text."})
    keep_changes(collection)
    erasure.erase(collection.members.all(), "test", collection, None, add_to_list=False)
    contents = delete_rows(collection)
    assert not ReplacedText.objects.exists()
    assert not KeptChange.objects.exists()
    assert set(contents) == set(DocumentContent.objects.values_list("pk", flat=True))


# ---- the page, the command, the overview


def text(response) -> str:
    return compact(response.content.decode())


def page(collection, **query):
    return reverse("research:changed_texts", args=[collection.slug])


@pytest.mark.in_ci
def test_the_page_shows_both_texts_and_has_the_document_judged_again(owner, collection, people):
    replace(collection, {"b": "Text of B."})
    shown = owner.get(page(collection))
    assert "2 judgements of 1 document are of former texts." in text(shown)
    key = changed_texts(collection).changes[0].key
    compared = owner.get(page(collection), {"change": key}).content.decode()
    assert "<mark\n  >B</mark>" in compared
    assert "<mark\n  >b</mark>" in compared
    owner.post(page(collection), {"change": key, "action": "again"})
    call_command("worker", once=True, verbosity=0)
    after = text(owner.get(page(collection)))
    assert "2 documents wait again in the queues of 2 assessors." in after
    assert "Every judgement whose text is known is of the present text." in after
    assert problems() == []


def test_the_page_keeps_and_lists_again(owner, collection, people):
    replace(collection, {"b": "Text of B."})
    owner.post(page(collection), {"action": "keep"})
    assert "Changes that do not matter" in text(owner.get(page(collection)))
    owner.post(page(collection), {"action": "list", "kept": KeptChange.objects.get().pk})
    assert "2 judgements of 1 document" in text(owner.get(page(collection)))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "The action must be one of again, keep, list"),
        ({"action": "again"}, "There are no stale judgements."),
        ({"action": "list", "kept": "x"}, "The decision must be a number"),
        ({"action": "list", "kept": "9" * 18}, "taken back already"),
    ],
)
def test_an_invalid_form_changes_nothing(owner, collection, people, fields, sentence):
    response = owner.post(page(collection), fields)
    assert response.status_code == 400
    assert sentence in text(response)
    assert not Job.objects.exists()


def test_hostile_texts_are_shown_as_text(owner, collection, people):
    replace(collection, {"b": "<script>alert(1)</script> <mark>"})
    key = changed_texts(collection).changes[0].key
    shown = owner.get(page(collection), {"change": key}).content.decode()
    assert "<script>alert" not in shown
    assert "&lt;" in shown


@pytest.mark.slow
def test_the_page_of_a_document_quotes_no_passage_of_a_former_text(owner, collection, join):
    join(collection, "ada")
    assign(collection, judges=1)
    assignment = of("b").first()
    marked = JudgementInput("judged", 1, passages=[[0, 4]])
    record_judgement(assignment.member, assignment.public_id, marked, uuid.uuid4(), actor=assignment.member.user)
    address = reverse("research:document", args=[collection.slug, assignment.task_id])
    assert "of a former text" not in text(owner.get(address))
    replace(collection, {"b": "Another text."})
    shown = text(owner.get(address))
    assert "of a former text" in shown
    assert "<blockquote" not in shown
    judge_again(collection)
    assert "text replaced" in text(owner.get(address))


@pytest.mark.in_ci
def test_the_overview_names_stale_judgements(owner, collection, people):
    overview = reverse("research:collection", args=[collection.slug])
    assert "former text" not in text(owner.get(overview))
    replace(collection, {"b": "Text of B."})
    assert "2 judgements of 1 document are of former texts." in text(owner.get(overview))


def test_the_command_lists_judges_again_and_keeps(collection, people, tmp_path, capsys):
    file = tmp_path / "documents.jsonl"
    lines = [{"doc_id": doc_id, "title": "", "text": f"Another text of {doc_id}."} for doc_id in "bx"]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    call_command("import_documents", str(file), collection=collection.slug, replace=True)
    assert "Replaced the texts of 2 documents." in capsys.readouterr().out
    call_command("changed_texts", collection=collection.slug)
    listed = capsys.readouterr().out
    assert "4 judgements of 2 documents are of former texts." in listed
    assert "'b': 2 judgements, topics 1." in listed
    key = next(change.key for change in changed_texts(collection).changes if change.doc_id == "b")
    call_command("changed_texts", "--judge-again", "--change", key, collection=collection.slug)
    assert "2 documents wait again" in capsys.readouterr().out
    call_command("changed_texts", "--keep", collection=collection.slug)
    assert "Kept 2 judgements" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no stale judgement"):
        call_command("changed_texts", "--keep", collection=collection.slug)
