"""The pairs of a pool as JSONL, as TSV, and as the requests of UMBRELA."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from pooling.formats.courses.pairs import PooledPair, encoded, json_line, json_text
from pooling.formula_cells import harmless

COLUMNS = ("query_id", "title", "description", "narrative", "doc_id", "document_title", "text")


def jsonl_pairs(pairs: Iterable[PooledPair]) -> Iterator[bytes]:
    """A JSON object for each pair, with the keys COLUMNS. A document without a text has an empty one.

    Examples
    --------
    >>> from pooling.formats.courses.pairs import PooledDocument, PooledTopic
    >>> pair = PooledPair(PooledTopic("7", "green tea"), PooledDocument("d1", "Tea", "Tea is made from leaves."))
    >>> next(jsonl_pairs([pair]))[:38].decode()
    '{"query_id": "7", "title": "green tea"'
    """
    return (json_line(dict(zip(COLUMNS, _cells(pair), strict=True))) for pair in pairs)


def tsv_pairs(pairs: Iterable[PooledPair]) -> Iterator[bytes]:
    """A header with COLUMNS, and a line for each pair.

    Tabs, line breaks and other white space become one blank, so that each line is a pair. A cell that a spreadsheet
    would run as a formula gets an apostrophe in front.
    """
    yield encoded("\t".join(COLUMNS) + "\n")
    for pair in pairs:
        yield encoded("\t".join(map(tsv_cell, _cells(pair))) + "\n")


def tsv_cell(text: str) -> str:
    """A text in one cell of a TSV file."""
    return harmless(" ".join(text.split()))


def umbrela_requests(pairs: Iterable[PooledPair]) -> Iterator[bytes]:
    """A JSON object for each topic, one a line: the query and its candidates, in pieces.

    The query is the title of the topic. A topic without a candidate is left out, because UMBRELA refuses it.
    """
    for topic, of_topic in groupby(pairs, key=lambda pair: pair.topic):
        query = json_text({"text": topic.title, "qid": topic.query_id})
        start = f'{{"query": {query}, "candidates": ['
        for pair in of_topic:
            candidate = {"docid": pair.document.doc_id, "doc": {"segment": pair.document.whole_text}}
            yield encoded(start + json_text(candidate))
            start = ", "
        yield b"]}\n"


def _cells(pair: PooledPair) -> tuple[str, ...]:
    topic, document = pair
    return (*topic, *document)
