"""Forty students join an exercise at once and judge, with the instructor's screen open: no error, nothing lost."""

import os
from collections import Counter

import pytest

from tests.load import students
from tests.load.server import serving

STUDENTS, DOCUMENTS = 40, 20
GIVEN = STUDENTS * DOCUMENTS
THINK = 0.25  # seconds for a document; in life it takes longer


@pytest.mark.slow
def test_forty_students_join_at_once_and_judge_twenty_documents_each(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        made = server.tell("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS))
        lesson = students.hold(server.port, made, STUDENTS, THINK)
        assert lesson.errors == []
        held = server.tell("-m", "tests.load.load_exercise", "look")
        server.run("manage.py", "verify_ledger")  # raises where the ledger and the judgements differ
        problems = server.log.read_text()
    assert len(held["seats"]) == len(set(held["seats"])) == STUDENTS
    everything_is_kept_once(held, lesson)
    screen = " ".join(lesson.last_screen.split())
    assert f"{STUDENTS} students, {GIVEN} of {GIVEN} judgements, {STUDENTS} of the class finished" in screen
    assert "Error" not in problems
    assert "locked" not in problems


def everything_is_kept_once(held: dict, lesson: students.Lesson) -> None:
    """What students were told is what the ledger has, and every student has judged every document once."""
    assert sorted(map(tuple, held["events"])) == sorted(lesson.acknowledged)
    assert len(lesson.acknowledged) == GIVEN
    by_student = Counter(name for name, _, _ in held["judged"])
    assert by_student == dict.fromkeys(held["seats"], DOCUMENTS)
    assert len({(name, task) for name, task, _ in held["judged"]}) == GIVEN
    said = Counter((name, grade) for name, _, grade in lesson.acknowledged)
    assert Counter((name, grade) for name, _, grade in held["judged"]) == said
