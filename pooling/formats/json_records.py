"""Read JSON objects one at a time: one per line, in an array, or one after the other.

If the first line is one complete object, every line is one object. Otherwise the objects are found by their braces, so
that a file of any size is read in pieces; what is between them must be white space, commas and the brackets of one
array.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from pooling._io.doc_elements import too_large
from pooling._io.records import json_object
from pooling.errors import FormatError, Problems, raise_or_keep, shown

# A string ends with its line at the latest. Possessive, so that an unfinished string is passed over once.
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*+"?|[{}]')
BETWEEN = re.compile(rb"[\s,\[\]]*+")
ALLOWED = "a JSON file has objects, one per line or in an array"

Lines = Iterable[tuple[int, bytes]]


def json_records(
    lines: Lines, limit: int, file: str, problems: Problems = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The line, from 1, and the content of each object of at most `limit` bytes.

    `problems` collects the problems of invalid objects, which are left out; by default the first one is raised.
    """
    filled = ((number, line) for number, line in lines if line.strip())
    first = next(filled, None)
    if first is None:
        return
    objects: Iterator[tuple[int, bytes]] = chain([first], filled)
    if not _is_complete(first[1]):
        objects = _split(objects, limit, file)
    for number, data in objects:
        try:
            record = json_object(data, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
        else:
            yield number, record


def _is_complete(line: bytes) -> bool:
    """Whether the braces of a line enclose one object, valid or not."""
    depth = n_objects = 0
    for token in TOKEN.finditer(line):
        if token[0] == b"{":
            depth += 1
        elif token[0] == b"}":
            depth -= 1
            n_objects += depth == 0
    return depth == 0 and n_objects == 1 and line.lstrip().startswith(b"{")


def _split(lines: Lines, limit: int, file: str) -> Iterator[tuple[int, bytes]]:
    """The line on which each object begins, and its bytes. An unfinished last object is returned as it is."""
    depth = size = begin = 0
    pieces: list[bytes] = []
    for number, line in lines:
        start = 0
        for token in TOKEN.finditer(line):
            if token[0] == b"{":
                if depth == 0:
                    _refuse_text(line[start : token.start()], file, number)
                    begin, start, pieces, size = number, token.start(), [], 0
                depth += 1
            elif token[0] == b"}" and depth > 0:
                depth -= 1
                if depth == 0:
                    yield begin, b"".join([*pieces, line[start : token.end()]])
                    start = token.end()
        if depth == 0:
            _refuse_text(line[start:], file, number)
            continue
        pieces.append(line[start:])
        size += len(line) - start
        if size > limit:
            raise too_large(limit, file, begin)
    if depth:
        yield begin, b"".join(pieces)


def _refuse_text(text: bytes, file: str, number: int) -> None:
    rest = text[BETWEEN.match(text).end() :]  # type: ignore[union-attr]  # it matches an empty text
    if rest:
        what = f"{shown(rest[:80].decode(errors='backslashreplace').rstrip())} is not part of an object"
        raise FormatError(what, ALLOWED, file, number)
