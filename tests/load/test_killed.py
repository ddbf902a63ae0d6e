"""The server is killed, again and again, while sixteen assessors judge: what was acknowledged is there, once."""

import os
import random
import time

import pytest

from tests.load.assessors import Crowd
from tests.load.kept import check
from tests.load.server import Server, serving

TASKS, K, KILLS = 2_000, 2, 20


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_when_the_server_is_killed_twenty_times(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        size = {"tasks": TASKS, "topics": 5, "assessors": 16, "k": K}
        words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
        made = server.tell("-m", "tests.load.load_collection", "make", *words)
        crowd = Crowd(server, made, tmp_path, patient=True)
        try:
            assert kill_at_moments(server, crowd, random.Random(20)) == KILLS
            crowd.end()
        finally:
            crowd.kill()
        check(server, crowd.lines(), K)


def kill_at_moments(server: Server, crowd: Crowd, chance: random.Random) -> int:
    """Kill and start again whenever so many judgements more have been acknowledged; returns how often."""
    moments = sorted(chance.sample(range(50, int(TASKS * K * 0.9)), KILLS))
    for done, moment in enumerate(moments):
        while crowd.acknowledged() < moment:
            if not crowd.at_work():
                return done
            time.sleep(0.005)
        server.kill_all()
        server.start()
    return KILLS
