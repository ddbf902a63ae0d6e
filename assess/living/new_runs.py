"""Which runs are newer than the pool."""

from assess.errors import Refused
from assess.models import Collection, Run

DEPTH, MOST_DEPTH = 10, 1_000


def new_runs(collection: Collection) -> list[Run]:
    """Return the runs from which no pool was built, in the order of import. Without a pool, no run is new."""
    buildings = list(collection.pool_buildings.values_list("run_checksums", flat=True))
    if not buildings:
        return []
    pooled = {(system, checksum) for checksums in buildings for system, checksum in checksums.items()}
    return [run for run in collection.runs.order_by("pk") if (run.system, run.file_checksum) not in pooled]


def check_depth(depth: int) -> None:
    """Raise Refused if so many documents of each topic cannot be looked at."""
    if not 1 <= depth <= MOST_DEPTH:
        raise Refused(f"The depth must be between 1 and {MOST_DEPTH:,}, not {depth:,}.")
