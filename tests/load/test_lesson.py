"""A whole lesson of forty students on two topics, from the join code to the marks, with a worker for the reveal."""

import csv
import io
import os
from collections import Counter

import pytest

from tests.load import lesson as lessons
from tests.load.server import AssayServe, serving

STUDENTS, DOCUMENTS = 40, 24
THINK = 0.1  # seconds for a document; real students take longer


@pytest.mark.slow
def test_forty_students_have_a_lesson_from_the_code_to_the_marks(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        exercise = server.run_json("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS), "--lesson")
        lesson = lessons.run_lesson(server.port, exercise, STUDENTS, THINK)
        figures = server.run_json("-m", "tests.load.load_exercise", "figures")
        saved = server.run_json("-m", "tests.load.load_exercise", "look")
        problems = server.log.read_text()
    assert lesson.results.errors == []
    assert_figures_equal_the_library(lesson, figures)
    assert len(saved["judged"]) == STUDENTS * DOCUMENTS  # and no practice grade
    assert f"{STUDENTS} predictions" in " ".join(lesson.screens[2].split())
    rows = list(csv.DictReader(io.StringIO(lesson.marks)))
    assert set(Counter(row["seat"] for row in rows)) == set(saved["seats"])
    assert Counter(row["seat"] for row in rows if row["shown"] == "true") == dict.fromkeys(saved["seats"], 1)
    assert "Error" not in problems
    assert "locked" not in problems


def assert_figures_equal_the_library(lesson: lessons.Lesson, figures: dict[str, str]) -> None:
    assert f"is {figures['pair']} " in lesson.screens[1]
    assert f"is {figures['class']} " in lesson.screens[2]
    assert f"<b>{figures['class']}</b>" in lesson.screens[2]  # beside the predictions
    assert f"kappa is {figures['all']} " in lesson.screens[3]
    assert f"<b>{figures['alpha']}</b>" in lesson.screens[3]
    assert f"kappa is {figures['all']}." in lesson.screens[5]
