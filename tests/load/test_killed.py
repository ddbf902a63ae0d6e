"""The server is killed repeatedly while sixteen assessors judge: each acknowledged judgement is saved once.

They judge on pages, or by the API.
"""

import os
import random
import time

import pytest

from tests.load.assessors import AssessorProcesses
from tests.load.database_checks import check
from tests.load.server import Server, serving

pytestmark = pytest.mark.alone

TASKS, K, KILLS = 2_000, 2, 20


@pytest.mark.slow
@pytest.mark.parametrize("by_api", [False, True], ids=["page", "api"])
def test_nothing_is_lost_or_doubled_when_the_server_is_killed_twenty_times(tmp_path, by_api):
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        size = {"tasks": TASKS, "topics": 5, "assessors": 16, "k": K}
        words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
        collection = server.run_json("-m", "tests.load.load_collection", "make", *words, "--calibration")
        assessors = AssessorProcesses(server, collection, tmp_path, by_api, patient=True)
        try:
            assert kill_at_moments(server, assessors, random.Random(20)) == KILLS
            assessors.end()
        finally:
            assessors.kill()
        check(server, assessors.lines(), K)


def kill_at_moments(server: Server, assessors: AssessorProcesses, generator: random.Random) -> int:
    """Kill and restart the server after random numbers of acknowledged judgements. Returns how often."""
    moments = sorted(generator.sample(range(50, int(TASKS * K * 0.9)), KILLS))
    for done, moment in enumerate(moments):
        while assessors.acknowledged() < moment:
            if not assessors.is_running():
                return done
            time.sleep(0.005)
        server.kill_all()
        server.start()
    return KILLS
