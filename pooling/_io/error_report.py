"""How invalid lines are handled: the first one is raised, or all are collected for a report."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from pooling.errors import FormatError, TrecFormatError

if TYPE_CHECKING:
    import pandas as pd

ON_ERROR = ("raise", "report")
TYPES = {"file": "str", "line": "Int64", "column": "string", "value": "string", "what": "str", "allowed": "str"}

MAX_PROBLEMS = 100_000  # of a report; a file of 15 million invalid lines would fill the memory for minutes

Problems: TypeAlias = list[FormatError] | None  # collects the problems; None raises the first


def raise_or_keep(error: FormatError, problems: Problems) -> None:
    """Raise `error`, or add it to `problems`; an error about the file if there are too many problems."""
    if problems is None:
        raise error
    if len(problems) >= MAX_PROBLEMS:
        first = problems[0]
        what = f"more than {MAX_PROBLEMS:,} lines are invalid; the first is line {first.line}: {first.what}"
        kind = TrecFormatError if isinstance(error, TrecFormatError) else FormatError
        raise kind(what, first.allowed, error.file)
    problems.append(error.with_traceback(None))  # a traceback would keep the whole file in memory


def as_report(problems: Iterable[FormatError]) -> "pd.DataFrame":
    """One row per problem: file, line, column, value, what, allowed."""
    import pandas as pd  # the readers of documents do not need it

    rows = [[getattr(problem, part) for part in TYPES] for problem in problems]
    return pd.DataFrame(rows, columns=list(TYPES)).astype(TYPES)
