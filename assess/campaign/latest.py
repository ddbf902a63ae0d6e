"""The latest events of a collection that everybody who may see its runs may know."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from assess.models import Collection
from pooling.words import count

MOST = 6
MOST_READ = 60  # of each kind, because events that are alike are one line


@dataclass(frozen=True)
class Event:
    at: datetime
    sentence: str

    def repeated(self, times: int, *, at_least: bool) -> "Event":
        """Return one event for several that are alike. Maybe there are more of them, if `at_least`."""
        if times == 1:
            return self
        number = f"at least {times}" if at_least else f"{times}"
        return Event(self.at, f"{self.sentence.removesuffix('.')} ({number} times).")


def latest_events(collection: Collection) -> list[Event]:
    """Return imports, pools, guidelines and releases, the latest first. Those in a row that are alike are one."""
    kinds = [[*read(collection)] for read in (_imports, _pools, _guidelines, _releases)]
    last_read = [kind[-1] for kind in kinds if len(kind) == MOST_READ]  # earlier ones may be alike
    events = [event for kind in kinds for event in kind]
    events.sort(key=lambda event: event.at, reverse=True)
    alike = [list(group) for _, group in groupby(events, lambda event: event.sentence)]
    return [
        group[0].repeated(len(group), at_least=any(event in last_read for event in group)) for group in alike[:MOST]
    ]


def _imports(collection: Collection) -> Iterator[Event]:
    for row in collection.imports.order_by("-pk")[:MOST_READ]:
        undone = " Undone." if row.undone_at else ""
        files = f" from {count(len(row.files), 'file')}" if row.files else ""
        yield Event(
            row.imported_at, f"{count(row.counts.get('added', 0), row.kind.removesuffix('s'))} imported{files}.{undone}"
        )


def _pools(collection: Collection) -> Iterator[Event]:
    for row in collection.pool_buildings.order_by("-pk")[:MOST_READ]:
        yield Event(row.built_at, f"Pool built: {row.strategy}, {count(len(row.run_checksums), 'run')}.")


def _guidelines(collection: Collection) -> Iterator[Event]:
    for row in collection.guidelines.order_by("-version")[:MOST_READ]:
        yield Event(row.created_at, f"Guidelines published, version {row.version}.")


def _releases(collection: Collection) -> Iterator[Event]:
    for row in collection.releases.only("created_at", "name", "version").order_by("-pk")[:MOST_READ]:
        yield Event(row.created_at, f"Released {row.name}, version {row.version}.")
