"""Deletes run files that no run uses: those of deleted collections, and of interrupted and undone imports."""

import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from assess.models import Run

UNUSED_AFTER = timedelta(days=1)  # an import writes the file first and the run later


def unused_run_files() -> list[Path]:
    """Return the files of no run that are at least a day old. Two runs with the same lines use the same file."""
    used = set(Run.objects.values_list("file_checksum", flat=True))
    before = time.time() - UNUSED_AFTER.total_seconds()
    files = [*settings.RUNS_DIR.glob("*.parquet"), *settings.RUNS_DIR.glob("*.draft")]
    return [path for path in files if path.stem not in used and path.stat().st_mtime < before]


def delete_unused_run_files() -> int:
    """Delete these files, and return their number."""
    unused = unused_run_files()
    for path in unused:
        path.unlink(missing_ok=True)
    return len(unused)
