"""The scanner of TREC topics: ``<top>`` elements with their fields as specified in `pooling.topics`.

It passes over the text once, with two patterns that cannot backtrack, and uses no XML parser.
"""

import re
from collections.abc import Iterator

from pooling.errors import FormatError

LABELS = {"num": "number:", "title": "topic:", "desc": "description:", "narr": "narrative:"}

# Other fields that are read. Their tag counts only at the start of a line, and they end with their closing tag.
OTHER_FIELDS = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in ("query", "docid", "url")}

TOP_TAG = re.compile(r"<(/?top)(?:\s[^<>]*)?>", re.IGNORECASE)
WRAPPER = re.compile(r"</?topics>", re.IGNORECASE)  # around all topics of some files
# The tag of a field counts anywhere, any other tag only at the start of a line, since a text may contain tags.
FIELD_TAG = re.compile(r"^[ \t]*<(/?[a-z][\w-]*)>|<(/?(?:num|title|desc|narr))>", re.IGNORECASE | re.MULTILINE)
NO_TAG = ""


def top_elements(text: str, file: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The line and the fields of each ``<top>``: those of num, title, desc, narr and `OTHER_FIELDS` that it has."""
    for line, tag, content in _pieces(TOP_TAG, text, 1):
        if tag == "top":
            yield line, _fields(content, line, file)
        else:
            _refuse_outside(WRAPPER.sub("", content), line, file)


def _fields(text: str, line: int, file: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for number, tag, content in _pieces(FIELD_TAG, text, line):
        if tag in fields:
            raise FormatError(f"<{tag}> occurs twice in a topic", "a field occurs once", file, number)
        if tag in LABELS:
            fields[tag] = _without_label(content, LABELS[tag])
        elif tag in OTHER_FIELDS:
            fields[tag] = _until_closed(content, OTHER_FIELDS[tag], number, file)
        elif tag == NO_TAG or tag.removeprefix("/") in LABELS:
            _refuse_outside(content, number, file)
    return fields


def _pieces(pattern: re.Pattern[str], text: str, line: int) -> Iterator[tuple[int, str, str]]:
    """The text cut at each tag: the line and the name of the tag in lower case, and the text up to the next tag."""
    tag, begin = NO_TAG, 0
    for match in pattern.finditer(text):
        yield line, tag, text[begin : match.start()]
        line += text.count("\n", begin, match.start())
        tag, begin = match[match.lastindex or 0].lower(), match.end()
    yield line, tag, text[begin:]


def _until_closed(content: str, closing: re.Pattern[str], line: int, file: str) -> str:
    if end := closing.search(content):
        _refuse_outside(content[end.end() :], line + content.count("\n", 0, end.end()), file)
        content = content[: end.start()]
    return content.strip()


def _without_label(content: str, label: str) -> str:
    content = content.strip()
    begin = content[: len(label)].lower()
    # Some files have no colon after a label on a line of its own.
    return content[len(label) :].lstrip() if begin in (label, f"{label[:-1]}\n") else content


def _refuse_outside(content: str, line: int, file: str) -> None:
    if content.strip():
        line += content[: -len(content.lstrip())].count("\n")
        raise FormatError("text outside of a field", "a topic is <top> with <num>, <title>, <desc>, <narr>", file, line)
