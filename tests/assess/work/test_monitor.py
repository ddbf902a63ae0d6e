"""The monitor counts what each judge and topic has done, how fast, and who is inactive."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from assess.judging.judgement_input import JudgementInput
from assess.judging.pace import median_seconds
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Assignment, Judgement, Role, Task
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.work.monitor import Work, monitor, topic_rows
from assess.work.state import set_judging_state
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import output_of

NOW = datetime(2026, 5, 8, 12, 30, tzinfo=UTC)


@pytest.fixture
def two(collection, add_assessors):
    """Two assessors with all seven tasks each; nobody has judged anything."""
    members = add_assessors(collection, "ada", "ben")
    assign(collection, 2)
    Assignment.objects.update(created_at=NOW - timedelta(days=1))
    return members


def judge_at(member, query_id, times, seconds=10, relevance=1):
    """Judge one document of the topic at each time."""
    for at in times:
        task, *_ = upcoming(member, query_id=query_id)
        judge(member, task, active_ms=seconds * 1000) if relevance else judge(member, task, "cannot_judge")
        Judgement.objects.filter(member=member, judged_at__gt=NOW + timedelta(days=30)).update(judged_at=at)
        latest = Judgement.objects.filter(member=member).order_by("-pk").first()
        Judgement.objects.filter(pk=latest.pk).update(judged_at=at)


def row(shown, member):
    return next(each for each in shown.judges if each.member == member)


def test_counts_by_judge_and_topic(collection, two):
    ada, ben = two
    judge_at(ada, "1", [NOW - timedelta(hours=2), NOW - timedelta(hours=1)])
    judge_at(ada, "1", [NOW], relevance=None)
    judge(ben, upcoming(ben)[0], "later")
    shown = monitor(collection, NOW)
    assert row(shown, ada).work == Work(assigned=7, judged=2, cannot_judge=1, later=0, open=4)
    assert row(shown, ben).work == Work(assigned=7, judged=0, cannot_judge=0, later=1, open=7)
    assert [
        (each.topic.query_id, each.documents, each.work.done, each.work.open) for each in topic_rows(collection)
    ] == [
        ("1", 4, 3, 5),
        ("2", 3, 0, 6),
    ]
    assert (shown.work.done, shown.work.open, shown.work.percent) == (3, 11, 21)


def test_pace_median_and_grades(collection, two):
    ada, ben = two
    for seconds in (10, 20, 60):
        judge_at(ada, "1", [NOW], seconds)
    shown = row(monitor(collection, NOW), ada)
    # 3 documents in 90 seconds are 120 an hour; the middle of 10, 20 and 60 is 20.
    assert (shown.pace, shown.seconds) == (120, 20)
    assert [(share.grade.value, share.number, share.percent) for share in shown.grades] == [(0, 0, 0), (1, 3, 100)]
    idle = row(monitor(collection, NOW), ben)
    assert (idle.pace, idle.seconds, idle.grades, idle.last_at) == (None, None, [], None)


def test_median_of_counts():
    assert median_seconds({}) is None
    assert median_seconds(None) is None
    assert median_seconds({3: 1}) == 0.3
    assert median_seconds({10: 1, 40: 1}) == 2.5
    assert median_seconds({10: 2, 50: 1, 90: 2}) == 5


def test_monitor_leaves_out_imported_judges(collection, two):
    model = collection.members.create(name="model", role=Role.ASSESSOR)
    rows = [ImportedJudgement(model, task.pk, 0, JudgementInput("judged", 1), NOW) for task in Task.objects.all()]
    record_imported(rows)
    shown = monitor(collection, NOW)
    assert [each.member for each in shown.judges] == two
    assert (shown.work.done, shown.activity.total) == (0, 0)


def test_inactive_since_the_last_judgement_or_the_first_assignment(collection, two):
    ada, ben = two
    judge_at(ada, "1", [NOW - timedelta(days=3)])
    shown = monitor(collection, NOW)
    assert row(shown, ada).inactive_since == NOW - timedelta(days=3)
    assert row(shown, ben).inactive_since is None, "assigned yesterday"
    Assignment.objects.update(created_at=NOW - timedelta(days=5))
    assert row(monitor(collection, NOW), ben).inactive_since == NOW - timedelta(days=5)
    set_judging_state(collection, "paused")
    assert monitor(collection, NOW).inactive == []


def test_nobody_is_inactive_without_open_work(collection, two):
    ada, _ = two
    Assignment.objects.filter(member=ada).update(state="judged", created_at=NOW - timedelta(days=9))
    assert row(monitor(collection, NOW), ada).inactive_since is None


def test_open_claims_count_judgements_that_are_missing(collection, two):
    open_to_claims(collection, 3)
    judge_at(two[0], "1", [NOW - timedelta(hours=1)])
    shown = monitor(collection, NOW)
    assert shown.work.open == 3 * 7 - 1
    assert shown.forecast.reason == "1 of 10 judgements needed"


def test_activity_is_by_hour_at_first_and_by_day_later(collection, two):
    ada, ben = two
    judge_at(ada, "1", [NOW - timedelta(hours=2), NOW - timedelta(hours=2), NOW])
    activity = monitor(collection, NOW).activity
    assert (activity.unit, len(activity.periods), activity.total, activity.most) == ("hour", 48, 3, 2)
    assert [each.label for each in activity.periods if each.judgements] == ["2026-05-08 10", "2026-05-08 12"]
    judge_at(ben, "1", [NOW - timedelta(days=40)])
    activity = monitor(collection, NOW).activity
    assert (activity.unit, len(activity.periods), activity.total) == ("day", 30, 3)
    assert activity.periods[-1].label == "2026-05-08"


def test_command_prints_the_same(collection, two):
    Assignment.objects.update(created_at=timezone.now())
    lines = output_of("work", "--collection", "small")
    assert lines[0] == "assessor-1  0 done, 7 open, no time recorded, end: undefined (0 of 10 judgements needed)"
    assert lines[2].startswith("0 recorded judgements, 14 open. Expected end: undefined (2 judges have")
