"""The workers: whether one is running, and the heartbeat of each."""

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from assess.jobs.recovery import recover
from assess.models import Worker

logger = logging.getLogger(__name__)

INTERVAL = 10  # seconds
SILENCE = timedelta(seconds=35)
# A worker that was killed leaves its row, which is deleted after this time.
FORGOTTEN = timedelta(days=1)


def is_running() -> bool:
    """Whether a worker is running, on this machine or another."""
    return Worker.objects.filter(heartbeat_at__gt=timezone.now() - SILENCE).exists()


@contextmanager
def registered(at_each_beat: Callable[[], object] = recover) -> Iterator[None]:
    """Show that this process is a worker, and call a function from time to time, by default `recover`."""
    name = f"{socket.gethostname()[:40]}:{os.getpid()}"
    ended = threading.Event()
    thread = threading.Thread(
        target=_beat_until, args=(ended, name, at_each_beat), name="worker's heartbeat", daemon=True
    )
    _beat(name, at_each_beat)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        Worker.objects.filter(name=name).delete()


def _beat_until(ended: threading.Event, name: str, at_each_beat: Callable[[], object]) -> None:
    try:
        while not ended.wait(INTERVAL):
            try:
                _beat(name, at_each_beat)
            except (DatabaseError, InterfaceError):
                logger.warning("The heartbeat of the worker could not be written.", exc_info=True)
                # Django connects again at the next beat.
                connection.close()
    finally:
        # Each thread has a connection of its own, and Django closes only those of requests.
        connection.close()


def _beat(name: str, at_each_beat: Callable[[], object]) -> None:
    now = timezone.now()
    Worker.objects.update_or_create(name=name, defaults={"heartbeat_at": now})
    Worker.objects.filter(heartbeat_at__lt=now - FORGOTTEN).delete()
    at_each_beat()
