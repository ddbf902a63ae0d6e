"""Exported judgements (`assay export_judgements`): every line is read and compared with the others."""

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from assay.verify.result import Report
from assess.errors import Refused
from assess.judging.judgement_csv import JUDGED, CsvError, Line, read
from pooling.errors import shown
from pooling.words import count

LARGEST = 1 << 28  # bytes of a file, which is held in memory
STATES = (JUDGED, "cannot_judge", "later", "undone")
NO_CHECKSUMS = "The file has no checksums: it does not show whether a line was changed or removed. A release does."
NO_HEAD = (
    "The head of the ledger is not in the file: it was printed when the file was exported. With it and the database, "
    "`assay verify_ledger --head` verifies the ledger."
)


def verify_judgements(path: Path, head: str | None = None) -> Report:
    """Check a file of exported judgements."""
    if path.stat().st_size > LARGEST:
        raise Refused(f"{path}: a file of judgements has at most {LARGEST:,} bytes; this one has more.")
    report = Report(str(path), "judgements", "a file of exported judgements")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        lines = list(read(io.StringIO(text, newline="")))
    except UnicodeDecodeError:
        raise Refused(f"{path}: this is neither a release, nor a backup, nor judgements as CSV.") from None
    except CsvError as error:
        if str(error).startswith("line 1:"):
            raise Refused(
                f"{path}: this is neither a release, nor a backup, nor judgements as CSV ({error})."
            ) from None
        report.add(path.name, f"{error}.")
        return _finished(report, head)
    for number, sentence in line_problems(lines):
        report.add(path.name, sentence, number)
    judges = Counter(line.assessor for line in lines)
    report.checked.append(f"{path.name} has {count(len(lines), 'row')} of {count(len(judges), 'judge')}, all readable.")
    return _finished(report, head)


def _finished(report: Report, head: str | None) -> Report:
    report.unchecked += [NO_CHECKSUMS, NO_HEAD]
    report.check_head(head)
    return report


def line_problems(lines: list[Line]) -> Iterator[tuple[int, str]]:
    """Yield the line and a sentence for each row that contradicts itself or repeats an earlier one."""
    seen: dict[tuple[object, ...], int] = {}
    for line in lines:
        key = (line.assessor, line.query_id, line.doc_id, line.repeat, line.adjudicated)
        if key in seen:
            what = f"judge {shown(line.assessor)} topic {shown(line.query_id)} document {shown(line.doc_id)}"
            yield line.number, f"{what} is also in line {seen[key]:,}."
        seen.setdefault(key, line.number)
        if line.state not in STATES:
            yield line.number, f"the state {shown(line.state)} is none of {', '.join(STATES)}."
        elif (line.state == JUDGED) != (line.relevance is not None):
            yield line.number, f"the state is {line.state}, and the grade is {line.relevance}."
