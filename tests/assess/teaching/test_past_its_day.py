"""From the first minute of its last day an exercise is as good as erased; and what was erased is in no memory."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from assess.judging import worklist
from assess.models import Exercise
from assess.teaching import exercises, worksheets
from tests.assess.classroom import exercise_of, instructor_of, judge_all, signed_in, sit_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def prof(collection):
    return instructor_of(collection)


@pytest.fixture
def exercise(collection, prof):
    made = exercise_of(collection, prof, worksheets=["pair"])
    exercises.start(made)
    return made


def test_nobody_finds_it_before_the_nightly_job_came(exercise, prof):
    browser, ann = sit_down(exercise, "Ann")
    desk, slug = signed_in(prof.user), exercise.collection.slug
    topic, _ = worklist.topics(ann.member)[0]
    students = [reverse(f"join:{name}", args=[exercise.code]) for name in ("seat", "live", "leave", "nickname")]
    students += [reverse("judge:topics", args=[slug]), reverse("judge:topic", args=[slug, topic.pk])]
    teachers = [reverse(f"teach:{name}", args=[exercise.code]) for name in ("exercise", "live", "reveal", "erase")]
    assert browser.get(students[0]).status_code == desk.get(teachers[0]).status_code == 200
    assert browser.get(students[-1]).status_code == 200
    Exercise.objects.update(erase_on=timezone.localdate())
    for address in students:
        assert browser.get(address).status_code == 404, address
    for address in (*teachers, reverse("research:agreement", args=[slug])):
        assert desk.get(address).status_code == 404, address
    assert exercise.code not in desk.get(reverse("teach:home")).content.decode()


def test_a_seat_past_its_day_does_not_keep_its_student_from_another_one(exercise, collection, prof):
    browser, _ = sit_down(exercise, "Ann")
    second = exercise_of(collection, prof, title="Second")
    browser.post(reverse("join:nickname", args=[second.code]), {"nickname": "Ann"})
    browser.force_login(exercise.seats.get().member.user, backend="assess.people.backend.AccountBackend")
    Exercise.objects.filter(pk=exercise.pk).update(erase_on=timezone.localdate())
    assert browser.get(reverse("join:seat", args=[second.code])).status_code == 200


def test_no_figure_with_a_nickname_outlives_the_seat(exercise, django_capture_on_commit_callbacks):
    for nickname in ("Ann", "Ben"):
        judge_all(sit_down(exercise, nickname)[1])
    exercises.end(exercise)
    cache.set("figure", "of Ann and Ben")
    with django_capture_on_commit_callbacks(execute=True):
        exercises.erase(exercise)
    assert cache.get("figure") is None


def test_a_pair_s_worksheet_is_not_kept(exercise):
    assert not hasattr(worksheets._of_two, "cache_info")


def test_while_judging_is_closed_the_last_document_is_not_shown_either(exercise):
    _, ann = sit_down(exercise, "Ann")
    judge_all(ann)
    topic, _ = worklist.topics(ann.member)[0]
    member = type(ann.member).objects.select_related("collection").get(pk=ann.member_id)
    assert worklist.sheet(member, topic).last is not None
    exercises.pause(exercise)
    member = type(ann.member).objects.select_related("collection").get(pk=ann.member_id)
    assert worklist.sheet(member, topic).last is None


def test_the_button_says_that_partners_see_their_table(exercise, prof):
    page = signed_in(prof.user).get(reverse("teach:exercise", args=[exercise.code])).content.decode()
    assert "Open the worksheets (each student sees the table of their own pair)" in page
