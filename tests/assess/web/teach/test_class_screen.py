"""The class screen, which follows the instructor's device and has no controls; and the documents in full."""

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.models import JobState, Task, Worker
from assess.teaching import clock
from assess.teaching.lesson.practice import AGREED, PracticeSpec
from assess.teaching.lesson.predictions import predict
from assess.teaching.reveal.steps import STEPS
from tests.assess.classroom import signed_in_client
from tests.assess.exercise_factories import join_all
from tests.assess.judged_exercises import CLASS, CONTESTED, PAIR, class_of_three, create_exercise, figures, seat_of
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise(db):
    return class_of_three()


@pytest.fixture
def browser(exercise):
    return signed_in_client(exercise.instructor)


def page(browser, exercise, name: str = "screen", *more) -> str:
    response = browser.get(reverse(f"teach:{name}", args=[exercise.code, *more]))
    assert response.status_code in (200, 202)
    return compact(response.content.decode())


def main_part(html: str) -> str:
    return html.partition("<main")[2]


@pytest.mark.in_ci
def test_screen_has_no_controls_in_any_phase():
    exercise = create_exercise(shared=6, worksheets=["dcg"])
    join_all(exercise, "Ann")
    browser = signed_in_client(exercise.instructor)
    for change in (None, clock.start, clock.pause, clock.end):
        if change:
            change(exercise)
        html = main_part(page(browser, exercise))
        assert "<form" not in html
        assert "<button" not in html
        assert "Ann" in html
        assert (exercise.readable_code in html) == (exercise.phase != "ended")


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_screen_shows_the_step_of_the_controls(browser, exercise, number):
    clock.reveal(exercise, number)
    html = main_part(page(browser, exercise))
    assert STEPS[number - 1].title in html
    assert "<form" not in html
    for task in Task.objects.filter(topic__collection=exercise.collection):
        assert reverse("teach:document", args=[exercise.code, task.pk]) in html


def test_screen_uses_the_chosen_students(browser, exercise):
    clock.reveal(exercise, PAIR)
    ann, cem = seat_of(exercise, "Ann"), seat_of(exercise, "Cem")
    address = reverse("teach:reveal", args=[exercise.code])
    response = browser.post(address, {"a": cem.pk, "b": ann.pk})
    assert response.url == f"{address}?a={cem.pk}&b={ann.pk}"
    assert figures(exercise, PAIR, a=cem.pk, b=ann.pk).sentence in page(browser, exercise)
    clock.choose_options(exercise, {"a": "0"})  # a student who was removed meanwhile
    assert "Ann and Ben" in page(browser, exercise)


def test_invalid_options_are_refused(browser, exercise):
    clock.reveal(exercise, PAIR)
    response = browser.post(reverse("teach:reveal", args=[exercise.code]), {"chance": "loud"})
    assert response.status_code == 400
    exercise.refresh_from_db()
    assert exercise.reveal_options is None


def test_live_state_changes_with_step_and_options(browser, exercise):
    def state() -> str:
        return browser.get(reverse("teach:live", args=[exercise.code])).json()["state"]

    first = state()
    clock.reveal(exercise, PAIR)
    second = state()
    clock.choose_options(exercise, {"chance": "unpooled"})
    assert len({first, second, state()}) == 3


def test_pages_show_progress_while_the_figures_are_computed(browser, exercise):
    Worker.objects.create(name="worker")
    clock.reveal(exercise, CLASS)
    for name in ("reveal", "screen"):
        assert "The figures of the class are being computed" in page(browser, exercise, name)
    exercise.collection.jobs.update(state=JobState.DONE, ended_at=timezone.now())
    assert "Kappa matrix" in page(browser, exercise)


def test_poll_is_shown_beside_the_real_mean(browser, exercise):
    assert "What the class expected" not in page(browser, exercise)
    predict(seat_of(exercise, "Ann"), "0.9")
    predict(seat_of(exercise, "Ben"), "0.7")
    assert "2 predictions of kappa" in page(browser, exercise)
    clock.reveal(exercise, CLASS)
    real = figures(exercise, CLASS).compared_mean.value
    for name in ("screen", "reveal"):
        html = page(browser, exercise, name)
        assert "2 predictions of kappa, mean 0.80." in html
        assert f"is <b>{real:.2f}</b>" in html


@pytest.mark.in_ci
def test_students_practise_before_the_start_and_predict_after_it():
    exercise = create_exercise(shared=6, practice=PracticeSpec(AGREED))
    ann, _ = join_all(exercise, "Ann", "Ben")
    browser, student = signed_in_client(exercise.instructor), signed_in_client(ann.member.user)
    seat, practice, prediction = (
        reverse(f"join:{name}", args=[exercise.code]) for name in ("seat", "practice", "prediction")
    )
    assert "0 of 2 have tried the practice document" in page(browser, exercise)
    html = compact(student.get(seat).content.decode())
    assert exercise.practice.text in html
    assert "earlier judges agree" not in html
    assert student.post(practice, {"grade": "0"}).url == seat
    assert "Expected is 1" in compact(student.get(seat).content.decode())
    assert "1 of 2 have tried the practice document" in page(browser, exercise)
    clock.start(exercise)
    assert exercise.practice.text not in compact(student.get(seat).content.decode())
    assert student.post(practice, {"grade": "0"}).status_code == 400
    assert student.post(prediction, {"kappa": "0.4"}).url == seat
    assert "1 prediction of kappa" in page(browser, exercise)
    refused = student.post(prediction, {"kappa": "much"})
    assert refused.status_code == 400
    assert "Kappa is a number between" in compact(refused.content.decode())


def test_screen_shows_progress_on_worksheets():
    exercise = create_exercise(shared=6, worksheets=["dcg"])
    join_all(exercise, "Ann")
    browser = signed_in_client(exercise.instructor)
    assert "worksheet steps" not in page(browser, exercise)
    clock.open_worksheets(exercise, True)
    assert "worksheet steps" in page(browser, exercise)


def test_documents_can_be_opened_in_full(browser, exercise):
    tasks = Task.objects.select_related("document__content")
    task = tasks.filter(topic__collection=exercise.collection).first()
    assert task.document.content.text in page(browser, exercise, "document", task.pk)
    other = tasks.exclude(topic__collection=exercise.collection).first()
    assert browser.get(reverse("teach:document", args=[exercise.code, other.pk])).status_code == 404
    clock.reveal(exercise, CONTESTED)
    assert "The whole document" in page(browser, exercise)


def test_number_of_queries_of_the_screen(browser, exercise, django_assert_max_num_queries):
    clock.reveal(exercise, CLASS)
    page(browser, exercise)
    with django_assert_max_num_queries(20):
        page(browser, exercise)
