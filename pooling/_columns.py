"""The fast reader of run and qrels files: whole columns at once, or nothing.

The lines are brought into one shape (one space between fields, no comments), and Arrow's CSV reader, which
insists on the right number of columns, parses them. Whatever is unusual, and every error, makes a function
here return None; `pooling._lines` then reads the same bytes again and decides. So this reader may decline
what is good, but must never accept what `_lines` refuses, nor read another value.
"""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from pooling._lines import MAX_LINE_BYTES, QRELS_FIELDS, RUN_FIELDS, parse_relevance
from pooling.ids import MAX_ID_BYTES
from pooling.streams import BYTE_ORDER_MARK

FEW_VALUES = pa.dictionary(pa.int32(), pa.string())
RUN_TYPES = {"query_id": FEW_VALUES, "doc_id": pa.string(), "score": pa.float64(), "tag": FEW_VALUES}
QRELS_TYPES = {"query_id": FEW_VALUES, "doc_id": pa.string(), "relevance": FEW_VALUES}

TAB_TO_SPACE = bytes.maketrans(b"\t", b" ")
FORBIDDEN_BYTES = bytes({*range(0x20), 0x7F} - set(b"\t\n"))
FORBIDDEN_TEXT = re.compile(rb"\xc2[\x80-\x9f]")  # U+0080 to U+009F in UTF-8


def run_by_columns(data: bytes, one_tag: bool, score_precision: str) -> pd.DataFrame | None:
    """As `pooling._lines.run_by_lines`, or None."""
    table = _table(data, RUN_FIELDS, RUN_TYPES)
    if table is None or not _ids_allowed(table, "query_id", "doc_id", "tag") or _has_repetition(table):
        return None
    if one_tag and len(_distinct(table, "tag")) > 1:
        return None
    scores = table["score"].to_numpy()
    if score_precision == "float32":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32).astype(np.float64)
    if not np.isfinite(scores).all():
        return None
    return pd.DataFrame(
        {
            "query_id": _strings(table["query_id"]),
            "doc_id": _strings(table["doc_id"]),
            "score": scores,
            "tag": _strings(table["tag"]),
        }
    )


def qrels_by_columns(data: bytes) -> pd.DataFrame | None:
    """As `pooling._lines.qrels_by_lines`, or None."""
    table = _table(data, QRELS_FIELDS, QRELS_TYPES)
    if table is None or not _ids_allowed(table, "query_id", "doc_id") or _has_repetition(table):
        return None
    grades = [parse_relevance(label) for label in _distinct(table, "relevance").to_pylist()]
    if None in grades:
        return None
    return pd.DataFrame(
        {
            "query_id": _strings(table["query_id"]),
            "doc_id": _strings(table["doc_id"]),
            "relevance": np.array(grades, dtype=np.int64)[_codes(table, "relevance")],
        }
    )


def _table(data: bytes, names: tuple[str, ...], types: dict[str, pa.DataType]) -> pa.Table | None:
    lines = _one_shape(data)
    if lines is None:
        return None
    try:
        table = csv.read_csv(
            pa.BufferReader(lines),
            read_options=csv.ReadOptions(column_names=names),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    return table.unify_dictionaries().combine_chunks() if table.num_rows else None


def _one_shape(data: bytes) -> bytes | None:
    """The lines with one space between fields and none around them, without comments; every byte checked."""
    if _longest_line(data) > MAX_LINE_BYTES:
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    lines = data.translate(TAB_TO_SPACE, FORBIDDEN_BYTES)
    if len(lines) < len(data) or not _is_clean_utf8(lines):
        return None
    if _has_loose_spaces(lines):
        lines = _squeezed(lines)
    return re.sub(rb"\n#[^\n]*", b"", b"\n" + lines) if b"#" in lines else lines


def _is_clean_utf8(lines: bytes) -> bool:
    if lines.isascii():
        return True
    try:
        lines.decode()
    except UnicodeDecodeError:
        return False
    # Arrow would drop a byte-order mark at the start; here it is part of an id.
    return not FORBIDDEN_TEXT.search(lines) and not lines.lstrip(b" \n").startswith(BYTE_ORDER_MARK)


def _has_loose_spaces(lines: bytes) -> bool:
    """Whether a space is next to a space or at the end of a line, or a line is empty."""
    codes = np.frombuffer(lines, np.uint8)
    gaps = (codes == ord(" ")) | (codes == ord("\n"))
    return bool((gaps[1:] & gaps[:-1]).any()) or lines.startswith(b" ") or lines.endswith(b" ")


def _squeezed(lines: bytes) -> bytes:
    while b"  " in lines:
        lines = lines.replace(b"  ", b" ")
    return lines.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _longest_line(data: bytes) -> int:
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return int(np.diff(ends, prepend=-1, append=len(data)).max())


def _ids_allowed(table: pa.Table, *names: str) -> bool:
    longest = (pc.max(pc.binary_length(_distinct(table, name))).as_py() for name in names)
    return max(longest) <= MAX_ID_BYTES


def _has_repetition(table: pa.Table) -> bool:
    documents = table["doc_id"].chunk(0).dictionary_encode()
    pairs = _codes(table, "query_id").astype(np.int64) * len(documents.dictionary)
    pairs += documents.indices.to_numpy()
    return len(pd.unique(pairs)) < len(pairs)


def _distinct(table: pa.Table, name: str) -> pa.Array:
    """The distinct values of a column of few values; the values themselves of any other."""
    column = table[name].chunk(0)
    return column.dictionary if isinstance(column, pa.DictionaryArray) else column


def _codes(table: pa.Table, name: str) -> np.ndarray:
    return table[name].chunk(0).indices.to_numpy()


def _strings(column: pa.ChunkedArray) -> pd.api.extensions.ExtensionArray:
    return pd.array(column.cast(pa.large_string()), dtype="str")
