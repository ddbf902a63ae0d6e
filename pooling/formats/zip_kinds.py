"""What a ZIP file is, from the names of its entries: runs, a data set of BEIR, a spreadsheet, exports, or documents."""

import re
from collections.abc import Iterable, Sequence

from pooling._io.zip_entries import is_hidden

ZIP = b"PK\x03\x04"
NAME_LENGTH, NAME = 26, 30  # positions in the header of an entry
ODS = b"application/vnd.oasis.opendocument.spreadsheet"
EXPORT_ENDINGS = (".jsonl", ".json", ".csv")
RUN_NAME = re.compile(r"(input\..+|.+\.(run|runs|trec|res))(\.(gz|bz2|xz))?", re.IGNORECASE)
CORPUS, QUERIES = ("corpus.jsonl", "corpus.jsonl.gz"), ("queries.jsonl", "queries.jsonl.gz")
QRELS_FOLDER = "qrels"


def zip_kind(sample: bytes, names: Sequence[str] | None = None) -> str | None:
    """The format of a ZIP file whose content is known by its entries; None if it is another ZIP file, or none.

    `names` are those of all entries. Without them, those that the sample contains are used.
    """
    if not sample.startswith(ZIP):
        return None
    if names is None:
        names = [_name(sample, found.start()) for found in re.finditer(re.escape(ZIP), sample)]
    if any(name.startswith("xl/") for name in names) or (names[:1] == ["mimetype"] and ODS in sample[: NAME + 200]):
        return "judgement_sheet"
    files = user_files(names)
    if files and all(RUN_NAME.fullmatch(name.rsplit("/", 1)[-1]) for name in files):
        return "run_zip"
    if beir_files(files):
        return "beir_zip"
    return "doccano_zip" if files and all(name.lower().endswith(EXPORT_ENDINGS) for name in files) else None


def beir_files(names: Iterable[str]) -> dict[str, list[str]]:
    """The files of each part of a data set of BEIR by the kind of the part; empty if the names are of none."""
    by_kind: dict[str, list[str]] = {"documents": [], "topics": [], "judgements": []}
    for name in names:
        folder, _, base = name.rpartition("/")
        if base in CORPUS:
            by_kind["documents"].append(name)
        elif base in QUERIES:
            by_kind["topics"].append(name)
        elif folder.rpartition("/")[2] == QRELS_FOLDER and base.endswith((".tsv", ".tsv.gz")):
            by_kind["judgements"].append(name)
    return by_kind if by_kind["documents"] and by_kind["topics"] else {}


def user_files(names: Iterable[str]) -> list[str]:
    """The files of an archive, without folders, hidden files and the resource forks of macOS."""
    return [name for name in names if name and not name.endswith("/") and not is_hidden(name)]


def _name(sample: bytes, start: int) -> str:
    length = int.from_bytes(sample[start + NAME_LENGTH : start + NAME_LENGTH + 2], "little")
    return sample[start + NAME : start + NAME + length].decode(errors="replace")
