"""How invalid lines are handled: the first one is raised, or all are collected for a report."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from pooling.errors import FormatError

if TYPE_CHECKING:
    import pandas as pd

ON_ERROR = ("raise", "report")
TYPES = {"file": "str", "line": "Int64", "column": "string", "value": "string", "what": "str", "allowed": "str"}

Problems: TypeAlias = list[FormatError] | None  # collects the problems; None raises the first


def raise_or_keep(error: FormatError, problems: Problems) -> None:
    """Raise `error`, or add it to `problems`."""
    if problems is None:
        raise error
    problems.append(error.with_traceback(None))  # a traceback would keep the whole file in memory


def as_report(problems: Iterable[FormatError]) -> "pd.DataFrame":
    """One row per problem: file, line, column, value, what, allowed."""
    import pandas as pd  # the readers of documents do not need it

    rows = [[getattr(problem, part) for part in TYPES] for problem in problems]
    return pd.DataFrame(rows, columns=list(TYPES)).astype(TYPES)
