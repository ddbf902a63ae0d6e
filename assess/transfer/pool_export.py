"""The pairs of the pool as a file: topic, document and text, for people and models that judge with other programs.

A file has nothing of runs. The order of the documents of a topic is drawn from a seed, so it says nothing of ranks.
Texts are read in pages while the file is sent, because a pool may be larger than the memory.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from assess.documents.display import displayed_column, plain_text
from assess.errors import Refused, as_sentence
from assess.lib.seeded_draw import draw
from assess.models import Collection
from assess.pools.tasks import pooled_tasks
from pooling.errors import shown
from pooling.formats.courses.archive import zip_pieces
from pooling.formats.courses.doccano import checked_annotators, doccano_files
from pooling.formats.courses.lines import jsonl_pairs, tsv_pairs, umbrela_requests
from pooling.formats.courses.pairs import PoolContents, PooledDocument, PooledPair, PooledTopic, PoolGrade
from pooling.formats.courses.teaching_ir import teaching_ir_files

PAGE = 50  # documents read at once
MOST_SEED = 2**32 - 1
JSON_LINES, ZIP = "application/x-ndjson", "application/zip"


@dataclass(frozen=True)
class PoolForm:
    """A form of the file: its ending, its media type, and the function that writes it."""

    label: str
    ending: str
    content_type: str
    write: Callable[[PoolContents, Sequence[str]], Iterator[bytes]]
    has_annotators: bool = False


FORMS: Mapping[str, PoolForm] = {
    "jsonl": PoolForm("JSONL", ".jsonl", JSON_LINES, lambda pool, _: jsonl_pairs(pool.pairs(""))),
    "tsv": PoolForm(
        "TSV", ".tsv", "text/tab-separated-values; charset=utf-8", lambda pool, _: tsv_pairs(pool.pairs(""))
    ),
    "umbrela": PoolForm("UMBRELA", "-umbrela.jsonl", JSON_LINES, lambda pool, _: umbrela_requests(pool.judgeable())),
    "doccano": PoolForm(
        "doccano", "-doccano.zip", ZIP, lambda pool, names: zip_pieces(doccano_files(pool, names)), has_annotators=True
    ),
    "teaching_ir": PoolForm(
        "teaching-ir",
        "-teaching-ir.zip",
        ZIP,
        lambda pool, names: zip_pieces(teaching_ir_files(pool, names)),
        has_annotators=True,
    ),
}


@dataclass(frozen=True)
class PoolFile:
    """A file that is written while it is read."""

    name: str
    content_type: str
    pieces: Iterable[bytes]


def pool_file(
    collection: Collection, form: str = "jsonl", annotators: Sequence[str] = (), seed: int | None = None
) -> PoolFile:
    """Return the pool in one of FORMS. The order depends on the seed, which is the collection's unless one is given.

    With `annotators`, doccano has a file for each, and teaching-ir an account. The caller records the export.
    """
    chosen = FORMS.get(form)
    if chosen is None:
        raise Refused(f"The format {shown(form)} is unknown. A pool is written as {', '.join(FORMS)}.")
    _check(annotators, form, chosen)
    if seed is not None and not 0 <= seed <= MOST_SEED:
        raise Refused(f"The seed must be between 0 and {MOST_SEED:,}, not {seed:,}.")
    pool = _contents(collection, collection.seed if seed is None else seed)
    if not pool.topics:
        raise Refused(f"{collection} has no pool yet. Build one first.")
    if chosen.has_annotators and not pool.grades:
        raise Refused(f"{collection} has no scale, which the labels of {chosen.label} need. Declare its grades.")
    name = f"{collection.slug}-pool{chosen.ending}"
    return PoolFile(name, chosen.content_type, chosen.write(pool, annotators))


def _check(annotators: Sequence[str], form: str, chosen: PoolForm) -> None:
    try:
        checked_annotators(annotators)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    if annotators and not chosen.has_annotators:
        allowed = " and ".join(name for name, each in FORMS.items() if each.has_annotators)
        raise Refused(f"The format {form} has no files of annotators. {allowed} have.")


def _contents(collection: Collection, seed: int) -> PoolContents:
    pooled = collection.topics.filter(pk__in=pooled_tasks(collection).values("topic"))
    rows = pooled.values_list("pk", "query_id", "title", "description", "narrative")
    # Sort in Python, because the collation of the database may differ from the order of code points.
    topics = {key: PooledTopic(*texts) for key, *texts in sorted(rows, key=lambda row: row[1])}
    grades = [PoolGrade(*row) for row in collection.grades.values_list("value", "name", "meaning")]
    pairs = partial(_pairs, collection, topics, seed)
    return PoolContents(list(topics.values()), grades, pairs, partial(_documents, collection))


def _pairs(
    collection: Collection, topics: Mapping[int, PooledTopic], seed: int, annotator: str
) -> Iterator[PooledPair]:
    """Yield the pairs topic by topic, in an order drawn for the annotator."""
    for key, topic in topics.items():
        rows = pooled_tasks(collection).filter(topic=key).values_list("document", "document__doc_id")
        drawn = sorted((draw(seed, "pool", annotator, topic.query_id, doc_id), doc_id, pk) for pk, doc_id in rows)
        for start in range(0, len(drawn), PAGE):
            page = [pk for *_, pk in drawn[start : start + PAGE]]
            read = _read(collection, page)
            yield from (PooledPair(topic, read[pk]) for pk in page if pk in read)


def _documents(collection: Collection) -> Iterator[PooledDocument]:
    """Yield each document of the pool once."""
    pooled = collection.documents.filter(pk__in=pooled_tasks(collection).values("document")).order_by("pk")
    reached = 0
    while page := list(pooled.filter(pk__gt=reached).values_list("pk", flat=True)[:PAGE]):
        reached = page[-1]
        yield from _read(collection, page).values()


def _read(collection: Collection, keys: Sequence[int]) -> dict[int, PooledDocument]:
    """Return documents by key, with the words that assessors see."""
    columns = ("pk", "doc_id", "content__title", "content__format", displayed_column("content"))
    rows = collection.documents.filter(pk__in=keys).order_by("pk").values_list(*columns)
    return {
        key: PooledDocument(doc_id, (title or "").replace("\0", "\ufffd"), plain_text(text or "", text_format))
        for key, doc_id, title, text_format, text in rows
    }
