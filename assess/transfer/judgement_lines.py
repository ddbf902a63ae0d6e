"""The judgements of a file, and the checks of its lines, whatever the format of the file.

`agreement.judge_files` turns the labels into grades and counts what was irregular. Everything else about a line is
checked here: its topic, its ids and the other values of a judgement.
"""

import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import pooling
from assess.errors import Refused
from assess.judging.judgement_csv import Line
from assess.judging.judgement_input import JudgementInput
from assess.marginal.answers import check_imported_answer
from assess.models import Input
from assess.suggestions.stored import check_imported_assistance
from pooling.errors import shown

if TYPE_CHECKING:
    import pandas as pd

    from agreement.judge_files import LabelOptions
    from agreement.judge_files.contents import ReadOptions
    from pooling.id_repair import IdMatch

LabelledLine = tuple[Line, str]  # the values of a row, and the text of its relevance


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


class UnknownTopic(NamedTuple):
    """A line whose topic the collection does not have."""

    number: int
    assessor: str
    query_id: str
    doc_id: str


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
    empty_rows: int = 0
    notes: list[str] = field(default_factory=list)  # sentences about the file
    ids: "IdMatch | None" = None  # how its ids match those of the collection
    unknown: list[UnknownTopic] = field(default_factory=list)  # lines whose topic the collection does not have

    def repaired_notes(self) -> list[str]:
        return self.ids.repaired_notes() if self.ids else []

    def document_notes(self) -> list[str]:
        """Return a sentence if a repair would make documents match those of the collection."""
        return [self.ids.note("doc_id")] if self.ids and self.ids.is_reported("doc_id") else []

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
    reading: "ReadOptions"
    query_order: Sequence[str] = ()  # the topics in the order of their import
    listed_relevant: bool = False
    number_by: str = ""
    doc_ids: Set[str] = frozenset()  # documents of the collection
    repair: str | None = None  # of ids (`pooling.unmatched`)


def graded_rows(file: FileOfJudgements, labels: "pd.DataFrame", judge: str, checks: Checks) -> "pd.DataFrame":
    """Return the rows of one judge that have a grade, one for each document and topic."""
    from agreement.judge_files import treat  # loads pandas

    options = checks.options_of(judge)
    treated = treat(labels, options, judge, file.name)
    file.problems += [Problem(error.line or 0, str(error)) for error in treated.problems]
    file.counts[judge], file.options[judge] = treated.counts, options.to_dict()
    return treated.judgements


def add_counts(file: FileOfJudgements, judge: str, checks: Checks, **numbers: int) -> None:
    """Add to the counts of a judge, who may have no label."""
    if judge not in file.counts:
        from agreement.judge_files import COUNTS  # loads pandas

        file.counts[judge], file.options[judge] = dict.fromkeys(COUNTS, 0), checks.options_of(judge).to_dict()
    for name, number in numbers.items():
        file.counts[judge][name] = file.counts[judge].get(name, 0) + number


def add_lines(file: FileOfJudgements, rows: Iterable[LabelledLine], checks: Checks) -> None:
    """Add rows that name their assessors to a file, as judgements or as problems."""
    for judge, own in _by_assessor(rows).items():
        file.lines += _judged_lines(file, judge, own, checks)
    file.lines.sort(key=lambda line: line.number)


def _by_assessor(rows: Iterable[LabelledLine]) -> dict[str, list[LabelledLine]]:
    groups: dict[str, list[LabelledLine]] = {}
    for row in rows:
        groups.setdefault(row[0].assessor, []).append(row)
    return groups


def _judged_lines(file: FileOfJudgements, judge: str, rows: Sequence[LabelledLine], checks: Checks) -> list[FileLine]:
    """Return the judgements of one assessor."""
    import pandas as pd  # slow to import

    fields = [
        (line.number, line.query_id, line.doc_id, line.repeat, label, _details(line)) for line, label in rows if label
    ]
    columns = ["line", "query_id", "doc_id", "repeat", "label", "details"]
    graded = graded_rows(file, pd.DataFrame(fields, columns=columns).astype({"label": "str"}), judge, checks)
    grades = dict(zip(graded["line"].tolist(), graded["relevance"].tolist(), strict=True))
    kept = [_file_line(line, grades.get(line.number)) for line, label in rows if not label or line.number in grades]
    unknown = [line for line in kept if line.query_id not in checks.query_ids]
    file.unknown += [UnknownTopic(line.number, judge, line.query_id, line.doc_id) for line in unknown]
    known = [line for line in kept if line.query_id in checks.query_ids]
    checked = [*_repeated(file.name, kept), *(_check(file.name, line, checks) for line in known)]
    problems = [problem for problem in checked if problem]
    invalid = {problem.number for problem in problems} | {line.number for line in unknown}
    valid = [line for line in kept if line.number not in invalid]
    file.problems += problems
    counts = file.counts[judge]
    counts |= {"lines": len(rows), "invalid": counts["invalid"] + len(invalid), "judgements": len(valid)}
    return valid


def _details(line: Line) -> str:
    """The values that are part of a judgement besides its grade."""
    answer = line.marginal, list(line.repeats)
    assistance = line.assisted, line.suggested
    own = line.state, line.reason, line.comment, line.confidence, line.label_confidence, line.passages
    return str((*own, answer, assistance))


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
        assisted=line.assisted,
        suggested=line.suggested,
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
        if problem := pooling.id_problem(line.doc_id):
            raise Refused(f"The doc_id {problem}; {pooling.ALLOWED_ID}.")
        if line.repeat > 1:
            raise Refused(f"Repeat must be 0, or 1 for a hidden repeat, not {line.repeat}.")
        line.judgement_input.check(checks.scale, Input.values)
        check_imported_answer(line.doc_id, line.judgement_input, checks.scale[1])
        check_imported_assistance(line.judgement_input, line.repeat, checks.scale)
    except Refused as refusal:
        return problem_of(name, line.number, line.assessor, line, str(refusal))
    return None


def problem_of(name: str, number: int, judge: str, row: Any, sentence: str) -> Problem:
    return Problem(number, f"{name}, line {number}, {describe(row, judge)}: {sentence}")


def no_topic(checks: Checks, query_id: str) -> str:
    return f"{checks.collection} has no topic {query_id!r}; import the topics first."


def describe(line: Any, judge: str | None = None) -> str:
    """The judge, the document and the topic of a line."""
    return f"{shown(judge or line.assessor)} on document {shown(line.doc_id)} of topic {shown(line.query_id)}"
