"""A whole lesson on two topics, from the join code to the marks: forty students over HTTP and three in browsers.

A worker computes the reveal.
"""

import csv
import io
import os
from collections import Counter

import pytest

from tests.load import lesson as lessons
from tests.load.bar_figures import bar_styles
from tests.load.browser_student import BrowserStudent
from tests.load.class_data import ClassData
from tests.load.class_figures import cell_titles, screen_texts
from tests.load.lesson_material import TITLES, title_of
from tests.load.own_figures import own_texts
from tests.load.server import AssayServe, serving
from tests.load.shown_numbers import ShownPage, check_texts
from tests.load.students import ClassResults
from tests.load.system_figures import ranking_texts

pytestmark = pytest.mark.alone

OVER_HTTP, IN_BROWSERS, DOCUMENTS = 40, 3, 24
STUDENTS = OVER_HTTP + IN_BROWSERS
THINK = 0.5  # seconds for a document; real students take longer, and SQLite writes one judgement after the other


@pytest.mark.slow
def test_a_class_has_a_lesson_from_the_code_to_the_marks(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        exercise = server.run_json("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS), "--lesson")
        lesson = lessons.run_lesson(server.port, exercise, OVER_HTTP, THINK, IN_BROWSERS)
        saved = server.run_json("-m", "tests.load.load_exercise", "look")
        server.run("manage.py", "verify_ledger")  # raises where the ledger and the judgements differ
        problems = server.log.read_text()
    assert lesson.results.errors == []
    data = ClassData.from_files(lesson.judgements, lesson.marks, lesson.predictions)
    assert len(data.frame) == len(data.names) * DOCUMENTS == STUDENTS * DOCUMENTS  # and no practice grade
    assert len(data.predictions) == STUDENTS
    check_class_screen(lesson, data)
    check_own_pages(lesson, data)
    assert sorted(judgement[::2] for judgement in saved["judged"]) == sorted(
        data.frame[["assessor", "relevance"]].values.tolist()
    )
    rows = list(csv.DictReader(io.StringIO(lesson.marks)))
    assert set(Counter(row["seat"] for row in rows)) == set(saved["seats"])
    over_http = {seat for seat in saved["seats"] if seat.startswith("student")}
    assert {row["seat"] for row in rows if row["shown"] == "true"} == over_http
    assert {row["seat"] for row in rows if int(row["tries"] or 0)} == set(saved["seats"])
    assert "Error" not in problems
    assert "locked" not in problems


def check_class_screen(lesson: lessons.Lesson, data: ClassData) -> None:
    """Assert that every number and every bar on the class screen is the one that the library computes."""
    texts, styles = screen_texts(data) | {6: ranking_texts(data)}, bar_styles(data)
    for step, html in lesson.screens.items():
        page = ShownPage(html)
        figures, _, documents = page.text.partition("Documents in full")
        check_texts(figures, texts[step])
        assert page.styles == styles.get(step, [])
        assert page.titles == (cell_titles(data) if step == 2 else [])
        assert Counter(documents.split()) == Counter(document_words(data))


def document_words(data: ClassData) -> list[str]:
    """Return the words of the list of documents, which is sorted by the database."""
    titles = [*TITLES.values(), *map(title_of, data.frame["doc_id"].unique())]
    return [word for title in titles for word in title.split()]


def check_own_pages(lesson: lessons.Lesson, data: ClassData) -> None:
    """Assert the same of each student's page."""
    assert set(lesson.own_pages) == set(data.names)
    for name, html in lesson.own_pages.items():
        text = ShownPage(html).text
        check_texts(text.partition("Your re-entry code")[0], own_texts(data, name))


# ---- the checks


EXPECTED = ["kappa is 0.25 (dubious).", "2 students", "0.25 to 0.5"]
SHOWN = "Here, kappa is 0.25 (dubious). Of 2 students. Intervals: 0.25 to 0.5"


def test_explained_numbers_pass():
    check_texts(SHOWN.replace("students.", "students"), EXPECTED)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHOWN, "'2 students' is not shown"),  # "students." is another word
        ("kappa is 0.25 (dubious). 7 of 2 students 0.25 to 0.5", "No expectation explains the numbers in .*7 of"),
        ("kappa is 0.25 (dubious). 2 students 0.25 to 0.5 or 0.6", "No expectation explains .* before 'the end'"),
        ("kappa is 0.250 (dubious). 2 students 0.25 to 0.5", "is not shown"),
        ("2 students kappa is 0.25 (dubious). 0.25 to 0.5", "No expectation explains the numbers in ' 2 students'"),
    ],
)
def test_number_without_an_expectation_fails(text, message):
    with pytest.raises(AssertionError, match=message):
        check_texts(text, EXPECTED)


class Absentee:
    """A student whose parts of the lesson fail."""

    nickname = "absentee"

    def __init__(self):
        self.has_left = False

    def join(self) -> None:
        raise ValueError("no network")

    def leave(self) -> None:
        self.has_left = True


def test_students_leave_and_threads_end_after_an_error():
    results, student = ClassResults(), Absentee()
    everybody = lessons.Class([student], results)

    def fail() -> None:
        with everybody:
            everybody.all("join")
            raise RuntimeError("the reveal failed")

    with pytest.raises(RuntimeError, match="the reveal failed"):
        fail()
    assert results.errors == ["absentee, join: ValueError('no network')"]
    assert student.has_left
    with pytest.raises(RuntimeError, match="after shutdown"):
        everybody.all("join")


def test_browser_that_was_never_opened_can_be_left():
    BrowserStudent(1, "CODE", "browser 1", seed=1).leave()
