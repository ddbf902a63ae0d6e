"""Read files of any kind for a check, and keep what cannot be read as findings."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from agreement.file_checks.contents import Contents
from agreement.file_checks.findings import ERROR, NOTE, WARNING, Finding
from agreement.judge_files import read_judgements
from pooling.documents import read_documents
from pooling.errors import FormatError
from pooling.formats.fields import Given
from pooling.formats.recognise import recognise
from pooling.paths import name_of
from pooling.run_warnings import RankOrderWarning, RunWarning
from pooling.topics import read_topics
from pooling.trec import MAX_BYTES, read_run, run_files
from pooling.words import count, first_names

KINDS = ("topics", "documents", "runs", "judgements")
LISTED = 5  # invalid lines of a file that are findings of their own


@dataclass(frozen=True)
class CheckedFile:
    """A file that was checked: its kind, its format in words, and how many items it has."""

    path: str
    kind: str
    label: str
    items: int
    invalid: int


@dataclass
class Reading:
    """Reads files into `contents`, and collects what was taken for what and what cannot be read."""

    columns: Given = field(default_factory=dict)
    field_name: str | None = None
    mapping: Mapping[Any, int] | None = None
    listed_relevant: bool = False
    contents: Contents = field(default_factory=Contents)
    files: list[CheckedFile] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def read(self, path: str, kind: str | None = None) -> None:
        """Read a file as a kind, or as what it is recognised as."""
        label = f"{kind}, as stated" if kind else ""
        try:
            if kind is None:
                found = recognise(path)
                kind, label = found.kind, found.label
                if kind != "runs":  # the note of a run comes from its reader
                    self._add(NOTE, "recognised by its name", f"{path}: {found.note}" if found.note else "")
            items, invalid = READERS[kind](self, path)
        except (FormatError, ValueError, OSError) as error:
            self._add(ERROR, "unreadable file", _sentence(path, error))
            self.files.append(CheckedFile(path, kind or "unknown", label or "unknown", 0, 0))
            return
        self.files.append(CheckedFile(path, kind, label, items, invalid))

    def _add(self, severity: str, subject: str, sentence: str) -> None:
        if sentence:
            self.findings.append(Finding(severity, subject, sentence if sentence.endswith(".") else f"{sentence}."))

    def _problems(self, path: str, sentences: Iterable[str]) -> int:
        """Add the first invalid lines, and the number of the others. Returns how many there are."""
        listed = list(sentences)
        for sentence in listed[:LISTED]:
            self._add(ERROR, "invalid line", sentence)
        if more := len(listed) - LISTED:
            self._add(ERROR, "invalid line", f"{path}: {count(more, 'more invalid line')}" if more > 0 else "")
        return len(listed)

    def _repeated(self, path: str, noun: str, ids: Iterable[str], known: Container[str]) -> None:
        """Add a warning about ids that an earlier file has too; the later file counts."""
        again = [text for text in ids if text in known]
        if again:
            verb = "is" if len(again) == 1 else "are"
            sentence = f"{path}: {count(len(again), noun)} ({first_names(again, 3)}) {verb} in an earlier file too"
            self._add(WARNING, f"repeated {noun}s", sentence)

    def topics(self, path: str) -> tuple[int, int]:
        found: list[FormatError] = []
        topics = read_topics(path, problems=found)
        self._repeated(path, "topic", topics["query_id"], self.contents.titles)
        self.contents.add_topics(topics)
        return len(topics), self._problems(path, map(str, found))

    def documents(self, path: str) -> tuple[int, int]:
        found: list[FormatError] = []
        own = Contents()
        own.add_documents(read_documents(path, problems=found))
        self._repeated(path, "document", own.documents, self.contents.documents)
        self.contents.documents |= own.documents
        return len(own.documents), self._problems(path, map(str, found))

    def runs(self, path: str) -> tuple[int, int]:
        """Read a run, or each run of a ZIP archive."""
        numbers = [self._run(file) for file in run_files(path, MAX_BYTES)]
        return sum(items for items, _ in numbers), sum(invalid for _, invalid in numbers)

    def _run(self, path: str) -> tuple[int, int]:
        notes: list[RunWarning] = []
        run, report = read_run(path, on_error="report", notes=notes)
        for note in notes:
            is_wrong = isinstance(note, RankOrderWarning)
            self._add(WARNING if is_wrong else NOTE, "order of a run", str(note))
        systems = run["system"].unique().tolist()
        system = systems[0] if len(systems) == 1 else name_of(path)
        if system in self.contents.runs:
            other = f"{system} ({path})"
            self._add(WARNING, "repeated system", f"{path}: the system {system!r} is in an earlier file too")
            system = other
        if len(run):
            self.contents.add_run(system, run.assign(system=system))
        return len(run), self._problems(path, _report(report))

    def judgements(self, path: str) -> tuple[int, int]:
        read = read_judgements(
            [path],
            scale=None,
            columns=self.columns or None,
            field=self.field_name,
            mapping=self.mapping,
            listed_relevant=self.listed_relevant,
            negative="not_judged",
            decimals="whole",
            duplicates="first",
            on_error="report",
        )
        for note in read.notes():
            self._add(NOTE, "irregular labels", note if note.startswith(path) else f"{path}: {note}")
        again = int(read.counts[["identical_pairs", "contradicting_pairs"]].to_numpy().sum())
        if again:
            verb = "occurs" if again == 1 else "occur"
            self._add(WARNING, "repeated judgements", f"{path}: {count(again, 'document')} {verb} again in a topic")
        judges = read.judgements["assessor"].unique().tolist()
        self._repeated(path, "judge", judges, self.contents.judgements)
        self.contents.add_judgements(read.judgements)
        return len(read.judgements), self._problems(path, _report(read.problems))


READERS: dict[str, Callable[[Reading, str], tuple[int, int]]] = {
    "topics": Reading.topics,
    "documents": Reading.documents,
    "runs": Reading.runs,
    "judgements": Reading.judgements,
}


def _report(problems: Any) -> list[str]:
    rows = problems.itertuples(index=False)
    return [f"{row.file}{_line(row.line)}: {row.what}; {row.allowed}" for row in rows]


def _line(line: Any) -> str:
    return "" if pd.isna(line) else f", line {int(line)}"


def _sentence(path: str, error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{path}: {error.strerror}"
    text = str(error)
    return text if text.startswith(path) or path in text else f"{Path(path)}: {text}"
