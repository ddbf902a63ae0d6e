"""Forty students join an exercise at once and judge, with the instructor's screen open: no error, nothing lost."""

import os
from collections import Counter

import pytest

from tests.load import students
from tests.load.server import serving

pytestmark = pytest.mark.alone

STUDENTS, DOCUMENTS = 40, 20
EXPECTED = STUDENTS * DOCUMENTS
THINK = 0.25  # seconds for a document; real students take longer


@pytest.mark.soak  # test_lesson.py has as many students
def test_forty_students_join_at_once_and_judge_twenty_documents_each(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        exercise = server.run_json("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS))
        results = students.run_class(server.port, exercise, STUDENTS, THINK)
        assert results.errors == []
        saved = server.run_json("-m", "tests.load.load_exercise", "look")
        server.run("manage.py", "verify_ledger")  # raises where the ledger and the judgements differ
        problems = server.log.read_text()
    assert len(saved["seats"]) == len(set(saved["seats"])) == STUDENTS
    assert_everything_is_saved_once(saved, results)
    screen = " ".join(results.last_screen.split())
    assert f"{STUDENTS} students, {EXPECTED} of {EXPECTED} judgements, {STUDENTS} finished" in screen
    assert "Error" not in problems
    assert "locked" not in problems


def assert_everything_is_saved_once(saved: dict, results: students.ClassResults) -> None:
    """Assert that the ledger has exactly the acknowledged judgements, one for each student and document."""
    assert sorted(map(tuple, saved["events"])) == sorted(results.acknowledged)
    assert len(results.acknowledged) == EXPECTED
    by_student = Counter(name for name, _, _ in saved["judged"])
    assert by_student == dict.fromkeys(saved["seats"], DOCUMENTS)
    assert len({(name, task) for name, task, _ in saved["judged"]}) == EXPECTED
    acknowledged = Counter((name, grade) for name, _, grade in results.acknowledged)
    assert Counter((name, grade) for name, _, grade in saved["judged"]) == acknowledged
