"""What becomes of a bad line: the first one is raised, or all are kept for a report."""

from collections.abc import Iterable

import pandas as pd

from pooling.errors import FormatError

ON_ERROR = ("raise", "report")
TYPES = {"file": "str", "line": "Int64", "column": "string", "value": "string", "what": "str", "allowed": "str"}

Problems = list[FormatError] | None  # where they are kept; None: the first is raised


def raise_or_keep(error: FormatError, problems: Problems) -> None:
    """Raise `error`, or keep it among `problems`."""
    if problems is None:
        raise error
    problems.append(error.with_traceback(None))  # a traceback would keep the whole file in memory


def as_report(problems: Iterable[FormatError]) -> pd.DataFrame:
    """A row for each problem: file, line, column, value, what, allowed."""
    rows = [[getattr(problem, part) for part in TYPES] for problem in problems]
    return pd.DataFrame(rows, columns=list(TYPES)).astype(TYPES)
