"""Ids that a spreadsheet has probably changed, such as "301.0" for 301. Files with such ids are refused.

A spreadsheet reads an id as a number or a date if it can, and writes another text. Different ids may become the same
one. Whether an id was changed depends on the other ids of its column:

============================ ==========================================================================================
id                           looks changed
============================ ==========================================================================================
``1.23457E+11``              always: a number in scientific notation with a sign
``1-May``, ``May-01``        always: a date with an English month, also with a year (``1-May-24``)
``301.0``                    unless the column has other decimals, such as ``12.3``: then ids are numbers of sections
``1234567890123450000``      if all ids of more than 15 digits have only zeros after the 15th digit, and these zeros
                             are three or more in total; a random chance is below 1 in 1,000
============================ ==========================================================================================
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from pooling.errors import FormatError, shown

EXACT_DIGITS = 15  # of a number in a spreadsheet
LEAST_ZEROS = 3
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
YEAR = "(?:[0-9]{2}|[0-9]{4})"
DATE = f"[0-9]{{1,2}}-{MONTH}(?:-{YEAR})?|{MONTH}-{YEAR}"
SCIENTIFIC = r"[0-9](?:\.[0-9]+)?[Ee]\+[0-9]{2,3}"
DECIMAL, LONG = r"[0-9]+\.00?", rf"[1-9][0-9]{{{EXACT_DIGITS - 1}}}0+"
CANDIDATE = re.compile(f"(?:{DATE}|{SCIENTIFIC}|{DECIMAL}|{LONG})")
IS_DECIMAL, IS_LONG, IS_CUT = re.compile(DECIMAL), re.compile(rf"[0-9]{{{EXACT_DIGITS + 1},}}"), re.compile(LONG)
NUMBERED = re.compile(r"[0-9]+(?:\.[0-9]+)+")
PROBLEM = "looks changed by a spreadsheet"
ALLOWED = "take the ids from the original data, and export the column as text"


def changed_ids(ids: Iterable[str]) -> frozenset[str]:
    """The ids of a column that a spreadsheet has probably changed.

    Parameters
    ----------
    ids : iterable of str
        All ids of the column.

    Returns
    -------
    frozenset of str

    Examples
    --------
    >>> from pooling.changed_ids import changed_ids
    >>> sorted(changed_ids(["301.0", "1.23457E+11", "1-May", "FT911-3"]))
    ['1-May', '1.23457E+11', '301.0']
    >>> sorted(changed_ids(["1.0", "1.1", "1.2"]))
    []
    """
    own = set(ids)
    found = {text for text in own if CANDIDATE.fullmatch(text)}
    if found and any(NUMBERED.fullmatch(text) and not IS_DECIMAL.fullmatch(text) for text in own):
        found = {text for text in found if not IS_DECIMAL.fullmatch(text)}
    cut = {text for text in found if IS_CUT.fullmatch(text)}
    zeros = sum(len(text) - EXACT_DIGITS for text in cut)
    if zeros < LEAST_ZEROS or any(IS_LONG.fullmatch(text) for text in own - cut):
        found -= cut
    return frozenset(found)


def changed_id_error(
    column: str, value: str, file: str, line: int | None, error: type[FormatError] = FormatError
) -> FormatError:
    """The error about an id that a spreadsheet has probably changed.

    Examples
    --------
    >>> from pooling.changed_ids import changed_id_error
    >>> print(changed_id_error("query_id", "301.0", "a.csv", 2))  # doctest: +NORMALIZE_WHITESPACE
    a.csv, line 2: query_id '301.0' looks changed by a spreadsheet; take the ids from the original data, and export
    the column as text
    """
    return error(f"{column} {shown(value)} {PROBLEM}", ALLOWED, file, line, column, value)


def changed_rows(columns: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """The places of rows with such an id, ascending, each with the name of the first column that has one.

    Examples
    --------
    >>> from pooling.changed_ids import changed_rows
    >>> changed_rows({"query_id": ["301", "301"], "doc_id": ["d1", "1-May"]})
    {1: 'doc_id'}
    """
    found: dict[int, str] = {}
    for name, texts in columns.items():
        if changed := changed_ids(texts):
            for place, text in enumerate(texts):
                if text in changed:
                    found.setdefault(place, name)
    return dict(sorted(found.items()))
