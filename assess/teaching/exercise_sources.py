"""What an exercise is made of: a copy out of a collection, or topics and documents that were pasted.

`from_collection` and `assess.teaching.pasted.read` gather the material and refuse what cannot be judged; `write` makes the
exercise's own collection of it. Nothing of the source is changed, and none of its judgements come along.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from assess.access import READERS
from assess.collections.scale import BINARY_GRADES, set_scale
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import (
    Collection,
    Document,
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

LEAST_TASKS = 2  # an agreement over fewer is none
GRADED = ("0=Not relevant", "1=Marginal", "2=Relevant", "3=Highly relevant")
STOCK_SEATS = 60  # so many seats can have different documents of their own


@dataclass(frozen=True)
class Pooled:
    """A task to be made: places in the material's topics and documents, and what is known of where it came from."""

    topic: int
    document: int
    systems: list[str] | None = None
    best_rank: int | None = None


@dataclass
class Material:
    """Rows that are not saved yet. The first `shared` tasks are for everybody."""

    topics: list[Topic]
    documents: list[Document]
    tasks: list[Pooled]
    shared: int
    origin: str
    grades: list[Grade] = field(default_factory=list)
    guidelines: str = ""
    runs: list[Run] = field(default_factory=list)
    rules: dict = field(default_factory=dict)


def sources(user: User) -> QuerySet[Collection]:
    """The collections that a user may make an exercise from: those whose judgements they may see."""
    own = user.memberships.filter(role__in=READERS).values("collection")
    return Collection.objects.filter(pk__in=own, exercise__isnull=True).order_by("name")


# ---- from a collection


def from_collection(
    user: User, slug: str, query_ids: Sequence[str], shared: int, more_each: int, binary: bool, seed: int
) -> Material:
    source = sources(user).filter(slug=slug).first()
    if source is None:
        known = ", ".join(sources(user).values_list("slug", flat=True)) or "none yet"
        raise Refused(f"There is no collection {slug!r} that you may make an exercise from; there are: {known}.")
    _check_topics(source, query_ids)
    chosen = sampling.choose(source, query_ids, shared, seed, binary=binary)
    if len(chosen) < LEAST_TASKS:
        raise Refused(
            f"{source} has {len(chosen)} pooled documents with a text in these topics; an exercise needs at least "
            f"{LEAST_TASKS}."
        )
    others = sampling.others(source, query_ids, chosen, more_each * STOCK_SEATS, seed)
    return _copied(source, chosen, others, binary)


def _check_topics(source: Collection, query_ids: Iterable[str]) -> None:
    known = set(source.topics.values_list("query_id", flat=True))
    if unknown := sorted(set(query_ids) - known):
        raise Refused(f"{source} has no topic {unknown[0]!r}; it has {', '.join(sorted(known)) or 'none'}.")


def _copied(source: Collection, chosen: list[int], others: list[int], binary: bool) -> Material:
    pks = [*chosen, *others]
    rows = Task.objects.select_related("topic", "document", "provenance").in_bulk(pks)
    topics = {task.topic_id: task.topic for task in sorted(rows.values(), key=lambda task: task.topic_id)}
    documents = {task.document_id: task.document for task in sorted(rows.values(), key=lambda task: task.document_id)}
    topic_at = {pk: at for at, pk in enumerate(topics)}
    document_at = {pk: at for at, pk in enumerate(documents)}
    last = source.guidelines.last()
    return Material(
        topics=[_unsaved(topic) for topic in topics.values()],
        documents=[_unsaved(document) for document in documents.values()],
        tasks=[_pooled(rows[pk], topic_at, document_at) for pk in pks],
        shared=len(chosen),
        origin=source.slug,
        grades=[] if binary else [_unsaved(grade) for grade in source.grades.all()],
        guidelines=last.text if last else "",
        runs=[_unsaved(run) for run in source.runs.all()],
        rules={name: getattr(source, name) for name in ("hide_doc_ids", "snippet_first", "min_visible_ms")},
    )


def _pooled(task: Task, topic_at: dict[int, int], document_at: dict[int, int]) -> Pooled:
    known = getattr(task, "provenance", None)
    came = (known.systems, known.best_rank) if known else (None, None)
    return Pooled(topic_at[task.topic_id], document_at[task.document_id], *came)


def _unsaved(row):
    """The row, to be saved once more as another one."""
    row.pk, row._state.adding = None, True
    return row


# ---- written


def write(slug: str, name: str, material: Material, binary: bool, seed: int) -> Collection:
    """The exercise's collection, inside the caller's transaction; nothing can be judged in it yet."""
    collection = Collection.objects.create(
        slug=slug, name=name, seed=seed, judging_open=False, ask_at_topic_end=False, **material.rules
    )
    if material.grades:
        _write(collection, material.grades)
    else:
        set_scale(collection, BINARY_GRADES if binary else GRADED)
    if material.guidelines:
        Guidelines.objects.create(collection=collection, version=1, text=material.guidelines)
    for rows in (material.topics, material.documents, material.runs):
        _write(collection, rows)
    _write_tasks(collection, material)
    return collection


def _write(collection: Collection, rows: list) -> None:
    for row in rows:
        row.collection = collection
    if rows:
        type(rows[0]).objects.bulk_create(rows, batch_size=BATCH)


def _write_tasks(collection: Collection, material: Material) -> None:
    pairs = [(material.topics[each.topic], material.documents[each.document], each) for each in material.tasks]
    tasks = Task.objects.bulk_create(
        [
            Task(topic=topic, document=document, draw=draw(collection.seed, topic.query_id, document.doc_id))
            for topic, document, _ in pairs
        ],
        batch_size=BATCH,
    )
    Provenance.objects.bulk_create(
        [
            Provenance(task=task, systems=each.systems, best_rank=each.best_rank)
            for task, (_, _, each) in zip(tasks, pairs, strict=True)
            if each.systems is not None
        ],
        batch_size=BATCH,
    )
    PoolBuilding.objects.create(
        collection=collection,
        strategy="exercise",
        parameters={"from": material.origin, "shared": material.shared},
        run_checksums={run.system: run.file_checksum for run in material.runs},
        tasks_added=len(tasks),
    )
