"""Read one JSON object per line, and check text fields; shared by topics and documents.

JSON is read strictly (RFC 8259): no NaN, no infinity, no key twice in an object, no half surrogate pair. NUL
characters are refused in every text, since databases cannot store them.
"""

import json
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from pooling.errors import FormatError, shown
from pooling.ids import ALLOWED_ID, id_problem
from pooling.words import first_repeated

MAX_DIGITS = 300
ALLOWED_LINE = "each line is one JSON object"
ALLOWED_TEXT = "a text is UTF-8 without NUL characters"


def json_object(line: bytes, file: str, number: int | None, allowed: str = ALLOWED_LINE) -> dict[str, Any]:
    """The JSON object of a line, or of a file. For errors, `number` is that of the line, and `allowed` what is."""
    try:
        record = _DECODER.decode(line.decode())
        if b"\\u" in line:  # only an escape can contain characters that UTF-8 and JSON exclude
            _refuse_unwritable(record)
    except UnicodeDecodeError:
        problem = f"the {'file' if number is None else 'line'} is not UTF-8"
    except json.JSONDecodeError as error:
        problem = f"the JSON is invalid ({error.msg.lower()}, character {error.pos + 1})"
    except RecursionError:
        problem = "the JSON is nested too deeply"
    except ValueError as error:
        problem = f"the JSON is refused ({error})"
    else:
        if isinstance(record, dict):
            return record
        problem = f"the JSON is of type {type(record).__name__}, not an object"
    raise FormatError(problem, allowed, file, number)


def text_field(record: dict[str, Any], key: str, file: str, number: int) -> str:
    """The text under `key`; empty if it is missing or null."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise FormatError(f"{key} is not a string", f"a {key} is a string", file, number, key, str(value))
    return value


def checked_id(value: str, name: str, file: str, number: int | None) -> str:
    """`value` if it is a valid id; raises FormatError otherwise."""
    if problem := id_problem(value):
        raise FormatError(f"{name} {shown(value)} {problem}", ALLOWED_ID, file, number, name, value)
    return value


def decoded(data: bytes, file: str, first_line: int = 1) -> str:
    """`data` from `first_line` on as text; FormatError with the line if it is not UTF-8 or contains NUL."""
    try:
        text = data.decode()
        bad = data.find(b"\0")
        problem = "a NUL character"
    except UnicodeDecodeError as error:
        bad = error.start
        problem = f"byte 0x{data[bad]:02X}, which is not UTF-8"
    if bad < 0:
        return text
    raise FormatError(problem, ALLOWED_TEXT, file, first_line + data.count(b"\n", 0, bad))


def _refuse_unwritable(value: object) -> None:
    for text in _texts(value):
        if "\0" in text:
            raise ValueError("a text contains a NUL character")
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise ValueError("a text contains half a surrogate pair")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)


def _without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError(f"the key {shown(str(first_repeated(key for key, _ in pairs)))} occurs twice")
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{shown(text)} is too large")
    return number


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"{shown(text)} has more than {MAX_DIGITS:,} digits")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_repeated_keys, parse_float=_finite, parse_int=_whole, parse_constant=_refuse_constant
)
