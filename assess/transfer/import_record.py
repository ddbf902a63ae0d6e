"""What all imports share: their files and results, and the record of who imported what, and with which options."""

import hashlib
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, BinaryIO, cast

from assess.errors import Refused, as_sentence
from assess.lib.batches import reserve_keys
from assess.models import Collection, ImportRecord, User
from pooling.formats.irds import irds_qrels
from pooling.paths import IRDS, irds_id, name_in

MAX_NAME = 255
Progress = Callable[[int], object] | None  # takes numbers of bytes


@dataclass(frozen=True)
class SourceFile:
    """A file to import.

    `path` is where it is, or the `irds:` id of a data set. `name` is shown in messages. `given_name` is that of its
    system or judge, if the user states it. `max_bytes` is what documents may expand to, if the site limits it.
    """

    path: Path
    name: str
    given_name: str | None = None
    max_bytes: int | None = None


@dataclass
class Imported:
    """The result of an import: how many items were read, how many are new, and how many were imported before.

    `updated` documents got another text. `left_out` has the number of rows that are not among those read, by the reason
    in words, and `repaired` the number of ids that were repaired, topics and documents. `notes` are sentences for the
    user.
    """

    read: int = 0
    added: int = 0
    same: int = 0
    updated: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, Any]:
        counts: dict[str, Any] = {"read": self.read, "added": self.added, "same": self.same}
        more = {"updated": self.updated, "left_out": self.left_out, "repaired": self.repaired}
        return counts | {name: numbers for name, numbers in more.items() if numbers}


def receipt(counts: Mapping[str, Any]) -> str:
    """Return what an import read, used and left out, in one sentence: "Read 12: 10 new, 2 imported before."."""
    used = [f"{counts.get('added', 0):,} new", f"{counts.get('updated', 0):,} changed" if counts.get("updated") else ""]
    known = f"{counts.get('same', 0):,} imported before" if counts.get("same") else ""
    sentence = f"Read {counts.get('read', 0):,}: {', '.join(part for part in (*used, known) if part)}."
    others = [f"{reason} ({number:,})" for reason, number in counts.get("left_out", {}).items()]
    repaired = [f"{noun} ({number:,})" for noun, number in counts.get("repaired", {}).items()]
    parts = {" Left out": others, " Ids repaired": repaired}
    return sentence + "".join(f"{begin}: {', '.join(part)}." for begin, part in parts.items() if part)


@dataclass(frozen=True)
class ImportedBy:
    """Who imports; None for a command. `on_saved` is called in the transaction that saves the import."""

    user: User | None = None
    on_saved: Callable[[], object] = field(default=lambda: None)


def as_source(file: SourceFile | Path | str) -> SourceFile:
    """Return a path as a source with the same name."""
    return file if isinstance(file, SourceFile) else SourceFile(Path(file), str(file))


def name_by_pattern(file: SourceFile, pattern: str, word: str) -> str:
    """Return the stated name of a file's system or judge, or else what stands for `word` in the name of the file."""
    try:
        return file.given_name or name_in(file.name, pattern, word)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def open_source(file: SourceFile) -> BinaryIO:
    """Open a file, or the qrels of a data set, so that messages show its name."""
    dataset_id = irds_id(file.path)
    stream: Any = io.BytesIO(irds_qrels(dataset_id)) if dataset_id else io.FileIO(file.path)
    stream.name = file.name
    return cast("BinaryIO", stream)


def base_name(name: str) -> str:
    """Return the name of a file without its folder, or the whole id of a data set, for the record."""
    return (name if name.startswith(IRDS) else PurePath(name).name)[-MAX_NAME:]


def file_details(files: Iterable[SourceFile]) -> list[dict[str, Any]]:
    """Return name, size and checksum of files. Call it before the transaction: it reads them."""
    return [_details(file) for file in files]


def _details(file: SourceFile) -> dict[str, Any]:
    name = base_name(file.name)
    if not file.path.is_file():
        return {"name": name, "size": None, "sha256": ""}
    with file.path.open("rb") as stream:
        return {
            "name": name,
            "size": file.path.stat().st_size,
            "sha256": hashlib.file_digest(stream, "sha256").hexdigest(),
        }


def reserve_record() -> int:
    """Return the primary key of a record that is saved later."""
    return reserve_keys(ImportRecord, 1)[0]


def save_record(
    collection: Collection,
    kind: str,
    by: ImportedBy,
    files: Sequence[Mapping[str, Any]],
    *,
    counts: Mapping[str, Any],
    options: Mapping[str, Any],
    previous: Mapping[str, Any] | None = None,
    key: int | None = None,
) -> ImportRecord | None:
    """Save the record, within the transaction of the import. An import that changes nothing has no record."""
    # Also without a record: the uploaded files are imported, although they brought nothing new.
    by.on_saved()
    if not (counts["added"] or counts.get("updated") or previous):
        return None
    return ImportRecord.objects.create(
        pk=key,
        collection=collection,
        user=by.user,
        kind=kind,
        files=list(files),
        options=dict(options),
        counts=dict(counts),
        previous=dict(previous or {}),
    )
