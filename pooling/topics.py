r"""Read topics in three formats. This docstring specifies them.

All formats
    The text is UTF-8, plain or compressed with gzip, bzip2 or xz. A byte-order mark at the start is ignored. The first
    non-blank character decides the format: ``<`` TREC, ``{`` JSONL, anything else TSV. The file name is ignored.

    A topic has a query_id (`pooling.ids`) and a title, and may have a description and a narrative; missing ones are
    empty. White space around a text is removed; within a title, white space is reduced to single spaces. Blank lines
    are ignored.

    Refused: an invalid query_id; a query_id that occurs twice; an empty title; a text of more than 100,000
    characters; a NUL character; bytes that are not UTF-8; a file without topics.

TSV
    ``query_id<TAB>title``, optionally followed by description and narrative. Quotes have no special meaning. If the
    first field of the first line is ``query_id``, the line is a header; it must name the columns in this order. A line
    with fewer than two or more than four fields is refused.

JSONL
    One object per line with the keys ``query_id`` (a string or an integer), ``title``, and optionally ``description``
    and ``narrative``. The title may be called ``text`` or ``query`` instead; more than one of the three is refused.
    Other keys are ignored.

TREC
    ``<top>`` with ``<num>``, ``<title>``, ``<desc>`` and ``<narr>`` in any order, each at most once. Closing tags are
    optional, ``</top>`` included. Tags are case-insensitive. The labels ``Number:``, ``Topic:``, ``Description:`` and
    ``Narrative:`` at the beginning of a field are removed. Any other tag at the beginning of a line (``<dom>``,
    ``<con>``) ends the field; its content is ignored. Text outside of ``<top>`` or after a closing tag is refused.
    The format is not XML: entities and any other text in angle brackets are kept as text.
"""

from collections.abc import Callable, Iterator
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
    """A topic and the line of the file on which it begins."""

    line: int
    query_id: str
    title: str
    description: str
    narrative: str


def read_topics(
    source: Source, *, max_bytes: int = MAX_BYTES, name: str | None = None, progress: Progress | None = None
) -> pd.DataFrame:
    """Read a file of topics: TREC, JSONL or TSV.

    The first non-blank character decides the format: ``<`` TREC, ``{`` JSONL, anything else TSV. `pooling.topics`
    specifies the formats.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain text, or compressed with gzip, bzip2 or xz.
    max_bytes : int
        Largest size of the decompressed file, in bytes.
    name : str, optional
        The name of the file in errors. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.

    Returns
    -------
    DataFrame of shape (n_topics, 4)
        Columns query_id, title, description and narrative (str), in the order of the file. Missing descriptions and
        narratives are empty.

    Raises
    ------
    FormatError
        If a topic breaks the format, the compressed data is corrupt, or the file is larger than `max_bytes`.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pooling import read_topics
    >>> read_topics(b"301\\tInternational Organized Crime\\n")[["query_id", "title"]]
      query_id                          title
    0      301  International Organized Crime
    """
    name = name or display_name(source)
    with open_input(source, max_bytes=max_bytes, name=name, progress=progress) as stream:
        text = decoded(stream.read(), name).removeprefix("\ufeff")
    topics = list(_checked(_format(text)(text, name), name))
    if not topics:
        raise FormatError("the file has no topics", "a topics file has at least one", name)
    return pd.DataFrame(topics)[COLUMNS].astype("str")


def _format(text: str) -> Callable[[str, str], Iterator[Topic]]:
    return {"<": _trec_topics, "{": _jsonl_topics}.get(text.lstrip()[:1], _tsv_topics)


def _checked(topics: Iterator[Topic], file: str) -> Iterator[Topic]:
    first_line: dict[str, int] = {}
    for topic in topics:
        checked_id(topic.query_id, "query_id", file, topic.line)
        if topic.query_id in first_line:
            what = f"topic {shown(topic.query_id)} is already on line {first_line[topic.query_id]}"
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
                raise FormatError(
                    f"the header is {shown(line)}", f"the header must be {' '.join(COLUMNS)}", file, number
                )
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
            what = f"{' and '.join(title_keys)} are both present" if title_keys else "title is missing"
            raise FormatError(what, f"a topic has exactly one of {', '.join(TITLE_KEYS)}", file, number, "title")
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
