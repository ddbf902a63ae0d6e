"""The fields of a file, found from the positions of all its separators, without reading it field by field.

This is for files of the usual form only: printable ASCII without #, one space between fields, a line feed after each
line, and the same number of fields in every line. For anything else `fields_of` returns None.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pooling._io.lines import MAX_LINE_BYTES

MAX_FIELDS_BYTES = 1 << 25  # of a file; at most 16 bytes of positions for each of its bytes are in memory
SPACE, LINE_FEED = b" \n"


@dataclass(frozen=True, eq=False)
class Fields:
    """All fields of a file.

    Attributes
    ----------
    texts : Arrow array of large_string, shape (n_lines * n_columns,)
        The fields in the order of the file. Each one ends with its separator, so that no text is copied.
    n_columns : int
        The number of fields of a line.
    """

    texts: pa.Array
    n_columns: int

    def column(self, number: int) -> pa.Array:
        """Copy a column, counted from 0; each field ends with its separator."""
        return self.texts.take(pa.array(np.arange(number, len(self.texts), self.n_columns)))


def fields_of(data: bytes, n_columns: int) -> Fields | None:
    """Find the fields of a file.

    Parameters
    ----------
    data : bytes
        The content.
    n_columns : int
        The number of fields of each line.

    Returns
    -------
    Fields or None
        None if the file is larger than `MAX_FIELDS_BYTES` or does not have the usual form: another reader decides then.
    """
    if len(data) > MAX_FIELDS_BYTES or not data.isascii() or b"#" in data or b"\x7f" in data:
        return None
    data = data if data.endswith(b"\n") else data + b"\n"
    codes = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(codes <= SPACE)
    if len(ends) % n_columns or not _are_in_order(codes[ends], n_columns):
        return None
    offsets = np.empty(len(ends) + 1, np.int64)
    offsets[0] = 0
    np.add(ends, 1, out=offsets[1:])
    if not _have_allowed_lengths(offsets, n_columns):
        return None
    buffers = pa.py_buffer(offsets), pa.py_buffer(data)
    return Fields(pa.LargeStringArray.from_buffers(len(ends), *buffers), n_columns)


def without_separators(texts: pa.Array) -> pa.Array:
    """Copy fields without their separators."""
    return pc.ascii_rtrim(texts, characters=" \n")


def _are_in_order(separators: np.ndarray, n_columns: int) -> bool:
    """Whether each line has spaces between its fields and ends with a line feed; False for other control characters."""
    last = separators[n_columns - 1 :: n_columns]
    n_lines, n_spaces = len(last), int(np.count_nonzero(separators == SPACE))
    return bool((last == LINE_FEED).all()) and n_spaces == (n_columns - 1) * n_lines


def _have_allowed_lengths(offsets: np.ndarray, n_columns: int) -> bool:
    """Whether no field is empty and no line is too long."""
    begins, ends = offsets[:-1:n_columns], offsets[n_columns::n_columns]
    if (ends - begins > MAX_LINE_BYTES + 1).any():
        return False
    # the last character of the file is a separator, so that the next offset of every field exists
    return all(
        (offsets[column + 1 :: n_columns] - offsets[column:-1:n_columns] > 1).all() for column in range(n_columns)
    )
