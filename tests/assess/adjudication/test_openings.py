"""Who opened the grades of a document, and which decisions were blind."""

import uuid

from assess.adjudication.adjudicate import create_adjudication
from assess.adjudication.choose import by_distance
from assess.adjudication.openings import blind_decisions, opened_tasks, record_openings
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, GradesOpening, JudgementKind
from assess.transfer.exports import record_export
from tests.assess.adjudication.conftest import task_of
from tests.assess.claiming import fresh


def decide_all(collection, adjudicator, shows_grades=False):
    create_adjudication(collection, by_distance(collection, 1), [adjudicator.name], "all", shows_grades)
    for assignment in Assignment.objects.filter(repeat=JudgementKind.DECISION):
        grade = JudgementInput("judged", relevance=1)
        record_judgement(fresh(adjudicator), assignment.public_id, grade, uuid.uuid4())


def test_only_judged_tasks_are_recorded_and_the_first_time_counts(disputed, people):
    rita, task = people["rita"], task_of(disputed, "1", "b")
    record_openings(rita, [task.pk])
    first = GradesOpening.objects.get().opened_at
    record_openings(rita, [task.pk])
    assert GradesOpening.objects.get().opened_at == first
    assert opened_tasks(rita, [task.pk, 999_999]) == {task.pk}


def test_decisions_without_an_opening_are_blind(disputed, people):
    decide_all(disputed, people["rita"])
    record_openings(people["rita"], [task_of(disputed, "1", "b").pk])  # after the decision
    assert set(blind_decisions(disputed).values()) == {True}


def test_decision_after_an_opening_is_not_blind(disputed, people):
    opened = task_of(disputed, "1", "b").pk
    record_openings(people["rita"], [opened])
    decide_all(disputed, people["rita"])
    assert [task for task, is_blind in blind_decisions(disputed).items() if not is_blind] == [opened]


def test_an_export_counts_as_an_opening_of_everything(disputed, people):
    record_export(disputed, "judgements", people["rita"].user)
    decide_all(disputed, people["rita"])
    assert set(blind_decisions(disputed).values()) == {False}
    assert opened_tasks(people["rita"], [1, 2]) == {1, 2}


def test_open_adjudication_is_not_blind(disputed, people):
    decide_all(disputed, people["cleo"], shows_grades=True)
    assert set(blind_decisions(disputed).values()) == {False}
