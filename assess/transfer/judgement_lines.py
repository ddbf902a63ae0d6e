"""Reads a file of judgements: qrels-like lines of one judge, the CSV of `assess.judging.judgement_csv`, or an export of
another program (`pooling.formats.exports`).

An export that has only the text of a query belongs to the topic with this title.

`agreement.judge_files` turns the labels into grades and counts what was irregular. Everything else about a line is
checked here: its topic, its ids and, in CSV, the other columns.
"""

import hashlib
import io
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import pooling
from assess.errors import Refused
from assess.judging import judgement_csv
from assess.judging.judgement_csv import Line
from assess.judging.judgement_input import JudgementInput
from assess.marginal.answers import check_imported_answer
from assess.models import Input, JudgementKind, State
from assess.transfer.imports import Progress
from pooling._io.streams import BYTE_ORDER_MARK, Source, display_name, open_input
from pooling.errors import FormatError, shown
from pooling.formats.irds import irds_id, irds_qrels

if TYPE_CHECKING:
    import pandas as pd

    from agreement.judge_files import LabelOptions

# A file is stored in one field of the database: at most 1e9 bytes in SQLite. PostgreSQL allows 1 GB, but an INSERT
# writes each byte as two characters.
MAX_FILE_BYTES = 256 * 2**20
OTHER_KINDS: dict[int, str] = {
    JudgementKind.NORMING_BEFORE: "judgement of a norming round",
    JudgementKind.NORMING_AFTER: "judgement of a norming round",
    JudgementKind.PRACTICE: "practice judgement",
    JudgementKind.CHECK: "hidden check",
}

LabelledLine = tuple[Line, str]  # a row of CSV, and the text of its relevance


class FileLine(NamedTuple):
    """One judgement of a file."""

    number: int
    assessor: str
    query_id: str
    doc_id: str
    repeat: int
    judgement_input: JudgementInput
    judged_at: datetime | None = None


class Problem(NamedTuple):
    """An invalid line: its number, and a sentence with the file and the line."""

    number: int
    sentence: str


@dataclass
class FileOfJudgements:
    """A file that was read: its judgements, the counts and options of each judge, and its invalid lines."""

    name: str
    raw: bytes
    lines: list[FileLine] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    options: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    names: set[str] = field(default_factory=set)  # of everyone with a line in the file, valid or not
    skipped: Counter[str] = field(default_factory=Counter)  # lines of other kinds than judgements of judges

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()

    @cached_property
    def compressed(self) -> bytes:
        return zlib.compress(self.raw)


class Checks(NamedTuple):
    """What lines are checked against."""

    collection: str
    scale: list[int]
    query_ids: set[str]
    query_ids_by_title: Mapping[str, Sequence[str]]  # for exports that have the text of the query, and no query_id
    options_of: Callable[[str], "LabelOptions"]  # of the judge with this name


def read_file(
    source: Source, judge: str | None, checks: Checks, progress: Progress = None, *, named: bool = False
) -> FileOfJudgements:
    """Read a file. `judge` is the judge of a qrels file. CSV names its assessors, and is refused with `named`.

    Invalid lines are problems of the result. Raises Refused or FormatError if the file cannot be read at all.
    """
    from pooling.formats.exports.reading import export_format  # loads pandas

    name = display_name(source)
    raw = _raw(source, name)
    with open_input(raw, max_bytes=MAX_FILE_BYTES, name=name, progress=progress) as stream:
        content = stream.read().removeprefix(BYTE_ORDER_MARK)
    file = FileOfJudgements(name, raw)
    if form := export_format(content):
        _read_export(file, content, form, judge, checks)
        if named and file.names != {judge}:
            raise Refused(f"{name} names its judges; remove {judge!r} as the name of its judge.")
    elif has_csv_header(content):
        if named:
            raise Refused(
                f"{name} is a CSV file, which names its assessors; remove {judge!r} as the name of its judge."
            )
        _read_csv(file, content, checks)
    elif judge is None:
        raise Refused(
            f"{name} has no header {','.join(judgement_csv.NEEDED)}, so it is read as qrels, which do not name the "
            "judge. State the name of the judge."
        )
    else:
        _read_qrels(file, content, judge, checks)
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


def has_csv_header(content: bytes) -> bool:
    """Return whether the first line names a column. A comma is not enough: doc_ids of qrels may contain commas."""
    cells = content.split(b"\n", 1)[0].replace(b'"', b"").strip().split(b",")
    return any(column.encode() in cells for column in judgement_csv.NEEDED)


def _read_qrels(file: FileOfJudgements, content: bytes, judge: str, checks: Checks) -> None:
    from pooling.trec import read_labels

    found: list[FormatError] = []
    labels = read_labels(content, file.name, found)
    file.problems += [Problem(error.line or 0, str(error)) for error in found]
    file.names.add(judge)
    unknown = ~labels["query_id"].isin(checks.query_ids)
    row: Any  # with the columns as attributes
    for row in labels[unknown].itertuples():
        file.problems.append(_problem(file.name, row.line, judge, row, no_topic(checks, row.query_id)))
    rows = _graded(file, labels[~unknown], judge, checks)
    _add_counts(file, judge, sum(error.line is not None for error in found) + int(unknown.sum()))
    inputs = cache(lambda grade: JudgementInput(State.JUDGED, grade))  # one object for each grade
    columns = (rows[name].tolist() for name in ("line", "query_id", "doc_id", "relevance"))
    file.lines = [
        FileLine(number, judge, query_id, doc_id, 0, inputs(grade))
        for number, query_id, doc_id, grade in zip(*columns, strict=True)
    ]


def _graded(file: FileOfJudgements, labels: "pd.DataFrame", judge: str, checks: Checks) -> "pd.DataFrame":
    """Return the rows of one judge that have a grade, one for each document and topic."""
    from agreement.judge_files import treat

    options = checks.options_of(judge)
    treated = treat(labels, options, judge, file.name)
    file.problems += [Problem(error.line or 0, str(error)) for error in treated.problems]
    file.counts[judge], file.options[judge] = treated.counts, options.to_dict()
    return treated.judgements


def _add_counts(file: FileOfJudgements, judge: str, invalid: int) -> None:
    """Count lines that are invalid for another reason than their label."""
    for name in ("lines", "invalid"):
        file.counts[judge][name] += invalid


def _read_csv(file: FileOfJudgements, content: bytes, checks: Checks) -> None:
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
    judges_rows = [row for row, kind in zip(rows, kinds, strict=True) if not kind]
    for judge, own in _by_assessor(judges_rows).items():
        file.lines += _csv_lines(file, judge, own, checks)
    file.lines.sort(key=lambda line: line.number)


def _other_kind(line: Line) -> str:
    """Return what a line is if it is no judgement of a judge. Its adjudication, round or check is not in the file."""
    return "decision of an adjudicator" if line.adjudicated else OTHER_KINDS.get(line.repeat, "")


def _read_export(file: FileOfJudgements, content: bytes, form: str, judge: str | None, checks: Checks) -> None:
    from pooling.formats.exports.reading import read_export

    found: list[FormatError] = []
    rows: Any = read_export(content, form, file.name, found).itertuples()
    file.problems += [Problem(error.line or 0, str(error)) for error in found]
    lines: list[LabelledLine] = []
    for row in rows:
        assessor = row.assessor or judge
        if not assessor:
            raise Refused(f"{file.name} does not name the judge. State the name of the judge.")
        try:
            query_id = _topic_of(row, checks)
        except Refused as refusal:
            file.problems.append(_problem(file.name, row.line, assessor, row, str(refusal)))
        else:
            lines.append((Line(row.line, assessor, query_id, row.doc_id, None, comment=row.comment), row.label))
        file.names.add(assessor)
    for name, own in _by_assessor(lines).items():
        file.lines += _csv_lines(file, name, own, checks)
    file.lines.sort(key=lambda line: line.number)


def _topic_of(row: Any, checks: Checks) -> str:
    """The query_id of an exported judgement: its own, or that of the topic with the text of the query as its title."""
    query_id: str = row.query_id
    if query_id in checks.query_ids or not row.query:
        return query_id
    query_ids = checks.query_ids_by_title.get(plain_title(row.query), ())
    if len(query_ids) > 1:
        raise Refused(f"{len(query_ids)} topics have the title {shown(row.query)}; give them different titles.")
    return query_ids[0] if query_ids else query_id


def plain_title(title: str) -> str:
    """A title for comparisons: capital letters and white space make no difference."""
    return " ".join(title.casefold().split())


def _line_of(error: judgement_csv.CsvError) -> int:
    """The line that the message of an error names."""
    digits = str(error).removeprefix("line ").partition(":")[0]
    return int(digits) if digits.isdigit() else 0


def _by_assessor(rows: Iterable[LabelledLine]) -> dict[str, list[LabelledLine]]:
    groups: dict[str, list[LabelledLine]] = {}
    for row in rows:
        groups.setdefault(row[0].assessor, []).append(row)
    return groups


def _csv_lines(file: FileOfJudgements, judge: str, rows: Sequence[LabelledLine], checks: Checks) -> list[FileLine]:
    """Return the judgements of one assessor."""
    import pandas as pd

    fields = [
        (line.number, line.query_id, line.doc_id, line.repeat, label, _details(line)) for line, label in rows if label
    ]
    columns = ["line", "query_id", "doc_id", "repeat", "label", "details"]
    graded = _graded(file, pd.DataFrame(fields, columns=columns).astype({"label": "str"}), judge, checks)
    grades = dict(zip(graded["line"].tolist(), graded["relevance"].tolist(), strict=True))
    kept = [_file_line(line, grades.get(line.number)) for line, label in rows if not label or line.number in grades]
    checked = [*_repeated(file.name, kept), *(_check(file.name, line, checks) for line in kept)]
    problems = [problem for problem in checked if problem]
    invalid = {problem.number for problem in problems}
    valid = [line for line in kept if line.number not in invalid]
    file.problems += problems
    counts = file.counts[judge]
    counts |= {"lines": len(rows), "invalid": counts["invalid"] + len(invalid), "judgements": len(valid)}
    return valid


def _details(line: Line) -> str:
    """The values that are part of a judgement besides its grade."""
    answer = line.marginal, list(line.repeats)
    return str((line.state, line.reason, line.comment, line.confidence, line.label_confidence, line.passages, answer))


def _file_line(line: Line, relevance: int | None) -> FileLine:
    judgement_input = JudgementInput(
        line.state,
        relevance,
        line.reason,
        line.comment,
        confidence=line.confidence,
        passages=list(line.passages),
        active_ms=line.active_ms,
        away_ms=line.away_ms,
        highlights=line.highlights,
        input=line.input,
        guidelines_version=line.guidelines_version,
        label_confidence=line.label_confidence,
        marginal=line.marginal,
        repeated=tuple(line.repeats),
    )
    return FileLine(
        line.number, line.assessor, line.query_id, line.doc_id, line.repeat, judgement_input, line.judged_at
    )


def _repeated(name: str, kept: Sequence[FileLine]) -> list[Problem]:
    """Refuse a second line for a judgement if one of them has no grade."""
    first: dict[tuple[str, str, int], FileLine] = {}
    problems = []
    for line in kept:
        earlier = first.setdefault((line.query_id, line.doc_id, line.repeat), line)
        if earlier is not line:
            what = f"{describe(line)} is already on line {earlier.number}"
            rule = "an assessor judges a document of a topic once in each repeat"
            problems.append(Problem(line.number, f"{name}, line {line.number}: {what}; {rule}."))
    return problems


def _check(name: str, line: FileLine, checks: Checks) -> Problem | None:
    try:
        if line.query_id not in checks.query_ids:
            raise Refused(no_topic(checks, line.query_id))
        if problem := pooling.id_problem(line.doc_id):
            raise Refused(f"The doc_id {problem}; {pooling.ALLOWED_ID}.")
        if line.repeat > 1:
            raise Refused(f"Repeat must be 0, or 1 for a hidden repeat, not {line.repeat}.")
        line.judgement_input.check(checks.scale, Input.values)
        check_imported_answer(line.doc_id, line.judgement_input, checks.scale[1])
    except Refused as refusal:
        return _problem(name, line.number, line.assessor, line, str(refusal))
    return None


def _problem(name: str, number: int, judge: str, row: Any, sentence: str) -> Problem:
    return Problem(number, f"{name}, line {number}, {describe(row, judge)}: {sentence}")


def no_topic(checks: Checks, query_id: str) -> str:
    return f"{checks.collection} has no topic {query_id!r}; import the topics first."


def describe(line: Any, judge: str | None = None) -> str:
    """The judge, the document and the topic of a line."""
    return f"{shown(judge or line.assessor)} on document {shown(line.doc_id)} of topic {shown(line.query_id)}"
