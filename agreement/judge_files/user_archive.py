"""Read a ZIP file of exports with one file for each annotator, as doccano and Potato make them.

The files are exports of doccano as JSON, JSONL or CSV, named after the user; or those of Potato, called
``annotated_instances.jsonl``, in a folder named after the user. Resource forks of macOS are ignored. A record without a
label is no judgement, and is counted. A file without records has no judge. Refused: a file of another format, two
files of one user, and a file that names several judges itself.
"""

import io
import zipfile
from collections import Counter
from pathlib import PurePosixPath
from typing import NamedTuple

import pandas as pd

from agreement.judge_files.tables import without_changed_ids
from pooling.errors import FormatError, TrecFormatError
from pooling.formats.exports.reading import export_format, read_export
from pooling.formats.zip_kinds import user_files
from pooling.trec import Problems
from pooling.words import first_repeated

FORMATS = ("doccano_json", "doccano_csv", "potato_json")
POTATO_NAME = "annotated_instances"  # the same in the folder of each user


class UserFile(NamedTuple):
    """The labels of one user; `name` is that of the archive and the file in it."""

    judge: str
    name: str
    labels: pd.DataFrame
    left_out: int  # records that are no judgements


def read_users(
    content: bytes, file: str, max_bytes: int, problems: Problems, field: str | None = None
) -> list[UserFile]:
    """The labels of each user."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = user_files(archive.namelist())
            if sum(archive.getinfo(name).file_size for name in names) > max_bytes:
                raise TrecFormatError(f"the files have more than {max_bytes:,} bytes", "this is the limit", file)
            contents = {name: archive.read(name) for name in names}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise TrecFormatError(f"the ZIP file cannot be read ({error})", "it has no password", file) from None
    users = [_user(name, each, f"{file}/{name}", problems, field) for name, each in contents.items() if each.strip()]
    if twice := first_repeated(user.judge for user in users):
        raise TrecFormatError(f"two files are of the user {twice!r}", "each user has one file", file)
    return users


def _user(name: str, content: bytes, file: str, problems: Problems, field: str | None) -> UserFile:
    form = export_format(content)
    if form not in FORMATS:
        allowed = "each file has query_id, doc_id and label"
        raise TrecFormatError("the file is no export of doccano or Potato", allowed, file)
    found: list[FormatError] = []
    left_out: Counter[str] = Counter()
    labels = without_changed_ids(read_export(content, form, file, found, left_out, field), file, found)
    if len(judges := set(labels["assessor"]) | set(left_out)) > 1:
        raise TrecFormatError(f"the file names {len(judges)} judges", "each file of the ZIP file is of one judge", file)
    found = [error for error in found if error.line is not None]  # a user may have labelled nothing
    if found and problems is None:
        raise found[0]
    if problems is not None:
        problems += found
    path = PurePosixPath(name)
    judge = path.parent.name if path.stem == POTATO_NAME and path.parent.name else path.stem
    return UserFile(judge, file, labels.drop(columns="assessor"), left_out.total())
