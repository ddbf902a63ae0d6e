"""The exceptions of the readers of files.

A message is one sentence with the location, the problem and what is allowed, for example
``runs/a.run.gz, line 3: score 'nan' is not allowed; a score is a finite decimal number``.
The parts of the sentence are attributes, for pages and reports. The first invalid line is raised, or all are collected.
"""

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import pandas as pd


SHOWN_LENGTH = 60  # characters of an invalid value that a message repeats
ON_ERROR = ("raise", "report")
TYPES = {"file": "str", "line": "Int64", "column": "string", "value": "string", "what": "str", "allowed": "str"}
MAX_PROBLEMS = 100_000  # of a report; a file of 15 million invalid lines would fill the memory for minutes


class FormatError(ValueError):
    """A file breaks its format.

    Parameters
    ----------
    what : str
        The problem: the first half of the sentence.
    allowed : str
        What is allowed: the second half of the sentence.
    file : str
        The name of the file, as the caller gave it.
    line : int, optional
        The line of the file, from 1; None if the error concerns the whole file.
    column : str, optional
        The name of the field; None if the error does not concern one field.
    value : str, optional
        The invalid text; None if the error does not concern one field.

    Attributes
    ----------
    what, allowed, file, line, column, value
        The parameters, unchanged.

    Examples
    --------
    >>> from pooling import FormatError
    >>> print(FormatError("score 'nan' is not allowed", "a score is a finite decimal number", "a.run", 3))
    a.run, line 3: score 'nan' is not allowed; a score is a finite decimal number
    """

    def __init__(
        self,
        what: str,
        allowed: str,
        file: str,
        line: int | None = None,
        column: str | None = None,
        value: str | None = None,
    ) -> None:
        super().__init__(what, allowed, file, line, column, value)
        self.what = what
        self.allowed = allowed
        self.file = file
        self.line = line
        self.column = column
        self.value = value

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{where}: {self.what}; {self.allowed}"


class TrecFormatError(FormatError):
    """A run or qrels file breaks the format that `pooling.trec` specifies.

    Parameters
    ----------
    what : str
        The problem: the first half of the sentence.
    allowed : str
        What is allowed: the second half of the sentence.
    file : str
        The name of the file, as the caller gave it.
    line : int, optional
        The line of the file, from 1; None if the error concerns the whole file.
    column : str, optional
        The name of the field; None if the error does not concern one field.
    value : str, optional
        The invalid text; None if the error does not concern one field.

    Examples
    --------
    >>> from pooling import TrecFormatError, read_qrels
    >>> try:
    ...     read_qrels(b"1 0 d1 high\\n", name="my.qrels")
    ... except TrecFormatError as error:
    ...     print(error)
    ...     print(error.line, error.column, error.value)
    my.qrels, line 1: relevance 'high' is not allowed; a relevance is an integer of 32 bits
    1 relevance high
    """


class Choice(NamedTuple):
    """An answer to an open question: the value of the option, and a sentence about what it means."""

    value: str
    label: str


class OpenQuestionError(TrecFormatError):
    """A file of judgements can be read in several ways, and the caller has to choose one.

    Parameters
    ----------
    what : str
        The problem: the first half of the sentence.
    allowed : str
        The options that answer it: the second half of the sentence.
    file : str
        The name of the file, as the caller gave it.
    line : int, optional
        None, because the question concerns the whole file.
    column : str, optional
        None.
    value : str, optional
        None.
    option : str
        The name of the option that answers the question: listed_relevant, mapping or number_by.
    choices : sequence of Choice
        The answers, each with a value and a label (str).

    Examples
    --------
    >>> from pooling import OpenQuestionError, read_qrels
    >>> try:
    ...     read_qrels(b"1 28 0 0.000000\\n", name="CISI.REL")
    ... except OpenQuestionError as question:
    ...     print(question.option, question.choices[0].label)
    listed_relevant The listed document is relevant.
    """

    def __init__(
        self,
        what: str,
        allowed: str,
        file: str,
        line: int | None = None,
        column: str | None = None,
        value: str | None = None,
        *,
        option: str = "",
        choices: Sequence[Choice] = (),
    ) -> None:
        super().__init__(what, allowed, file, line, column, value)
        self.option = option
        self.choices = tuple(choices)


def shown(value: str) -> str:
    """`value` in quotes, escaped and shortened to fit into a one-line message."""
    cut = value[:SHOWN_LENGTH]
    quoted = repr(cut) if cut.isprintable() else ascii(cut)
    return quoted if cut == value else f"{quoted[:-1]}…{quoted[-1]}"


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


def refuse_unless(value: object, types: type | tuple[type, ...], name: str, expected: str) -> None:
    """Raise TypeError unless a value has one of the types.

    Parameters
    ----------
    value : object
        What the caller passed.
    types : type or tuple of type
        The allowed types.
    name : str
        Name of the parameter, for the error.
    expected : str
        What the parameter must be, for the error, such as "a table".

    Raises
    ------
    TypeError
        The value has another type.

    Examples
    --------
    >>> from pooling.errors import refuse_unless
    >>> refuse_unless(None, str, "text", "a string")
    Traceback (most recent call last):
    ...
    TypeError: text must be a string, not None.
    """
    if not isinstance(value, types):
        kind = "None" if value is None else type(value).__name__
        raise TypeError(f"{name} must be {expected}, not {kind}.")


def path_list(name: str, paths: "Iterable[str | PathLike[str]]") -> list[Path]:
    """Return paths as a list; TypeError if one is no path, or a single path was passed."""
    if isinstance(paths, str | bytes | PathLike):
        raise TypeError(f"{name} must be several paths, not {paths!r}.")
    refuse_unless(paths, Iterable, name, "several paths")
    listed = list(paths)
    for path in listed:
        refuse_unless(path, (str, PathLike), f"each of the {name}", "the path of a file")
    return [Path(path) for path in listed]
