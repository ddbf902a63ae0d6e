"""The progress of reading uploaded files, in bytes."""

from collections.abc import Callable, Iterable

from assess.lib.long_work import report
from assess.models import Upload


def byte_progress(stage: str, uploads: Iterable[Upload]) -> Callable[[int], None]:
    """Return a function that takes the number of bytes read and reports their sum."""
    total = sum(upload.size for upload in uploads)
    done = 0

    def add(count: int) -> None:
        nonlocal done
        done += count
        report(stage, min(done, total), total)

    return add
