"""Reads topics and documents that are pasted into a form. This docstring specifies their formats.

Topics
    One topic per line: either a title, or ``query_id<TAB>title``, optionally followed by ``<TAB>description``. A topic
    with a title alone gets its number as query_id.

Documents
    If the first line is ``doc_id<TAB>text``, every line must be a document of this form. Otherwise documents are blocks
    of lines separated by blank lines, with the doc_ids ``document-1``, ``document-2``, ...

Every topic is judged with every document. White space around a text is removed, and blank lines are skipped. There is
no ranking, because no system has retrieved these documents.
"""

from collections.abc import Iterator
from itertools import groupby

import pooling
from assess.documents.contents import new_content
from assess.errors import Refused
from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, Topic
from assess.teaching import sampling
from assess.teaching.exercise_sources import MIN_TASKS, STOCK_SEATS, Material, PlannedTask
from pooling.errors import shown
from pooling.words import count

MAX_TOPICS, MAX_DOCUMENTS, MAX_PAIRS = 50, 200, 2_000
MAX_TITLE_LENGTH, MAX_TEXT_LENGTH, MAX_PASTED_LENGTH = 500, 20_000, 1_000_000
ORIGIN = "pasted text"

Line = tuple[int, str]  # the number of a line, from 1, and its text


def material_from_text(topics_text: str, documents_text: str, shared: int, more_each: int, seed: int) -> Material:
    """Return the material of an exercise, or raise Refused with the line of the problem."""
    topics, documents = list(read_topics(topics_text)), list(read_documents(documents_text))
    pairs = [(topic, document) for topic in range(len(topics)) for document in range(len(documents))]
    if not MIN_TASKS <= len(pairs) <= MAX_PAIRS:
        raise Refused(
            f"{count(len(topics), 'topic')} and {count(len(documents), 'document')} make {count(len(pairs), 'pair')} "
            "to judge. "
            f"An exercise must have between {MIN_TASKS} and {MAX_PAIRS:,}."
        )
    candidates = [
        sampling.Candidate(at, topic, sampling.UNKNOWN, 0, draw(seed, topics[topic].query_id, str(document)))
        for at, (topic, document) in enumerate(pairs)
    ]
    chosen = sampling.draw_tasks(candidates, shared, seed)
    taken = set(chosen)
    others = [candidate for candidate in candidates if candidate.task not in taken]
    more = sampling.draw_tasks(others, more_each * STOCK_SEATS, seed)
    tasks = [PlannedTask(*pairs[at]) for at in (*chosen, *more)]
    return Material(topics, documents, tasks, len(chosen), ORIGIN)


# ---- topics


def read_topics(text: str) -> Iterator[Topic]:
    """Yield the topics of a pasted text."""
    lines = [(number, line) for number, line in _lines("Topics", text) if line.strip()]
    if not lines:
        raise Refused("Topics: the field is empty. Enter one topic per line.")
    if len(lines) > MAX_TOPICS:
        raise Refused(f"Topics: there can be at most {MAX_TOPICS} topics, not {len(lines):,}.")
    first_lines: dict[str, int] = {}
    for place, (number, line) in enumerate(lines, start=1):
        topic = _topic(line, place, f"Topics, line {number}")
        _check_unique("query_id", topic.query_id, first_lines, "Topics", number)
        yield topic


def _topic(line: str, place: int, where: str) -> Topic:
    cells = [cell.strip() for cell in line.rstrip().split("\t")]
    if len(cells) > 3:
        raise Refused(f"{where} has {len(cells)} columns. A topic is a title, or query_id, title and description.")
    query_id, title, description = (str(place), cells[0], "") if len(cells) == 1 else (*cells, "")[:3]
    _check_id(query_id, "query_id", where)
    if not title:
        raise Refused(f"{where} has no title. A topic is a title, or query_id and title separated by a tab.")
    for name, cell in (("title", title), ("description", description)):
        if len(cell) > MAX_TITLE_LENGTH:
            raise Refused(f"{where}: the {name} must have at most {MAX_TITLE_LENGTH} characters, not {len(cell):,}.")
    return Topic(query_id=query_id, title=title, description=description)


# ---- documents


def read_documents(text: str) -> Iterator[Document]:
    """Yield the documents of a pasted text."""
    lines = list(_lines("Documents", text))
    filled = [(number, line) for number, line in lines if line.strip()]
    if not filled:
        raise Refused("Documents: the field is empty. Enter documents separated by blank lines.")
    rows = list(_one_per_line(filled) if _has_doc_id(filled[0][1]) else _blocks(lines))
    if len(rows) > MAX_DOCUMENTS:
        raise Refused(f"Documents: there can be at most {MAX_DOCUMENTS} documents, not {len(rows):,}.")
    first_lines: dict[str, int] = {}
    for number, doc_id, content in rows:
        where = f"Documents, line {number}"
        _check_id(doc_id, "doc_id", where)
        if not 0 < len(content) <= MAX_TEXT_LENGTH:
            raise Refused(f"{where}: the text must have 1 to {MAX_TEXT_LENGTH:,} characters, not {len(content):,}.")
        _check_unique("doc_id", doc_id, first_lines, "Documents", number)
        yield Document(doc_id=doc_id, content=new_content(content))


def _has_doc_id(line: str) -> bool:
    doc_id, tab, _ = line.partition("\t")
    return bool(tab) and pooling.id_problem(doc_id) is None


def _one_per_line(lines: list[Line]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        doc_id, tab, content = line.partition("\t")
        if not tab:
            raise Refused(
                f"Documents, line {number} has no tab. The first line has doc_id, tab and text, so every line must "
                "have them."
            )
        yield number, doc_id.strip(), content.strip()


def _blocks(lines: list[Line]) -> Iterator[tuple[int, str, str]]:
    blocks = (list(block) for is_filled, block in groupby(lines, key=lambda line: bool(line[1].strip())) if is_filled)
    for place, block in enumerate(blocks, start=1):
        yield block[0][0], f"document-{place}", "\n".join(line.rstrip() for _, line in block).strip()


# ---- both


def _lines(what: str, text: str) -> Iterator[Line]:
    if len(text) > MAX_PASTED_LENGTH:
        raise Refused(f"{what}: there can be at most {MAX_PASTED_LENGTH:,} characters, not {len(text):,}.")
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        # Databases cannot store these: PostgreSQL has no NUL, and a lone surrogate has no UTF-8 encoding.
        if "\0" in line or any("\ud800" <= character <= "\udfff" for character in line):
            raise Refused(f"{what}, line {number} contains an invalid character (NUL or a lone surrogate).")
        yield number, line


def _check_id(text: str, name: str, where: str) -> None:
    if problem := pooling.id_problem(text):
        raise Refused(f"{where}: {name} {shown(text)} {problem}; {pooling.ALLOWED_ID}.")


def _check_unique(name: str, value: str, first_lines: dict[str, int], what: str, number: int) -> None:
    if (first := first_lines.setdefault(value, number)) != number:
        raise Refused(f"{what}, line {number}: {name} {shown(value)} is already used on line {first}.")


# ---- write


def pasted_texts(collection: Collection) -> tuple[str, str]:
    """Return the topics and the documents of an exercise from pasted text as one would paste them."""
    topics = collection.topics.order_by("pk").values_list("query_id", "title", "description")
    documents = collection.documents.order_by("pk").values_list("doc_id", "content__text")
    return "\n".join(map("\t".join, _lines_of_topics(list(topics)))), _text_of_documents(list(documents))


def _lines_of_topics(topics: list[tuple[str, str, str]]) -> Iterator[tuple[str, ...]]:
    for place, (query_id, title, description) in enumerate(topics, start=1):
        if description:
            yield query_id, title, description
        else:
            yield (title,) if query_id == str(place) else (query_id, title)


def _text_of_documents(documents: list[tuple[str, str]]) -> str:
    """Write blocks if the doc_ids are those of blocks; other doc_ids came one per line."""
    if all(doc_id == f"document-{place}" for place, (doc_id, _) in enumerate(documents, start=1)):
        return "\n\n".join(text for _, text in documents)
    return "\n".join(map("\t".join, documents))
