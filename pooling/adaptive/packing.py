"""Bytes of a small record: names and numbers as JSON, arrays as they lie in memory.

The format, version 1: the mark `assay-adaptive`, a byte with the version, the length of the head (4 bytes, the lowest
first), the head as JSON in UTF-8, then the arrays one after the other, little-endian, in the order in which the head
lists them with type and shape. The same record has the same bytes on every machine.
"""

import json
import math
from collections.abc import Mapping

import numpy as np

MARK, VERSION = b"assay-adaptive", 1
TYPES = ("|i1", "|u1", "<u2", "<u4", "<i4", "<i8", "<f4", "<f8")


def pack(record: Mapping, arrays: Mapping[str, np.ndarray]) -> bytes:
    """The bytes of a record.

    Parameters
    ----------
    record : mapping
        What JSON can say.
    arrays : mapping of str to ndarray
        Of integers or floats.
    """
    portable = {name: array.astype(array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    layout = [[name, array.dtype.str, list(array.shape)] for name, array in portable.items()]
    head = json.dumps([record, layout], ensure_ascii=False, separators=(",", ":")).encode()
    lead = MARK + bytes([VERSION]) + len(head).to_bytes(4, "little")
    return b"".join([lead, head, *(array.tobytes() for array in portable.values())])


def unpack(data: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    """The record and its arrays, which cannot be written to.

    Raises
    ------
    ValueError
        These are not the bytes of a record, or not all of them, or of another version.
    """
    start = len(MARK) + 5
    if bytes(data[: len(MARK)]) != MARK or len(data) < start:
        raise ValueError("these are not the bytes of an adaptive strategy's state")
    if data[len(MARK)] != VERSION:
        raise ValueError(f"a state of version {data[len(MARK)]} cannot be read; version {VERSION} can")
    end = start + int.from_bytes(data[start - 4 : start], "little")
    try:
        record, layout = json.loads(bytes(data[start:end]))
        return record, _arrays(data, end, layout)
    except (ValueError, TypeError) as error:
        raise ValueError("the bytes of an adaptive strategy's state are damaged or cut off") from error


def _arrays(data: bytes, begin: int, layout: list) -> dict[str, np.ndarray]:
    arrays = {}
    for name, type_, shape in layout:
        if type_ not in TYPES:
            raise ValueError(f"type {type_!r}")
        count = math.prod(shape)
        array = np.frombuffer(data, dtype=type_, count=count, offset=begin)
        arrays[name] = array.reshape(shape)
        begin += array.nbytes
    if begin != len(data):
        raise ValueError("length")
    return arrays
