"""A data set of BEIR in a ZIP archive: corpus.jsonl, queries.jsonl and qrels/*.tsv, maybe in one folder.

Each reader takes its part: `read_documents` the corpus, `read_topics` the queries, `read_qrels` and `read_judgements`
the qrels. If there are several files of qrels (dev, test, train), a path must name one: ``scifact.zip/qrels/test.tsv``.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from pooling._io.streams import Progress, Source, open_input, without_marks
from pooling._io.zip_entries import entry_names, open_entry, opened_zip
from pooling.errors import FormatError, Problems, TrecFormatError, raise_or_keep
from pooling.formats.zip_kinds import QRELS_FOLDER, beir_files
from pooling.paths import irds_id

PARTS = {"documents": "corpus.jsonl", "topics": "queries.jsonl", "judgements": "qrels"}


@contextmanager
def part_of_beir(source: Any, kind: str, file: str) -> Iterator[tuple[BinaryIO, str] | None]:
    """The part of a data set as a stream, and its name in errors, as a context manager; None for any other source."""
    with opened_zip(source, file) as archive:
        files = beir_files(entry_names(archive)) if archive is not None else {}
        if archive is None or not files:
            yield None
            return
        name = _one(files[kind], kind, file)
        with open_entry(archive, name, file) as stream:
            yield cast(BinaryIO, stream), stream.name


def beir_qrels_content(content: bytes, file: str, max_bytes: int) -> tuple[bytes, str]:
    """The qrels of a data set, decompressed, and their name in errors."""
    with part_of_beir(content, "judgements", file) as part:
        if part is None:
            raise FormatError("the ZIP archive is no data set of BEIR", "it has corpus.jsonl and queries.jsonl", file)
        stream, name = part
        with open_input(stream, max_bytes=max_bytes, name=name) as opened:
            return without_marks(opened.read()), name


def qrels_file(source: Source, max_bytes: int, name: str, progress: Progress | None, problems: Problems) -> bytes:
    """The content of a file of qrels, which may be those of a ZIP archive of a data set of BEIR."""
    from pooling._io.reading import file_content  # loads pandas

    if irds_id(source):
        return file_content(source, max_bytes, name, progress, problems)
    try:
        with part_of_beir(source, "judgements", name) as part:
            if part is None:
                return file_content(source, max_bytes, name, progress, problems)
            whole_size(source, progress)
            return file_content(part[0], max_bytes, part[1], None, problems)
    except FormatError as error:
        raise_or_keep(TrecFormatError(error.what, error.allowed, error.file), problems)
        return b""


def whole_size(source: Any, progress: Progress | None) -> None:
    """Report the size of an archive at once, since only a part of it is read."""
    if progress is not None and isinstance(source, str | os.PathLike):
        progress(os.path.getsize(source))


def _one(names: Sequence[str], kind: str, file: str) -> str:
    if not names:
        raise FormatError(f"the ZIP archive has no {PARTS[kind]}", "a data set of BEIR has one", file)
    if len(names) > 1:
        what = f"the ZIP archive has {len(names)} files of {kind}: {', '.join(names[:5])}"
        named = next((name for name in names if f"{QRELS_FOLDER}/test." in name), names[0])
        raise FormatError(what, f"name one of them, such as {file}/{named}", file)
    return names[0]
