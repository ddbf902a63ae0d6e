"""Reads a file of judgements in any format.

A CSV with the columns of `assess.judging.judgement_csv` is read by this module, because it has more than labels:
states, comments, passages, times. `agreement.judge_files.contents` reads the labels of every other format: qrels of one
judge, tables, sheets and exports. An export that has only the text of a query belongs to the topic with this title.
"""

import io
from collections import Counter
from dataclasses import replace
from functools import cache
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement.judge_files.contents import FileLabels, JudgementFile, ReadOptions
from agreement.judge_files.tables import IDS, NO_JUDGEMENT, NUMBER_IDS
from assess.errors import Refused, as_sentence
from assess.judging import judgement_csv
from assess.judging.judgement_csv import Line
from assess.judging.judgement_input import JudgementInput
from assess.models import JudgementKind, State
from assess.transfer import classic
from assess.transfer.import_record import Progress
from assess.transfer.judgement_lines import (
    Checks,
    FileLine,
    FileOfJudgements,
    LabelledLine,
    Problem,
    UnknownTopic,
    add_counts,
    add_lines,
    graded_rows,
    problem_of,
)
from assess.transfer.matched_ids import lines_with_matched_ids, unknown_topics, with_matched_ids
from assess.transfer.topics import plain_title
from pooling._io.streams import Source, display_name, open_input, without_marks
from pooling.changed_ids import changed_id_error, changed_rows
from pooling.errors import FormatError, OpenQuestionError, shown
from pooling.formats.comments import comment_sentence
from pooling.formats.irds import irds_qrels
from pooling.formats.smart.qrels import Answers
from pooling.formats.tables import first_line
from pooling.paths import irds_id

if TYPE_CHECKING:
    import pandas as pd

# A file is stored in one field of the database: at most 1e9 bytes in SQLite. PostgreSQL allows 1 GB, but an INSERT
# writes each byte as two characters.
MAX_FILE_BYTES = 256 * 2**20
OWN_COLUMNS = {*judgement_csv.KNOWN[len(judgement_csv.NEEDED) :]}
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


def read_file(source: Source, judge: Judge, checks: Checks, progress: Progress = None) -> FileOfJudgements:
    """Read a file. One that names its judges is refused if the user names another one.

    Invalid lines are problems of the result. Raises Refused or FormatError if the file cannot be read at all.
    """
    name = display_name(source)
    raw = _raw(source, name)
    with open_input(raw, max_bytes=MAX_FILE_BYTES, name=name, progress=progress) as stream:
        content = without_marks(stream.read())
    file = FileOfJudgements(name, raw)
    read = _read_csv if _is_own_csv(content, checks.reading) else _read_labels
    read(file, content, judge, checks)
    file.unknown.sort()
    file.problems += unknown_topics(file, checks)
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


def _is_own_csv(content: bytes, options: ReadOptions) -> bool:
    """Return whether a file is Assay's CSV: all columns of labels under their own names, and one that others lack."""
    cells = first_line(content).replace(b'"', b"").strip().lower().split(b",")
    names = {cell.decode(errors="replace") for cell in cells}
    return not options.columns and names > set(judgement_csv.NEEDED) and bool(names & OWN_COLUMNS)


def _read_csv(file: FileOfJudgements, content: bytes, owner: Judge, checks: Checks) -> None:
    if owner.is_named:
        raise Refused(
            f"{file.name} is a CSV file, which names its assessors; remove {owner.name!r} as the name of its judge."
        )

    def keep(error: judgement_csv.CsvError) -> None:
        file.problems.append(Problem(_line_of(error), f"{file.name}, {error}."))

    try:
        text = io.StringIO(content.decode(), newline="")
        empty_rows: list[int] = []
        rows = list(judgement_csv.read_labels(text, keep, file.names.add, empty_rows.append))
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise Refused(f"{file.name}, line {number}: byte 0x{content[error.start]:02X} is not valid UTF-8.") from None
    except judgement_csv.CsvError as error:
        raise Refused(f"{file.name}, {error}.") from None
    file.empty_rows = len(empty_rows)
    file.names.discard("")  # of rows without an assessor
    kinds = [_other_kind(line) for line, _ in rows]
    file.skipped.update(kind for kind in kinds if kind)
    judged = [row for row, kind in zip(rows, kinds, strict=True) if not kind]
    add_lines(file, lines_with_matched_ids(file, _without_changed_ids(file, judged), checks), checks)


def _without_changed_ids(file: FileOfJudgements, rows: list[LabelledLine]) -> list[LabelledLine]:
    """The rows without those that have an id which a spreadsheet has probably changed, which are problems."""
    changed = changed_rows({column: [getattr(line, column) for line, _ in rows] for column in IDS})
    for place, column in changed.items():
        line = rows[place][0]
        error = changed_id_error(column, getattr(line, column), file.name, line.number)
        file.problems.append(Problem(line.number, f"{error}."))
    return [row for place, row in enumerate(rows) if place not in changed]


def _other_kind(line: Line) -> str:
    """Return what a line is if it is no judgement of a judge. Its adjudication, round or check is not in the file."""
    return "decision of an adjudicator" if line.adjudicated else OTHER_KINDS.get(line.repeat, "")


def _read_labels(file: FileOfJudgements, content: bytes, owner: Judge, checks: Checks) -> None:
    """Read a file that has labels only. If it does not name its judges, all of it is the owner's."""
    found: list[FormatError] = []
    answers = Answers(checks.listed_relevant, checks.options_of(owner.name or "").mapping)
    options = replace(checks.reading, answers=answers)
    source = JudgementFile(content, file.name, owner.name or "", owner.is_named, options)
    try:
        labels = source.read(found, file.notes)
    except ValueError as error:
        raise error if isinstance(error, FormatError) else Refused(as_sentence(error)) from None
    if question := next((error for error in found if isinstance(error, OpenQuestionError)), None):
        raise question
    file.empty_rows = labels.empty_rows
    if labels.comment_lines:
        file.notes.append(f"{file.name}: {comment_sentence(labels.comment_lines)}.")
    file.problems += [Problem(error.line or 0, str(error)) for error in found]
    if not owner.name and (labels.is_qrels or (labels.rows["assessor"] == "").any()):
        form = "is read as qrels, which do" if labels.is_qrels else "does"
        raise Refused(f"{file.name} {form} not name the judge. State the name of the judge.")
    if labels.is_qrels:
        rows = classic.with_topics(file, content, labels.rows, checks)
        _add_qrels(file, rows, owner.name or "", checks, sum(error.line is not None for error in found))
    else:
        _add_rows(file, labels, checks)


def _add_qrels(file: FileOfJudgements, labels: "pd.DataFrame", judge: str, checks: Checks, invalid: int) -> None:
    """Add the labels of one judge, which may be millions, without an object for each before they are checked."""
    file.names.add(judge)
    labels = with_matched_ids(file, labels, checks)
    unknown = ~labels["query_id"].isin(checks.query_ids)
    rows = labels[unknown]
    ids = (rows[name].tolist() for name in ("line", "query_id", "doc_id"))
    file.unknown = [UnknownTopic(number, judge, *pair) for number, *pair in zip(*ids, strict=True)]
    rows = graded_rows(file, labels[~unknown], judge, checks)
    add_counts(file, judge, checks, lines=invalid + int(unknown.sum()), invalid=invalid + int(unknown.sum()))
    inputs = cache(lambda grade: JudgementInput(State.JUDGED, grade))  # one object for each grade
    columns = (rows[name].tolist() for name in ("line", "query_id", "doc_id", "relevance"))
    file.lines = [
        FileLine(number, judge, query_id, doc_id, 0, inputs(grade))
        for number, query_id, doc_id, grade in zip(*columns, strict=True)
    ]


def _add_rows(file: FileOfJudgements, labels: FileLabels, checks: Checks) -> None:
    """Add the rows of a table or an export, and count those that are no judgement."""
    left_out = Counter({(judge, "no_judgement"): number for judge, number in labels.left_out.items()})
    lines: list[LabelledLine] = []
    row: Any  # with the columns as attributes
    for row in with_matched_ids(file, _with_topics(labels.rows, checks), checks).itertuples():
        file.names.add(row.assessor)
        if not getattr(row, "is_vote", True):
            file.skipped[OTHER_KINDS.get(getattr(row, "repeat", 0), "decision of an adjudicator")] += 1
        elif labels.is_table and row.label.strip().lower() in NO_JUDGEMENT:
            left_out[row.assessor, "empty"] += 1
        else:
            lines += _labelled(file, row, checks)
    add_lines(file, lines, checks)
    for (judge, reason), n_rows in left_out.items():
        file.names.add(judge)
        add_counts(file, judge, checks, lines=n_rows, **{reason: n_rows})
    if labels.is_table:
        for name, n_numbers in labels.rows.groupby("assessor")[NUMBER_IDS].sum().items():
            add_counts(file, str(name), checks, number_ids=int(n_numbers))


def _with_topics(rows: "pd.DataFrame", checks: Checks) -> "pd.DataFrame":
    """The rows of an export with the topics whose titles they have; without a clear one, with their own query_id."""
    if "query" not in rows:
        return rows
    return rows.assign(query_id=[_clear_topic(row, checks) for row in rows.itertuples()])


def _clear_topic(row: Any, checks: Checks) -> str:
    try:
        return _topic_of(row, checks)
    except Refused:
        return str(row.query_id)


def _labelled(file: FileOfJudgements, row: Any, checks: Checks) -> list[LabelledLine]:
    """The line of a row and its label; none, and a problem, if its topic is unclear."""
    try:
        query_id = _topic_of(row, checks)
    except Refused as refusal:
        file.problems.append(problem_of(file.name, row.line, row.assessor, row, str(refusal)))
        return []
    confidence = getattr(row, "confidence", None)
    line = Line(
        row.line,
        row.assessor,
        query_id,
        row.doc_id,
        None,
        repeat=getattr(row, "repeat", 0),
        comment=getattr(row, "comment", ""),
        label_confidence=None if confidence is None or confidence != confidence else confidence,
    )
    return [(line, row.label)]


def _topic_of(row: Any, checks: Checks) -> str:
    """The query_id of an exported judgement: its own, or that of the topic with the text of the query as its title."""
    query_id: str = row.query_id
    if query_id in checks.query_ids or not getattr(row, "query", ""):
        return query_id
    query_ids = checks.query_ids_by_title.get(plain_title(row.query), ())
    if len(query_ids) > 1:
        raise Refused(f"{len(query_ids)} topics have the title {shown(row.query)}; give them different titles.")
    return query_ids[0] if query_ids else query_id


def _line_of(error: judgement_csv.CsvError) -> int:
    """The line that the message of an error names."""
    digits = str(error).removeprefix("line ").partition(":")[0]
    return int(digits) if digits.isdigit() else 0
