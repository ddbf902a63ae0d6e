"""A program that is killed loses no saved answer, and asks for none again."""

import os
import subprocess
import sys
import threading
from collections import Counter

import pytest

from tests.pooling.live.servers import Server
from tests.pooling.models.servers import completion, document_of
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


class Killing:
    """Answers, and kills the program that asks when a number of requests has come."""

    def __init__(self):
        self.lock, self.by_document = threading.Lock(), Counter()
        self.process, self.left = None, 0

    def __call__(self, asked):
        with self.lock:
            self.by_document[document_of(asked)] += 1
            self.left -= 1
            if self.left == 0:
                self.process.kill()
        return completion('{"grade": 1}')


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_no_saved_answer_is_asked_for_again(tmp_path):
    killing = Killing()
    with Server(killing) as server:
        for number in range(KILLS + 1):
            with killing.lock:
                killing.left = 40 if number < KILLS else -1
                before = Counter(killing.by_document)
                killing.process = subprocess.Popen(
                    [sys.executable, "-c", PROGRAM, server.url],
                    cwd=tmp_path,
                    env={**os.environ, "PYTHONPATH": str(PROJECT)},
                )
            saved = (tmp_path / "saved").read_text().split() if (tmp_path / "saved").exists() else []
            code = killing.process.wait()
            asked_again = sum(killing.by_document[name] > 1 for name in before)
            assert asked_again <= (number + 1) * 3 * CONCURRENCY  # those in flight at each kill
            assert (tmp_path / "saved").read_text().split()[: len(saved)] == saved
    keys = (tmp_path / "saved").read_text().split()
    assert code == 0
    assert len(keys) == len(set(keys)) == PAIRS
    assert len(killing.by_document) == PAIRS
    assert sum(killing.by_document.values()) <= PAIRS + KILLS * 3 * CONCURRENCY
