"""A stored release with few files, for tests of what pages do with it."""

import json

from django.utils import timezone

from assess.judging.checkpoints import create_checkpoint
from assess.models import Collection, Release
from assess.releases.archive import MANIFEST, zipped


def small_release(collection: Collection, text: str = "Nothing.", version: int = 1) -> Release:
    """Return a release whose change log, rule and names of versions are `text`."""
    checkpoint = create_checkpoint(collection, "release", only_chains=True)
    manifest = {
        "ledger": {"checkpoint": checkpoint.hash, "events": checkpoint.events},
        "seed": 1,
        "versions": {text: text},
        "files": [{"name": name, "sha256": "0" * 64} for name in ("qrels.txt", "CHANGES.md")],
    }
    files = {"qrels.txt": b"1 0 a 1\n", "CHANGES.md": text.encode(), "paper/methods.md": text.encode()}
    files |= {MANIFEST: json.dumps(manifest).encode()}
    content = zipped(files, f"main-{version}")
    return Release.objects.create(
        collection=collection,
        name="main",
        version=version,
        spec={"rule": text, "rel": None, "query_ids": ["1"], "members": [], "log": [], "measure": "AP"},
        checkpoint=checkpoint,
        manifest=files[MANIFEST].decode(),
        manifest_sha256="0" * 64,
        archive=content,
        size=len(content),
        created_at=timezone.now(),
    )
