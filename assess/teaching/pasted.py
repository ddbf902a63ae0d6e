"""Topics and documents pasted into a form. This docstring is their specification.

Topics
    One a line: a title alone, or ``query_id<TAB>title`` and optionally ``<TAB>description``. A title alone gets the
    number of its topic as its query_id.

Documents
    Where the first line is ``doc_id<TAB>text``, every line is such a document. Otherwise documents are blocks of
    lines with a blank line between them, and get the doc_ids ``document-1``, ``document-2``, ...

Every topic is judged with every document. White space around a text is dropped, blank lines are skipped. There is no
ranking: no system has brought these documents.
"""

from collections.abc import Iterator
from itertools import groupby

import pooling
from assess.errors import Refused
from assess.lib.seeded_draw import draw
from assess.models import Document, Topic
from assess.teaching import sampling
from assess.teaching.exercise_sources import LEAST_TASKS, STOCK_SEATS, Material, Pooled
from pooling.errors import shown

MOST_TOPICS, MOST_DOCUMENTS, MOST_PAIRS = 50, 200, 2_000
LONGEST_TITLE, LONGEST_TEXT, LONGEST_PASTED = 500, 20_000, 1_000_000
ORIGIN = "pasted text"


def material(topics: str, documents: str, shared: int, more_each: int, seed: int) -> Material:
    """The material of an exercise, or a refusal that names the line."""
    found_topics, found_documents = list(read_topics(topics)), list(read_documents(documents))
    pairs = [(topic, document) for topic in range(len(found_topics)) for document in range(len(found_documents))]
    if not LEAST_TASKS <= len(pairs) <= MOST_PAIRS:
        raise Refused(
            f"{len(found_topics):,} topics and {len(found_documents):,} documents make {len(pairs):,} pairs to judge; "
            f"an exercise has {LEAST_TASKS} to {MOST_PAIRS:,}."
        )
    rows = [
        sampling.Candidate(at, topic, sampling.UNKNOWN, 0, draw(seed, found_topics[topic].query_id, str(document)))
        for at, (topic, document) in enumerate(pairs)
    ]
    chosen = sampling.drawn(rows, shared, seed)
    others = sampling.drawn([row for row in rows if row.task not in set(chosen)], more_each * STOCK_SEATS, seed)
    tasks = [Pooled(*pairs[at]) for at in (*chosen, *others)]
    return Material(found_topics, found_documents, tasks, len(chosen), ORIGIN)


# ---- topics


def read_topics(text: str) -> Iterator[Topic]:
    lines = [(number, line) for number, line in _lines("Topics", text) if line.strip()]
    if not lines:
        raise Refused("Topics: nothing was pasted; give one topic a line.")
    if len(lines) > MOST_TOPICS:
        raise Refused(f"Topics: {len(lines):,} lines came; at most {MOST_TOPICS} topics are possible.")
    first: dict[str, int] = {}
    for place, (number, line) in enumerate(lines, start=1):
        yield _once(_topic(line, place, f"Topics, line {number}"), "query_id", first, "Topics", number)


def _topic(line: str, place: int, where: str) -> Topic:
    cells = [cell.strip() for cell in line.rstrip().split("\t")]
    if len(cells) > 3:
        raise Refused(f"{where} has {len(cells)} columns; it is a title, or query_id, title and description.")
    query_id, title, description = (str(place), cells[0], "") if len(cells) == 1 else (*cells, "")[:3]
    _check_id(query_id, "query_id", where)
    if not title:
        raise Refused(f"{where} has no title; a topic is a title, or query_id and title with a tab between.")
    for name, cell in (("title", title), ("description", description)):
        if len(cell) > LONGEST_TITLE:
            raise Refused(f"{where}: the {name} has {len(cell):,} characters; at most {LONGEST_TITLE} are possible.")
    return Topic(query_id=query_id, title=title, description=description)


# ---- documents


def read_documents(text: str) -> Iterator[Document]:
    lines = list(_lines("Documents", text))
    filled = [(number, line) for number, line in lines if line.strip()]
    if not filled:
        raise Refused("Documents: nothing was pasted; give documents with a blank line between them.")
    found = list(_one_a_line(filled) if _names_itself(filled[0][1]) else _blocks(lines))
    if len(found) > MOST_DOCUMENTS:
        raise Refused(f"Documents: {len(found):,} came; at most {MOST_DOCUMENTS} are possible.")
    first: dict[str, int] = {}
    for number, doc_id, words in found:
        where = f"Documents, line {number}"
        _check_id(doc_id, "doc_id", where)
        if not 0 < len(words) <= LONGEST_TEXT:
            raise Refused(f"{where}: the text has {len(words):,} characters; it has 1 to {LONGEST_TEXT:,}.")
        yield _once(Document(doc_id=doc_id, text=words), "doc_id", first, "Documents", number)


def _names_itself(line: str) -> bool:
    doc_id, tab, _ = line.partition("\t")
    return bool(tab) and pooling.id_problem(doc_id) is None


def _one_a_line(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        doc_id, tab, words = line.partition("\t")
        if not tab:
            raise Refused(
                f"Documents, line {number} has no tab; the first line is doc_id, tab and text, so that all are."
            )
        yield number, doc_id.strip(), words.strip()


def _blocks(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    blocks = (list(block) for is_filled, block in groupby(lines, key=lambda line: bool(line[1].strip())) if is_filled)
    for place, block in enumerate(blocks, start=1):
        yield block[0][0], f"document-{place}", "\n".join(line.rstrip() for _, line in block).strip()


# ---- both


def _lines(what: str, text: str) -> Iterator[tuple[int, str]]:
    if len(text) > LONGEST_PASTED:
        raise Refused(f"{what}: {len(text):,} characters came; at most {LONGEST_PASTED:,} are possible.")
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        # What no database keeps: PostgreSQL has no NUL, and half a surrogate pair is no text.
        if "\0" in line or any("\ud800" <= character <= "\udfff" for character in line):
            raise Refused(f"{what}, line {number} holds a character that is no text.")
        yield number, line


def _check_id(text: str, name: str, where: str) -> None:
    if problem := pooling.id_problem(text):
        raise Refused(f"{where}: {name} {shown(text)} {problem}; {pooling.ALLOWED_ID}.")


def _once(row, name: str, first: dict[str, int], what: str, number: int):
    key = getattr(row, name)
    if (before := first.setdefault(key, number)) != number:
        raise Refused(f"{what}, line {number}: {name} {shown(key)} stands already on line {before}.")
    return row
