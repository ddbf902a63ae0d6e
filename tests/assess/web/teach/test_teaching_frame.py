"""The sidebar of the instructor's pages, and the pages that only it opens: the documents and the worksheets."""

import re

import pytest
from django.urls import reverse

from assess.models import Role
from assess.teaching import clock
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, judge_all, signed_in_client
from tests.html import compact

pytestmark = pytest.mark.django_db

PAGES = {
    "exercise": "Exercise",
    "documents": "Documents",
    "worksheets": "Worksheets",
    "marks_page": "Marks",
    "erase": "Erase",
    "remove_seat": "Exercise",
}


@pytest.fixture
def instructor(collection):
    return add_instructor(collection)


@pytest.fixture
def exercise(collection, instructor):
    return create_exercise(collection, instructor, worksheets=["pair", "dcg"])


@pytest.fixture
def browser(instructor):
    return signed_in_client(instructor.user)


def at(name: str, exercise, *more) -> str:
    return reverse(f"teach:{name}", args=[exercise.code, *more])


def labels(html: str) -> list[str]:
    """The entries of the sidebar."""
    (nav,) = re.findall(r'<header class="side">.*?<nav[^>]*>(.*?)</nav>', html, re.S)
    return re.findall(r"<span>(.*?)</span>", nav)


def marked(html: str) -> list[str]:
    side = html.partition("<main")[0]
    return re.findall(r'aria-current="page">.*?<span>(.*?)</span>', side, re.S)


@pytest.mark.parametrize(("name", "label"), PAGES.items())
def test_sidebar_marks_the_page(browser, exercise, name, label):
    html = browser.get(at(name, exercise)).content.decode()
    entries = ["Exercise", "Documents", "Class screen", "Reveal", "Worksheets", "Marks", "Erase"]
    assert labels(html) == entries
    assert marked(html) == [label]
    assert f"{exercise.readable_code} · not started" in html


def test_pages_without_an_exercise_list_the_exercises(browser, exercise):
    for name, label in (("home", "Exercises"), ("new", "New exercise")):
        html = browser.get(reverse(f"teach:{name}")).content.decode()
        assert labels(html) == ["Exercises", "New exercise"]
        assert marked(html) == [label]


def test_somebody_who_cannot_make_exercises_gets_no_link_to_the_form(join, collection, signed_in):
    http = signed_in(join(collection, "ada"))
    assert labels(http.get(reverse("teach:home")).content.decode()) == ["Exercises"]


def test_exercise_without_worksheets_has_no_entries_for_them(browser, collection, instructor):
    plain = create_exercise(collection, instructor, worksheets=[])
    html = browser.get(at("exercise", plain)).content.decode()
    assert not {"Worksheets", "Marks"} & set(labels(html))
    assert "This exercise has no worksheets." in browser.get(at("worksheets", plain)).content.decode()


@pytest.mark.slow
def test_figures_of_an_ended_exercise_keep_its_sidebar(browser, exercise):
    for nickname in ("Ada", "Bob"):
        _, seat = join_exercise(exercise, nickname)
        clock.start(exercise) if nickname == "Ada" else None
        judge_all(seat)
    clock.end(exercise)
    html = browser.get(at("exercise", exercise)).content.decode()
    assert {"Agreement", "Ranking shift"} <= set(labels(html))
    for name, label in (("agreement", "Agreement"), ("shift", "Ranking shift")):
        figures = browser.get(reverse(f"research:{name}", args=[exercise.collection.slug])).content.decode()
        assert labels(figures) == labels(html)
        assert marked(figures) == [label]


def test_a_collection_of_an_instructor_links_to_teaching(browser, collection):
    html = browser.get(reverse("research:agreement", args=[collection.slug])).content.decode()
    assert labels(html) == ["Teaching", "Agreement", "Ranking shift"]


def test_documents_are_listed_by_topic(browser, exercise):
    assert "Nobody has joined yet." in compact(browser.get(at("documents", exercise)).content.decode())
    join_exercise(exercise, "Ada")
    html = compact(browser.get(at("documents", exercise)).content.decode())
    links = re.findall(r'href="([^"]+/documents/\d+/)"', html)
    assert links
    for link in links:
        page = browser.get(link).content.decode()
        assert marked(page) == ["Documents"]


def test_worksheets_are_listed_with_their_keys_and_opened(browser, exercise):
    html = compact(browser.get(at("worksheets", exercise)).content.decode())
    assert "The worksheets are closed." in html
    for key in exercise.worksheets:
        assert at("key", exercise, key) in html
    browser.post(at("action", exercise, "open-worksheets"))
    html = compact(browser.get(at("worksheets", exercise)).content.decode())
    assert "The worksheets are open." in html
    assert "Close the worksheets" in html


def test_other_instructors_find_no_documents_and_no_worksheets(collection, join, exercise, signed_in):
    http = signed_in(join(collection, "other", Role.INSTRUCTOR))
    assert [http.get(at(name, exercise)).status_code for name in ("documents", "worksheets")] == [404, 404]


def test_the_sidebar_costs_no_query(browser, exercise, django_assert_num_queries):
    join_exercise(exercise, "Ada")
    with django_assert_num_queries(4):  # session, user, exercise, documents
        browser.get(at("documents", exercise))
    with django_assert_num_queries(3):
        browser.get(at("worksheets", exercise))
