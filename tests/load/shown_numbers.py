"""What a page of a class shows, and the comparison with what it must show: no number may be without an expectation."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser

DIGIT = re.compile(r"\d")
HIDDEN = ("script", "style", "noscript")  # their contents are no text


class ShownPage(HTMLParser):
    """The text of the main part of a page, and the attributes `style` and `title` of its elements outside of charts."""

    def __init__(self, html: str):
        super().__init__()
        self.words: list[str] = []
        self.styles: list[str] = []
        self.titles: list[str] = []
        self._open: dict[str, int] = dict.fromkeys(("main", "svg", *HIDDEN), 0)
        self.feed(html.replace("<wbr>", ""))  # a line may break there, and a word goes on

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in self._open:
            self._open[tag] += 1
        if self._open["main"] and not self._open["svg"]:
            named = dict(attributes)
            self.styles += [named["style"]] if named.get("style") else []
            self.titles += [named["title"]] if named.get("title") else []

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._open[tag] -= 1

    def handle_data(self, data: str) -> None:
        if self._open["main"] and not any(self._open[tag] for tag in HIDDEN):
            self.words += data.split()


def check_texts(text: str, expected: Sequence[str]) -> None:
    """Assert that a text has these parts in this order, and that all its numbers are in them."""
    padded, at = f" {text} ", 0
    for part in expected:
        found = padded.find(f" {part} ", at)
        assert found >= 0, f"{part!r} is not shown in {padded[at : at + 400]!r}"
        _check_no_number(padded[at:found], part)
        at = found + len(part) + 1  # the space after a part may be the one before the next
    _check_no_number(padded[at:], "the end")


def _check_no_number(text: str, before: str) -> None:
    assert not DIGIT.search(text), f"No expectation explains the numbers in {text[-400:]!r}, before {before!r}"
