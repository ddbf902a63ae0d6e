"""Sixteen assessors at once take what is left to judge: nobody too many on a task, nobody twice, and no error."""

import os

import pytest

from tests.load.assessors import Crowd
from tests.load.kept import check
from tests.load.server import serving

TASKS = 2_000


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3])
def test_sixteen_assessors_judge_two_thousand_tasks(tmp_path, k):
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        size = {"tasks": TASKS, "topics": 5, "assessors": 16, "k": k}
        words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
        made = server.tell("-m", "tests.load.load_collection", "make", *words)
        crowd = Crowd(server, made, tmp_path)
        try:
            crowd.end()  # raises where anybody was answered by anything but yes, or "it has its judges"
        finally:
            crowd.kill()
        check(server, crowd.lines(), k)
        problems = server.log.read_text()
    assert "Error" not in problems
    assert "locked" not in problems
