"""The worker that runs next to the web server of `assay serve` and `assay demo`.

The worker is a process of its own: a long job must not slow down the pages, and a job that needs too much memory must
not end the server. It ends with its parent, however that ends, since its standard input is then closed.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from assess.lib.data_dir import PROJECT, VARIABLE

WORDS = (sys.executable, "-m", "django", "worker", "--with-parent")
RESTART_SECONDS = 5  # after a worker that ended by itself
STOP_SECONDS = 10  # for the present job; a job that is killed continues with the next worker


@contextmanager
def running_worker() -> Iterator[None]:
    """Run a worker during this block, and start another one if it ends."""
    stopping = threading.Event()
    thread = threading.Thread(target=_keep_running, args=(stopping,), name="worker process", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _keep_running(stopping: threading.Event) -> None:
    environment = os.environ | {VARIABLE: str(settings.DATA_DIR), "DJANGO_SETTINGS_MODULE": "assess.settings"}
    while not stopping.is_set():
        process = subprocess.Popen(WORDS, cwd=PROJECT, env=environment, stdin=subprocess.PIPE)  # noqa: S603 - fixed words
        while process.poll() is None and not stopping.wait(0.2):
            pass
        if process.poll() is None:
            _stop(process)
        else:
            stopping.wait(RESTART_SECONDS)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.communicate(timeout=STOP_SECONDS)  # closes its input
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def stop_with_parent() -> None:
    """Let this process end when its standard input is closed. The present job is finished first."""
    threading.Thread(target=_wait_for_end_of_input, name="end of the parent", daemon=True).start()


def _wait_for_end_of_input() -> None:
    while os.read(sys.stdin.fileno(), 1024):  # sys.stdin.buffer would hold a lock when the interpreter ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)
