"""The manifest of an archive. This docstring specifies format version 1.

`manifest.json` is a JSON object:

    format        1
    assay         version of Assay that wrote the archive
    engine        "sqlite" or "postgresql"
    method        "sqlite", "pg_dump" or "copy": how the database was copied
    migrations    [app, name] of each migration applied to the database
    created_at    ISO 8601 in UTC
    collections   for each collection with judgements: slug, checkpoint (its hash), chains, and covered, the
                  digest of what else the checkpoint covers
    files         for each other file of the archive, by name: size in bytes and sha256
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from assess.errors import Refused
from assess.judging.chain_format import checkpoint_hash

FORMAT = 1
FOLDER = "backups"  # of the archives, in the data directory
NAME = "manifest.json"
MAX_BYTES = 256 * 2**20
SQLITE_FILE, DUMP_FILE, TABLES_FILE = "database.sqlite3", "database.dump", "tables.json"
SECRET_KEY, ERASURES = "secret_key", "erasures.jsonl"
METHODS = {"sqlite": SQLITE_FILE, "pg_dump": DUMP_FILE, "copy": TABLES_FILE}  # and the file that each must have
FILE_NAME = re.compile(
    r"database\.sqlite3|database\.dump|tables\.json|secret_key|erasures\.jsonl"
    r"|tables/[a-z0-9_]{1,63}\.copy|runs/[0-9a-f]{64}\.parquet"
)


@dataclass(frozen=True)
class CollectionState:
    """The chains of a collection's ledger at a checkpoint, and the checkpoint's hash.

    `covered` is the digest of what else the checkpoint covers, empty in archives of earlier versions.
    """

    slug: str
    checkpoint: str
    chains: list[list[int | str]]
    covered: str = ""


@dataclass(frozen=True)
class FileState:
    size: int
    sha256: str


class Copied(NamedTuple):
    """How the database was copied, its migrations, and the checksums of the run files that it refers to."""

    method: str
    migrations: frozenset[tuple[str, str]]
    runs: list[str]


@dataclass(frozen=True)
class Manifest:
    assay: str
    engine: str
    method: str
    migrations: frozenset[tuple[str, str]]
    created_at: datetime
    collections: list[CollectionState]
    files: Mapping[str, FileState]

    def to_json(self) -> bytes:
        fields = asdict(self) | {
            "format": FORMAT,
            "migrations": sorted(self.migrations),
            "created_at": self.created_at.isoformat(),
        }
        return json.dumps(fields, indent=1, sort_keys=True).encode()


def parse(content: bytes) -> Manifest:
    """Return the manifest, or refuse one that is invalid or of a newer format."""
    try:
        fields = json.loads(content)
        written_by = fields["format"]
    except (ValueError, KeyError, TypeError):
        raise Refused("its manifest.json is not a manifest of Assay") from None
    if written_by != FORMAT:
        raise Refused(f"its format is {written_by!r}, and this version of Assay reads only {FORMAT}. Upgrade Assay")
    try:
        manifest = _manifest(fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"its manifest.json is invalid ({type(error).__name__}: {error})") from None
    _check(manifest)
    return manifest


def _manifest(fields: dict[str, Any]) -> Manifest:
    return Manifest(
        assay=str(fields["assay"]),
        engine=str(fields["engine"]),
        method=str(fields["method"]),
        migrations=frozenset((str(app), str(name)) for app, name in fields["migrations"]),
        created_at=datetime.fromisoformat(fields["created_at"]).astimezone(UTC),
        collections=[CollectionState(**row) for row in fields["collections"]],
        files={str(name): FileState(**row) for name, row in fields["files"].items()},
    )


def _check(manifest: Manifest) -> None:
    if wrong := sorted(name for name in manifest.files if not FILE_NAME.fullmatch(name)):
        raise Refused(f"it has a file {wrong[0]!r}, which no archive has")
    required = METHODS.get(manifest.method)
    if required is None or (manifest.method == "sqlite") != (manifest.engine == "sqlite"):
        raise Refused(f"its database was copied in an unknown way ({manifest.engine}, {manifest.method})")
    if required not in manifest.files:
        raise Refused(f"it has no {required}")
    for each in manifest.collections:
        if checkpoint_hash(each.slug, each.chains, each.covered) != each.checkpoint:
            raise Refused(f"the checkpoint of {each.slug} in its manifest was changed")
