"""The documents of an exercise: a copy from a collection, or pasted topics and documents.

`material_from_collection` and `assess.teaching.pasted.material_from_text` gather the material and refuse what cannot be
judged. `create_collection` makes the exercise's own collection from it. The source does not change, and its judgements
are not copied.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from assess.access import READERS
from assess.collections.guidelines import guidelines_hash
from assess.collections.scale import BINARY_GRADES, set_scale
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import (
    Collection,
    Document,
    DocumentContent,
    Grade,
    Guidelines,
    PoolBuilding,
    Provenance,
    Run,
    Task,
    Topic,
    User,
)
from assess.teaching import sampling

MIN_TASKS = 2  # agreement needs at least two documents
GRADED = ("0=Not relevant", "1=Marginal", "2=Relevant", "3=Highly relevant")
STOCK_SEATS = 60  # enough further documents are copied for this many seats to get different ones
COPIED_RULES = ("hide_doc_ids", "snippet_first", "min_visible_ms")

Row = TypeVar("Row", bound=Model)
CollectionRow = TypeVar("CollectionRow", Grade, Topic, Document, Run)


@dataclass(frozen=True)
class PlannedTask:
    """A task to create: positions in the material's topics and documents, and the source's provenance if it has one."""

    topic: int
    document: int
    provenance: Provenance | None = None


@dataclass
class Material:
    """The unsaved rows of an exercise's collection. The first `shared` tasks are for every student."""

    topics: list[Topic]
    documents: list[Document]
    tasks: list[PlannedTask]
    shared: int
    origin: str
    grades: list[Grade] = field(default_factory=list)
    guidelines: str = ""
    runs: list[Run] = field(default_factory=list)
    rules: dict[str, Any] = field(default_factory=dict)

    @property
    def query_ids(self) -> list[str]:
        return [topic.query_id for topic in self.topics]

    def pairs(self) -> set[tuple[str, str]]:
        """Return the query_id and doc_id of every task."""
        return {(self.topics[task.topic].query_id, self.documents[task.document].doc_id) for task in self.tasks}


def source_collections(user: User) -> QuerySet[Collection]:
    """Return the collections that a user may make an exercise from: those whose judgements the user may see."""
    readable = user.memberships.filter(role__in=READERS).values("collection")
    return Collection.objects.filter(pk__in=readable, exercise__isnull=True).order_by("name")


# ---- copy from a collection


def material_from_collection(
    user: User, slug: str, query_ids: Sequence[str], shared: int, more_each: int, binary: bool, seed: int
) -> Material:
    """Return the material of an exercise from a collection, or raise Refused."""
    source = source_collections(user).filter(slug=slug).first()
    if source is None:
        available = ", ".join(source_collections(user).values_list("slug", flat=True)) or "none"
        raise Refused(f"There is no collection {slug!r} that you can create an exercise from. Available: {available}.")
    _check_topics(source, query_ids)
    chosen = sampling.choose_tasks(source, query_ids, shared, seed, binary=binary)
    if len(chosen) < MIN_TASKS:
        raise Refused(
            f"An exercise needs at least {MIN_TASKS} pooled documents with a text; {source} has {len(chosen)} in these "
            "topics."
        )
    others = sampling.other_tasks(source, query_ids, chosen, more_each * STOCK_SEATS, seed)
    return _copy(source, chosen, others, binary)


def _check_topics(source: Collection, query_ids: Iterable[str]) -> None:
    existing = set(source.topics.values_list("query_id", flat=True))
    if unknown := sorted(set(query_ids) - existing):
        available = ", ".join(sorted(existing)) or "none"
        raise Refused(f"{source} has no topic {unknown[0]!r}. Its topics: {available}.")


def _copy(source: Collection, chosen: list[int], others: list[int], binary: bool) -> Material:
    pks = [*chosen, *others]
    tasks = Task.objects.select_related("topic", "document__content", "provenance").in_bulk(pks)
    topics = {task.topic_id: task.topic for task in sorted(tasks.values(), key=lambda task: task.topic_id)}
    documents = {task.document_id: task.document for task in sorted(tasks.values(), key=lambda task: task.document_id)}
    topic_positions = {pk: position for position, pk in enumerate(topics)}
    document_positions = {pk: position for position, pk in enumerate(documents)}
    guidelines = source.guidelines.last()
    return Material(
        topics=[_unsaved(topic) for topic in topics.values()],
        documents=[_unsaved_document(document) for document in documents.values()],
        tasks=[_planned(tasks[pk], topic_positions, document_positions) for pk in pks],
        shared=len(chosen),
        origin=source.slug,
        grades=[] if binary else [_unsaved(grade) for grade in source.grades.all()],
        guidelines=guidelines.text if guidelines else "",
        runs=[_unsaved(run) for run in source.runs.all()],
        rules={name: getattr(source, name) for name in COPIED_RULES},
    )


def _planned(task: Task, topic_positions: Mapping[int, int], document_positions: Mapping[int, int]) -> PlannedTask:
    provenance = getattr(task, "provenance", None)
    return PlannedTask(topic_positions[task.topic_id], document_positions[task.document_id], provenance)


def _unsaved(row: Row) -> Row:
    """Return the row without its primary key, so that it is saved as a new one."""
    row.pk, row._state.adding = None, True
    return row


def _unsaved_document(document: Document) -> Document:
    content = document.content
    return Document(doc_id=document.doc_id, content=_unsaved(content) if content else None)


# ---- create


def create_collection(
    slug: str, name: str, material: Material, binary: bool, seed: int, settings: Mapping[str, Any]
) -> Collection:
    """Create the exercise's collection, inside the caller's transaction. Judging is closed in it.

    `settings` are stored with the pool, for a duplicate of the exercise.
    """
    collection = Collection.objects.create(
        slug=slug, name=name, seed=seed, judging_open=False, ask_at_topic_end=False, continuous=True, **material.rules
    )
    if material.grades:
        _save(collection, material.grades)
    else:
        set_scale(collection, BINARY_GRADES if binary else GRADED)
    if material.guidelines:
        Guidelines.objects.create(
            collection=collection, version=1, text=material.guidelines, sha256=guidelines_hash(material.guidelines)
        )
    _save(collection, material.topics)
    _save_documents(collection, material.documents)
    _save(collection, material.runs)
    _save_tasks(collection, material, settings)
    return collection


def _save(collection: Collection, rows: Sequence[CollectionRow]) -> None:
    """Save rows of one model in the collection."""
    for row in rows:
        row.collection = collection
    if rows:
        type(rows[0]).objects.bulk_create(rows, batch_size=BATCH)


def _save_documents(collection: Collection, documents: Sequence[Document]) -> None:
    contents = [document.content for document in documents if document.content]
    DocumentContent.objects.bulk_create(contents, batch_size=BATCH)
    for document in documents:
        document.content = document.content  # stores the primary key, which the content has only now
    _save(collection, documents)


def _save_tasks(collection: Collection, material: Material, settings: Mapping[str, Any]) -> None:
    tasks = Task.objects.bulk_create(
        [_task(collection, material.topics[plan.topic], material.documents[plan.document]) for plan in material.tasks],
        batch_size=BATCH,
    )
    Provenance.objects.bulk_create(
        [
            Provenance(task=task, systems=plan.provenance.systems, best_rank=plan.provenance.best_rank)
            for task, plan in zip(tasks, material.tasks, strict=True)
            if plan.provenance is not None
        ],
        batch_size=BATCH,
    )
    PoolBuilding.objects.create(
        collection=collection,
        strategy="exercise",
        parameters={"from": material.origin, "shared": material.shared, **settings},
        run_checksums={run.system: run.file_checksum for run in material.runs},
        tasks_added=len(tasks),
    )


def _task(collection: Collection, topic: Topic, document: Document) -> Task:
    return Task(topic=topic, document=document, draw=draw(collection.seed, topic.query_id, document.doc_id))
