"""Compares the ledger with the chains that an archive's manifest has."""

from collections.abc import Iterator
from pathlib import Path

from assess.backups.archive import read_manifest
from assess.backups.manifest import CollectionState
from assess.backups.stores import local_file
from assess.errors import Refused
from assess.judging.checkpoints import chain_differences
from assess.models import Collection, Tombstone


def archive_differences(address: str | Path, only: Collection | None = None) -> Iterator[str]:
    """Yield what the ledger lacks that it had when the archive was made, in one collection or in all."""
    with local_file(address) as path:
        try:
            states = read_manifest(path).collections
        except FileNotFoundError:
            raise Refused(f"There is no file {path}.") from None
    yield from state_differences([state for state in states if only is None or state.slug == only.slug])


def state_differences(states: list[CollectionState]) -> Iterator[str]:
    """Yield one sentence for each chain that is not there any more as it was at the checkpoint."""
    for state in states:
        name = f"Checkpoint {state.checkpoint[:12]} of {state.slug}"
        collection = Collection.objects.filter(slug=state.slug).first()
        if collection:
            yield from (f"{name}: {difference}." for difference in chain_differences(collection, state.chains))
        elif not Tombstone.objects.filter(collection_slug=state.slug).exists():
            yield f"{name}: the collection is missing without a tombstone."
