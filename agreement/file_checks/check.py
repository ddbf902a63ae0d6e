"""The check of files as one function, and its result as text, JSON and table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from os import PathLike, fspath
from typing import Any, TypeAlias

import pandas as pd

from agreement.file_checks.findings import ERROR, NOTE, SEVERITIES, WARNING, Finding
from agreement.file_checks.reading import KINDS, CheckedFile, Reading
from agreement.file_checks.together import findings_of
from pooling.formats.fields import Given, check_given
from pooling.paths import matching_paths
from pooling.result import Result
from pooling.words import count

Paths: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str]]
ITEMS = {"topics": "topic", "documents": "document", "runs": "line", "judgements": "judgement", "unknown": "item"}


@dataclass(frozen=True, eq=False, repr=False)
class FileChecks(Result):
    """What a check of files found.

    Attributes
    ----------
    files : sequence of CheckedFile
        What each file was taken for: path, kind, label, items and invalid.
    findings : sequence of Finding
        Errors first, then warnings and notes.

    Examples
    --------
    >>> from agreement.file_checks import Finding, FileChecks
    >>> checks = FileChecks([], [Finding("warning", "ties", "bm25 has ties.")])
    >>> checks.is_clean, checks.count("warning")
    (False, 1)
    """

    files: Sequence[CheckedFile]
    findings: Sequence[Finding]

    @property
    def is_clean(self) -> bool:
        """Whether there is neither an error nor a warning."""
        return all(finding.severity == NOTE for finding in self.findings)

    def count(self, severity: str) -> int:
        """The number of findings of a severity.

        Parameters
        ----------
        severity : {"error", "warning", "note"}

        Returns
        -------
        int
        """
        return sum(finding.severity == severity for finding in self.findings)

    def to_frame(self) -> pd.DataFrame:
        """The findings as a table with the columns severity, subject and sentence."""
        rows = [(each.severity, each.subject, each.sentence) for each in self.findings]
        return pd.DataFrame(rows, columns=["severity", "subject", "sentence"])

    def to_dict(self) -> dict[str, Any]:
        """Files, findings and the number of findings by severity, as JSON values."""
        return {
            "files": [asdict(file) for file in self.files],
            "findings": [asdict(finding) for finding in self.findings],
            "counts": {severity: self.count(severity) for severity in SEVERITIES},
        }

    def text(self) -> str:
        """The files and the findings as text.

        Returns
        -------
        str
            A line for each file and for each finding, and a last line with the numbers of errors and warnings.
        """
        files = [f"{file.path}: {file.label}, {_items(file)}" for file in self.files]
        found = [f"{finding}" for finding in self.findings]
        return "\n".join([*files, *([""] if found else []), *found, "", self._sentence(), ""])

    def _sentence(self) -> str:
        if self.is_clean:
            return f"Checked {count(len(self.files), 'file')}: no errors and no warnings."
        errors, warned = count(self.count(ERROR), "error"), count(self.count(WARNING), "warning")
        return f"Checked {count(len(self.files), 'file')}: {errors}, {warned}."


def _items(file: CheckedFile) -> str:
    invalid = f", {count(file.invalid, 'invalid line')}" if file.invalid else ""
    return count(file.items, ITEMS[file.kind]) + invalid


def check_files(
    paths: Paths = (),
    *,
    topics: Paths = (),
    documents: Paths = (),
    runs: Paths = (),
    judgements: Paths = (),
    columns: Given | None = None,
    field: str | None = None,
    mapping: Mapping[Any, int] | None = None,
    listed_relevant: bool = False,
) -> FileChecks:
    """Check files that belong together, before anything is computed from them.

    Parameters
    ----------
    paths : path or iterable of paths, optional
        Files of any kind, which are recognised by their content. A path may be a pattern, such as "runs/*.gz".
    topics, documents, runs, judgements : path or iterable of paths, optional
        Files of a stated kind.
    columns : mapping of str to str, optional
        The names of columns of tables of judgements that have other names: ``{"assessor": "coder"}``.
    field : str, optional
        The field of the label in exports of Label Studio.
    mapping : mapping, optional
        The grade that replaces a grade or a label: ``{"Relevant": 1}``.
    listed_relevant : bool, optional
        Whether qrels whose grades are all 0, as in classic collections, list the relevant documents, which get grade 1.

    Returns
    -------
    FileChecks
        The files and the findings. A file that cannot be read is a finding, not an error.

    Raises
    ------
    ValueError
        There is no file, a pattern matches none, or `columns` is invalid.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from agreement import check_files
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.qrels").write_text("090 0 d1 1\\n091 0 d2 0\\n")
    >>> _ = (folder / "a.run").write_text("90 Q0 d1 1 2.0 a\\n91 Q0 d2 1 2.0 a\\n")
    >>> checks = check_files([folder / "a.qrels", folder / "a.run"])
    >>> print(checks.findings[0].sentence)  # doctest: +NORMALIZE_WHITESPACE
    2 of 2 topics of a match nothing in the runs: '090' may be '90' (leading zeros);
    --repair-ids leading-zeros reads 2 so.
    """
    check_given(columns or {})
    reading = Reading(columns or {}, field, mapping, listed_relevant)
    stated = dict(zip(KINDS, (topics, documents, runs, judgements), strict=True))
    chosen: list[tuple[str, str | None]] = [(path, None) for path in _paths(paths)]
    chosen += [(path, kind) for kind, given in stated.items() for path in _paths(given)]
    if not chosen:
        raise ValueError("There is no file to check; name at least one.")
    for path, kind in chosen:
        reading.read(path, kind)
    found = [*reading.findings, *findings_of(reading.contents)]
    found.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return FileChecks(reading.files, found)


def _paths(given: Paths) -> list[str]:
    several = [given] if isinstance(given, str | PathLike) else list(given)
    return matching_paths([fspath(each) for each in several])
