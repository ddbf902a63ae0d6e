"""Sixteen assessors claim and judge at once: no task has too many judges, nobody judges twice, and no error occurs."""

import os

import pytest

from tests.load.assessors import AssessorProcesses
from tests.load.database_checks import check
from tests.load.server import serving

pytestmark = pytest.mark.alone

TASKS = 2_000


@pytest.mark.soak  # test_killed.py has as many assessors on a server that is killed
@pytest.mark.parametrize("k", [2, 3])
def test_sixteen_assessors_judge_two_thousand_tasks(tmp_path, k):
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        size = {"tasks": TASKS, "topics": 5, "assessors": 16, "k": k}
        words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
        collection = server.run_json("-m", "tests.load.load_collection", "make", *words, "--calibration")
        assessors = AssessorProcesses(server, collection, tmp_path)
        try:
            assessors.end()  # raises if any answer is neither an acknowledgement nor "not needed"
        finally:
            assessors.kill()
        check(server, assessors.lines(), k)
        problems = server.log.read_text()
    assert "Error" not in problems
    assert "locked" not in problems
