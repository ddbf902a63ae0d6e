"""Read TREC topics in XML, as specified in `pooling.topics`.

The parser knows no entities, no document type and nothing outside of the file. The document type of a Web Track file,
which only declares elements, is removed before; one that declares an entity is refused.
"""

import io
import re
from collections.abc import Iterator
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml import DefusedXmlException
from defusedxml.expatreader import create_parser

from pooling.errors import FormatError
from pooling.formats.fields import DESCRIPTION, NARRATIVE, QUERY_ID

MAX_DEPTH = 20
ALLOWED = "a topic is <topic number=...> or <query> with a title or a text, in well-formed XML without entities"
TOPIC_TAGS = ("topic", "query")
TITLE = ("query", "title", "content")
WHITE_SPACE = re.compile(r"\s+")
ROOT = "assay-file"  # for files that have several topics and no root

Fields = dict[str, str]


def xml_topics(text: str, file: str) -> Iterator[tuple[int, Fields]]:
    """The line and the fields (num, title, desc, narr) of each topic of a file."""
    handler = _Handler(file)
    parser = create_parser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(handler)
    source = InputSource()
    source.setCharacterStream(io.StringIO(f"<{ROOT}>{_content(text, file)}</{ROOT}>"))
    try:
        parser.parse(source)
    except DefusedXmlException as error:
        what = f"the XML has a {type(error).__name__.removesuffix('Forbidden').lower()}"
        raise FormatError(what, ALLOWED, file) from None
    except SAXParseException as error:
        what = f"the XML is invalid ({error.getMessage()})"
        raise FormatError(what, ALLOWED, file, error.getLineNumber()) from None
    for line, fields in handler.topics:
        yield line, _named(fields)


def _content(text: str, file: str) -> str:
    """The text without declaration and document type; their line ends are kept."""
    if text.lstrip().startswith("<?xml"):
        text = _without(text, 0, text.find("?>") + 2)
    start = text.find("<!DOCTYPE")
    if start < 0 or text[:start].strip().replace("<!--", ""):
        return text
    bracket, end = text.find("[", start), text.find(">", start)
    if 0 <= bracket < end:
        end = text.find(">", text.find("]", bracket))
    if "<!entity" in text[start : end + 1].lower():
        raise FormatError("the document type declares an entity", ALLOWED, file, text.count("\n", 0, start) + 1)
    return _without(text, start, end + 1)


def _without(text: str, start: int, end: int) -> str:
    return text[:start] + "\n" * text.count("\n", start, end) + text[end:]


def _named(fields: Fields) -> Fields:
    """The fields of a topic under the names num, title, desc and narr."""
    num, desc, narr = (
        next((fields[key] for key in keys if key in fields), "") for keys in (QUERY_ID, DESCRIPTION, NARRATIVE)
    )
    title = next((fields[key] for key in TITLE if fields.get(key)), "")
    if not title:
        title = fields[""] or desc
        desc = desc if fields[""] else ""
    narr = "\n".join(part for part in (narr, fields.get("subtopics", "")) if part)
    return {"num": num.strip(), "title": title, "desc": desc, "narr": narr}


class _Handler(ContentHandler):
    """Collects the topics: their attributes, the texts of their children by tag, and their own text under ""."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.topics: list[tuple[int, Fields]] = []
        self._file = file
        self._place: Locator | None = None
        self._depth = 0
        self._topic_depth = 0  # 0 outside of a topic
        self._fields: Fields = {}
        self._pieces: list[str] = []
        self._own: list[str] = []
        self._subtopics: list[str] = []
        self._label = ""

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 - the name is that of xml.sax
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - the name is that of xml.sax
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FormatError(f"the XML has more than {MAX_DEPTH} levels", ALLOWED, self._file, self._line())
        tag = name.lower()
        if not self._topic_depth and tag in TOPIC_TAGS:
            self._topic_depth = self._depth
            self._fields = {key.lower(): attrs[key] for key in attrs.getNames() if key.lower() in QUERY_ID}
            self._pieces, self._own, self._subtopics = [], [], []
            self.topics.append((self._line(), self._fields))
        elif self._depth == self._topic_depth + 1:
            self._pieces = []
            kinds = [attrs[key] for key in ("number", "type") if key in attrs.getNames()]
            self._label = " ".join(["Subtopic", *kinds])

    def characters(self, content: str) -> None:
        if self._topic_depth:
            (self._own if self._depth == self._topic_depth else self._pieces).append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 - the name is that of xml.sax
        tag = name.lower()
        if self._depth == self._topic_depth:
            self._fields[""] = "".join(self._own)
            if self._subtopics:
                self._fields["subtopics"] = "\n".join(self._subtopics)
            self._topic_depth = 0
        elif self._topic_depth and self._depth == self._topic_depth + 1:
            text = "".join(self._pieces).strip()
            if tag == "subtopic":
                self._subtopics.append(f"{self._label}: {WHITE_SPACE.sub(' ', text)}")
            elif self._fields.setdefault(tag, text) != text:
                self._refuse_second(tag)
        self._depth -= 1

    def _refuse_second(self, tag: str) -> None:
        raise FormatError(f"<{tag}> occurs twice in a topic", "a field occurs once", self._file, self._line())

    def _line(self) -> int:
        return int(self._place.getLineNumber() or 1) if self._place else 1
