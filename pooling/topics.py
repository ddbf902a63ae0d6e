r"""Read topics in seven formats. This docstring specifies them.

All formats
    The text is UTF-8, plain or compressed with gzip, bzip2 or xz. A byte-order mark at the start of a line is ignored.
    The content decides the format, never the file name: ``<`` TREC or XML, ``{`` or ``[`` JSON, an id with a digit
    and a colon at the start of the first line ``query_id:title``, a header with commas CSV, anything else TSV.

    A topic has a query_id (`pooling.ids`) and a title, and may have a description and a narrative; missing ones are
    empty. White space around a text is removed; within a title, white space is reduced to single spaces. Blank lines
    are ignored.

    Refused: an invalid query_id; one that a spreadsheet has probably changed (`pooling.changed_ids`); a query_id that
    occurs twice; an empty title; a text of more than 100,000 characters; a NUL character; bytes that are not UTF-8; a
    file without topics.

    Fields may have other names (`pooling.formats.fields`): ``qid``, ``id``, ``_id``, ``number`` and others for
    query_id; ``text``, ``query``, ``contents`` or ``question`` for title.

TSV
    ``query_id<TAB>title``, optionally followed by description and narrative. Quotes have no special meaning, unless
    the first cell of the file is in double quotes: then every cell may be quoted, as in CSV. If the
    first two fields of the first line are names of fields, the line is a header, and the columns are in its order;
    other columns are ignored. A line without header with fewer than two or more than four fields is refused.

CSV
    The same with commas, and double quotes around cells that contain commas or line ends. The header is required.

``query_id:title``
    One topic a line. Only the first colon separates; the title may contain others. The first line has no tab. A line
    without a colon is refused.

JSON
    Objects, one per line, in an array or one after the other (Pyserini, BEIR, and others), with a query_id (a string
    or an integer), a title, and optionally description and narrative. More than one of ``title``, ``text`` and
    ``query`` is refused. Other keys are ignored.

    An object with ``turn`` or ``turns`` is a conversation (CAsT, iKAT). Each turn is a topic, except those of the
    participant ``System``: its query_id is that of the conversation, ``_`` and the ``number`` or ``turn_id`` of the
    turn; its title the ``raw_utterance`` or ``utterance``; its description the utterance as rewritten by hand
    (``manual_rewritten_utterance`` or ``resolved_utterance``); its narrative title and description of the conversation.

TREC
    ``<top>`` with ``<num>``, ``<title>``, ``<desc>`` and ``<narr>`` in any order, each at most once. Closing tags are
    optional, ``</top>`` included. Tags are case-insensitive. The labels ``Number:``, ``Topic:``, ``Description:`` and
    ``Narrative:`` at the beginning of a field are removed. Without a title, a ``<query>`` at the beginning of a line is
    the title (Microblog Track 2012 to 2014). A ``<docid>`` or ``<url>`` at the beginning of a line names a document
    that is the query (News Track, background linking): it follows the narrative, and a title that is missing says so.
    Any other tag at the beginning of a line (``<dom>``,
    ``<con>``) ends the field; its content is ignored. Text outside of ``<top>`` or after a closing tag is refused,
    except ``<topics>`` around all topics. The format is not XML: entities and any other text in angle brackets are
    kept as text.

XML
    ``<topic>`` or ``<query>`` elements, with or without a root, each with its number as an attribute or a child
    (``number``, ``num``, ``qid``). The title is the child ``query``, ``title`` or ``content``, or else the text of the
    topic itself (Clinical Trials Track), or else the description. The description is the child ``description`` or
    ``question``. The narrative is the child ``narrative``, followed by one line for each ``subtopic``. Other children
    are ignored. Refused: entities; XML that is not well-formed; more than 20 levels; a field with two different texts.
    A document type is ignored if it declares no entity.

Classic collections
    The topics of CACM, CISI, ADI, MED, Cranfield, NPL and LISA (`pooling.formats.smart`), recognised by ``.I`` and a
    number, or by a first line that holds only a number.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from pooling._io.records import checked_id, decoded
from pooling._io.streams import Progress, Source, display_name, open_input, without_marks
from pooling.changed_ids import changed_id_error, changed_rows
from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.beir_zip import part_of_beir, whole_size
from pooling.formats.irds import irds_topics
from pooling.formats.tables import archive_error
from pooling.formats.topic_formats import COLUMNS, Topic, topic_reader
from pooling.paths import irds_id

MAX_BYTES = 1 << 26
MAX_TEXT_CHARACTERS = 100_000


def read_topics(
    source: Source,
    *,
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
    problems: list[FormatError] | None = None,
    notes: list[str] | None = None,
) -> pd.DataFrame:
    """Read a file of topics: TREC, XML, JSON, TSV, CSV, lines of query_id:title, or of a classic collection.

    The content decides the format. `pooling.topics` specifies the formats.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain text, or compressed with gzip, bzip2 or xz; or ``irds:`` and the id of a data set.
    max_bytes : int
        Largest size of the decompressed file, in bytes.
    name : str, optional
        The name of the file in errors. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.
    problems : list of FormatError, optional
        Collects the problems of invalid topics, which are left out. By default the first one is raised.
    notes : list of str, optional
        Collects sentences about the file of a classic collection: an empty last query, and how the number of topics
        compares with that of the known files. By default an empty query gives a warning.

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
    topics: list[Topic] = []
    try:
        if dataset_id := irds_id(source):
            unchecked = irds_topics(dataset_id)
        else:
            content = _content(source, max_bytes, name, progress)
            if error := archive_error(content, name):
                raise error
            text = decoded(without_marks(content), name)
            unchecked = topic_reader(text, notes)(text, name, problems)
        topics.extend(_checked(unchecked, name, problems))
        topics = _without_changed_ids(topics, name, problems)
    except FormatError as error:
        raise_or_keep(error, problems)
    if not topics and not problems:
        raise_or_keep(FormatError("the file has no topics", "a topics file has at least one", name), problems)
    return pd.DataFrame(topics, columns=["line", *COLUMNS])[COLUMNS].astype("str")


def _content(source: Source, max_bytes: int, name: str, progress: Progress | None) -> bytes:
    """The content of a file of topics, which may be the queries of a ZIP archive of a data set of BEIR."""
    with part_of_beir(source, "topics", name) as part:
        if part is not None:
            whole_size(source, progress)
            source, name, progress = part[0], part[1], None
        with open_input(source, max_bytes=max_bytes, name=name, progress=progress) as stream:
            return stream.read()


def _checked(topics: Iterator[Topic], file: str, problems: Problems) -> Iterator[Topic]:
    first_line: dict[str, int] = {}
    for topic in topics:
        try:
            checked = _with_plain_texts(topic, first_line, file)
        except FormatError as error:
            raise_or_keep(error, problems)
        else:
            first_line[topic.query_id] = topic.line
            yield checked


def _without_changed_ids(topics: list[Topic], file: str, problems: Problems) -> list[Topic]:
    """The topics without those whose id a spreadsheet has probably changed."""
    changed = changed_rows({"query_id": [topic.query_id for topic in topics]})
    for place in changed:
        raise_or_keep(changed_id_error("query_id", topics[place].query_id, file, topics[place].line), problems)
    return [topic for place, topic in enumerate(topics) if place not in changed]


def _with_plain_texts(topic: Topic, first_line: Mapping[str, int], file: str) -> Topic:
    """The topic without white space around its texts; FormatError if its id or a text is not allowed."""
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
    return topic


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
