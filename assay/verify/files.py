"""Which kind of file it is: a release, a backup, or exported judgements. Loads pandas."""

import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from assay.verify.backup import verify_backup
from assay.verify.judgements import verify_judgements
from assay.verify.release import verify_release
from assay.verify.result import Report
from assess.backups.manifest import NAME
from assess.errors import Refused
from assess.releases.archive import read_release
from assess.releases.read import SPEC
from pooling._io.zip_entries import ZIP_MAGIC, check_directory


def verify_file(path: Path, runs: Sequence[str] = (), head: str | None = None) -> Report:
    """Check a file and return the result. Refused if it is none of these, or a hostile archive."""
    if path.is_dir():
        return verify_release(str(path), read_release(path), runs, head)
    with path.open("rb") as stream:
        is_zip = stream.read(len(ZIP_MAGIC)) == ZIP_MAGIC
    if is_zip and not _is_backup(path):
        return verify_release(str(path), read_release(path), runs, head)
    if runs:
        raise Refused(f"{path}: only a release has figures that need runs; leave out --run.")
    return verify_backup(path, head) if is_zip else verify_judgements(path, head)


def _is_backup(path: Path) -> bool:
    """Whether a zip file has a manifest that is not in a folder, and is no release."""
    try:
        with path.open("rb") as stream:
            check_directory(stream, str(path))
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, struct.error) as error:
        raise Refused(f"{path}: the zip file cannot be read: {str(error).rstrip('.')}.") from None
    return NAME in names and SPEC not in names
