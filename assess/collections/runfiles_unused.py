"""Deletes files of runs that no collection has: those of interrupted and undone imports.

This is apart from `runfiles`, which loads pandas.
"""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from assess.models import Run

UNUSED_AFTER = timedelta(days=1)  # an import that takes longer is not expected


def delete_unused_files() -> int:
    """Delete files that are a day old and belong to no run. Returns their number.

    An import writes a file again before it saves the run, so its file is new.
    """
    folder, before = Path(settings.RUNS_DIR), (timezone.now() - UNUSED_AFTER).timestamp()
    if not folder.is_dir():
        return 0
    old = [path for path in folder.iterdir() if path.stat().st_mtime < before]
    used = set(Run.objects.values_list("file_checksum", flat=True))
    unused = [path for path in old if path.suffix in (".parquet", ".draft") and path.stem not in used]
    for path in unused:
        path.unlink(missing_ok=True)
    return len(unused)
