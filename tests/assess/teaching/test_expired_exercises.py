"""An exercise is treated as erased from the first minute of its erasure date. Erased data is in no cache."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Exercise
from assess.teaching import clock, exercises, worksheets
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, judge_all, signed_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def instructor(collection):
    return add_instructor(collection)


@pytest.fixture
def exercise(collection, instructor):
    made = create_exercise(collection, instructor, worksheets=["pair"])
    clock.start(made)
    return made


@pytest.mark.in_ci
def test_expired_exercise_is_not_found_before_the_nightly_job(exercise, instructor):
    browser, ann = join_exercise(exercise, "Ann")
    instructor_browser, slug = signed_in_client(instructor.user), exercise.collection.slug
    topic, _ = worklist.topics_with_progress(ann.member)[0]
    students = [reverse(f"join:{name}", args=[exercise.code]) for name in ("seat", "live", "leave", "nickname")]
    students += [reverse("judge:topics", args=[slug]), reverse("judge:topic", args=[slug, topic.pk])]
    teachers = [reverse(f"teach:{name}", args=[exercise.code]) for name in ("exercise", "live", "reveal", "erase")]
    assert browser.get(students[0]).status_code == instructor_browser.get(teachers[0]).status_code == 200
    assert browser.get(students[-1]).status_code == 200
    Exercise.objects.update(erase_on=timezone.localdate())
    for address in students:
        assert browser.get(address).status_code == 404, address
    for address in (*teachers, reverse("research:agreement", args=[slug])):
        assert instructor_browser.get(address).status_code == 404, address
    assert exercise.code not in instructor_browser.get(reverse("teach:home")).content.decode()


def test_expired_seat_does_not_block_another_seat(exercise, collection, instructor):
    browser, _ = join_exercise(exercise, "Ann")
    second = create_exercise(collection, instructor, title="Second")
    browser.post(reverse("join:nickname", args=[second.code]), {"nickname": "Ann"})
    browser.force_login(exercise.seats.get().member.user, backend="assess.people.backend.AccountBackend")
    Exercise.objects.filter(pk=exercise.pk).update(erase_on=timezone.localdate())
    assert browser.get(reverse("join:seat", args=[second.code])).status_code == 200


@pytest.mark.in_ci
def test_cached_figures_are_cleared_when_a_seat_is_erased(exercise, django_capture_on_commit_callbacks):
    for nickname in ("Ann", "Ben"):
        judge_all(join_exercise(exercise, nickname)[1])
    clock.end(exercise)
    cache.set("figure", "of Ann and Ben")
    with django_capture_on_commit_callbacks(execute=True):
        exercises.erase(exercise)
    assert cache.get("figure") is None


def test_pair_worksheet_is_not_cached(exercise):
    assert not hasattr(worksheets._worksheet_of_two, "cache_info")


def test_last_document_is_hidden_while_judging_is_closed(exercise):
    _, ann = join_exercise(exercise, "Ann")
    judge_all(ann)
    topic, _ = topics_with_progress(ann.member)[0]
    member = type(ann.member).objects.select_related("collection").get(pk=ann.member_id)
    assert worklist.sheet(member, topic).last is not None
    clock.pause(exercise)
    member = type(ann.member).objects.select_related("collection").get(pk=ann.member_id)
    assert worklist.sheet(member, topic).last is None


def test_button_states_that_partners_see_their_table(exercise, instructor):
    page = signed_in_client(instructor.user).get(reverse("teach:exercise", args=[exercise.code])).content.decode()
    assert "Open the worksheets" in page
    assert "Each student sees the table of their own pair." in page
