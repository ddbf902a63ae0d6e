"""What the check of files finds before their import: sentences about what an import would do, and invalid lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

import pooling
from assess.models import Collection
from assess.transfer.import_record import Progress, SourceFile
from pooling._io.streams import open_input
from pooling.documents import MAX_BYTES
from pooling.errors import FormatError, OpenQuestionError
from pooling.paths import irds_id

if TYPE_CHECKING:
    from agreement.file_checks import Contents

MAX_PROBLEMS = 1_000
MAX_SENTENCE = 1_000
SHOWN_ELSEWHERE = ("grades", "topics that match nothing")  # by the kinds of imports


class Question(TypedDict):
    """What the user has to choose: the name of an option, a sentence for each file, and the answers."""

    option: str
    files: list[str]
    choices: list[dict[str, str]]


@dataclass
class Check:
    """What was found. A problem has the name of the file, the line (null for the whole file) and a sentence.

    `judges` are the rows of `assess.transfer.judgement_receipt`, and `findings` what the files say about each other
    (`agreement.file_checks`), each with severity and sentence.
    """

    uploads: list[int]
    sentences: list[str] = field(default_factory=list)
    judges: list[dict[str, Any]] = field(default_factory=list)
    findings: list[dict[str, str]] = field(default_factory=list)
    problems: list[tuple[str, int | None, str]] = field(default_factory=list)
    problem_count: int = 0
    questions: list[Question] = field(default_factory=list)

    def add(self, file: str, line: int | None, sentence: str) -> None:
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            clean = sentence[:MAX_SENTENCE].replace("\0", "␀").encode(errors="replace").decode()
            self.problems.append((file, line, clean))

    def add_error(self, file: str, error: Exception) -> None:
        if isinstance(error, OpenQuestionError):
            self._ask(file, error)
        else:
            self.add(file, getattr(error, "line", None), f"{str(error).rstrip('.')}.")

    def _ask(self, file: str, error: OpenQuestionError) -> None:
        """Add a question, which is a problem until it is answered. One answer is for all files with the question."""
        self.problem_count += 1
        asked = next((question for question in self.questions if question["option"] == error.option), None)
        if asked:
            asked["files"].append(f"{file}: {error.what}.")
            return
        choices = [{"value": choice.value, "label": choice.label} for choice in error.choices]
        self.questions.append({"option": error.option, "files": [f"{file}: {error.what}."], "choices": choices})

    def add_report(self, file: str, report: Any) -> None:
        """Add the invalid lines of a report of `pooling`."""
        import pandas as pd  # slow to import

        for row in report.itertuples(index=False):
            line = None if pd.isna(row.line) else int(row.line)
            where = f"{file}, line {line}" if line else file
            self.add(file, line, f"{where}: {row.what}; {row.allowed}.")


def contents_with(titles: dict[str, str]) -> "Contents":
    """Return what a check keeps of files, with the topics of a collection by their titles."""
    from agreement.file_checks import Contents  # loads pandas

    return Contents(titles)


@dataclass
class Preview:
    """A check of files that are imported together, in the order of `ImportKind`."""

    collection: Collection
    query_ids: set[str]  # of the collection and of the files
    progress: Progress
    check: Check
    query_order: list[str] = field(default_factory=list)  # of the topics in the files
    titles: dict[str, list[str]] = field(default_factory=dict)  # title -> query_ids, of the topics in the files
    pooled: set[str] = field(default_factory=set)  # the doc_ids of pools in the files
    scale: tuple[int, ...] = ()  # of a file; without one, the scale of the collection counts
    contents: "Contents" = field(default_factory=lambda: contents_with({}))  # of files and topics of the collection

    def compare(self) -> None:
        """Add what the files say about each other to the check."""
        from agreement.file_checks.together import findings_of  # loads pandas
        from pooling.id_repair import REPAIR_OPTION

        self.check.findings = [
            {"severity": finding.severity, "sentence": finding.sentence}
            for finding in findings_of(self.contents, f"{REPAIR_OPTION}{{repair}}")
            if finding.subject not in SHOWN_ELSEWHERE
        ]

    def add_invalid_lines(self, file: SourceFile, kind: str, first: FormatError) -> None:
        """Read a file to its end to list all invalid lines, if the first problem is a line and not the whole file."""
        found: Sequence[FormatError] = ()
        if first.line is not None and not irds_id(file.path):
            with open_input(file.path, max_bytes=file.max_bytes or MAX_BYTES, name=file.name) as stream:
                found = pooling.problems(stream, kind, limit=MAX_PROBLEMS, name=file.name)
        for error in found or [first]:
            self.check.add_error(file.name, error)
