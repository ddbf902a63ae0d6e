"""Read pairs with values from a file: a table with a header, or qrels.

A table has tabs, commas or semicolons and a header with `query_id`, `doc_id` and any other columns, which are read as
numbers if all their cells are numbers. A file without such a header is read as qrels; its grades are the column
`grade`.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from pooling.draws.draw import Draw
from pooling.errors import FormatError
from pooling.formats.tables import by_name, rows_below_header
from pooling.ranking import byte_codes
from pooling.strategies.lots import order_by_lot
from pooling.trec import MAX_BYTES, file_content, read_qrels

IDS = ("query_id", "doc_id")
SEPARATORS = ("\t", ",", ";")


def read_pairs(path: str | Path) -> pd.DataFrame:
    """The pairs of a file: query_id, doc_id (str), and the other columns as numbers or texts.

    Raises
    ------
    FormatError
        If the file is neither a table with this header nor qrels, a row has another number of columns, or a cell of an
        id is empty.
    OSError
        If the file cannot be read.
    """
    file = str(path)
    content = file_content(path, MAX_BYTES, file, None, None)
    first = content.split(b"\n", 1)[0].decode("utf-8", "replace").lstrip("\ufeff")
    separator = next((each for each in SEPARATORS if set(IDS) <= _cells(first, each)), None)
    if content.lstrip()[:1] == b"{":
        raise FormatError("this is JSON", "pairs are qrels or a table; a pool is the option --pool", file)
    if separator is None:
        return read_qrels(path)[[*IDS, "relevance"]].rename(columns={"relevance": "grade"})
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("this is not UTF-8", "a table of pairs is UTF-8", file) from None
    rows = [(number, by_name(cells, header, file, number)) for number, header, cells in _rows(text, file, separator)]
    for number, row in rows:
        for name in IDS:
            if not row[name].strip():
                raise FormatError(f"the {name} is empty", "each row has a query_id and a doc_id", file, number, name)
    table = pd.DataFrame([{name: cell.strip() for name, cell in row.items()} for _, row in rows])
    if not len(table):
        raise FormatError("the table has no row", "each row below the header is a pair", file)
    numbers = {name: _numbers_if_all(table[name]) for name in table.columns if name not in IDS}
    return table.assign(**numbers)


def read_gains(path: str | Path) -> dict[str, dict[str, float]]:
    """The gains of a table with the column gain, by query_id and doc_id."""
    table = read_pairs(path)
    if "gain" not in table.columns:
        raise FormatError("there is no column gain", "gains are a table with query_id, doc_id and gain", str(path))
    if table.duplicated([*IDS]).any():
        row = table[table.duplicated([*IDS])].iloc[0]
        what = f"document {row['doc_id']!r} of topic {row['query_id']!r} occurs twice"
        raise FormatError(what, "a pair has one gain", str(path))
    gains: dict[str, dict[str, float]] = {}
    for query_id, doc_id, gain in zip(table["query_id"], table["doc_id"], table["gain"].tolist(), strict=True):
        gains.setdefault(query_id, {})[doc_id] = gain
    return gains


def pairs_text(draw: Draw) -> str:
    """The drawn pairs as a table with tabs: topic by topic, in random order within a topic.

    It has neither stratum nor probability, so that nobody who grades knows them.
    """
    drawn = draw.drawn
    rows = drawn.iloc[order_by_lot(byte_codes(drawn["query_id"]), np.zeros(len(drawn)), drawn, draw.seed)]
    lines = [f"{query_id}\t{doc_id}\n" for query_id, doc_id in zip(rows["query_id"], rows["doc_id"], strict=True)]
    return "".join(["query_id\tdoc_id\n", *lines])


def _cells(line: str, separator: str) -> set[str]:
    return {cell.strip().strip('"') for cell in line.split(separator)}


def _rows(text: str, file: str, separator: str) -> list[tuple[int, list[str], list[str]]]:
    return list(rows_below_header(text, file, separator))


def _numbers_if_all(column: "pd.Series[str]") -> "pd.Series":
    numbers = pd.to_numeric(column.replace("", None), errors="coerce")
    return column if numbers.isna().any() else numbers
