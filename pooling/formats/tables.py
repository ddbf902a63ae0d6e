"""Read TSV and CSV with a header, or TSV with the columns of a format.

TSV has no quotes: a tab ends a field, a line end a row. Where its first cell is in double quotes, topics are read with
quotes, and documents, runs and qrels are refused. CSV has commas, and double quotes around a cell that contains
one of these. A first line is a header if its first two names are known.

Where qrels are expected, a table with a header or a file in UTF-16 is refused with a sentence that says so.
Spreadsheets write such files. Read as qrels, the first line would have too few columns or an odd label.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

from pooling._io.streams import ALLOWED_COMPRESSION
from pooling.errors import FormatError, Problems, TrecFormatError, raise_or_keep, shown
from pooling.formats.fields import LARGEST_CELL, plain_name
from pooling.formats.recognise import SAMPLE_BYTES, format_of_bytes


def header_of(cells: Sequence[str], known: Iterable[str]) -> list[str] | None:
    """The plain names of a header; None if the first two cells are not both known names."""
    names = [plain_name(cell) for cell in cells]
    return names if len(names) > 1 and set(names[:2]) <= set(known) else None


def is_quoted(line: str) -> bool:
    """Whether the first cell of a line of TSV is in double quotes."""
    first, tab, _ = line.partition("\t")
    return bool(tab) and len(first) > 1 and first.startswith('"') and first.endswith('"')


def csv_rows(text: str, file: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The first line and the cells of each row that is not blank; FormatError if the text is not CSV."""
    csv.field_size_limit(LARGEST_CELL)
    reader = csv.reader(text.splitlines(keepends=True) if "\n" in text else [text], delimiter=separator, strict=True)
    number = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield number, cells
            number = reader.line_num + 1  # a quoted cell may contain line ends
    except csv.Error as error:
        raise FormatError(str(error), 'cells are quoted by "', file, reader.line_num) from None


def rows_below_header(text: str, file: str, separator: str = ",") -> Iterator[tuple[int, list[str], list[str]]]:
    """The first line, the names of the header, and the cells of each row; FormatError if a name occurs twice."""
    header: list[str] = []
    for number, cells in csv_rows(text, file, separator):
        if header:
            yield number, header, cells
        else:
            header = [cell.strip() for cell in cells]
            check_once(header, separator.join(cells), file)


def by_name(cells: Sequence[str], header: Sequence[str], file: str, number: int) -> dict[str, str]:
    """The cells of a row by the names of the header; FormatError if their numbers differ."""
    if len(cells) != len(header):
        raise FormatError(f"{len(cells)} columns", f"the header has {len(header)}", file, number)
    return dict(zip(header, cells, strict=True))


def check_once(header: Sequence[str], line: str, file: str) -> None:
    """FormatError if a name occurs twice."""
    if len(set(header)) < len(header):
        raise FormatError(f"the header is {shown(line)}", "each column has another name", file, 1)


NAMES = {b"query_id", b"doc_id", b"relevance"}
SEPARATORS = {b",": "commas", b";": "semicolons", b"\t": "tabs"}
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte-order marks


ARCHIVES = {"zip": "ZIP", "tar": "TAR"}
QRELS = ("query_id", "iteration", "doc_id", "relevance")
ALLOWED_SUBTOPICS = "qrels have no subtopics; this file is diversity qrels: query_id subtopic doc_id relevance"
MIN_NAMES = 3
QUERY_ID = ("query_id", "qid", "query", "topic", "topic_id")
HEADER_NAMES = {
    *QUERY_ID,
    "iteration",
    "iter",
    "q0",
    "0",
    "doc_id",
    "docid",
    "docno",
    "doc",
    "document",
    "corpus_id",
    "pid",
}
HEADER_NAMES |= {"relevance", "rel", "label", "grade", "judgment", "judgement", "rank", "score", "tag", "run", "system"}
BEIR_HEADER = ["query_id", "corpus_id", "score"]
QUOTED_LINE = re.compile(rb'(?:\s|#[^\n]*\n)*+("[^"\s]*+"[ \t]++[^\s]++[ \t]++"[^"\s]*+"(?=[ \t])[^\n]*+)')


def refuse_other_run(content: bytes, file: str, problems: Problems = None) -> bool:
    """Whether the content of a run is an archive, or has a header or ids in quotes; the error is raised, or added."""
    error = archive_error(content, file) or _header_error(content, file) or _quoted_error(content, file)
    if error:
        raise_or_keep(error, problems)
    return error is not None


def archive_error(content: bytes, file: str) -> TrecFormatError | None:
    """The error if the content is an archive where one file is expected."""
    form = format_of_bytes(content[:512])
    if form not in ARCHIVES:
        return None
    return TrecFormatError(f"the file is a {ARCHIVES[form]} archive", f"unpack it first; {ALLOWED_COMPRESSION}", file)


def _quoted_error(content: bytes, file: str) -> TrecFormatError | None:
    line = QUOTED_LINE.match(content)
    if line is None:
        return None
    what = f"the ids are in quotes: {shown(line[1].decode(errors='backslashreplace').strip())}"
    allowed = "runs and qrels have no quotes; write the file without them"
    return TrecFormatError(what, allowed, file, 1 + content.count(b"\n", 0, line.start(1)))


def refuse_misread_table(content: bytes, file: str, problems: Problems = None) -> bool:
    """Whether the content is a table, an archive or UTF-16; the error is raised, or added to `problems`."""
    error = _error(content, file)
    if error:
        raise_or_keep(error, problems)
    return error is not None


def _error(content: bytes, file: str) -> TrecFormatError | None:
    if error := archive_error(content, file):
        return error
    if content.startswith(UTF_16):
        allowed = "a file must be UTF-8; save it as “CSV UTF-8” or plain text"
        return TrecFormatError("the file is UTF-16", allowed, file, 1)
    header = first_line(content).replace(b'"', b"").strip().lower()
    for separator, name in SEPARATORS.items():
        if len(NAMES.intersection(header.split(separator))) > 1:
            allowed = "CSV is separated by commas, and is read as judgements; a gold is a qrels file without a header"
            return TrecFormatError(f"the file is a table with a header, separated by {name}", allowed, file, 1)
    return _header_error(content, file) or _quoted_error(content, file)


def first_line(content: bytes) -> bytes:
    """The first line, without a copy of the others."""
    end = content.find(b"\n")
    return content if end < 0 else content[:end]


def _header_error(content: bytes, file: str) -> TrecFormatError | None:
    """The error if all fields of the first line of a run or of qrels are names of columns."""
    line = first_line(content).replace(b'"', b"").decode(errors="backslashreplace").strip()
    names = [plain_name(field) for field in line.split()]
    if len(names) < MIN_NAMES or names[0] not in QUERY_ID or not set(names) <= HEADER_NAMES or names == BEIR_HEADER:
        return None
    return TrecFormatError(f"the line {shown(line)} is a header", "runs and qrels have no header; remove it", file, 1)


def is_another_subtopic(first: bytes | str, second: bytes | str) -> bool:
    """Whether the second fields of two lines of the same document are numbers of different subtopics."""
    return first != second and first.isdigit() and second.isdigit()


def refuse_subtopics(content: bytes, file: str, problems: Problems = None) -> bool:
    """Whether a document occurs again at the start of qrels, with another number as its second field.

    The error is raised, or added to `problems`.
    The second field of qrels is ignored, and nearly always the same. In diversity qrels it is the subtopic.
    """
    first: dict[tuple[bytes, bytes], tuple[int, bytes]] = {}
    for number, line in enumerate(content[:SAMPLE_BYTES].split(b"\n"), start=1):
        fields = line.split()
        if len(fields) != len(QRELS) or not fields[0].strip(b"#"):
            continue
        query_id, subtopic, doc_id, _ = fields
        first_line, other = first.setdefault((query_id, doc_id), (number, subtopic))
        if is_another_subtopic(other, subtopic):
            doc, query, one, two = (field.decode(errors="replace") for field in (doc_id, query_id, other, subtopic))
            raise_or_keep(subtopic_error(doc, query, one, two, first_line, number, file), problems)
            return True
    return False


def subtopic_error(
    doc_id: str, query_id: str, first: str, second: str, first_line: int, number: int, file: str
) -> TrecFormatError:
    """The error for a document that occurs with two subtopics."""
    pair = f"document {shown(doc_id)} of topic {shown(query_id)}"
    what = f"{pair} has subtopic {first} on line {first_line} and {second} here"
    return TrecFormatError(what, ALLOWED_SUBTOPICS, file, number, "doc_id", doc_id)
