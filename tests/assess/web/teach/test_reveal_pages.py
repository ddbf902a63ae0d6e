"""The reveal on the instructor's screen and on the students' devices."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from assess.models import Exercise, Role
from assess.teaching import exercises, seats
from assess.teaching.reveal.reveal import STEPS
from tests.assess.classroom import signed_in
from tests.assess.judged_exercises import CLASS, CONTESTED, HABITS, PAIR, RANKING, class_of_three, fresh, made

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(db):
    return class_of_three(show_comments=True)


@pytest.fixture
def desk(over):
    return signed_in(over.instructor)


def screen(exercise: Exercise) -> str:
    return reverse("teach:reveal", args=[exercise.code])


def text(answer) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def student(exercise: Exercise, nickname: str) -> Client:
    return signed_in(exercise.seats.get(nickname=nickname).member.user)


def own_page(exercise: Exercise, nickname: str) -> str:
    answer = student(exercise, nickname).get(reverse("join:seat", args=[exercise.code]))
    assert answer.status_code == 200
    return text(answer)


# ---- the instructor's screen


def test_the_instructor_goes_through_the_steps_and_closes_them(desk, over):
    page = text(desk.get(screen(over)))
    assert "The results" in page
    assert "kappa is" not in page  # nothing is shown before the first step
    for number, step in enumerate(STEPS, start=1):
        answer = desk.post(screen(over), {"step": str(number)})
        assert (answer.status_code, answer.url) == (302, screen(over))
        assert fresh(over).reveal_step == number
        page = text(desk.get(screen(over)))
        assert f'id="step-title">{step.title}</h1>' in page
        assert f'value="{number}" class="dot here" aria-current="step"' in page
    assert "disabled" in page.split('data-go="next"')[1].split(">")[0]
    desk.post(screen(over), {"step": "0"})
    assert "The results" in text(desk.get(screen(over)))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, ["Ann and Ben say the same of 20 of 24 documents", "Rows: Ann. Columns: Ben.", "pooled kappa", "P(E)"]),
        (2, ["Two of you agree little", 'title="Ann and Ben: 0.657, n = 24, P(A) 0.83"', "0.8 and more"]),
        (3, ["Fleiss&#x27; kappa", "Krippendorff&#x27;s alpha, nominal", "draws, seed", "only 2 topics"]),
        (4, ["You differ on 12 of 24 documents", "<span>gave 1 Relevant</span>", "anns words on d03"]),
        (5, ["You agree on 67%", "not possible", "40 of 72 judgements relevant", "<polyline"]),
        (6, ["alpha and beta are tied for the best", "mixed gold", "2 systems", "without a tau_b"]),
    ],
)
def test_every_step_has_its_answer_and_what_it_rests_on(desk, over, number, words):
    exercises.reveal(over, number)
    page = text(desk.get(screen(over)))
    for each in words:
        assert each in page
    assert "3 students" in page or number == PAIR


def test_comments_stand_without_names(desk, over):
    exercises.reveal(over, CONTESTED)
    assert not re.search(r"\b(Ann|Ben|Cem)\b", desk.get(screen(over)).content.decode())


def test_the_switches_stay_when_the_step_changes(desk, over):
    exercises.reveal(over, CLASS)
    ann, _, cem = over.seats.order_by("joined_at")
    query = f"?chance=unpooled&a={cem.pk}&b={ann.pk}"
    page = text(desk.get(screen(over) + query))
    assert "unpooled kappa, which takes chance off" in page
    assert f'action="{query.replace("&", "&amp;")}"' in page
    answer = desk.post(screen(over) + query, {"step": str(PAIR)})
    assert answer.url == screen(over) + query
    assert "Cem and Ann say the same" in text(desk.get(answer.url))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("chance=both", "it is one of pooled, unpooled"),
        ("a=nobody", "choose two of the students listed"),
        ("rel=7", "rel=7 is not on the scale"),
    ],
)
def test_what_is_not_there_is_refused_by_name(desk, over, query, words):
    exercises.reveal(over, CLASS)
    answer = desk.get(f"{screen(over)}?{query}")
    assert answer.status_code == 400
    assert words in text(answer)


@pytest.mark.parametrize("step", ["", "7", "-1", "first", "1.5", "²", "9" * 50])
def test_a_step_that_there_is_not_is_refused(desk, over, step):
    answer = desk.post(screen(over), {"step": step})
    assert answer.status_code == 400
    assert "step" in text(answer).lower()
    assert fresh(over).reveal_step == 0


def test_while_somebody_may_judge_the_screen_has_no_figure(db):
    exercise = made(shared=4)
    desk = signed_in(exercise.instructor)
    for deed, phase in ((None, "not started"), (exercises.start, "running"), (exercises.pause, "paused")):
        if deed:
            deed(exercise)
        for address in (screen(exercise), f"{screen(exercise)}?print"):
            page = desk.get(address)
            assert page.status_code == 200
            assert f"The exercise is {phase}; the reveal begins when it has ended" in text(page)
            assert "kappa" not in page.content.decode()
        answer = desk.post(screen(exercise), {"step": "1"})
        assert answer.status_code == 400
        assert fresh(exercise).reveal_step == 0


def test_all_steps_stand_on_one_page_for_paper(desk, over):
    page = text(desk.get(f"{screen(over)}?print"))
    assert fresh(over).reveal_step == 0  # printing shows nothing to the students
    for number, step in enumerate(STEPS, start=1):
        assert f'id="step-{number}">{number} {step.title}</h2>' in page
    assert page.count('class="answer"') == len(STEPS)


# ---- the cast


def test_the_reveal_is_there_for_its_instructor_alone(over, join, django_user_model):
    exercises.reveal(over, RANKING)
    colleague = join(over.collection, "colleague", Role.RESEARCHER).user
    outsider = django_user_model.objects.create_user("outsider")
    for user in (colleague, outsider, over.seats.first().member.user):
        browser = signed_in(user)
        for address in (screen(over), f"{screen(over)}?print"):
            assert browser.get(address).status_code == 404
        assert browser.post(screen(over), {"step": "1"}).status_code == 404
    assert Client().get(screen(over)).status_code == 302
    assert fresh(over).reveal_step == RANKING
    assert signed_in(over.instructor).get(reverse("teach:reveal", args=["AAAAAA"])).status_code == 404


def test_the_wrong_verb_is_refused(desk, over):
    for method in (desk.put, desk.patch, desk.delete):
        assert method(screen(over)).status_code == 405


@pytest.mark.parametrize("number", range(len(STEPS) + 1))
def test_a_screen_that_was_seen_takes_few_queries(desk, over, number, django_assert_max_num_queries):
    exercises.reveal(over, number)
    desk.get(screen(over))
    with django_assert_max_num_queries(11):
        desk.get(screen(over))


# ---- a student's own device


def test_a_student_sees_step_by_step_what_was_shown_and_nothing_of_it_before(over):
    figures = re.compile(r"kappa|tau_b|say the same|contested|relevant, \d")
    assert not figures.search(own_page(over, "Ann"))
    exercises.reveal(over, PAIR)
    page = own_page(over, "Ann")
    assert "Ann and Ben say the same of 20 of 24 documents" in page
    assert "Cem" not in page
    exercises.reveal(over, CLASS)
    assert "Your pooled kappa with the others" in own_page(over, "Ann")
    exercises.reveal(over, RANKING)
    page = own_page(over, "Ann")
    for step in STEPS:
        assert step.title in page
    exercises.reveal(over, 0)
    assert not figures.search(own_page(over, "Ann"))


def test_a_student_sees_own_grades_and_nobody_else_s_words(over):
    exercises.reveal(over, RANKING)
    for nickname in HABITS:
        page = own_page(over, nickname)
        assert "(including you)" in page
        assert "words on" not in page


def test_a_student_who_judged_nothing_is_told_so(db):
    exercise = made(shared=4)
    seats.join(exercise, "Idle")
    exercises.start(exercise)
    exercises.end(exercise)
    exercises.reveal(exercise, RANKING)
    page = own_page(exercise, "Idle")
    assert page.count("Two students or more have to judge something") == len(STEPS)


def test_a_student_s_page_with_all_steps_takes_few_queries(over, django_assert_max_num_queries):
    exercises.reveal(over, RANKING)
    browser, address = student(over, "Ann"), reverse("join:seat", args=[over.code])
    browser.get(address)
    with django_assert_max_num_queries(20):
        browser.get(address)
