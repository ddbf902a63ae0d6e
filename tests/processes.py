"""Runs functions in processes of their own, which can be killed or get limits, on the test's database."""

import gc
import os
import signal
import traceback
from collections.abc import Callable
from threading import Timer
from typing import NamedTuple

from django.core.management import CommandError
from django.db import connections


class Ended(NamedTuple):
    """How a process ended: the number of the signal that killed it or None, and the error that it printed."""

    signal: int | None
    error: str


def run_in_processes(*actions: Callable[[], object]) -> list[Ended]:
    """Run all actions at the same time, each in a copy of this process, and wait for their ends.

    The test needs a database without a transaction around it.
    """
    _close_connections()
    return [_wait(*started) for started in [_start(action) for action in actions]]


def kill_in_process(action: Callable[[], object], seconds: float) -> Ended:
    """Run an action in a copy of this process, and kill it with SIGKILL after some seconds."""
    _close_connections()
    pid, reading = _start(action)
    timer = Timer(seconds, os.kill, (pid, signal.SIGKILL))
    timer.start()
    ended = _wait(pid, reading)
    timer.cancel()
    timer.join()
    return ended


def _close_connections() -> None:
    """Close all connections, which two processes cannot share, and those of threads that have ended.

    The collector of this process ignores frozen objects, old connections among them.
    """
    connections.close_all()
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _start(action: Callable[[], object]) -> tuple[int, int]:
    reading, writing = os.pipe()
    if pid := os.fork():
        os.close(writing)
        return pid, reading
    error = ""
    try:
        action()
    except CommandError as refusal:
        error = str(refusal)
    except BaseException:
        error = traceback.format_exc()
    os.write(writing, error.encode()[-4_000:])
    os._exit(0)


def _wait(pid: int, reading: int) -> Ended:
    with open(reading, encoding="utf-8") as stream:
        error = stream.read()
    _, status = os.waitpid(pid, 0)
    return Ended(os.WTERMSIG(status) if os.WIFSIGNALED(status) else None, error)
