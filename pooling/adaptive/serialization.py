"""Serialise a small record: names and numbers as JSON, arrays as raw bytes. This docstring specifies the format.

Version 2 consists of: the mark `assay-adaptive`; one byte with the version; a checksum of everything that follows
(BLAKE2b, 16 bytes); the length of the head (4 bytes, little-endian); the head as JSON in UTF-8; and the arrays,
little-endian, in the order in which the head lists them with type and shape. The same record has the same bytes on
every machine. Bytes that were changed, truncated or extended are refused because of the checksum, which version 1 did
not have.
"""

import json
import math
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np

MARK, VERSION = b"assay-adaptive", 2
CHECKSUM_SIZE = 16
LEAD = len(MARK) + 1 + CHECKSUM_SIZE
TYPES = ("|i1", "|u1", "<u2", "<u4", "<i4", "<i8", "<f4", "<f8")


def pack(record: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Serialise a record and its arrays."""
    portable = {name: array.astype(array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    layout = [[name, array.dtype.str, list(array.shape)] for name, array in portable.items()]
    head = json.dumps([record, layout], ensure_ascii=False, separators=(",", ":")).encode()
    body = b"".join([len(head).to_bytes(4, "little"), head, *(array.tobytes() for array in portable.values())])
    return MARK + bytes([VERSION]) + checksum(body) + body


def checksum(data: bytes | bytearray | memoryview) -> bytes:
    """A checksum of 16 bytes."""
    return blake2b(data, digest_size=CHECKSUM_SIZE).digest()


def unpack(data: bytes | bytearray | memoryview) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read a record that `pack` has serialised."""
    if not isinstance(data, (bytes, bytearray, memoryview)) or bytes(data[: len(MARK)]) != MARK or len(data) <= LEAD:
        raise ValueError("these are not the bytes of an adaptive strategy's state")
    if data[len(MARK)] != VERSION:
        raise ValueError(f"a state of version {data[len(MARK)]} cannot be read; the version must be {VERSION}")
    damaged = "the bytes of an adaptive strategy's state are damaged or incomplete"
    if checksum(data[LEAD:]) != bytes(data[LEAD - CHECKSUM_SIZE : LEAD]):
        raise ValueError(damaged)
    start = LEAD + 4
    end = start + int.from_bytes(data[LEAD:start], "little")
    try:
        record, layout = json.loads(bytes(data[start:end]))
        return record, _arrays(data, end, layout)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(damaged) from error


def _arrays(data: bytes | bytearray | memoryview, begin: int, layout: list[Any]) -> dict[str, np.ndarray]:
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
