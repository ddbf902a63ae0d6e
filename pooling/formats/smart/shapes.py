"""Which file of a classic collection a text is, from its first lines."""

import re
from collections.abc import Sequence

SAMPLE_BYTES = 1 << 16
SAMPLE_LINES = 20
SLASH = "/"
MARK = "#"
LEAST_STARS = 10

ITEM = re.compile(r"\.I[ \t]+([0-9]+)[ \t]*")
TAG = re.compile(r"\.([A-Z])[ \t]*")
NUMBER = re.compile(r"[ \t]*([0-9]+)[ \t]*")
LISA_DOCUMENT = re.compile(r"Document[ \t]+([0-9]+)[ \t]*")
LISA_QUERY = re.compile(r"Query[ \t]+([0-9]+)[ \t]*")
LISA_COUNT = re.compile(r"[0-9]+[ \t]+Relevant Refs:[ \t]*")
LISTED = re.compile(r"[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]+0[ \t]+0(?:\.0*)?[ \t]*")
GRADED = re.compile(r"[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]+(-?[0-9]+)[ \t]*")

OF_DOCUMENTS = frozenset("TXKC")  # tags of the first item that only documents have there


def items_form(text: str) -> str | None:
    """The form of a file of items: smart, npl, lisa_documents or lisa_topics; None if it is none.

    `text` is the whole file, or its beginning.
    """
    lines = _lines(text)
    if not lines:
        return None
    if ITEM.fullmatch(lines[0]):
        return "smart"
    if LISA_DOCUMENT.fullmatch(lines[0]):
        return "lisa_documents" if any(is_stars(line) for line in lines) else None
    if not NUMBER.fullmatch(lines[0]):
        return None
    end = next((line for line in lines[1:] if line.strip() == SLASH or line.rstrip().endswith(MARK)), "")
    if end.strip() != SLASH:
        return "lisa_topics" if end else None
    return None if _is_npl_list(lines) else "npl"


def qrels_form(text: str) -> str | None:
    """The form of a list of judgements: listed, graded, npl or lisa; None if it is none."""
    every = [line for line in _lines(text) if not line.lstrip().startswith("#")]
    lines = every[:SAMPLE_LINES]
    if not lines:
        return None
    listed = [LISTED.fullmatch(line) for line in lines]
    if all(listed):
        return "listed" if any(found and found[2].strip("0") for found in listed) else None
    if all(GRADED.fullmatch(line) for line in lines):
        return "graded"
    if len(lines) > 1 and LISA_QUERY.fullmatch(lines[0]) and LISA_COUNT.fullmatch(lines[1]):
        return "lisa"
    return "npl" if _is_npl_list(every) else None


def formats_of(text: str) -> tuple[str, ...]:
    """The names of the formats that the text may have, as `pooling.recognise` returns them: none, one, or two."""
    if form := qrels_form(text):
        return ({"npl": "npl_qrels", "lisa": "lisa_qrels"}.get(form, "smart_qrels"),)
    form = items_form(text)
    if form is None or form.startswith("lisa"):
        return (form,) if form else ()
    if form == "npl":
        is_indented = next(line for line in _lines(text) if line.strip() == SLASH).startswith((" ", "\t"))
        return ("npl_documents" if is_indented else "npl_topics",)
    return ("smart_documents",) if _has_tags_of_documents(text) else ("smart_topics", "smart_documents")


def is_stars(line: str) -> bool:
    """Whether the line ends a document of LISA."""
    return len(line.strip()) >= LEAST_STARS and not line.strip().strip("*")


def _has_tags_of_documents(text: str) -> bool:
    first = True
    for line in _lines(text)[1:]:
        if ITEM.fullmatch(line):
            first = False
        tag = TAG.fullmatch(line)
        if tag and (tag[1] == "X" or (first and tag[1] in OF_DOCUMENTS)):
            return True
    return False


def _is_npl_list(lines: Sequence[str]) -> bool:
    """Whether only numbers stand above the first line with a slash."""
    for place, line in enumerate(lines):
        if line.strip() == SLASH:
            return place > 1
        if not line.replace(" ", "").replace("\t", "").isdigit():
            return False
    return False


def _lines(text: str) -> list[str]:
    """The lines of the beginning that are not blank, without their ends."""
    return [line.rstrip("\r") for line in text[:SAMPLE_BYTES].split("\n") if line.strip()]
