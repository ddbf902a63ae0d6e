"""Computes the files of a release from its specification and the database, always with the same bytes.

Loads pandas.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from agreement.reports.folder import manifest
from assess.releases.archive import MANIFEST
from assess.releases.changes import changes_files
from assess.releases.contents import (
    blindness,
    card,
    citation,
    collection_files,
    croissant,
    ir_dataset,
    ir_metadata,
    methods,
    model_judges,
    pool,
    qrels,
    reports,
    tables,
)
from assess.releases.source import ReleaseSource

CONTENTS: tuple[Callable[[ReleaseSource], dict[str, bytes]], ...] = tuple(
    module.files
    for module in (
        qrels,
        collection_files,
        pool,
        reports,
        model_judges,
        methods,
        tables,
        citation,
        card,
        ir_metadata,
        ir_dataset,
        blindness,
    )
)


def build_files(source: ReleaseSource) -> dict[str, bytes]:
    """Return all files by name, the manifest included, sorted."""
    files: dict[str, bytes] = {"release.json": source.spec.to_bytes()}
    for contents in CONTENTS:
        files |= contents(source)
    files |= changes_files(source.spec, source.previous_qrels, files["qrels.txt"])
    # After the others, whose checksums it lists.
    files |= croissant.files(source, files)
    files = dict(sorted(files.items()))
    return files | {MANIFEST: _manifest(source, files)}


def _manifest(source: ReleaseSource, files: Mapping[str, bytes]) -> bytes:
    """Return the content of `manifest.json`. It names no person, because it stays when a person is erased."""
    spec = source.spec
    described: dict[str, Any] = {
        "release": spec.name,
        "version": spec.version,
        "collection": spec.collection,
        "created_at": spec.created_at,
        "ledger": {"checkpoint": spec.checkpoint, "events": spec.events},
        "pool_seeds": [building.parameters.get("seed") for building in source.pool.buildings],
        **manifest(["assay", "create_release"], [], spec.seed, files),
    }
    described["versions"]["pyyaml"] = yaml.__version__
    return (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode()
