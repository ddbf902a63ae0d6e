"""A program that is killed loses no saved answer, and asks for none again."""

import os
import signal
import subprocess
import sys

import pytest

from tests.pooling.models.servers import Killing, Server, completion
from tests.wheel.installed import PROJECT

PAIRS, KILLS, CONCURRENCY = 300, 5, 4
PROGRAM = f"""
import os, sys
from pathlib import Path
from pooling.models import PROMPTS, ChatEndpoint, ChatJudge, Pair, ask, checked_scale

path = Path("saved")
saved = set(path.read_text().split()) if path.exists() else set()
file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
judge = ChatJudge(ChatEndpoint(sys.argv[1] + "/v1", "m"), PROMPTS["direct"], checked_scale([(0,), (1,)]))
pairs = [Pair("1", f"d{{n}}", {{"title": "tea"}}, f"d{{n}}") for n in range({PAIRS})]
for answer in ask(judge, pairs, seed=1, concurrency={CONCURRENCY}, is_saved=saved.__contains__):
    os.write(file, (answer.key + "\\n").encode())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_no_saved_answer_is_asked_for_again(tmp_path):
    reply = completion('{"grade": 1}')
    with Server(lambda _: reply) as server:
        for number in range(KILLS + 1):
            before = server.by_document
            program = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, server.url],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": str(PROJECT)},
            )
            if number < KILLS:
                server.answer_with(Killing(program.pid, 40, reply))
            saved = (tmp_path / "saved").read_text().split() if (tmp_path / "saved").exists() else []
            code = program.wait()
            by_document = server.by_document
            asked_again = sum(by_document[name] > 1 for name in before)
            assert code == (-signal.SIGKILL if number < KILLS else 0)
            assert asked_again <= (number + 1) * 3 * CONCURRENCY  # those in flight at each kill
            assert (tmp_path / "saved").read_text().split()[: len(saved)] == saved
    keys = (tmp_path / "saved").read_text().split()
    assert len(keys) == len(set(keys)) == PAIRS
    assert len(by_document) == PAIRS
    assert by_document.total() <= PAIRS + KILLS * 3 * CONCURRENCY
