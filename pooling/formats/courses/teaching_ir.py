"""The layout of a test collection in the courses of teaching-ir, with the file names of the course.

| file | what |
|---|---|
| `config.json` | the names of the topics and of the accounts |
| `topics.xml` | the topics: `<topic number="...">` with title, description and narrative |
| `corpus.jsonl` | the documents: `doc_id`, `title`, `default_text` |
| `judgment-pool.json` | the doc_ids of each topic |
| `topic-mapping.jsonl` | each account with its topics; all topics for every annotator |
| `doccano-label-configs.json` | the labels |
| `doccano-judgment-pool.jsonl` | the records that doccano imports, with the account in `group` |

The course has `runs` in its configuration. Here it is left out, because nothing of a run is written.

`read_teaching_ir_pool` reads `judgment-pool.json`, also that of a course. The other files are read as topics, documents
and labels.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from pooling._io.records import checked_id, json_object
from pooling.errors import FormatError, shown
from pooling.formats.courses.doccano import LEFT_OUT, Files, checked_annotators, label_config, left_out, record
from pooling.formats.courses.pairs import PoolContents, PooledTopic, encoded, json_line, json_text
from pooling.words import first_repeated
from pooling.xml_characters import for_xml

TOPICS, MAPPING = "topics.xml", "topic-mapping.jsonl"
EVERYBODY = "all"  # the account if no annotator is named
ALLOWED_POOL = 'a pool is a JSON object with a list of doc_ids for each query_id, such as {"14": ["d3", "d7"]}'


def teaching_ir_files(pool: PoolContents, annotators: Sequence[str] = ()) -> Files:
    """The name and the content of each file of the layout.

    With `annotators`, each is an account that judges all pairs.
    """
    names = checked_annotators(annotators) or [EVERYBODY]
    yield "config.json", [encoded(json_text({"topics": TOPICS, "team-mapping": MAPPING}) + "\n")]
    yield TOPICS, topics_xml(pool.topics)
    yield "corpus.jsonl", _corpus(pool)
    yield "judgment-pool.json", _pool(pool)
    query_ids = [topic.query_id for topic in pool.topics]
    yield MAPPING, (json_line({"account": name, "topics": query_ids}) for name in names)
    yield "doccano-label-configs.json", [label_config(pool.grades)]
    yield "doccano-judgment-pool.jsonl", _records(pool, names)
    yield LEFT_OUT, left_out(pool)


def topics_xml(topics: Sequence[PooledTopic]) -> Iterator[bytes]:
    """The topics as XML. A character that XML does not allow becomes U+FFFD."""
    yield b"<?xml version='1.0' encoding='utf-8'?>\n<topics>\n"
    for topic in topics:
        query_id, *texts = map(for_xml, topic)
        fields = zip(("title", "description", "narrative"), texts, strict=True)
        inner = "".join(f"    <{tag}>{escape(text)}</{tag}>\n" for tag, text in fields)
        yield encoded(f"  <topic number={quoteattr(query_id)}>\n{inner}  </topic>\n")
    yield b"</topics>\n"


def _corpus(pool: PoolContents) -> Iterator[bytes]:
    for document in pool.documents():
        if document.has_text:
            record = {"doc_id": document.doc_id, "title": document.title, "default_text": document.text}
            yield json_line(record)


def _pool(pool: PoolContents) -> Iterator[bytes]:
    start = "{"
    for topic, pairs in groupby(pool.judgeable(), key=lambda pair: pair.topic):
        doc_ids = [pair.document.doc_id for pair in pairs]
        yield encoded(f"{start}{json_text(topic.query_id)}: {json_text(doc_ids)}")
        start = ",\n"
    yield b"}\n" if start != "{" else b"{}\n"


def _records(pool: PoolContents, names: Sequence[str]) -> Iterator[bytes]:
    for name in names:
        for pair in pool.judgeable("" if name == EVERYBODY else name):
            yield json_line({"group": name} | record(pair))


def read_teaching_ir_pool(content: bytes, file: str) -> list[tuple[str, str]]:
    """The pairs of query_id and doc_id of a pool, in the order of the file.

    Raises
    ------
    FormatError
        If the content is not a JSON object with a list of ids for each topic, a document occurs twice in a topic, or
        there is no document.

    Examples
    --------
    >>> read_teaching_ir_pool(b'{"14": ["d3", "d7"]}', "judgment-pool.json")
    [('14', 'd3'), ('14', 'd7')]
    """
    if not content.strip():
        raise FormatError("the file is empty", ALLOWED_POOL, file)
    topics = json_object(content, file, None, ALLOWED_POOL)
    pairs = [(query_id, doc_id) for query_id, ids in topics.items() for doc_id in _doc_ids(query_id, ids, file)]
    if not pairs:
        raise FormatError("the pool has no documents", ALLOWED_POOL, file)
    return pairs


def _doc_ids(query_id: str, doc_ids: object, file: str) -> list[str]:
    checked_id(query_id, "query_id", file, None)
    if not isinstance(doc_ids, list) or not all(isinstance(doc_id, str) for doc_id in doc_ids):
        raise FormatError(f"topic {shown(query_id)} has no list of strings", ALLOWED_POOL, file)
    for doc_id in doc_ids:
        checked_id(doc_id, "doc_id", file, None)
    if twice := first_repeated(doc_ids):
        raise FormatError(
            f"topic {shown(query_id)} has the document {shown(twice)} twice", "a document occurs once", file
        )
    return doc_ids
