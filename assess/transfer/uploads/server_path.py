"""Files on the server that site owners import without uploading them.

A path must lie within one of the directories of ASSAY_IMPORT_ROOTS and outside of the data directory, after all
symbolic links are followed. Without ASSAY_IMPORT_ROOTS, no path is allowed.
"""

import os
from pathlib import Path

from django.conf import settings

from assess.errors import Refused
from assess.models import User

MAX_PATH = 4_096


def may_use_server_paths(user: User) -> bool:
    """Whether a user may import files of the server."""
    return bool(settings.IMPORT_ROOTS) and user.is_superuser


def resolve_server_path(text: str) -> Path:
    """Return the file that a path leads to, or raise Refused. The answer does not reveal files outside the roots."""
    path = _resolved(text)
    roots = [Path(root).resolve() for root in settings.IMPORT_ROOTS]
    forbidden = [Path(folder).resolve() for folder in (settings.DATA_DIR, settings.RUNS_DIR, settings.UPLOADS_DIR)]
    is_allowed = path is not None and any(path.is_relative_to(root) for root in roots)
    if path is None or not is_allowed or any(path.is_relative_to(folder) for folder in forbidden):
        allowed = ", ".join(settings.IMPORT_ROOTS) or "none"
        raise Refused(f"{text[:200]!r} is not within a directory that files may be imported from: {allowed}.")
    if not _is_readable_file(path):
        raise Refused(f"{text[:200]!r} is not a file that the server can read.")
    return path


def _is_readable_file(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.R_OK)
    except OSError:  # a folder that the server may not open
        return False


def _resolved(text: str) -> Path | None:
    if "\0" in text or len(text) > MAX_PATH or not Path(text).is_absolute():
        return None
    try:
        return Path(text).resolve(strict=False)
    except (OSError, RuntimeError):  # a loop of links
        return None
