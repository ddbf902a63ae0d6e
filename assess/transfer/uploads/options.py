"""The options of an import in the browser, as JSON: what the options of the import commands are in a shell.

score_precision, system_pattern   of runs
text_format, too_complex, keep_all   of documents
off_scale, duplicates, rounding, decimals, negative, mapping, own_scale, judge_kind, description, name_pattern   of
judgements, and as_members: the primary keys of the members whose judgements the files contain
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings

import pooling
from assess.errors import Refused, as_sentence
from assess.models import Collection, ImportKind, Role, Run, TextFormat, Upload
from assess.transfer.import_options import ImportOptions
from assess.transfer.import_record import SourceFile
from assess.transfer.imports import SYSTEM, Progress
from assess.transfer.uploads.storage import content_path
from pooling.formats.irds import irds_id
from pooling.paths import name_in, name_of

LABEL_OPTIONS = ("off_scale", "duplicates", "rounding", "decimals", "negative")
DEFAULTS: dict[str, Any] = {
    "score_precision": Run.Precision.FLOAT64.value,
    "system_pattern": "",
    "text_format": TextFormat.PLAIN.value,
    "too_complex": "refuse",
    "keep_all": False,
    **dict.fromkeys(LABEL_OPTIONS, "error"),
    "rounding": "",
    "mapping": "",
    "own_scale": "",
    "judge_kind": "",
    "description": "",
    "name_pattern": "",
    "as_members": [],
}


def uploads_of(collection: Collection, keys: Sequence[int], kind: str = "") -> list[Upload]:
    """Return complete uploads in the order of their arrival, or refuse if one was removed in the meantime."""
    uploads = list(collection.uploads.filter(pk__in=keys, completed_at__isnull=False))
    if len(uploads) < len(set(keys)):
        raise Refused("Some of these files were removed or imported in the meantime. Check the files again.")
    return [upload for upload in uploads if kind in ("", upload.kind)]


def sources(uploads: Sequence[Upload]) -> list[SourceFile]:
    """Return the files of uploads with the names that their users know."""
    found = [SourceFile(content_path(upload), upload.name, upload.given_name) for upload in uploads]
    if gone := next((file.name for file in found if not (irds_id(file.path) or file.path.is_file())), None):
        raise Refused(f"The file {gone} is no longer there. Remove it and upload it again.")
    return found


def read_documents(file: SourceFile, progress: Progress = None) -> Iterator[pooling.Document]:
    """Return the documents of a file or archive. The limit applies to what it expands to."""
    limit = settings.MAX_EXPANDED_BYTES
    return pooling.read_documents(file.path, max_bytes=limit, name=file.name, progress=progress)


def runs_of(uploads: Sequence[Upload], options: Mapping[str, Any]) -> list[SourceFile]:
    """Return run files with their systems: as stated, or else by the pattern, or else ""."""
    pattern = options["system_pattern"]
    files = sources(uploads)
    return [replace(file, given_name=_name_by(file, pattern, SYSTEM)) for file in files] if pattern else files


def judge_of(file: SourceFile, options: Mapping[str, Any]) -> str:
    """Return the judge of a file: as stated, or by the pattern, or else the name of the file without its ending."""
    from agreement.judge_files.sources import JUDGE  # loads pandas

    pattern = options["name_pattern"]
    return _name_by(file, pattern, JUDGE) if pattern else file.given_name or name_of(file.name)


def _name_by(file: SourceFile, pattern: str, word: str) -> str:
    try:
        return file.given_name or name_in(file.name, pattern, word)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def judgement_options(collection: Collection, options: Mapping[str, Any]) -> ImportOptions:
    """Return the options of judgements. Raises Refused if one of them cannot be used."""
    from agreement.cli.label_options import parse_grades  # these load pandas
    from agreement.judge_files.options import parse_mapping

    values = DEFAULTS | dict(options)
    try:
        mapping = parse_mapping(values["mapping"]) if values["mapping"] else None
        own_scale = parse_grades(values["own_scale"]) if values["own_scale"] else None
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return ImportOptions(
        labels={name: values[name] or None for name in LABEL_OPTIONS},
        mapping=mapping,
        own_scale=own_scale,
        kind=values["judge_kind"],
        descriptions={"": values["description"]},
        as_members=_names_of(collection, values["as_members"]),
    )


def people_of(collection: Collection) -> list[tuple[int, str]]:
    """Return key and name of the people whose judgements a file may contain."""
    people = collection.members.filter(role=Role.ASSESSOR).exclude(user=None, removed_at=None)
    return list(people.values_list("pk", "name"))


def _names_of(collection: Collection, members: Sequence[int]) -> list[str]:
    """Return the names of members, which the options do not contain, so that an erasure leaves no name behind."""
    names = list(collection.members.filter(pk__in=members).values_list("name", flat=True))
    if len(names) < len(set(members)):
        raise Refused("Some of the chosen members have left the collection. Choose the members again.")
    return names


def kinds_of(uploads: Sequence[Upload]) -> list[str]:
    """Return the kinds of files, in the order in which they are imported."""
    present = {upload.kind for upload in uploads}
    return [kind for kind in ImportKind.values if kind in present]
