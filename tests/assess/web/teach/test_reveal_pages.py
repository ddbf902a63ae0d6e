"""The reveal on the instructor's screen and on the students' devices."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from assess.models import Exercise, Role
from assess.teaching import clock, seats, worksheet_answers
from assess.teaching.reveal.steps import STEPS
from assess.teaching.worksheets import outline, worksheet_for, worksheet_titles
from tests.assess.classroom import signed_in_client
from tests.assess.exercise_factories import assignments_of, record_grade
from tests.assess.judged_exercises import (
    CLASS,
    CONTESTED,
    PAIR,
    RANKING,
    RELEVANT_BY_STUDENT,
    class_of_three,
    create_exercise,
    end_exercise,
    reload,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended_exercise(db):
    return class_of_three(show_comments=True)


@pytest.fixture
def instructor_browser(ended_exercise):
    return signed_in_client(ended_exercise.instructor)


def screen(exercise: Exercise) -> str:
    return reverse("teach:reveal", args=[exercise.code])


def text(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def student(exercise: Exercise, nickname: str) -> Client:
    return signed_in_client(exercise.seats.get(nickname=nickname).member.user)


def own_page(exercise: Exercise, nickname: str) -> str:
    response = student(exercise, nickname).get(reverse("join:seat", args=[exercise.code]))
    assert response.status_code == 200
    return text(response)


# ---- the instructor's screen


@pytest.mark.slow
def test_instructor_shows_and_closes_the_steps(instructor_browser, ended_exercise):
    page = text(instructor_browser.get(screen(ended_exercise)))
    assert "The results" in page
    assert "kappa is" not in page  # nothing is shown before the first step
    for number, step in enumerate(STEPS, start=1):
        response = instructor_browser.post(screen(ended_exercise), {"step": str(number)})
        assert (response.status_code, response.url) == (302, screen(ended_exercise))
        assert reload(ended_exercise).reveal_step == number
        page = text(instructor_browser.get(screen(ended_exercise)))
        assert f'id="step-title">{step.title}</h1>' in page
        assert f'value="{number}" class="dot here" aria-current="step"' in page
    assert "disabled" in page.split('data-go="next"')[1].split(">")[0]
    instructor_browser.post(screen(ended_exercise), {"step": "0"})
    assert "The results" in text(instructor_browser.get(screen(ended_exercise)))


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (
            1,
            [
                "In this exercise, Ann and Ben give the same grade to 20 of 24 documents",
                "Rows: Ann. Columns: Ben.",
                "pooled kappa",
                "P(E)",
            ],
        ),
        (
            2,
            [
                "In this exercise, the students agree poorly",
                'title="Ann and Ben: 0.66, n = 24, P(A) 0.83"',
                "0.8 and more",
            ],
        ),
        (3, ["Fleiss&#x27; kappa", "Krippendorff&#x27;s alpha, nominal", "95% intervals: analytic"]),
        (
            4,
            [
                "In this exercise, you disagree on 12 of 24 documents",
                "<span>gave 1 Relevant</span>",
                "anns words on d03",
            ],
        ),
        (5, ["In this exercise, you agree on 67%", "not possible", "40 of 72 judgements relevant", 'class="figure"']),
        (6, ["In this exercise, alpha and beta are tied for the best", "mixed gold", "2 systems", "without a tau_b"]),
    ],
)
def test_every_step_has_its_sentence_and_basis(instructor_browser, ended_exercise, number, words):
    clock.reveal(ended_exercise, number)
    page = text(instructor_browser.get(screen(ended_exercise)))
    for each in words:
        assert each in page
    assert "3 students" in page or number == PAIR


@pytest.mark.slow
def test_students_with_few_judgements_are_listed_below_the_sentence(instructor_browser, ended_exercise):
    zoe = seats.join(late_joiners(ended_exercise), "Zoe")
    record_grade(zoe, assignments_of(zoe)[0], 1)
    exercise = end_exercise(ended_exercise)
    for number in (CLASS, RANKING):
        clock.reveal(exercise, number)
        page = text(instructor_browser.get(screen(exercise)))
        sentence, below = re.search(r'<p class="answer">(.*?)</p> <p class="quiet">(.*?)</p>', page).groups()
        assert "Zoe" not in sentence
        assert below.startswith("Too early to say: Zoe judged 1 of 24, and 50% of their documents are needed.")
    assert "Too early to say in this exercise: you judged 1 of 24 documents" in own_page(exercise, "Zoe")


def late_joiners(exercise: Exercise) -> Exercise:
    """Open an exercise that has ended for a few more minutes."""
    clock.extend(exercise, 5)
    return reload(exercise)


def test_comments_have_no_names(instructor_browser, ended_exercise):
    clock.reveal(ended_exercise, CONTESTED)
    assert not re.search(r"\b(Ann|Ben|Cem)\b", instructor_browser.get(screen(ended_exercise)).content.decode())


def test_options_are_kept_when_the_step_changes(instructor_browser, ended_exercise):
    clock.reveal(ended_exercise, CLASS)
    ann, _, cem = ended_exercise.seats.order_by("joined_at")
    query = f"?chance=unpooled&a={cem.pk}&b={ann.pk}"
    page = text(instructor_browser.get(screen(ended_exercise) + query))
    assert "unpooled kappa, which corrects for chance" in page
    assert f'action="{query.replace("&", "&amp;")}"' in page
    response = instructor_browser.post(screen(ended_exercise) + query, {"step": str(PAIR)})
    assert response.url == screen(ended_exercise) + query
    assert "Cem and Ann give the same grade" in text(instructor_browser.get(response.url))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("chance=both", "must be one of pooled, unpooled"),
        ("a=nobody", "Choose two of the students listed"),
        ("rel=7", "rel must be one of 1, not &#x27;7&#x27;"),
    ],
)
def test_invalid_option_is_refused(instructor_browser, ended_exercise, query, words):
    clock.reveal(ended_exercise, CLASS)
    response = instructor_browser.get(f"{screen(ended_exercise)}?{query}")
    assert response.status_code == 400
    assert words in text(response)


@pytest.mark.parametrize("step", ["", "7", "-1", "first", "1.5", "²", "9" * 50])
def test_invalid_step_is_refused(instructor_browser, ended_exercise, step):
    response = instructor_browser.post(screen(ended_exercise), {"step": step})
    assert response.status_code == 400
    assert "step" in text(response).lower()
    assert reload(ended_exercise).reveal_step == 0


@pytest.mark.in_ci
def test_screen_has_no_figures_before_the_end(db):
    exercise = create_exercise(shared=4)
    instructor_browser = signed_in_client(exercise.instructor)
    for action in (None, clock.start, clock.pause):
        if action:
            action(exercise)
        for address in (screen(exercise), f"{screen(exercise)}?print"):
            page = instructor_browser.get(address)
            assert page.status_code == 200
            assert "The exercise has not ended yet. The reveal opens afterwards" in text(page)
            assert "kappa" not in page.content.decode()
        response = instructor_browser.post(screen(exercise), {"step": "1"})
        assert response.status_code == 400
        assert reload(exercise).reveal_step == 0


@pytest.mark.slow
def test_print_page_has_all_steps(instructor_browser, ended_exercise):
    page = text(instructor_browser.get(f"{screen(ended_exercise)}?print"))
    assert reload(ended_exercise).reveal_step == 0  # printing reveals nothing to the students
    for number, step in enumerate(STEPS, start=1):
        assert f'id="step-{number}">{number} {step.title}</h2>' in page
    assert page.count('class="answer"') == len(STEPS)
    assert "participation" not in page
    assert page.count('<p class="screen-only"><a href="/teach/') == page.count("The whole document") == 6


@pytest.mark.slow
def test_print_page_has_one_row_for_each_student_if_chosen(instructor_browser, ended_exercise):
    Exercise.objects.filter(pk=ended_exercise.pk).update(worksheets=["dcg"])
    clock.open_worksheets(reload(ended_exercise), True)
    ann = reload(ended_exercise).seats.get(nickname="Ann")
    first = worksheet_for(ann, "dcg").fields[0]
    worksheet_answers.save_answers(ann, "dcg", {first.name: first.answer})
    link = re.search(
        r'href="(\?print&amp;marks&amp;[^"]*)">Add one row',
        text(instructor_browser.get(f"{screen(ended_exercise)}?print&rel=1")),
    )
    page = text(instructor_browser.get(screen(ended_exercise) + html.unescape(link[1])))
    table = re.search(r'<table class="participation">(.*?)</table>', page)[1]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)]
    of = outline("dcg").marks
    assert rows == [
        ["seat", "judged", "total", "%", worksheet_titles(reload(ended_exercise))["dcg"]],
        ["<bdi>Ann</bdi>", "24 of 24", f"1 of {of}", f"{100 / of:.0f}", f"1 of {of}"],
        *([f"<bdi>{name}</bdi>", "24 of 24", f"0 of {of}", "0", f"0 of {of}"] for name in ("Ben", "Cem")),
    ]
    assert 'href="?print&amp;rel=1">Leave out the students' in page


@pytest.mark.slow
def test_print_page_without_worksheets_has_participation_only(instructor_browser, ended_exercise):
    page = text(instructor_browser.get(f"{screen(ended_exercise)}?print&marks"))
    assert 'id="participation">Participation</h2>' in page
    assert "24 of 24" in page
    assert "marks" not in page.split('id="participation"')[1]


# ---- access


def test_only_the_instructor_has_access(ended_exercise, join, django_user_model):
    clock.reveal(ended_exercise, RANKING)
    colleague = join(ended_exercise.collection, "colleague", Role.RESEARCHER).user
    outsider = django_user_model.objects.create_user("outsider")
    for user in (colleague, outsider, ended_exercise.seats.first().member.user):
        browser = signed_in_client(user)
        for address in (screen(ended_exercise), f"{screen(ended_exercise)}?print"):
            assert browser.get(address).status_code == 404
        assert browser.post(screen(ended_exercise), {"step": "1"}).status_code == 404
    assert Client().get(screen(ended_exercise)).status_code == 302
    assert reload(ended_exercise).reveal_step == RANKING
    assert signed_in_client(ended_exercise.instructor).get(reverse("teach:reveal", args=["AAAAAA"])).status_code == 404


def test_wrong_method_is_refused(instructor_browser, ended_exercise):
    for method in (instructor_browser.put, instructor_browser.patch, instructor_browser.delete):
        assert method(screen(ended_exercise)).status_code == 405


@pytest.mark.in_ci
@pytest.mark.parametrize("number", range(len(STEPS) + 1))
def test_number_of_queries_of_cached_screen(instructor_browser, ended_exercise, number, django_assert_max_num_queries):
    clock.reveal(ended_exercise, number)
    instructor_browser.get(screen(ended_exercise))
    with django_assert_max_num_queries(14):
        instructor_browser.get(screen(ended_exercise))


# ---- a student's own device


@pytest.mark.slow
def test_student_sees_own_results_of_shown_steps_only(ended_exercise):
    figures = re.compile(r"[Pp]ooled kappa|tau_b|the same grade|contested|relevant, \d")
    assert not figures.search(own_page(ended_exercise, "Ann"))
    clock.reveal(ended_exercise, PAIR)
    page = own_page(ended_exercise, "Ann")
    assert "Ann and Ben give the same grade to 20 of 24 documents" in page
    assert "Cem" not in page
    clock.reveal(ended_exercise, CLASS)
    assert "In this exercise, your mean pooled kappa with the others" in own_page(ended_exercise, "Ann")
    clock.reveal(ended_exercise, RANKING)
    page = own_page(ended_exercise, "Ann")
    for step in STEPS:
        assert step.title in page
    clock.reveal(ended_exercise, 0)
    assert not figures.search(own_page(ended_exercise, "Ann"))


@pytest.mark.slow
def test_student_sees_own_grades_and_no_comments(ended_exercise):
    clock.reveal(ended_exercise, RANKING)
    for nickname in RELEVANT_BY_STUDENT:
        page = own_page(ended_exercise, nickname)
        assert "(including you)" in page
        assert "words on" not in page


def test_student_without_judgements_sees_the_reason(db):
    exercise = create_exercise(shared=4)
    seats.join(exercise, "Idle")
    clock.start(exercise)
    clock.end(exercise)
    clock.reveal(exercise, RANKING)
    page = own_page(exercise, "Idle")
    assert page.count("At least two students must judge something") == len(STEPS)


@pytest.mark.in_ci
def test_number_of_queries_of_the_student_page(ended_exercise, django_assert_max_num_queries):
    clock.reveal(ended_exercise, RANKING)
    browser, address = student(ended_exercise, "Ann"), reverse("join:seat", args=[ended_exercise.code])
    browser.get(address)
    with django_assert_max_num_queries(20):
        browser.get(address)
