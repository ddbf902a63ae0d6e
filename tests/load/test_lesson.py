"""A whole lesson on two topics, from the join code to the marks: forty students over HTTP and three in browsers.

A worker computes the reveal.
"""

import csv
import io
import os
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from tests.load import lesson as lessons
from tests.load.server import AssayServe, serving

OVER_HTTP, IN_BROWSERS, DOCUMENTS = 40, 3, 24
STUDENTS = OVER_HTTP + IN_BROWSERS
THINK = 0.1  # seconds for a document; real students take longer


@pytest.mark.slow
def test_a_class_has_a_lesson_from_the_code_to_the_marks(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        exercise = server.run_json("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS), "--lesson")
        lesson = lessons.run_lesson(server.port, exercise, OVER_HTTP, THINK, IN_BROWSERS)
        figures = server.run_json("-m", "tests.load.load_exercise", "figures")
        saved = server.run_json("-m", "tests.load.load_exercise", "look")
        server.run("manage.py", "verify_ledger")  # raises where the ledger and the judgements differ
        problems = server.log.read_text()
    assert lesson.results.errors == []
    assert_figures_equal_the_library(lesson, figures)
    assert len(saved["judged"]) == STUDENTS * DOCUMENTS  # and no practice grade
    assert f"{STUDENTS} predictions" in text_of(lesson.screens[2])
    rows = list(csv.DictReader(io.StringIO(lesson.marks)))
    assert set(Counter(row["seat"] for row in rows)) == set(saved["seats"])
    over_http = {seat for seat in saved["seats"] if seat.startswith("student")}
    assert {row["seat"] for row in rows if row["shown"] == "true"} == over_http
    assert {row["seat"] for row in rows if int(row["tries"] or 0)} == set(saved["seats"])
    assert "Error" not in problems
    assert "locked" not in problems


def assert_figures_equal_the_library(lesson: lessons.Lesson, figures: dict) -> None:
    tables = {step: rows_of(screen) for step, screen in lesson.screens.items()}
    texts = {step: text_of(screen) for step, screen in lesson.screens.items()}
    check_pair(tables[1], texts[1], figures["pair"])
    assert [row for row in tables[2] if len(row) == STUDENTS + 2] == figures["matrix"]
    assert f"is {figures['class']} (" in texts[2]
    lines = [row for row in tables[3] if len(row) > 3]
    assert [row[1:3] for row in lines] == figures["coefficients"]
    assert f"kappa is {figures['coefficients'][2][0]} (" in texts[3]
    check_contested(texts[4], figures["contested"])
    check_prevalence(tables[5], texts[5], figures["prevalence"])
    systems = {row[0]: [row[1], *row[-2:]] for row in tables[6]}
    assert systems == figures["systems"]["rows"]


def check_pair(rows: list[list[str]], text: str, expected: dict) -> None:
    assert [row[1:] for row in rows[: len(expected["table"])]] == expected["table"]
    observed, pooled, unpooled = expected["big"]
    assert f"P(A) {observed} pooled kappa {pooled} " in text
    assert f"unpooled (Cohen) {unpooled} " in text
    assert [row[-1] for row in rows if row[1:2] == ["kappa"]] == [pooled, unpooled]
    assert f"the agreement beyond chance, is {pooled} (" in text


def check_contested(text: str, expected: dict) -> None:
    """The documents with the most even votes come first."""
    assert f"you disagree on {expected['n_split']} of {expected['n']} documents" in text
    shown = re.findall(r"(\d+) gave 0 \D+ (\d+) gave 1", text)
    votes = [[int(n) for n in counts] for counts in shown]
    assert [abs(no - yes) for no, yes in votes] == expected["even"]
    assert all(counts in expected["votes"].values() for counts in votes)


def check_prevalence(rows: list[list[str]], text: str, expected: dict) -> None:
    assert expected["sentence"] in text
    assert f"kappa is {expected['kappa']}." in text
    assert rows == [*expected["points"], *expected["topics"]]


class _Page(HTMLParser):
    """The text of the main part of a page, and the rows of its tables without their heads."""

    def __init__(self, html: str):
        super().__init__()
        self.words: list[str] = []
        self.rows: list[list[str]] = []
        self._cell = self._head = self._main = False
        self.feed(html)

    def handle_starttag(self, tag, _attributes):
        if tag == "main":
            self._main = True
        elif tag == "thead":
            self._head = True
        elif tag == "tr" and not self._head:
            self.rows.append([])
        elif tag in ("td", "th") and not self._head:
            self._cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag == "main":
            self._main = False
        elif tag == "thead":
            self._head = False
        elif tag in ("td", "th"):
            self._cell = False

    def handle_data(self, data):
        if self._main:
            self.words += data.split()
        if self._cell:
            self.rows[-1][-1] = " ".join([*self.rows[-1][-1].split(), *data.split()])


def rows_of(html: str) -> list[list[str]]:
    return _Page(html).rows


def text_of(html: str) -> str:
    return " ".join(_Page(html).words)
