"""Bytes of a small record: names and numbers as JSON, arrays as they lie in memory.

The format, version 2: the mark `assay-adaptive`, a byte with the version, a checksum of all that follows (BLAKE2b, 16
bytes), the length of the head (4 bytes, the lowest first), the head as JSON in UTF-8, then the arrays one after the
other, little-endian, in the order in which the head lists them with type and shape. The same record has the same bytes
on every machine. Bytes that were changed, cut or added to since are refused by the checksum. Version 1 had none.
"""

import json
import math
from collections.abc import Mapping
from hashlib import blake2b

import numpy as np

MARK, VERSION = b"assay-adaptive", 2
CHECKSUM_SIZE = 16
LEAD = len(MARK) + 1 + CHECKSUM_SIZE
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
    body = b"".join([len(head).to_bytes(4, "little"), head, *(array.tobytes() for array in portable.values())])
    return MARK + bytes([VERSION]) + checksum(body) + body


def checksum(data: bytes) -> bytes:
    """16 bytes that tell these bytes from all others."""
    return blake2b(data, digest_size=CHECKSUM_SIZE).digest()


def unpack(data: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    """The record and its arrays, which cannot be written to.

    Raises
    ------
    ValueError
        These are not the bytes of a record, or not all of them, or of another version.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)) or bytes(data[: len(MARK)]) != MARK or len(data) <= LEAD:
        raise ValueError("these are not the bytes of an adaptive strategy's state")
    if data[len(MARK)] != VERSION:
        raise ValueError(f"a state of version {data[len(MARK)]} cannot be read; version {VERSION} can")
    damaged = "the bytes of an adaptive strategy's state are damaged or cut off"
    if checksum(data[LEAD:]) != bytes(data[LEAD - CHECKSUM_SIZE : LEAD]):
        raise ValueError(damaged)
    start = LEAD + 4
    end = start + int.from_bytes(data[LEAD:start], "little")
    try:
        record, layout = json.loads(bytes(data[start:end]))
        return record, _arrays(data, end, layout)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(damaged) from error


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
