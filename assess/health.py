"""Whether this server can do its work: one yes or no for each thing that it needs."""

import shutil

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from assess.jobs import workers
from assess.lib import tables

MEGABYTE = 1_000_000


def check_health() -> dict[str, bool]:
    """The checks by name. Nothing in the result tells a stranger more than "yes" or "no"."""
    state = _tables_state()
    return {
        "database": state is not None,
        "migrations": state is tables.State.CURRENT,
        "disk": has_free_space(),
        "worker": state is tables.State.CURRENT and workers.is_running(),
    }


def has_free_space() -> bool:
    """Whether the data directory has at least ASSAY_MIN_FREE_MB. SQLite and imports fail on a full disk."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free >= settings.MIN_FREE_MB * MEGABYTE
    except OSError:  # the directory is gone
        return False


def _tables_state() -> tables.State | None:
    """The state of the tables, or None if the database does not answer."""
    try:
        return tables.state()
    except (DatabaseError, InterfaceError):
        return None
