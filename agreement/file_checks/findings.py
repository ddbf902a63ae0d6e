"""What a check of files says: a severity, a subject, a sentence and the counts behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)


@dataclass(frozen=True)
class Finding:
    """One thing that a check found.

    Attributes
    ----------
    severity : {"error", "warning", "note"}
        See `agreement.file_checks`.
    subject : str
        What it is about, such as "topics without a run"; it does not change between versions.
    sentence : str
        What was found, with counts and an example.
    counts : mapping of str to int or float
        The numbers of the sentence.

    Examples
    --------
    >>> from agreement.file_checks import Finding
    >>> print(Finding("warning", "empty texts", "2 of 10 documents have no text."))
    warning: 2 of 10 documents have no text.
    """

    severity: str
    subject: str
    sentence: str
    counts: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.severity}: {self.sentence}"
