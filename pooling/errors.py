"""What a reader of files says when it refuses.

One sentence tells where, what came and what is allowed, for example
``runs/a.run.gz, line 3: score 'nan' is not allowed; a score is a finite decimal number``.
The parts of the sentence are attributes too, for pages and reports.
"""

SHOWN_LENGTH = 60  # characters of an offending value that a sentence repeats


class FormatError(ValueError):
    """A file breaks its format.

    Parameters
    ----------
    what : str
        What came, as the first half of the sentence.
    allowed : str
        What is allowed, as the second half.
    file : str
        The file as the caller named it.
    line : int, optional
        Line of the file, from 1; None where the whole file is meant.
    column : str, optional
        Name of the field.
    value : str, optional
        The offending text.
    """

    def __init__(self, what, allowed, file, line=None, column=None, value=None):
        super().__init__(what, allowed, file, line, column, value)
        self.what = what
        self.allowed = allowed
        self.file = file
        self.line = line
        self.column = column
        self.value = value

    def __str__(self):
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{where}: {self.what}; {self.allowed}"


class TrecFormatError(FormatError):
    """A run or qrels file breaks the format that `pooling.trec` specifies."""


def shown(value: str) -> str:
    """`value` in quotes, escaped and cut, fit for a sentence of one line."""
    cut = value if len(value) <= SHOWN_LENGTH else value[:SHOWN_LENGTH] + "…"
    return ascii(cut) if not cut.isprintable() else repr(cut)
