"""Read the items of a file: the number of each, and its fields by tag."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pooling._io.doc_elements import too_large
from pooling._io.records import decoded
from pooling.errors import FormatError, shown
from pooling.formats.smart.shapes import ITEM, LISA_DOCUMENT, MARK, NUMBER, SLASH, TAG, is_stars

Lines = Iterable[tuple[int, bytes]]
Notes = list[str] | None  # collects sentences; None makes a warning of them

TEXT = "W"


class Item(NamedTuple):
    """An item: its first line, its number, and its fields by tag. A field may be empty."""

    line: int
    number: str
    fields: dict[str, str]


class _Building:
    """An item whose lines are being read."""

    def __init__(self, line: int, number: str) -> None:
        self.line, self.number = line, number
        self.size = 0
        self._tag = TEXT
        self._lines: dict[str, list[str]] = {}

    def begin(self, tag: str) -> None:
        self._tag = tag
        self._lines.setdefault(tag, [])

    def add(self, text: str) -> None:
        if text.strip() or self._lines.get(self._tag):
            self._lines.setdefault(self._tag, []).append(text)

    def item(self) -> Item:
        return Item(self.line, self.number, {tag: "\n".join(lines).rstrip() for tag, lines in self._lines.items()})


def items(lines: Lines, form: str, limit: int, file: str) -> Iterator[Item]:
    """The items of a file of this form (`pooling.formats.smart.shapes`); `limit` is the largest size of one, in bytes.

    FormatError if a line is not UTF-8, or stands where a number is expected.
    """
    if form == "smart":
        return _tagged(lines, limit, file)
    start, end, expected = FORMS[form]
    return _blocks(lines, start, end, expected, limit, file)


def _tagged(lines: Lines, limit: int, file: str) -> Iterator[Item]:
    building: _Building | None = None
    for at, line in lines:
        text = decoded(line, file, at).rstrip("\r\n")
        if found := ITEM.fullmatch(text):
            if building:
                yield building.item()
            building = _Building(at, found[1])
        elif building is None:
            if text.strip():
                raise _unexpected(text, "an item begins with a line .I and its number", file, at)
        elif tag := TAG.fullmatch(text):
            if tag[1] == "I":
                building.add(text)  # without a number it is text
            else:
                building.begin(tag[1])
        else:
            _add(building, text, len(line), limit, file)
    if building:
        yield building.item()


def _blocks(
    lines: Lines,
    start: re.Pattern[str],
    end: Callable[[str], str | None],
    expected: str,
    limit: int,
    file: str,
) -> Iterator[Item]:
    """Items that begin with a line `start`; `end` returns the text of the last line of an item."""
    building: _Building | None = None
    for at, line in lines:
        text = decoded(line, file, at).rstrip("\r\n")
        if building is None:
            if found := start.fullmatch(text):
                building = _Building(at, found[1])
            elif text.strip():
                raise _unexpected(text, expected, file, at)
            continue
        last = end(text)
        _add(building, text if last is None else last, len(line), limit, file)
        if last is not None:
            yield building.item()
            building = None
    if building:
        yield building.item()


def _add(building: _Building, text: str, size: int, limit: int, file: str) -> None:
    building.size += size
    if building.size > limit:
        raise too_large(limit, file, building.line)
    building.add(text)


def _unexpected(text: str, allowed: str, file: str, at: int) -> FormatError:
    return FormatError(f"{shown(text.strip()[:80])} is no beginning of an item", allowed, file, at)


def _at_slash(text: str) -> str | None:
    return "" if text.strip() == SLASH else None


def _at_stars(text: str) -> str | None:
    return "" if is_stars(text) else None


def _at_mark(text: str) -> str | None:
    return text.rstrip().removesuffix(MARK).rstrip() if text.rstrip().endswith(MARK) else None


FORMS: dict[str, tuple[re.Pattern[str], Callable[[str], str | None], str]] = {
    "npl": (NUMBER, _at_slash, "an item begins with a line that holds only its number, and ends with a line /"),
    "lisa_documents": (LISA_DOCUMENT, _at_stars, "a document begins with Document and its number, and ends with ***"),
    "lisa_topics": (NUMBER, _at_mark, "a topic begins with a line that holds only its number, and ends with #"),
}


def without_last_empty(read: Iterable[Item], what: str, file: str, notes: Notes) -> Iterator[Item]:
    """The items without the last one if it has no field with text; a note names it. `what` is the word for an item."""
    last: Item | None = None
    for item in read:
        if last is not None:
            yield last
        last = item
    if last is None:
        return
    if last.fields and (what == "document" or any(text.strip() for text in last.fields.values())):
        yield last
    else:
        say(f"{file}: {what} {last.number} is empty and is left out.", notes)


def say(sentence: str, notes: Notes) -> None:
    """Add a sentence to the notes, or warn with it."""
    if notes is None:
        warnings.warn(sentence, stacklevel=2)
    else:
        notes.append(sentence)
