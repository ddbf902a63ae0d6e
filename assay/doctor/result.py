"""The result of one check."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """`fixed` means that the doctor has changed something; `problem` that somebody must."""

    OK = "ok"
    FIXED = "fixed"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Result:
    """One line of the report. The text of a problem says what to do."""

    status: Status
    text: str

    def __str__(self) -> str:
        return f"{self.status:<8} {self.text}"


def ok(text: str) -> Result:
    return Result(Status.OK, text)


def fixed(text: str) -> Result:
    return Result(Status.FIXED, text)


def problem(text: str) -> Result:
    return Result(Status.PROBLEM, text)
