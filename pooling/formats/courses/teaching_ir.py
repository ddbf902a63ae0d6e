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
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from pooling.formats.courses.doccano import LEFT_OUT, Files, checked_annotators, label_config, left_out, record
from pooling.formats.courses.pairs import PoolContents, PooledTopic, encoded, json_line, json_text
from pooling.xml_characters import for_xml

TOPICS, MAPPING = "topics.xml", "topic-mapping.jsonl"
EVERYBODY = "all"  # the account if no annotator is named


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
