"""Adjudications at the same time: two adjudicators, two researchers, and an undo during a decision.

Each person has a connection of their own.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import transaction

from assess.adjudication.adjudicate import adjudications_of, create_adjudication, undo_adjudication
from assess.adjudication.choose import by_distance
from assess.errors import Conflict, Refused
from assess.judging.ledger import ledger_problems
from assess.models import AdjudicatedTask, Assignment, Judgement, JudgementEvent, JudgementKind
from tests.assess.adjudication.conftest import decide, task_of
from tests.assess.claiming import judge
from tests.assess.judging.test_judging_races import await_blocked
from tests.assess.pools.test_undo_while_judging import in_thread, needs_row_locks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def at_once(*calls) -> list:
    """Start the calls together, and return the result or refusal of each."""
    barrier = Barrier(len(calls))

    def started(call):
        barrier.wait(60)
        return call()

    with ThreadPoolExecutor(len(calls)) as executor:
        futures = [in_thread(executor, lambda call=call: started(call)) for call in calls]
        return [future.result() for future in futures]


def two_adjudicators(disputed, people):
    """Return a task that two people have to decide."""
    task = task_of(disputed, "2", "x")
    create_adjudication(disputed, [task], ["cleo"], "one document")
    Assignment.objects.create(
        task=task, topic=task.topic, member=people["dan"], repeat=JudgementKind.DECISION, position=0
    )
    return task


def check_one_decision(results) -> None:
    """One of two adjudicators decided, and the other one was refused."""
    assert sorted(isinstance(result, Conflict) for result in results) == [False, True]
    saved = next(result for result in results if isinstance(result, JudgementEvent))
    decision = Judgement.objects.get(repeat=JudgementKind.DECISION)
    assert (decision.member_id, decision.relevance) == (saved.member_id, saved.relevance)
    assert JudgementEvent.objects.filter(judgement__repeat=JudgementKind.DECISION).count() == 1
    assert list(ledger_problems()) == []


def test_two_adjudicators_decide_the_same_document(disputed, people):
    task = two_adjudicators(disputed, people)
    check_one_decision(at_once(lambda: decide(people["cleo"], task, 1), lambda: decide(people["dan"], task, 0)))


@needs_row_locks
def test_second_decision_waits_for_the_first_and_is_refused(disputed, people):
    task = two_adjudicators(disputed, people)
    with ThreadPoolExecutor(1) as executor:
        with transaction.atomic():
            first = decide(people["cleo"], task, 1)
            second = in_thread(executor, lambda: decide(people["dan"], task, 0))
            await_blocked(1)
        check_one_decision([first, second.result()])


def choose_some(disputed, *choices):
    """Return calls that save choices of documents. All are chosen now: a later choice leaves out adjudicated ones."""
    tasks = by_distance(disputed, 1)
    return [
        lambda doc_ids=doc_ids, name=name: create_adjudication(
            disputed, [task for task in tasks if task.document.doc_id in doc_ids], [name], "some documents"
        )
        for doc_ids, name in choices
    ]


def check_one_adjudication(disputed, results) -> None:
    assert sorted(isinstance(result, Refused) for result in results) == [False, True]
    assert [(each.number, each.documents) for each in adjudications_of(disputed)] == [(1, 2)]
    assert AdjudicatedTask.objects.count() == 2
    assert Assignment.objects.filter(repeat=JudgementKind.DECISION).count() == 2


def test_two_researchers_choose_overlapping_documents(disputed, people):
    results = at_once(*choose_some(disputed, ("bx", "cleo"), ("xz", "dan")))
    check_one_adjudication(disputed, results)


@needs_row_locks
def test_second_choice_waits_for_the_first_and_is_refused(disputed, people):
    tasks = by_distance(disputed, 1)
    with ThreadPoolExecutor(1) as executor:
        with transaction.atomic():
            first = create_adjudication(disputed, tasks[:2], ["cleo"], "first")
            second = in_thread(executor, lambda: create_adjudication(disputed, tasks[1:], ["dan"], "second"))
            await_blocked(1)
        check_one_adjudication(disputed, [first, second.result()])


def test_two_researchers_choose_different_documents(disputed, people):
    b, x, _ = by_distance(disputed, 1)
    calls = (create_adjudication, (disputed, [b], ["cleo"], "b")), (create_adjudication, (disputed, [x], ["dan"], "x"))
    at_once(*(lambda call=call, words=words: call(*words) for call, words in calls))
    assert [(each.number, each.documents) for each in adjudications_of(disputed)] == [(1, 1), (2, 1)]


def test_adjudicator_decides_while_the_adjudication_is_undone(disputed, people):
    tasks = by_distance(disputed, 1)
    create_adjudication(disputed, tasks, ["cleo"], "all")
    decision, undone = at_once(
        lambda: decide(people["cleo"], tasks[0], 1), lambda: undo_adjudication(disputed, 1, people["olga"].user)
    )
    if isinstance(decision, JudgementEvent):
        assert (undone, AdjudicatedTask.objects.get().task_id) == (2, tasks[0].pk)
    else:
        assert (type(decision), undone) == (Assignment.DoesNotExist, 3)
    check_agrees()


def check_agrees() -> None:
    """Every document of an adjudication has an assignment, and every decision a document."""
    documents = set(AdjudicatedTask.objects.values_list("task", flat=True))
    assert set(Assignment.objects.filter(repeat=JudgementKind.DECISION).values_list("task", flat=True)) == documents
    assert set(Judgement.objects.filter(repeat=JudgementKind.DECISION).values_list("task", flat=True)) <= documents
    assert list(ledger_problems()) == []


@needs_row_locks
@pytest.mark.parametrize("decides_first", [True, False])
def test_undo_and_decision_wait_for_each_other(disputed, people, decides_first):
    tasks = by_distance(disputed, 1)
    create_adjudication(disputed, tasks, ["cleo"], "all")
    calls = [lambda: decide(people["cleo"], tasks[0], 1), lambda: undo_adjudication(disputed, 1)]
    first, second = calls if decides_first else reversed(calls)
    waiting: Future
    with ThreadPoolExecutor(1) as executor:
        with transaction.atomic():
            first()
            waiting = in_thread(executor, second)
            await_blocked(1)
        result = waiting.result()
    assert result == 2 if decides_first else isinstance(result, Assignment.DoesNotExist)
    assert AdjudicatedTask.objects.count() == int(decides_first)
    check_agrees()


def test_judge_who_got_the_document_to_judge_meanwhile_cannot_decide_it(disputed, people):
    """A claim between the choice of the adjudicators and the transaction is not seen by either of them."""
    task, cleo = task_of(disputed, "2", "x"), people["cleo"]
    create_adjudication(disputed, [task], ["cleo"], "one document")
    regular = Assignment.objects.create(task=task, topic=task.topic, member=cleo, position=0)
    judge(cleo, str(regular.public_id))
    with pytest.raises(Refused, match="You judged this document, so somebody else has to decide"):
        decide(cleo, task, 1)
    assert not Judgement.objects.filter(repeat=JudgementKind.DECISION).exists()
