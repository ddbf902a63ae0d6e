"""Recording a judgement: once, completely, and without changing earlier ledger entries."""

import uuid

import pytest
from django.db.models import Sum

from assess.collections.guidelines import guidelines_hash
from assess.documents.display import LONGEST_EMPTY
from assess.errors import Conflict, Refused
from assess.judging import worklist
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.judging.progress import progress_for
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Document, Judgement, JudgementEvent, State
from assess.pools.assign import assign
from tests.factories import remove_content, set_content


@pytest.fixture
def ada(collection, join):
    """An assessor with everything to judge."""
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


def first_task(member):
    topic, _ = topics_with_progress(member)[0]
    return uuid.UUID(worklist.upcoming(member, topic)[0].task)


def test_every_field_is_saved_in_judgement_and_ledger(ada):
    ada.collection.guidelines.create(version=3, text="Read it all.", sha256=guidelines_hash("Read it all."))
    judgement_input = JudgementInput("judged", 1, comment="on the point", active_ms=4_200, guidelines_version=3)
    client_id = uuid.uuid4()
    record_judgement(ada, first_task(ada), judgement_input, client_id, actor=ada.user)
    judgement, event = Judgement.objects.get(), JudgementEvent.objects.get()
    for row in (judgement, event):
        assert (row.state, row.relevance, row.reason, row.comment) == ("judged", 1, "", "on the point")
        assert (row.active_ms, row.guidelines_version) == (4_200, 3)
    assert (event.before_state, event.before_relevance) == ("", None)
    assert (event.client_id, event.actor, event.source, event.at) == (client_id, ada.user, "page", judgement.judged_at)


def test_repeated_request_changes_nothing_and_gets_the_same_answer(ada):
    task, client_id = first_task(ada), uuid.uuid4()
    answers = [record_judgement(ada, task, JudgementInput("judged", 1, active_ms=10), client_id) for _ in range(3)]
    assert {(answer.pk, answer.relevance, answer.active_ms) for answer in answers} == {(answers[0].pk, 1, 10)}
    assert JudgementEvent.objects.count() == 1


def test_late_repetition_does_not_restore_an_old_grade(ada):
    task, first = first_task(ada), uuid.uuid4()
    record_judgement(ada, task, JudgementInput("judged", 0), first)
    record_judgement(ada, task, JudgementInput("judged", 1), uuid.uuid4())
    again = record_judgement(ada, task, JudgementInput("judged", 0), first)
    assert again.relevance == 0  # the same answer as before
    assert Judgement.objects.get().relevance == 1


@pytest.mark.parametrize(
    "other", [JudgementInput("judged", 0), JudgementInput("later"), JudgementInput("judged", 1, comment="more")]
)
def test_same_client_id_with_other_content_is_a_conflict(ada, other):
    task, client_id = first_task(ada), uuid.uuid4()
    record_judgement(ada, task, JudgementInput("judged", 1), client_id)
    with pytest.raises(Conflict):
        record_judgement(ada, task, other, client_id)
    assert Judgement.objects.get().relevance == 1
    assert JudgementEvent.objects.count() == 1


def test_same_client_id_for_another_task_is_a_conflict(ada):
    topic, _ = topics_with_progress(ada)[0]
    one, other = (uuid.UUID(card.task) for card in worklist.upcoming(ada, topic)[:2])
    client_id = uuid.uuid4()
    record_judgement(ada, one, JudgementInput("judged", 1), client_id)
    with pytest.raises(Conflict):
        record_judgement(ada, other, JudgementInput("judged", 1), client_id)
    assert Judgement.objects.count() == 1


def test_ledger_keeps_every_change(ada):
    task = first_task(ada)
    for judgement_input in (
        JudgementInput("judged", 0, active_ms=5),
        JudgementInput("undone"),
        JudgementInput("judged", 1, active_ms=7),
    ):
        record_judgement(ada, task, judgement_input, uuid.uuid4())
    events = JudgementEvent.objects.order_by("pk")
    assert [(e.before_state, e.before_relevance, e.state, e.relevance) for e in events] == [
        ("", None, "judged", 0),
        ("judged", 0, "undone", None),
        ("undone", None, "judged", 1),
    ]
    judgement, last = Judgement.objects.get(), events.last()
    assert (judgement.state, judgement.relevance, judgement.judged_at) == (last.state, last.relevance, last.at)
    assert judgement.active_ms == events.aggregate(total=Sum("active_ms"))["total"] == 12


@pytest.mark.parametrize(
    ("judgement_input", "message"),
    [
        (JudgementInput("judged", 7), "Grade 7 is not on the scale; it must be one of 0, 1."),
        (JudgementInput("judged"), "The grade is missing; it must be one of 0, 1."),
        (JudgementInput("excellent", 1), "State must be one of judged, cannot_judge, later, undone, not 'excellent'"),
        (JudgementInput("later", 1), "State later cannot have a grade"),
        (JudgementInput("cannot_judge"), "The reason must be one of broken, language, expertise, topic, other, not ''"),
        (
            JudgementInput("cannot_judge", reason="bored"),
            "The reason must be one of broken, language, expertise, topic, other, not 'bored'",
        ),
        (JudgementInput("judged", 1, reason="broken"), "State judged cannot have a reason; only cannot_judge has one."),
        (
            JudgementInput("judged", 1, comment="x" * 5_001),
            "The comment has 5,001 characters; at most 5,000 are allowed.",
        ),
        (JudgementInput("judged", 1, comment="a\0b"), "The comment contains a NUL character"),
        (JudgementInput("judged", 1, active_ms=-1), "active_ms must be between 0 and 86400000 (one day), not -1."),
        (
            JudgementInput("judged", 1, active_ms=10**9),
            "active_ms must be between 0 and 86400000 (one day), not 1000000000.",
        ),
    ],
)
def test_invalid_judgement_is_refused_and_changes_nothing(ada, judgement_input, message):
    task = first_task(ada)
    with pytest.raises(Refused) as refused:
        record_judgement(ada, task, judgement_input, uuid.uuid4())
    assert message in str(refused.value)
    assert not Judgement.objects.exists()
    assert not JudgementEvent.objects.exists()


def test_undo_without_a_judgement_is_refused(ada):
    task = first_task(ada)
    with pytest.raises(Refused, match="nothing to undo"):
        record_judgement(ada, task, JudgementInput("undone"), uuid.uuid4())
    record_judgement(ada, task, JudgementInput("judged", 1), uuid.uuid4())
    record_judgement(ada, task, JudgementInput("undone"), uuid.uuid4())
    with pytest.raises(Refused, match="nothing to undo"):
        record_judgement(ada, task, JudgementInput("undone"), uuid.uuid4())


def test_unknown_guidelines_version_is_refused(ada):
    with pytest.raises(Refused, match="There is no version 999"):
        record_judgement(ada, first_task(ada), JudgementInput("judged", 1, guidelines_version=999), uuid.uuid4())


def test_task_of_another_assessor_does_not_exist(ada, collection, join):
    bob = join(collection, "bob")
    with pytest.raises(Assignment.DoesNotExist):
        record_judgement(bob, first_task(ada), JudgementInput("judged", 1), uuid.uuid4())


def test_time_spent_adds_up_to_a_day_at_most(ada):
    task = first_task(ada)
    for _ in range(3):
        record_judgement(ada, task, JudgementInput("judged", 1, active_ms=LONGEST_MS), uuid.uuid4())
    assert Judgement.objects.get().active_ms == LONGEST_MS


def test_queue_has_undone_judgements_first_and_postponed_ones_last(ada):
    topic, _ = topics_with_progress(ada)[0]
    tasks = [uuid.UUID(card.task) for card in worklist.upcoming(ada, topic)]
    record_judgement(ada, tasks[0], JudgementInput("later"), uuid.uuid4())
    record_judgement(ada, tasks[2], JudgementInput("judged", 1), uuid.uuid4())
    record_judgement(ada, tasks[2], JudgementInput("undone"), uuid.uuid4())
    queue = worklist.upcoming(ada, topic)
    assert [uuid.UUID(card.task) for card in queue] == [tasks[2], tasks[1], *tasks[3:], tasks[0]]
    assert [card.state for card in (queue[0], queue[1], queue[-1])] == ["undone", "", "later"]
    assert queue[0].relevance == 1  # preselected


def test_postponed_tasks_return_in_the_order_of_postponing(ada):
    topic, _ = topics_with_progress(ada)[0]
    tasks = [uuid.UUID(card.task) for card in worklist.upcoming(ada, topic)]
    for task in reversed(tasks):
        record_judgement(ada, task, JudgementInput("later"), uuid.uuid4())
    assert [uuid.UUID(card.task) for card in worklist.upcoming(ada, topic)] == list(reversed(tasks))


def test_progress_counts_every_state(ada):
    topic, before = topics_with_progress(ada)[0]
    tasks = [uuid.UUID(card.task) for card in worklist.upcoming(ada, topic)]
    record_judgement(ada, tasks[0], JudgementInput("judged", 1), uuid.uuid4())
    record_judgement(ada, tasks[1], JudgementInput("cannot_judge", reason="language"), uuid.uuid4())
    record_judgement(ada, tasks[2], JudgementInput("later"), uuid.uuid4())
    after = progress_for(ada, topic.pk)
    assert (after.judged, after.cannot_judge, after.later) == (1, 1, 1)
    assert (after.total, after.done, after.left) == (before.total, 2, before.total - 2)
    assert progress_for(ada).done == 2


def test_undo_goes_back_to_the_last_judgement_of_the_topic(ada):
    topic, _ = topics_with_progress(ada)[0]
    assert worklist.last_settled(ada, topic) is None
    tasks = [uuid.UUID(card.task) for card in worklist.upcoming(ada, topic)]
    record_judgement(ada, tasks[0], JudgementInput("judged", 1), uuid.uuid4())
    record_judgement(ada, tasks[1], JudgementInput("later"), uuid.uuid4())
    assert worklist.last_settled(ada, topic).task == str(tasks[1])
    record_judgement(ada, tasks[1], JudgementInput("undone"), uuid.uuid4())
    assert worklist.last_settled(ada, topic).task == str(tasks[0])
    assert worklist.last_settled(ada, topic).relevance == 1


def test_upcoming_leaves_out_loaded_cards(ada):
    topic, _ = topics_with_progress(ada)[0]
    cards = worklist.upcoming(ada, topic)
    besides = (cards[0].task, cards[2].task)
    assert [card.task for card in worklist.upcoming(ada, topic, besides)] == [
        cards[1].task,
        *(c.task for c in cards[3:]),
    ]


def test_states_are_those_of_the_glossary():
    assert set(State.values) == {"judged", "cannot_judge", "later", "undone"}


def test_refusal_of_the_database_is_a_conflict_and_nothing_is_saved(ada, monkeypatch):
    monkeypatch.setattr(JudgementInput, "check", lambda *_: None)  # as if the scale had changed after the check
    with pytest.raises(Conflict, match="nothing was changed"):
        record_judgement(ada, first_task(ada), JudgementInput("judged", 7), uuid.uuid4())
    assert not JudgementEvent.objects.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "has not been imported yet"),
        ({"text": " \n"}, "is empty"),
        ({"text": "<p> &nbsp;</p><!-- -->", "format": "html"}, "is empty"),
    ],
)
def test_document_without_text_accepts_only_later_and_cannot_judge(ada, content, sentence):
    remove_content(Document.objects.all()) if content is None else set_content(Document.objects.all(), **content)
    task = first_task(ada)
    with pytest.raises(Refused, match=f"{sentence}.*“Later” or “Cannot judge”"):
        record_judgement(ada, task, JudgementInput("judged", 1), uuid.uuid4())
    assert not Judgement.objects.exists()
    topic, _ = topics_with_progress(ada)[0]
    assert {card.has_text for card in worklist.upcoming(ada, topic)} == {False}
    for judgement in (JudgementInput("later"), JudgementInput("cannot_judge", reason="broken")):
        assert record_judgement(ada, task, judgement, uuid.uuid4()).state == judgement.state


def test_long_blank_beginning_is_not_an_empty_document(ada):
    set_content(Document.objects.all(), text=" " * (LONGEST_EMPTY + 1) + "word")
    assert record_judgement(ada, first_task(ada), JudgementInput("judged", 1), uuid.uuid4()).relevance == 1
