"""What a ZIP file is, from the names of its first entries: a spreadsheet, an export of doccano, or documents."""

import re
from collections.abc import Iterable

ZIP = b"PK\x03\x04"
NAME_LENGTH, NAME = 26, 30  # positions in the header of an entry
ODS = b"application/vnd.oasis.opendocument.spreadsheet"
EXPORT_ENDINGS = (".jsonl", ".json", ".csv")


def zip_kind(sample: bytes) -> str | None:
    """The format of a spreadsheet or of an export in a ZIP file; None if it is another ZIP file, or none."""
    if not sample.startswith(ZIP):
        return None
    starts = [found.start() for found in re.finditer(re.escape(ZIP), sample)]
    names = [_name(sample, start) for start in starts]
    if any(name.startswith("xl/") for name in names) or (names[0] == "mimetype" and ODS in sample[: NAME + 200]):
        return "judgement_sheet"
    files = user_files(names)
    return "doccano_zip" if files and all(name.lower().endswith(EXPORT_ENDINGS) for name in files) else None


def user_files(names: Iterable[str]) -> list[str]:
    """The files of an archive, without folders and the resource forks of macOS."""
    parts = [(name, name.rsplit("/", 1)[-1]) for name in names if not name.startswith("__MACOSX/")]
    return [name for name, base in parts if base and not base.startswith("._")]


def _name(sample: bytes, start: int) -> str:
    length = int.from_bytes(sample[start + NAME_LENGTH : start + NAME_LENGTH + 2], "little")
    return sample[start + NAME : start + NAME + length].decode(errors="replace")
