"""Reads a file of judgements in any format.

`READERS` has one entry for each format: qrels-like lines of one judge, the CSV of `assess.judging.judgement_csv`, and
exports of other programs (`pooling.formats.exports`). An export that has only the text of a query belongs to the topic
with this title.

To add a format, write a function that adds the lines and problems of a content to a file, and an entry. A format whose
rows name their judges passes them to `add_lines`.
"""

import io
from collections.abc import Callable
from functools import cache
from os import PathLike
from typing import Any, NamedTuple

from assess.errors import Refused
from assess.judging import judgement_csv
from assess.judging.judgement_csv import Line
from assess.judging.judgement_input import JudgementInput
from assess.models import JudgementKind, State
from assess.transfer.import_record import Progress
from assess.transfer.judgement_lines import (
    Checks,
    FileLine,
    FileOfJudgements,
    LabelledLine,
    Problem,
    add_invalid,
    add_lines,
    graded_rows,
    no_topic,
    problem_of,
)
from assess.transfer.topics import plain_title
from pooling._io.streams import Source, display_name, open_input, without_marks
from pooling.errors import FormatError, shown
from pooling.formats.irds import irds_id, irds_qrels

# A file is stored in one field of the database: at most 1e9 bytes in SQLite. PostgreSQL allows 1 GB, but an INSERT
# writes each byte as two characters.
MAX_FILE_BYTES = 256 * 2**20
OTHER_KINDS: dict[int, str] = {
    JudgementKind.NORMING_BEFORE: "judgement of a norming round",
    JudgementKind.NORMING_AFTER: "judgement of a norming round",
    JudgementKind.PRACTICE: "practice judgement",
    JudgementKind.CHECK: "hidden check",
}


class Judge(NamedTuple):
    """The judge of a file that does not name its judges, if one is known, and whether the user named them."""

    name: str | None
    is_named: bool = False


class Reader(NamedTuple):
    """A format: whether a content has it, and the function that adds the lines and problems of a content to a file."""

    recognises: Callable[[bytes], object]
    read: Callable[[FileOfJudgements, bytes, Judge, Checks], None]


def read_file(source: Source, judge: Judge, checks: Checks, progress: Progress = None) -> FileOfJudgements:
    """Read a file. One that names its judges is refused if the user names another one.

    Invalid lines are problems of the result. Raises Refused or FormatError if the file cannot be read at all.
    """
    name = display_name(source)
    raw = _raw(source, name)
    with open_input(raw, max_bytes=MAX_FILE_BYTES, name=name, progress=progress) as stream:
        content = without_marks(stream.read())
    file = FileOfJudgements(name, raw)
    reader = next(reader for reader in READERS if reader.recognises(content))
    reader.read(file, content, judge, checks)
    file.problems.sort()
    return file


def _raw(source: Source, name: str) -> bytes:
    """Return the bytes of a file as it is, compressed or not. Raises FormatError if it is too large."""
    if dataset_id := irds_id(source):
        raw = irds_qrels(dataset_id)
    elif isinstance(source, bytes):
        raw = source
    elif isinstance(source, (str, PathLike)):
        with open(source, "rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    else:
        raw = source.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise FormatError(f"the file has more than {MAX_FILE_BYTES:,} bytes", "this is the limit for one file", name)
    return raw


def _has_csv_header(content: bytes) -> bool:
    """Return whether the first line names a column. A comma is not enough: doc_ids of qrels may contain commas."""
    cells = content.split(b"\n", 1)[0].replace(b'"', b"").strip().lower().split(b",")
    return any(column.encode() in cells for column in judgement_csv.NEEDED)


def _read_qrels(file: FileOfJudgements, content: bytes, owner: Judge, checks: Checks) -> None:
    from pooling.trec import read_labels  # loads pandas

    judge = owner.name
    if judge is None:
        raise Refused(
            f"{file.name} has no header {','.join(judgement_csv.NEEDED)}, so it is read as qrels, which do not name "
            "the judge. State the name of the judge."
        )
    found: list[FormatError] = []
    labels = read_labels(content, file.name, found)
    file.problems += [Problem(error.line or 0, str(error)) for error in found]
    file.names.add(judge)
    unknown = ~labels["query_id"].isin(checks.query_ids)
    row: Any  # with the columns as attributes
    for row in labels[unknown].itertuples():
        file.problems.append(problem_of(file.name, row.line, judge, row, no_topic(checks, row.query_id)))
    rows = graded_rows(file, labels[~unknown], judge, checks)
    add_invalid(file, judge, sum(error.line is not None for error in found) + int(unknown.sum()))
    inputs = cache(lambda grade: JudgementInput(State.JUDGED, grade))  # one object for each grade
    columns = (rows[name].tolist() for name in ("line", "query_id", "doc_id", "relevance"))
    file.lines = [
        FileLine(number, judge, query_id, doc_id, 0, inputs(grade))
        for number, query_id, doc_id, grade in zip(*columns, strict=True)
    ]


def _read_csv(file: FileOfJudgements, content: bytes, owner: Judge, checks: Checks) -> None:
    if owner.is_named:
        raise Refused(
            f"{file.name} is a CSV file, which names its assessors; remove {owner.name!r} as the name of its judge."
        )

    def keep(error: judgement_csv.CsvError) -> None:
        file.problems.append(Problem(_line_of(error), f"{file.name}, {error}."))

    try:
        text = io.StringIO(content.decode(), newline="")
        rows = list(judgement_csv.read_labels(text, keep, file.names.add))
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise Refused(f"{file.name}, line {number}: byte 0x{content[error.start]:02X} is not valid UTF-8.") from None
    except judgement_csv.CsvError as error:
        raise Refused(f"{file.name}, {error}.") from None
    file.names.discard("")  # of rows without an assessor
    kinds = [_other_kind(line) for line, _ in rows]
    file.skipped.update(kind for kind in kinds if kind)
    add_lines(file, [row for row, kind in zip(rows, kinds, strict=True) if not kind], checks)


def _other_kind(line: Line) -> str:
    """Return what a line is if it is no judgement of a judge. Its adjudication, round or check is not in the file."""
    return "decision of an adjudicator" if line.adjudicated else OTHER_KINDS.get(line.repeat, "")


def _has_export(content: bytes) -> bool:
    from pooling.formats.exports.reading import export_format  # loads pandas

    return bool(export_format(content))


def _read_export(file: FileOfJudgements, content: bytes, owner: Judge, checks: Checks) -> None:
    """Read an export of another program. If it does not name the judges, all of it is the owner's."""
    from pooling.formats.exports.reading import export_format, read_export  # loads pandas

    found: list[FormatError] = []
    rows: Any = read_export(content, export_format(content) or "", file.name, found).itertuples()
    file.problems += [Problem(error.line or 0, str(error)) for error in found]
    lines: list[LabelledLine] = []
    for row in rows:
        assessor = row.assessor or owner.name
        if not assessor:
            raise Refused(f"{file.name} does not name the judge. State the name of the judge.")
        try:
            query_id = _topic_of(row, checks)
        except Refused as refusal:
            file.problems.append(problem_of(file.name, row.line, assessor, row, str(refusal)))
        else:
            lines.append((Line(row.line, assessor, query_id, row.doc_id, None, comment=row.comment), row.label))
        file.names.add(assessor)
    if owner.is_named and file.names != {owner.name}:
        raise Refused(f"{file.name} names its judges; remove {owner.name!r} as the name of its judge.")
    add_lines(file, lines, checks)


def _topic_of(row: Any, checks: Checks) -> str:
    """The query_id of an exported judgement: its own, or that of the topic with the text of the query as its title."""
    query_id: str = row.query_id
    if query_id in checks.query_ids or not row.query:
        return query_id
    query_ids = checks.query_ids_by_title.get(plain_title(row.query), ())
    if len(query_ids) > 1:
        raise Refused(f"{len(query_ids)} topics have the title {shown(row.query)}; give them different titles.")
    return query_ids[0] if query_ids else query_id


def _line_of(error: judgement_csv.CsvError) -> int:
    """The line that the message of an error names."""
    digits = str(error).removeprefix("line ").partition(":")[0]
    return int(digits) if digits.isdigit() else 0


# The first that recognises a content reads it. Qrels have no mark, so they are last.
READERS = (
    Reader(_has_export, _read_export),
    Reader(_has_csv_header, _read_csv),
    Reader(lambda _: True, _read_qrels),
)
