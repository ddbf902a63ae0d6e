r"""Topics: what is searched for, in three formats. This docstring is their specification.

Text is UTF-8, plain, gzip, bzip2 or xz; a byte-order mark is dropped. The first character that is not blank tells the
format: ``<`` TREC, ``{`` JSONL, anything else TSV; the name of the file has no say. A topic has a query_id (see
`pooling.ids`), unique in the file, and a title that is not empty; description and narrative may be missing
and are then empty. No text has more than 100,000 characters or a NUL. White space around a text is dropped,
and within a title it counts as one space. Blank lines are skipped; a file without topics is refused.

TSV
    ``query_id<TAB>title``, then optionally description, then narrative. Quotes mean nothing. A first line
    whose first field is ``query_id`` is a header, and names the columns in this order.

JSONL
    One object a line: ``query_id`` (a text or a whole number), ``title``, optionally ``description`` and
    ``narrative``. The title may be called ``text`` or ``query`` instead, but only one of the three may be
    there. Other keys are ignored.

TREC
    ``<top>``, with ``<num>``, ``<title>``, ``<desc>``, ``<narr>`` in any order, each once; closing tags are
    optional, ``</top>`` too. Upper and lower case are the same. The labels ``Number:``, ``Topic:``,
    ``Description:`` and ``Narrative:`` at the beginning of a field are dropped. Another tag at the beginning
    of a line (``<dom>``, ``<con>``) ends the field, and what it holds is ignored. Text outside of ``<top>`` or
    after a closing tag is refused. This is not XML: entities, and anything else in angle brackets, are text.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from pooling._io.records import checked_id, decoded, id_field, json_object, text_field
from pooling._io.streams import Progress, Source, display_name, open_input
from pooling._io.top_elements import top_elements
from pooling.errors import FormatError, shown

COLUMNS = ["query_id", "title", "description", "narrative"]
TITLE_KEYS = ("title", "text", "query")
MAX_BYTES = 1 << 26
MAX_TEXT_CHARACTERS = 100_000


class Topic(NamedTuple):
    """A topic and the line on which it begins."""

    line: int
    query_id: str
    title: str
    description: str
    narrative: str


def read_topics(
    source: Source, *, max_bytes: int = MAX_BYTES, name: str | None = None, progress: Progress | None = None
) -> pd.DataFrame:
    """Read topics.

    Parameters
    ----------
    source : path, bytes or binary file
        Plain, gzip, bzip2 or xz; the format is told by the content.
    max_bytes : int
        Limit on the expanded size, in bytes.
    name : str, optional
        What errors call the file.
    progress : callable, optional
        Called with the number of bytes just taken from the file.

    Returns
    -------
    DataFrame of shape (topics, 4)
        query_id, title, description, narrative (str), in the order of the file.

    Raises
    ------
    FormatError
        At the first topic that breaks the format, see the module.
    """
    name = name or display_name(source)
    with open_input(source, max_bytes=max_bytes, name=name, progress=progress) as stream:
        text = decoded(stream.read(), name).removeprefix("\ufeff")
    topics = list(_checked(_format(text)(text, name), name))
    if not topics:
        raise FormatError("the file has no topics", "a topics file has at least one", name)
    return pd.DataFrame(topics)[COLUMNS].astype("str")


def _format(text: str):
    return {"<": _trec_topics, "{": _jsonl_topics}.get(text.lstrip()[:1], _tsv_topics)


def _checked(topics: Iterator[Topic], file: str) -> Iterator[Topic]:
    first_line = {}
    for topic in topics:
        checked_id(topic.query_id, "query_id", file, topic.line)
        if topic.query_id in first_line:
            what = f"topic {shown(topic.query_id)} stands already on line {first_line[topic.query_id]}"
            raise FormatError(what, "a query_id occurs once", file, topic.line, "query_id", topic.query_id)
        topic = topic._replace(
            title=" ".join(topic.title.split()),
            description=topic.description.strip(),
            narrative=topic.narrative.strip(),
        )
        _check_texts(topic, file)
        first_line[topic.query_id] = topic.line
        yield topic


def _check_texts(topic: Topic, file: str) -> None:
    if not topic.title:
        what = f"topic {shown(topic.query_id)} has no title"
        raise FormatError(what, "a topic has a title", file, topic.line, "title", "")
    for column in COLUMNS[1:]:
        length = len(getattr(topic, column))
        if length > MAX_TEXT_CHARACTERS:
            what = f"the {column} of topic {shown(topic.query_id)} has {length:,} characters"
            allowed = f"at most {MAX_TEXT_CHARACTERS:,} are allowed"
            raise FormatError(what, allowed, file, topic.line, column)


def _tsv_topics(text: str, file: str) -> Iterator[Topic]:
    for number, line in _filled_lines(text):
        fields = [field.strip() for field in line.split("\t")]
        if number == 1 and fields[0] == COLUMNS[0]:
            if fields != COLUMNS[: len(fields)]:
                raise FormatError(f"the header is {shown(line)}", f"it is {' '.join(COLUMNS)}", file, number)
            continue
        if not 2 <= len(fields) <= len(COLUMNS):
            what = f"{len(fields)} columns"
            allowed = "a line has query_id and title, and may have description and narrative, separated by tabs"
            raise FormatError(what, allowed, file, number)
        yield Topic(number, *fields, *[""] * (len(COLUMNS) - len(fields)))


def _jsonl_topics(text: str, file: str) -> Iterator[Topic]:
    for number, line in _filled_lines(text):
        record = json_object(line.encode(), file, number)
        title_keys = [key for key in TITLE_KEYS if key in record]
        if len(title_keys) != 1:
            what = f"{' and '.join(title_keys)} are there" if title_keys else "title is missing"
            raise FormatError(what, f"a topic has one of {', '.join(TITLE_KEYS)}", file, number, "title")
        yield Topic(
            number,
            id_field(record, "query_id", file, number),
            *(text_field(record, key, file, number) for key in (*title_keys, "description", "narrative")),
        )


def _filled_lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _trec_topics(text: str, file: str) -> Iterator[Topic]:
    for line, fields in top_elements(text, file):
        yield Topic(line, *(fields.get(tag, "") for tag in ("num", "title", "desc", "narr")))
