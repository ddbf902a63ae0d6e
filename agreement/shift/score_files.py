"""Files of scores: tables, and what `trec_eval -q` prints.

A table is separated by commas, semicolons or tabs. Its header names the columns system, query_id, measure and value,
and, unless the caller names the gold, gold. Other columns are ignored.

A file of trec_eval has three fields on each line: measure, topic and value. It holds one run under one gold. The line
`runid all NAME` names the system; without it, the file does. The other lines of the topic "all" are means over topics
and are left out.
"""

import pandas as pd

from pooling.errors import FormatError
from pooling.formats.tables import csv_rows
from pooling.paths import FilePath, name_of
from pooling.trec import MAX_BYTES, display_name, file_content

COLUMNS = ("system", "query_id", "measure", "value")
SUMMARY, RUN = "all", "runid"


def read_scores(file: FilePath | bytes, gold: str | None = None, *, name: str | None = None) -> pd.DataFrame:
    """Read a file of scores.

    Parameters
    ----------
    file : path or bytes
        A table, or what `trec_eval -q` prints; plain or compressed with gzip, bzip2 or xz.
    gold : str, optional
        The gold of all scores of the file; required if the file has no column gold.
    name : str, optional
        The name of the file in errors. By default it is the path.

    Returns
    -------
    DataFrame
        Columns gold, system, query_id, measure (texts) and value (float).

    Raises
    ------
    FormatError
        The file is empty or not UTF-8, or a line is invalid.
    ValueError
        The gold is not named, or named twice.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from agreement.shift.score_files import read_scores
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "bm25.eval"
    >>> _ = file.write_text("map\\t301\\t0.25\\nrunid\\tall\\tbm25\\nmap\\tall\\t0.25\\n")
    >>> read_scores(file, gold="nist")
       gold system query_id measure  value
    0  nist   bm25      301     map   0.25
    """
    name = name or display_name(file)
    try:
        text = file_content(file, MAX_BYTES, name, None, None).decode()
    except UnicodeDecodeError:
        raise FormatError("The text is not UTF-8", "save the file as UTF-8", name) from None
    lines = text.splitlines()
    if not any(line.strip() for line in lines):
        raise FormatError("The file is empty", "it needs scores", name)
    separator = _separator(lines[0])
    rows = _trec_eval(lines, name) if separator is None else _table(text, separator, name, gold)
    if "gold" not in rows.columns:
        if gold is None:
            raise ValueError(f"{name} does not name its gold: write NAME={name}.")
        rows.insert(0, "gold", gold)
    return rows


def _separator(header: str) -> str | None:
    """Return the separator of a table, by its header; None if this is no header of scores."""
    for separator in ("\t", ",", ";"):
        if {"query_id", "value"} <= {name.strip().strip('"') for name in header.split(separator)}:
            return separator
    return None


def _table(text: str, separator: str, name: str, gold: str | None) -> pd.DataFrame:
    lines = csv_rows(text, name, separator)
    header = [cell.strip() for cell in next(lines)[1]]
    if missing := [column for column in COLUMNS if column not in header]:
        raise FormatError(f"The header has no column {missing[0]}", f"it needs {', '.join(COLUMNS)}", name, 1)
    if gold is not None and "gold" in header:
        raise ValueError(f"{name} has a column gold: write {name} without a name.")
    names = ["gold", *COLUMNS] if "gold" in header else list(COLUMNS)
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            what, allowed = f"The row has {len(cells)} cells", f"the header has {len(header)}"
            raise FormatError(what, allowed, name, number)
        row = [cells[header.index(column)].strip() for column in names]
        rows.append((*row[:-1], _value(row[-1], name, number)))
    return pd.DataFrame(rows, columns=names)


def _trec_eval(lines: list[str], name: str) -> pd.DataFrame:
    system, rows = name_of(name), []
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 3:
            raise FormatError(f"The line has {len(fields)} fields", "it needs measure, topic and value", name, number)
        measure, topic, text = fields
        if measure == RUN:
            system = text
        elif topic != SUMMARY:
            rows.append((topic, measure, _value(text, name, number)))
    if not rows:
        raise FormatError("The file has no scores of topics", "trec_eval prints them with -q", name)
    frame = pd.DataFrame(rows, columns=["query_id", "measure", "value"])
    frame.insert(0, "system", system)
    return frame


def _value(text: str, name: str, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"The value {text!r} is no number", "a score is a number", name, line) from None
