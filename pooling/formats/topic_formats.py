"""Read topics in each format that `pooling.topics` specifies. The texts are not checked yet."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pooling._io.records import text_field
from pooling._io.top_elements import top_elements
from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.fields import DESCRIPTION, NARRATIVE, QUERY_ID, TITLE, first_key, id_text
from pooling.formats.json_records import json_records
from pooling.formats.recognise import COLON_LINE, SAMPLE_BYTES, format_of_tags
from pooling.formats.smart.shapes import items_form
from pooling.formats.tables import by_name, check_once, csv_rows, header_of, is_quoted
from pooling.formats.xml_topics import xml_topics

COLUMNS = ["query_id", "title", "description", "narrative"]
ONE_TITLE = ("title", "text", "query")  # a record has one of them
KNOWN = frozenset((*QUERY_ID, *TITLE, *DESCRIPTION, *NARRATIVE)) - {"contents"}
TURNS = ("turn", "turns")
TURN_ID = ("number", "turn_id")
UTTERANCE = ("raw_utterance", "utterance")
REWRITTEN = ("manual_rewritten_utterance", "resolved_utterance")
NO_LIMIT = 1 << 62  # the size of the whole file is limited


class Topic(NamedTuple):
    """A topic and the line of the file on which it begins."""

    line: int
    query_id: str
    title: str
    description: str
    narrative: str


Reader = Callable[[str, str, Problems], Iterator[Topic]]


def topic_reader(text: str, notes: list[str] | None = None) -> Reader:
    """The reader of the format that the text has; `notes` collects sentences about a file of a classic collection."""
    if form := items_form(text):
        from pooling.formats.smart.topics import smart_topics  # needs Topic

        return lambda text, file, _: smart_topics(text, form, file, notes)
    begin = text.lstrip()
    if begin.startswith("<"):
        return _xml_topics if format_of_tags(begin[:SAMPLE_BYTES]) == "xml_topics" else _trec_topics
    if begin.startswith(("{", "[")):
        return _json_topics
    first_line = begin.partition("\n")[0].rstrip("\r")
    if COLON_LINE.match(first_line):
        return _colon_topics
    if is_quoted(first_line):
        return _quoted_topics
    is_csv = "\t" not in first_line and header_of(first_line.replace('"', "").split(","), KNOWN)
    return _csv_topics if is_csv else _tsv_topics


def _tsv_topics(text: str, file: str, problems: Problems) -> Iterator[Topic]:
    lines = enumerate(text.split("\n"), start=1)
    return _of_rows(((number, line.split("\t")) for number, line in lines if line.strip()), file, problems)


def _quoted_topics(text: str, file: str, problems: Problems) -> Iterator[Topic]:
    return _of_rows(csv_rows(text, file, "\t"), file, problems)


def _of_rows(rows: Iterator[tuple[int, list[str]]], file: str, problems: Problems) -> Iterator[Topic]:
    header: list[str] | None = None
    for number, row in rows:
        cells = [cell.strip() for cell in row]
        try:
            if number == 1 and (header := header_of(cells, KNOWN)):
                _check_header(header, "\t".join(row), file)
                continue
            yield _of_cells(cells, file, number) if header is None else _of_row(cells, header, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _colon_topics(text: str, file: str, problems: Problems) -> Iterator[Topic]:
    for number, line in enumerate(text.split("\n"), start=1):
        query_id, colon, title = line.partition(":")
        if colon:
            yield Topic(number, query_id.strip(), title, "", "")
        elif line.strip():
            allowed = "a line is query_id:title, as the first line is"
            raise_or_keep(FormatError(f"{shown(line.strip()[:80])} has no colon", allowed, file, number), problems)


def _csv_topics(text: str, file: str, problems: Problems) -> Iterator[Topic]:
    header: list[str] | None = None
    for number, cells in csv_rows(text, file):
        if header is None:
            header = header_of(cells, KNOWN) or []
            _check_header(header, ",".join(cells), file)
            continue
        try:
            yield _of_row(cells, header, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _check_header(header: Sequence[str], line: str, file: str) -> None:
    check_once(header, line, file)
    if first_key(QUERY_ID, header) is None or first_key(TITLE, header) is None:
        allowed = f"the header must be {' '.join(COLUMNS)}, or other names of these columns, in any order"
        raise FormatError(f"the header is {shown(line)}", allowed, file, 1)


def _of_cells(cells: Sequence[str], file: str, number: int) -> Topic:
    if not 2 <= len(cells) <= len(COLUMNS):
        allowed = "a line has query_id and title, and may have description and narrative, separated by tabs"
        raise FormatError(f"{len(cells)} columns", allowed, file, number)
    texts = [*cells, *[""] * (len(COLUMNS) - len(cells))]
    return Topic(number, *texts)


def _of_row(cells: Sequence[str], header: Sequence[str], file: str, number: int) -> Topic:
    # Spreadsheets and editors leave out empty cells at the end of a line.
    row = by_name([*cells, *[""] * (len(header) - len(cells))], header, file, number)
    return Topic(number, id_text(row, QUERY_ID, file, number).strip(), *_texts(row, file, number))


def _json_topics(text: str, file: str, problems: Problems) -> Iterator[Topic]:
    lines = ((number, line.encode()) for number, line in enumerate(text.split("\n"), start=1))
    for number, record in json_records(lines, NO_LIMIT, file, problems):
        try:
            if (turns := first_key(TURNS, record)) and record[turns] is not None:
                yield from _turns(record, record[turns], file, number)
                continue
            titles = [key for key in ONE_TITLE if key in record]
            if len(titles) > 1:
                what = f"{' and '.join(titles)} are both present"
                raise FormatError(what, f"a topic has exactly one of {', '.join(ONE_TITLE)}", file, number, "title")
            yield Topic(number, id_text(record, QUERY_ID, file, number), *_texts(record, file, number))
        except FormatError as error:
            raise_or_keep(error, problems)


def _turns(record: dict[str, Any], turns: object, file: str, number: int) -> Iterator[Topic]:
    """A topic for each turn of a conversation. What a system says is no topic."""
    conversation = id_text(record, QUERY_ID, file, number)
    about = "\n".join(filter(None, (text_field(record, key, file, number) for key in ("title", "description"))))
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns) or not turns:
        what = f"the turns of conversation {shown(conversation)} are not a list of objects"
        raise FormatError(what, "a conversation has at least one turn, an object", file, number, "turns")
    for turn in turns:
        if text_field(turn, "participant", file, number).lower() == "system":
            continue
        query_id = f"{conversation}_{id_text(turn, TURN_ID, file, number)}"
        utterance, rewritten = (first_key(names, turn) for names in (UTTERANCE, REWRITTEN))
        if utterance is None:
            allowed = f"a turn has one of {', '.join(UTTERANCE)}"
            raise FormatError(f"turn {shown(query_id)} has no utterance", allowed, file, number, "title")
        description = text_field(turn, rewritten, file, number) if rewritten else ""
        yield Topic(number, query_id, text_field(turn, utterance, file, number), description, about)


def _texts(record: dict[str, Any], file: str, number: int) -> tuple[str, str, str]:
    """Title, description and narrative of a record."""
    title = first_key(TITLE, record)
    if title is None:
        raise FormatError("title is missing", f"a topic has one of {', '.join(TITLE)}", file, number, "title")
    others = [first_key(names, (key for key in record if key != title)) for names in (DESCRIPTION, NARRATIVE)]
    description, narrative = (text_field(record, key, file, number) if key else "" for key in others)
    return text_field(record, title, file, number), description, narrative


def _trec_topics(text: str, file: str, _problems: Problems) -> Iterator[Topic]:
    return _of_elements((line, _with_query(fields)) for line, fields in top_elements(text, file))


def _with_query(fields: dict[str, str]) -> dict[str, str]:
    """The fields of a topic whose query may be a text or a document; the document is named in the narrative."""
    title, docid, url = (fields.get(tag, "") for tag in ("title", "docid", "url"))
    title = title or fields.get("query", "")
    if docid or url:
        title = title or f"The query is the document {docid or url}"
        lines = [fields.get("narr", ""), docid and f"Query document: {docid}", url and f"URL: {url}"]
        fields = fields | {"narr": "\n".join(line for line in lines if line)}
    return fields | {"title": title}


def _xml_topics(text: str, file: str, _problems: Problems) -> Iterator[Topic]:
    return _of_elements(xml_topics(text, file))


def _of_elements(elements: Iterator[tuple[int, dict[str, str]]]) -> Iterator[Topic]:
    for line, fields in elements:
        yield Topic(line, *(fields.get(tag, "") for tag in ("num", "title", "desc", "narr")))
