"""The fast reader of run and qrels files: it reads whole columns at once, or returns None.

The lines are normalised (one space between fields, no comments) and parsed by Arrow's CSV reader, which enforces the
number of columns. For unusual input, and for every error, the functions return None; `pooling._io.lines` then reads the
same bytes and decides. So this reader may decline valid input, but it must never accept what `lines` refuses, or read a
value differently.

Arrow reads without threads: a file of the usual size is too small for them, and with threads, if several files are
read at the same time, Arrow 26 sometimes fails with "a chunk failed converting for an unknown reason".
"""

import re
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from pooling._io.changed_columns import has_changed_ids
from pooling._io.duplicates import has_duplicate_pairs
from pooling._io.lines import MAX_LINE_BYTES, QRELS_FIELDS, RUN_FIELDS, line_numbers, parse_relevance
from pooling._io.streams import BYTE_ORDER_MARK
from pooling.ids import MAX_ID_BYTES

ID = pa.large_string()
RUN_NAMES = ("query_id", "doc_id", "score", "tag")
RUN_TYPES = {"query_id": ID, "doc_id": ID, "score": pa.float64(), "tag": ID}
QRELS_TYPES = {"query_id": ID, "doc_id": ID, "relevance": pa.dictionary(pa.int32(), pa.string())}

BLOCK_BYTES = 1 << 22  # most files are one block, so that no blocks must be concatenated
WINDOW_BYTES = 1 << 17  # a multiple of MAX_LINE_BYTES, small enough for the processor cache
TAB_TO_SPACE = bytes.maketrans(b"\t", b" ")
FORBIDDEN_BYTES = bytes({*range(0x20), 0x7F} - set(b"\t\n"))
FORBIDDEN_TEXT = re.compile(rb"\xc2[\x80-\x9f]")  # U+0080 to U+009F in UTF-8


def run_by_columns(
    data: bytes, one_tag: bool, score_precision: str, *, ignore_extra: bool = False
) -> pd.DataFrame | None:
    """Read a run file, or return None if `pooling._io.lines.run_by_lines` must read it."""
    columns = run_columns(data, one_tag, score_precision, ignore_extra=ignore_extra)
    if columns is None or columns.has_duplicates():
        return None
    return columns.frame()


@dataclass(frozen=True, eq=False)
class RunColumns:
    """The columns of a run file, checked except for duplicate documents.

    Attributes
    ----------
    query_id, doc_id, tag : Arrow array of large_string, shape (n_lines,)
        The ids and tags.
    score : ndarray of float, shape (n_lines,)
        Finite scores.
    """

    query_id: pa.Array
    doc_id: pa.Array
    tag: pa.Array
    score: np.ndarray

    def frame(self) -> pd.DataFrame:
        """The columns tag, query_id, doc_id and score."""
        texts = {"tag": self.tag, "query_id": self.query_id, "doc_id": self.doc_id}
        ids = {name: pd.array(text, dtype="str") for name, text in texts.items()}
        return pd.DataFrame({**ids, "score": self.score})

    def has_duplicates(self) -> bool:
        """Whether a document occurs twice in a topic."""
        return has_duplicate_pairs(self.query_id, self.doc_id)


def run_columns(data: bytes, one_tag: bool, score_precision: str, *, ignore_extra: bool = False) -> RunColumns | None:
    """Read the columns of a run file, without looking for duplicate documents."""
    columns = _parsed_run(data, ignore_extra)
    if columns is None or (one_tag and not pc.all(pc.equal(columns.tag, columns.tag[0])).as_py()):
        return None
    score = columns.score
    if score_precision == "float32":
        with np.errstate(over="ignore"):
            score = score.astype(np.float32).astype(np.float64)
    return replace(columns, score=score) if np.isfinite(score).all() else None


def _parsed_run(data: bytes, ignore_extra: bool) -> RunColumns | None:
    """The columns, not yet checked for several tags and infinite scores; None if a line or an id is unusual."""
    columns = columns_of(data, RUN_FIELDS, RUN_TYPES, ignore_extra)
    if columns is None or not are_short(columns, "query_id", "doc_id", "tag"):
        return None
    query_id, doc_id, score, tag = (columns[name] for name in RUN_NAMES)
    return RunColumns(query_id, doc_id, tag, score.to_numpy())


def qrels_by_columns(data: bytes) -> pd.DataFrame | None:
    """The columns query_id, doc_id and relevance, or None if `pooling._io.lines.qrels_by_lines` must read the file."""
    columns = columns_of(data, QRELS_FIELDS, QRELS_TYPES)
    if columns is None or not _ids_allowed(columns, "query_id", "doc_id"):
        return None
    relevance = columns["relevance"]
    grades = [parse_relevance(label) for label in relevance.dictionary.to_pylist()]
    if None in grades:
        return None
    ids = {name: pd.array(columns[name], dtype="str") for name in ("query_id", "doc_id")}
    return pd.DataFrame({**ids, "relevance": np.array(grades, dtype=np.int64)[relevance.indices.to_numpy()]})


def labels_by_columns(data: bytes) -> pd.DataFrame | None:
    """The columns line, query_id, doc_id and label, or None if `pooling._io.lines.labels_by_lines` must read the file.

    A document may occur again in a topic.
    """
    columns = columns_of(data, QRELS_FIELDS, QRELS_TYPES)
    if columns is None or not are_short(columns, "query_id", "doc_id"):
        return None
    numbers = line_numbers(data)
    # The lines are not those that Arrow has found, so the strict reader decides.
    if len(numbers) != len(columns["query_id"]):
        return None
    columns["relevance"] = columns["relevance"].cast(pa.string())
    names = {"query_id": "query_id", "doc_id": "doc_id", "relevance": "label"}
    texts = {new: pd.array(columns[name], dtype="str") for name, new in names.items()}
    return pd.DataFrame({"line": np.array(numbers, np.int64), **texts})


def columns_of(
    data: bytes, names: tuple[str, ...], types: dict[str, pa.DataType], ignore_extra: bool = False
) -> dict[str, pa.Array] | None:
    """The columns of `types`; with `ignore_extra`, lines may have more fields than `names`. None if unusual."""
    lines = _normalised(data)
    if lines is None:
        return None
    if ignore_extra:
        lines = _without_extra(lines, len(names))
    try:
        table = csv.read_csv(
            pa.BufferReader(lines),
            read_options=csv.ReadOptions(column_names=names, use_threads=False, block_size=BLOCK_BYTES),
            # quotation marks are characters of ids
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                # otherwise, an id such as NA or null would be missing
                null_values=[],
                strings_can_be_null=False,
                check_utf8=False,  # _normalised has checked it
            ),
        )
    except pa.ArrowException:
        return None
    if not table.num_rows:
        return None
    table = table.unify_dictionaries().combine_chunks()
    columns = {name: table[name].chunk(0) for name in types}
    return None if any(has_changed_ids(columns[name]) for name in ("query_id", "doc_id")) else columns


def _normalised(data: bytes) -> bytes | None:
    """The lines with one space between fields, none around them, and without comments. None if a byte is unusual."""
    if _is_normalised(data):
        return data
    if _longest_line(data) > MAX_LINE_BYTES:
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    lines = data.translate(TAB_TO_SPACE, FORBIDDEN_BYTES)
    if len(lines) < len(data) or not _is_clean_utf8(lines):
        return None
    if _has_extra_spaces(lines):
        lines = _without_extra_spaces(lines)
    return re.sub(rb"\n#++(?: [^\n]*+)?(?=\n|\Z)", b"", b"\n" + lines) if b"#" in lines else lines


def _without_extra(lines: bytes, n_columns: int) -> bytes:
    """Normalised lines, cut to their first columns."""
    if lines.count(b" ") == (n_columns - 1) * lines.count(b"\n"):
        return lines  # the usual case; if a long line compensates for a short one, Arrow refuses both
    kept = rb"((?:[^ \n]+ ){%d}[^ \n]+)" % (n_columns - 1)
    return re.sub(rb"^" + kept + rb" [^\n]*", rb"\1", lines, flags=re.MULTILINE)


def _is_normalised(data: bytes) -> bool:
    """Whether the content is normalised already: short lines of printable ASCII, single spaces, no #."""
    if not data.isascii() or b"#" in data or b"\x7f" in data or data[:1] == b" " or data[-1:] == b" ":
        return False
    codes = np.frombuffer(data, np.uint8)
    # Each window has a byte of the next one, so that two spaces on both sides of a border are seen.
    return all(
        _is_window_normalised(codes[begin : begin + WINDOW_BYTES + 1]) for begin in range(0, len(codes), WINDOW_BYTES)
    )


def _is_window_normalised(codes: np.ndarray) -> bool:
    ends = codes == ord("\n")
    if np.count_nonzero(codes < ord(" ")) != np.count_nonzero(ends):
        return False
    gaps = codes <= ord(" ")
    return _has_short_lines(ends) and not (gaps[1:] & gaps[:-1]).any()


def _has_short_lines(ends: np.ndarray) -> bool:
    """True only if no line is too long: every stretch of half the length limit contains a line end."""
    width = MAX_LINE_BYTES // 2
    whole = len(ends) // width * width
    return bool(ends[:whole].reshape(-1, width).any(axis=1).all())


def _is_clean_utf8(lines: bytes) -> bool:
    if lines.isascii():
        return True
    try:
        lines.decode()
    except UnicodeDecodeError:
        return False
    # Arrow would drop a byte-order mark at the start, but here it is part of an id.
    return not FORBIDDEN_TEXT.search(lines) and not lines.lstrip(b" \n").startswith(BYTE_ORDER_MARK)


def _has_extra_spaces(lines: bytes) -> bool:
    """Whether there are two spaces in a row, a space at the start or end of a line, or an empty line."""
    codes = np.frombuffer(lines, np.uint8)
    gaps = (codes == ord(" ")) | (codes == ord("\n"))
    return bool((gaps[1:] & gaps[:-1]).any()) or lines.startswith(b" ") or lines.endswith(b" ")


def _without_extra_spaces(lines: bytes) -> bytes:
    while b"  " in lines:
        lines = lines.replace(b"  ", b" ")
    return lines.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _longest_line(data: bytes) -> int:
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return int(np.diff(ends, prepend=-1, append=len(data)).max())


def _ids_allowed(columns: dict[str, pa.Array], *names: str) -> bool:
    """Whether no id is too long, and no document occurs twice in a topic."""
    return are_short(columns, *names) and not has_duplicate_pairs(columns["query_id"], columns["doc_id"])


def are_short(columns: dict[str, pa.Array], *names: str) -> bool:
    """Whether no id is too long."""
    longest = max(pc.max(pc.binary_length(columns[name])).as_py() for name in names)
    return bool(longest <= MAX_ID_BYTES)
