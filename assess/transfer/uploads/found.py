"""How much an uploaded file has, for its row on the import page: "12 topics", "6,000 lines"."""

from pathlib import Path

import pooling
from assess.models import ImportKind
from assess.transfer.import_record import SourceFile
from assess.transfer.pool import read
from pooling._io.streams import open_input
from pooling.formats.zip_kinds import ZIP
from pooling.paths import irds_id
from pooling.words import count

MAX_COUNTED = 64 * 2**20  # bytes on disk, which take less than a second
MAX_READ = 8 * 2**20  # bytes of files whose documents are parsed
MAX_EXPANDED = 2**30
BLOCK = 1 << 20


def found_in(path: Path, name: str, kind: str) -> str:
    """Return the number of topics, documents or lines; empty for data sets, large files and archives of files."""
    if irds_id(path) or (size := path.stat().st_size) > MAX_COUNTED:
        return ""
    if kind == ImportKind.TOPICS:
        return count(len(pooling.read_topics(path, name=name, notes=[])), "topic")
    if kind == ImportKind.DOCUMENTS:
        if size > MAX_READ:
            return ""
        return count(sum(1 for _ in pooling.read_documents(path, name=name, notes=[])), "document")
    if kind == ImportKind.POOL:
        return count(len(read([SourceFile(path, name)])), "document")
    return "" if kind == ImportKind.SCALE else _lines(path, name)


def _lines(path: Path, name: str) -> str:
    with open_input(path, max_bytes=MAX_EXPANDED, name=name) as stream:
        block = stream.read(BLOCK)
        if block.startswith(ZIP):
            return ""
        number, last = 0, b"\n"
        while block:
            number, last = number + block.count(b"\n"), block[-1:]
            block = stream.read(BLOCK)
    return count(number + (last != b"\n"), "line")
