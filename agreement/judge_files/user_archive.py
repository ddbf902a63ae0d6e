"""Read what doccano exports for several annotators: a ZIP file with one file for each, named after the user.

The files are exports of doccano as JSON, JSONL or CSV. Resource forks of macOS are ignored. A record whose list of
labels is empty is no judgement. A file without records has no judge. Refused: a file of another format, and two files
of one user.
"""

import io
import zipfile
from typing import NamedTuple

import pandas as pd

from pooling.errors import FormatError, TrecFormatError
from pooling.formats.exports.reading import export_format, read_export
from pooling.formats.zip_kinds import user_files
from pooling.trec import Problems


class UserFile(NamedTuple):
    """The labels of one user; `name` is that of the archive and the file in it."""

    judge: str
    name: str
    labels: pd.DataFrame


def read_users(content: bytes, file: str, max_bytes: int, problems: Problems) -> list[UserFile]:
    """The labels of each user."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = user_files(archive.namelist())
            if sum(archive.getinfo(name).file_size for name in names) > max_bytes:
                raise TrecFormatError(f"the files have more than {max_bytes:,} bytes", "this is the limit", file)
            contents = {name: archive.read(name) for name in names}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise TrecFormatError(f"the ZIP file cannot be read ({error})", "it has no password", file) from None
    users = [_user(name, each, f"{file}/{name}", problems) for name, each in contents.items() if each.strip()]
    judges = [user.judge for user in users]
    if twice := next((judge for judge in judges if judges.count(judge) > 1), None):
        raise TrecFormatError(f"two files are of the user {twice!r}", "each user has one file", file)
    return users


def _user(name: str, content: bytes, file: str, problems: Problems) -> UserFile:
    form = export_format(content)
    if form not in ("doccano_json", "doccano_csv"):
        raise TrecFormatError("the file is no export of doccano", "each file has query_id, doc_id and label", file)
    found: list[FormatError] = []
    labels = read_export(content, form, file, found)
    found = [error for error in found if error.line is not None]  # a user may have labelled nothing
    if found and problems is None:
        raise found[0]
    if problems is not None:
        problems += found
    judge = name.rsplit("/", 1)[-1].rpartition(".")[0]
    return UserFile(judge, file, labels.drop(columns="assessor"))
