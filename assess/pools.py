"""Pools and who judges them."""

from collections import Counter
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

import pooling
from assess.batches import BATCH
from assess.collections import assessors, locked
from assess.errors import Refused
from assess.models import Assignment, Collection, Document, PoolBuilding, Provenance, Task


@dataclass(frozen=True)
class Built:
    """What one building of the pool came to."""

    pooled: int
    added: int
    without_text: int
    topics_without_pool: list[str]
    query_ids_without_topic: list[str]


def build(collection: Collection, depth: int) -> Built:
    """Pool the best `depth` documents of every run for every topic; what is pooled already stays."""
    from assess import runfiles  # pandas: pages that only count tasks do without

    runs = list(collection.runs.all())
    topics = dict(collection.topics.values_list("query_id", "pk"))
    if not runs or not topics:
        lacking = "runs (import_runs)" if not runs else "topics (import_topics)"
        raise Refused(f"{collection} has no {lacking} yet, and a pool needs both.")
    try:
        frame = pooling.pool(map(runfiles.load, runs), strategy="depth", depth=depth).frame
    except ValueError as error:
        raise Refused(f"{error}.") from None
    known = frame["query_id"].isin(topics.keys())
    pooled = frame[known]
    with transaction.atomic():
        locked(collection)
        before = pooled_tasks(collection).count()
        _write_pool(collection, pooled, topics)
        now = pooled_tasks(collection).count()
        PoolBuilding.objects.create(
            collection=collection,
            strategy="depth",
            parameters={"depth": depth},
            run_checksums={run.system: run.file_checksum for run in runs},
            tasks_added=now - before,
        )
    return Built(
        pooled=now,
        added=now - before,
        without_text=without_text(collection).count(),
        topics_without_pool=sorted(topics.keys() - set(pooled["query_id"])),
        query_ids_without_topic=sorted(set(frame.loc[~known, "query_id"])),
    )


def _write_pool(collection: Collection, pooled, topics: dict[str, int]) -> None:
    Document.objects.bulk_create(
        (Document(collection=collection, doc_id=doc_id) for doc_id in sorted(set(pooled["doc_id"]))),
        batch_size=BATCH,
        ignore_conflicts=True,
    )
    documents = dict(collection.documents.values_list("doc_id", "pk"))
    pairs = [(topics[row.query_id], documents[row.doc_id]) for row in pooled.itertuples(index=False)]
    Task.objects.bulk_create(
        (Task(topic_id=topic, document_id=document) for topic, document in pairs),
        batch_size=BATCH,
        ignore_conflicts=True,
    )
    rows = Task.objects.filter(topic__collection=collection).values_list("topic", "document", "pk")
    tasks = {(topic, document): pk for topic, document, pk in rows}
    _write_provenance(collection, [tasks[pair] for pair in pairs], pooled)


def _write_provenance(collection: Collection, tasks: list[int], pooled) -> None:
    """What each task came from, added to what is known: a shallower pool forgets nothing of a deeper one."""
    known = dict(Provenance.objects.filter(task__topic__collection=collection).values_list("task", "systems"))
    Provenance.objects.bulk_create(
        (
            Provenance(task_id=task, systems=sorted({*row.systems, *known.get(task, ())}), best_rank=row.best_rank)
            for task, row in zip(tasks, pooled.itertuples(index=False), strict=True)
        ),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["task"],
        update_fields=["systems", "best_rank"],
    )


def pooled_tasks(collection: Collection) -> QuerySet[Task]:
    """The tasks that a pool brought, without those that only came with imported judgements."""
    return Task.objects.filter(topic__collection=collection, provenance__isnull=False)


def without_text(collection: Collection) -> QuerySet[Document]:
    """The pooled documents whose text is still asked for."""
    pooled = pooled_tasks(collection).values("document")
    return collection.documents.filter(text__isnull=True, pk__in=pooled)


def lacking(collection: Collection) -> list[str]:
    """Their doc_ids, in the order of code points on every database."""
    return sorted(without_text(collection).values_list("doc_id", flat=True))


def leave_out(collection: Collection, doc_ids: list[str]) -> None:
    """Take documents that will never have a text out of the pool, before anything was given out or judged."""
    with transaction.atomic():
        pooled_tasks(collection).filter(document__doc_id__in=doc_ids).delete()
        collection.documents.filter(doc_id__in=doc_ids).delete()


@dataclass(frozen=True)
class Assigned:
    """How much was given out, and to how many."""

    added: int
    tasks: int
    assessors: int
    least: int
    most: int


def assign(collection: Collection, judges: int, by_topic: bool = False) -> Assigned:
    """Give every pooled task to `judges` different assessors; what was given out stays where it is."""
    from pooling import assignment  # numpy: pages that only count tasks do without

    members = assessors(collection)
    if len(members) < judges:
        raise Refused(
            f"{judges} judges a task need as many assessors who can sign in, and {collection} has {len(members)}; "
            "add them with add_member --role assessor."
        )
    tasks = list(pooled_tasks(collection).order_by("pk").values_list("pk", "topic"))
    if not tasks:
        raise Refused(f"{collection} has no pool yet; build it first (build_pool).")
    with transaction.atomic():
        locked(collection)
        given = _given(tasks, members)
        try:
            policy = assignment.by_topic(judges) if by_topic else assignment.overlap(judges)
            plan = assignment.assign(_numbered(collection, tasks), len(members), policy, collection.seed, given)
        except ValueError as error:
            raise Refused(f"{error}.") from None
        Assignment.objects.bulk_create(
            (
                Assignment(task_id=tasks[new.task][0], member=members[new.assessor], position=new.position)
                for new in plan
            ),
            batch_size=BATCH,
        )
    load = Counter(assessor for _, assessor in given) + Counter(new.assessor for new in plan)
    loads = [load[at] for at in range(len(members))]
    return Assigned(len(plan), len(tasks), len(members), min(loads), max(loads))


def _numbered(collection: Collection, tasks) -> list[int]:
    """The topic of each task, counted from 0: the seed decides, and not the keys that the database chose."""
    topics = collection.topics.order_by("pk").values_list("pk", flat=True)
    at = {topic: number for number, topic in enumerate(topics)}
    return [at[topic] for _, topic in tasks]


def _given(tasks, members) -> list[tuple[int, int]]:
    """The (task, assessor) pairs given out already, as positions in the two lists."""
    task_at = {pk: at for at, (pk, _) in enumerate(tasks)}
    member_at = {member.pk: at for at, member in enumerate(members)}
    rows = Assignment.objects.filter(member__in=members).values_list("task", "member")
    return [(task_at[task], member_at[member]) for task, member in rows if task in task_at]
