"""What gunicorn does for /metrics: `gunicorn --config python:assess.gunicorn_hooks assess.wsgi`.

Each process of gunicorn counts its own requests. With a folder that all of them know, /metrics has the sums, whichever
process answers.
"""

import os
import shutil
import tempfile
from typing import Any

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library reads it when it is imported


def on_starting(_server: Any) -> None:
    """Create the folder before the processes, which inherit the variable, begin."""
    if _is_counted():
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="assay-metrics-")


def child_exit(_server: Any, worker: Any) -> None:
    """Forget the requests in progress of a process that has ended. What it has answered still counts."""
    if _is_counted():
        from prometheus_client.multiprocess import mark_process_dead  # not before the folder is known

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(_server: Any) -> None:
    """Delete the folder."""
    if _is_counted():
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)


def _is_counted() -> bool:
    return bool(os.environ.get("ASSAY_METRICS_TOKEN", "").strip())
