"""The options of an import in the browser, as JSON: what the options of the import commands are in a shell.

score_precision   of runs
text_format, too_complex, keep_all   of documents
off_scale, duplicates, rounding, decimals, negative, mapping, own_scale, judge_kind, description   of judgements
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings

import pooling
from assess.errors import Refused, as_sentence
from assess.models import Collection, ImportKind, Run, TextFormat, Upload
from assess.transfer.import_options import ImportOptions
from assess.transfer.import_record import SourceFile
from assess.transfer.imports import Progress
from assess.transfer.uploads.storage import content_path

LABEL_OPTIONS = ("off_scale", "duplicates", "rounding", "decimals", "negative")
DEFAULTS: dict[str, Any] = {
    "score_precision": Run.Precision.FLOAT64.value,
    "text_format": TextFormat.PLAIN.value,
    "too_complex": "refuse",
    "keep_all": False,
    **dict.fromkeys(LABEL_OPTIONS, "error"),
    "rounding": "",
    "mapping": "",
    "own_scale": "",
    "judge_kind": "",
    "description": "",
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
    if gone := next((file.name for file in found if not file.path.is_file()), None):
        raise Refused(f"The file {gone} is no longer there. Remove it and upload it again.")
    return found


def read_documents(file: SourceFile, progress: Progress = None) -> Iterator[pooling.Document]:
    """Return the documents of a file or archive. The limit applies to what it expands to."""
    limit = settings.MAX_EXPANDED_BYTES
    return pooling.read_documents(file.path, max_bytes=limit, name=file.name, progress=progress)


def judge_of(file: SourceFile) -> str:
    """Return the judge of a file of judgements: as stated, or else the name of the file without its ending."""
    from pooling.paths import name_of

    return file.given_name or name_of(file.name)


def judgement_options(options: Mapping[str, Any]) -> ImportOptions:
    """Return the options of judgements. Raises Refused if the mapping or the scale cannot be read."""
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
    )


def kinds_of(uploads: Sequence[Upload]) -> list[str]:
    """Return the kinds of files, in the order in which they are imported."""
    present = {upload.kind for upload in uploads}
    return [kind for kind in ImportKind.values if kind in present]
