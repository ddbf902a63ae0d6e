"""The progress of assessors, excluded judgements and the difficulty of topics. All counts are worked out by hand."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from assess.analysis.agreement import ExcludedJudgements, agreement_figures, pair_figures
from assess.analysis.selection import Selection
from assess.campaign import overview
from assess.campaign.difficulty import difficulty_by_topic, overall_difficulty
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Assignment, Role, State, Task, TopicFeedback
from tests.factories import SMALL_RUNS, small_collection

JUDGED, CANNOT, LATER, UNDONE = State.values
REASON = {CANNOT: "broken"}


def judge(member, *verdicts):
    """Record one judge's judgements of the tasks in order: a grade, a state, or None for no judgement."""
    tasks = Task.objects.filter(topic__collection=member.collection).order_by("pk")
    record_imported(
        [
            ImportedJudgement(member, task.pk, 0, judgement_input(verdict), timezone.now())
            for task, verdict in zip(tasks, verdicts, strict=False)
            if verdict is not None
        ]
    )


def judgement_input(verdict) -> JudgementInput:
    if isinstance(verdict, int):
        return JudgementInput(JUDGED, verdict)
    return JudgementInput(verdict, reason=REASON.get(verdict, ""))


@pytest.fixture
def judges(collection):
    return [collection.members.create(name=name, role=Role.ASSESSOR) for name in ("first", "second", "third")]


def test_assessors_are_counted_by_state_and_repeats_separately(collection, join):
    ada, ben = join(collection, "ada"), join(collection, "ben")
    tasks = list(Task.objects.order_by("pk"))
    states = [JUDGED, JUDGED, CANNOT, LATER, UNDONE, "", ""]
    assign_tasks(ada, zip(tasks, states, strict=False))
    assign_tasks(ada, [(tasks[0], JUDGED), (tasks[1], "")], repeat=1)
    assign_tasks(
        ben, [(tasks[0], ""), (tasks[1], ""), (tasks[2], "lapsed")], claimed=timezone.now() + timedelta(minutes=5)
    )
    Assignment.objects.filter(member=ben, task=tasks[1]).update(claimed_until=timezone.now() - timedelta(minutes=5))
    judge(ada, 1, 0, CANNOT, LATER)
    by_name = {row.member: row for row in overview.assessor_progress(collection)}
    of_ada, of_ben = by_name[ada], by_name[ben]
    assert (of_ada.assigned, of_ada.judged, of_ada.cannot_judge, of_ada.later, of_ada.open) == (7, 2, 1, 1, 4)
    assert (of_ada.claims, of_ada.repeats, of_ada.repeats_judged) == (0, 2, 1)
    # Of his three claims, one was released, and one has expired but is not released yet.
    assert (of_ben.assigned, of_ben.open, of_ben.claims, of_ben.judged) == (2, 2, 1, 0)


def assign_tasks(member, pairs, repeat=0, claimed=None):
    for position, (task, state) in enumerate(pairs):
        holds = claimed is not None and state == ""
        Assignment.objects.create(
            task=task,
            topic_id=task.topic_id,
            member=member,
            repeat=repeat,
            position=position,
            state=state,
            holds_place=holds,
            claimed_until=claimed if holds else None,
        )


def test_judges_of_other_collections_are_not_counted(collection, judges):
    other = small_collection(SMALL_RUNS, "other")
    judge(other.members.create(name="first", role=Role.ASSESSOR), 1, 1)
    judge(judges[0], 1)
    assert [row.judged for row in overview.assessor_progress(collection)] == [1, 0, 0]
    assert [row.judged for row in overview.assessor_progress(other)] == [2]


def test_tasks_are_counted_by_slots_taken(collection):
    assert overview.tasks_by_slots_taken(collection) == []
    Task.objects.update(wanted=2)
    for task in Task.objects.all()[:3]:
        Task.objects.filter(pk=task.pk).update(taken=2)
    assert overview.tasks_by_slots_taken(collection) == [(0, Task.objects.count() - 3), (2, 3)]


def test_excluded_judgements_are_counted_and_not_in_kappa(collection, judges):
    """Seven documents. Both judges graded the first three. One could not judge the fourth, and one put the fifth off.
    One could not judge the sixth and the other put it off, so it counts once. Only one opened the seventh."""
    first, second, _ = judges
    judge(first, 1, 1, 0, CANNOT, 1, CANNOT, 1)
    judge(second, 1, 0, 0, 1, LATER, LATER)
    row = pair_figures(collection, "first", "second", Selection(rel=1)).row
    assert row.excluded == ExcludedJudgements(cannot_judge=2, later=1)
    assert (row.raw.n, row.pooled.n, row.cohen.n) == (3, 3, 3)
    # On the three: P(A) = 2/3; first 1 1 0, second 1 0 0: Cohen's P(E) = 2/3 1/3 + 1/3 2/3 = 4/9, kappa = 2/5;
    # pooled P(E) = (3/6)² + (3/6)² = 1/2, kappa = 1/3.
    assert row.raw.value == pytest.approx(2 / 3)
    assert row.cohen.value == pytest.approx(2 / 5)
    assert row.pooled.value == pytest.approx(1 / 3)
    figures = agreement_figures(collection, Selection(rel=1))
    assert figures.excluded == ExcludedJudgements(cannot_judge=2, later=2)
    assert figures.n_judgements == 5 + 4
    assert excluded_of(figures) == {("first", "second"): ExcludedJudgements(2, 1)}
    assert "Left out of all figures: 2 “cannot judge”, 2 “later”." in report(collection)


def excluded_of(figures) -> dict:
    names = ["assessor_a", "assessor_b", "cannot_judge", "later"]
    return {(a, b): ExcludedJudgements(*counts) for a, b, *counts in figures.pairs[names].itertuples(index=False)}


def test_report_without_excluded_judgements(collection, judges):
    for member in judges:
        judge(member, 1, 0)
    assert "Left out of all figures" not in report(collection)


def report(collection) -> str:
    out = io.StringIO()
    call_command("agreement_report", "--collection", collection.slug, "--rel", 1, stdout=out)
    return out.getvalue()


def test_undone_judgements_do_not_count_as_opened(collection, judges):
    first, second, third = judges
    judge(first, CANNOT, LATER, 1)
    judge(second, UNDONE, UNDONE, 1)
    judge(third, CANNOT, 0, 1)
    assert excluded_of(agreement_figures(collection, Selection(rel=1))) == {
        ("first", "second"): ExcludedJudgements(0, 0),
        ("first", "third"): ExcludedJudgements(1, 1),
        ("second", "third"): ExcludedJudgements(0, 0),
    }


def answer(member, topic, number=None, comment=""):
    TopicFeedback.objects.create(member=member, topic=topic, difficulty=number, comment=comment)


def test_difficulty_is_the_mean_over_answers_and_comments_have_pseudonyms(collection, judges):
    topic, other = collection.topics.order_by("pk")
    assert difficulty_by_topic(collection) == []
    assert overall_difficulty(collection) == (None, 0, 0)
    answer(judges[0], topic, 5, "Which one?")
    answer(judges[1], topic, 2)
    answer(judges[2], topic, comment="Nothing to say.")
    answer(judges[2], other, comment="Nor here.")
    first, second = difficulty_by_topic(collection)
    assert (first.query_id, first.n, first.mean) == ("1", 2, 3.5)
    assert first.comments == [("first", "Which one?"), ("third", "Nothing to say.")]
    assert (second.query_id, second.n, second.mean, second.comments) == ("2", 0, None, [("third", "Nor here.")])
    assert overall_difficulty(collection) == (3.5, 2, 1)
    assert overview.overview(collection).difficulty_sentence == (
        "Mean difficulty of the topics: 3.5 from 1 (easy) to 5 (very difficult), 2 answers on 1 topic."
    )
