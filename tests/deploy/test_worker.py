"""The worker of `assay serve`: it runs jobs, comes back after it was killed, and ends with the server."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.assess.management.test_serve import PROJECT, assay_environment
from tests.deploy.running import wait_for_health
from tests.wheel.installed import free_port

pytestmark = [pytest.mark.slow, pytest.mark.deploy]

START_JOB = """
import django; django.setup()
from assess.models import Collection, Job
from assess.jobs import queue
print(queue.start("build_pool", Collection.objects.get(), None, {"depth": 1}).pk)
"""
STATE = "import django; django.setup(); from assess.models import Job; print(Job.objects.get().state)"


@pytest.fixture
def environment(tmp_path):
    return assay_environment() | {"ASSAY_DATA": str(tmp_path / "data"), "ASSAY_MIN_FREE_MB": "1"}


@contextmanager
def serving(environment):
    """`assay serve`; yields the process and its port."""
    port = free_port()
    words = [sys.executable, "-m", "assay", "serve", "--port", str(port)]
    process = subprocess.Popen(words, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield process, port
    finally:
        process.kill()
        process.wait()


def run(environment, *words: str) -> str:
    done = subprocess.run([sys.executable, *words], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def worker_of(server: int) -> int | None:
    """The key of the process that the server started."""
    done = subprocess.run(["pgrep", "-P", str(server), "-f", "worker"], capture_output=True, text=True)
    return int(done.stdout.split()[0]) if done.stdout else None


def until(condition, seconds: float = 30):
    """Wait until the condition holds, and return its value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.2)
    return value


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def has_worker(port: int) -> bool:
    return wait_for_health(port)[1]["checks"]["worker"]


def test_worker_runs_jobs_returns_after_a_kill_and_ends_with_the_server(environment):
    run(environment, "-m", "assay", "migrate", "--verbosity", "0")
    run(environment, "-m", "assay", "create_collection", "small", "--owner", "ada")
    with serving(environment) as (server, port):
        until(lambda: has_worker(port))
        run(environment, "-c", START_JOB)
        until(lambda: run(environment, "-c", STATE) == "failed")  # there are no runs to pool
        first = worker_of(server.pid)
        os.kill(first, signal.SIGKILL)
        second = until(lambda: (found := worker_of(server.pid)) != first and found)
        server.kill()
        until(lambda: not is_alive(second))


def test_worker_ends_when_the_server_is_stopped(environment):
    with serving(environment) as (server, port):
        until(lambda: has_worker(port))
        worker = worker_of(server.pid)
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0
        assert not is_alive(worker)
