"""Asks an engine for all topics, as a job: each answer is saved when it arrives, and a run follows from all of them.

A job that was killed or cancelled goes on with the topics that have no answer yet. A topic without a result is named,
and there is no run until it is asked for again and has one.
"""

import gzip
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import transaction
from django.utils import timezone

from assess import audit
from assess.collections.archive import lock_active
from assess.engines.engines import engine_from, open_engine
from assess.errors import Refused
from assess.hosts import allowed_hosts
from assess.jobs import queue
from assess.lib.long_work import report
from assess.models import Action, Collection, Document, EngineAnswer, EngineRun, Job, Run, SearchEngine, Topic, User
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.import_record import ImportedBy, SourceFile
from assess.transfer.runs import import_runs
from pooling import Document as ReadDocument
from pooling import id_problem
from pooling.errors import shown
from pooling.words import count, first_names

CONCURRENCY, MOST_CONCURRENCY = 2, 8
MOST_PER_SECOND = 100.0
SECONDS = 30.0
BATCH = 500  # documents whose texts are compared at once


@dataclass(frozen=True)
class AskResult:
    """How many topics have an answer, which failed, and what the run has."""

    system: str
    topics: int
    failed: dict[str, str] = field(default_factory=dict)
    lines: int = 0
    documents: int = 0
    notes: list[str] = field(default_factory=list)


@transaction.atomic
def start_run(
    engine: SearchEngine,
    system: str,
    depth: int = 100,
    *,
    with_texts: bool = True,
    concurrency: int = CONCURRENCY,
    per_second: float | None = None,
    former: EngineRun | None = None,
    user: User | None = None,
) -> tuple[EngineRun, Job]:
    """Create a run of an engine, and start the job that asks for all topics.

    `concurrency` topics are asked for at the same time, with at most `per_second` requests in a second.
    """
    collection = engine.collection
    lock_active(collection)
    check_run(engine, system, depth)
    _check_pace(concurrency, per_second)
    run = EngineRun.objects.create(
        collection=collection,
        engine=engine,
        system=system,
        depth=depth,
        settings=engine.settings,
        with_texts=with_texts,
        concurrency=concurrency,
        per_second=per_second,
        former=former,
        started_by=user,
    )
    audit.record(Action.ENGINE_ASKED, actor=user, collection=collection, details={"engine": engine.pk, "run": run.pk})
    return run, queue.start("ask_engine", collection, user, {"engine_run": run.pk})


def check_run(engine: SearchEngine, system: str, depth: int) -> None:
    """Raise Refused if no run can be made with this name and this depth."""
    collection, most = engine.collection, engine_from(engine.settings).most
    if problem := id_problem(system):
        raise Refused(f"System {shown(system)} {problem}.")
    if (
        collection.runs.filter(system=system).exists()
        or collection.engine_runs.filter(system=system, finished_at=None).exists()
    ):
        raise Refused(f"{collection} has a run of system {system} already. Choose another name.")
    if not 1 <= depth <= most:
        raise Refused(f"The depth must be between 1 and {most:,}, not {depth:,}.")
    if not collection.topics.exists():
        raise Refused(f"{collection} has no topics yet. Import them first.")


def _check_pace(concurrency: int, per_second: float | None) -> None:
    if not 1 <= concurrency <= MOST_CONCURRENCY:
        raise Refused(f"1 to {MOST_CONCURRENCY} topics can be asked for at the same time, not {concurrency:,}.")
    if per_second is not None and not 0.01 <= per_second <= MOST_PER_SECOND:
        raise Refused(f"The requests in a second must be between 0.01 and {MOST_PER_SECOND:g}, not {per_second:g}.")


def go_on(run: EngineRun, user: User | None = None) -> Job:
    """Ask again for the topics that have no answer, after a failure or a cancelled job."""
    if run.finished_at:
        raise Refused(f"{run} is complete.")
    if run.engine is None:
        raise Refused(f"The engine of {run} was deleted.")
    return queue.start("ask_engine", run.collection, user, {"engine_run": run.pk})


@transaction.atomic
def discard_run(run: EngineRun) -> None:
    """Delete a run that is not complete, with its answers."""
    lock_active(run.collection)
    if run.finished_at:
        raise Refused(f"{run} is complete. Undo its import instead.")
    unfinished = run.collection.jobs.filter(kind="ask_engine", state__in=queue.UNFINISHED)
    if any(job.input.get("engine_run") == run.pk for job in unfinished):
        raise Refused(f"A job is asking for {run}. Cancel it first.")
    run.delete()


def ask_engine(collection: Collection, engine_run: int) -> AskResult:
    """Ask for all topics without an answer, and import the run if none failed: the function of the job."""
    run = EngineRun.objects.select_related("engine", "collection", "started_by").get(pk=engine_run)
    topics = list(collection.topics.order_by("pk"))
    if run.finished_at:  # the worker was killed right after it saved the run
        return AskResult(run.system, len(topics), lines=run.run.line_count if run.run else 0, notes=run.notes)
    _ask_open(run, topics)
    failed = dict(run.answers.exclude(problem="").order_by("pk").values_list("topic__query_id", "problem"))
    if failed:
        return AskResult(run.system, len(topics), failed)
    return _import(run, topics)


def _ask_open(run: EngineRun, topics: list[Topic]) -> None:
    from pooling.live.topic import ask_topic  # loads the HTTP client
    from pooling.outgoing import Client, Forbidden, Limits
    from pooling.outgoing.threads import gather

    engine = open_engine(run.engine, run.settings)
    answered = set(run.answers.filter(problem="").values_list("topic", flat=True))
    waiting = {topic.query_id: topic for topic in topics if topic.pk not in answered}
    with Client(allowed_hosts(), Limits(seconds=SECONDS, per_second=run.per_second)) as client:
        values = (topic_values(topic) for topic in waiting.values())
        asked = gather(lambda topic: ask_topic(engine, client, topic, run.depth), values, run.concurrency, client.stop)
        try:
            with closing(asked):
                for number, answer in enumerate(asked, len(answered)):
                    _save_answer(run, waiting[answer.query_id], answer)
                    report("Asking the engine", number + 1, len(topics))
        except Forbidden as error:
            raise Refused(str(error)) from None
        if waiting and not run.version:
            EngineRun.objects.filter(pk=run.pk).update(version=engine.version(client))


def topic_values(topic: Topic) -> dict[str, str]:
    """Return the values of a topic that a template may have."""
    return {name: getattr(topic, name) for name in ("query_id", "title", "description", "narrative")}


def _save_answer(run: EngineRun, topic: Topic, answer: Any) -> None:
    """Save an answer at once, so that it is not asked for again after a failure of the worker."""
    values = {
        "problem": answer.problem,
        "body": gzip.compress(answer.body, mtime=0),
        "sha256": answer.sha256,
        "seconds": answer.seconds,
        "attempts": answer.attempts,
        "asked_at": timezone.now(),
    }
    EngineAnswer.objects.update_or_create(engine_run=run, topic=topic, defaults=values)


def live_run_of(run: EngineRun) -> Any:
    """Return the run that the saved answers make. Raises Refused if one of them does not have its checksum."""
    from pooling.live import LiveRun, TopicAnswer

    engine, answers = engine_from(run.settings), []
    for saved in run.answers.select_related("topic").order_by("topic").iterator(chunk_size=50):
        body = saved.original()
        if hashlib.sha256(body).hexdigest() != saved.sha256:
            raise Refused(f"The saved answer of topic {saved.topic.query_id} differs from its checksum.")
        read = engine.read(body, run.depth) if not saved.problem else None
        hits, counts = (read.hits, read.counts) if read else ([], Counter())
        answers.append(TopicAnswer(saved.topic.query_id, hits, counts, saved.problem))
    return LiveRun(run.system, run.depth, answers, run.settings["scores"])


def _import(run: EngineRun, topics: list[Topic]) -> AskResult:
    from pooling.live import IncompleteRun
    from pooling.writing import write_run

    live = live_run_of(run)
    try:
        lines = live.run
    except IncompleteRun:  # the scores of some topics cannot order their documents
        return AskResult(run.system, len(topics), live.failed)
    if lines.empty:
        raise Refused("The engine found nothing for any topic. Look at the preview: is the template right?")
    by = ImportedBy(run.started_by)
    texts, different = _new_texts(run, live.documents) if run.with_texts else ([], [])
    notes = [*live.notes, *_notes_on_texts(different)]
    # The texts first: if the worker is killed between the two, the job is run again and adds the run.
    added = import_documents(run.collection, texts, DocumentOptions(keep_all=True), by=by).added if texts else 0
    with TemporaryDirectory(prefix="assay-engine-") as folder:
        path = Path(folder, "engine.run")
        write_run(lines, path)
        source = SourceFile(path, f"{run.engine or 'engine'}: {run.system}", given_name=run.system)
        with transaction.atomic():
            import_runs(run.collection, [source], by=by)
            _finish(run, notes)
    return AskResult(run.system, len(topics), {}, len(lines), added, notes)


def _finish(run: EngineRun, notes: list[str]) -> None:
    imported = Run.objects.get(collection=run.collection, system=run.system)
    EngineRun.objects.filter(pk=run.pk).update(run=imported, notes=notes, finished_at=timezone.now())


def _new_texts(run: EngineRun, documents: Any) -> tuple[list[ReadDocument], list[str]]:
    """Return the documents whose texts the collection does not have, and those whose text differs from its own."""
    read = {
        row.doc_id: ReadDocument(row.doc_id, row.title, row.text, {}, 0) for row in documents.itertuples(index=False)
    }
    new, different = [], []
    for doc_id, own in _own_texts(run.collection, list(read)):
        if own is not None and own.strip() != read[doc_id].text:
            different.append(doc_id)
        if own is not None:
            del read[doc_id]
    new = list(read.values())
    return new, different


def _own_texts(collection: Collection, doc_ids: list[str]) -> Iterator[tuple[str, str | None]]:
    for start in range(0, len(doc_ids), BATCH):
        own = Document.objects.filter(collection=collection, doc_id__in=doc_ids[start : start + BATCH])
        yield from own.values_list("doc_id", "content__text")


def _notes_on_texts(different: list[str]) -> list[str]:
    if not different:
        return []
    return [
        f"{count(len(different), 'document')} ({first_names(different)}) came with another text than the collection "
        "has; the text of the collection stays. Does the engine have another version of the documents?"
    ]


def result_sentence(result: Mapping[str, Any]) -> str:
    """Return what a job did, in a sentence or two."""
    failed = result["failed"]
    if failed:
        query_id, problem = next(iter(failed.items()))
        return (
            f"{count(len(failed), 'topic')} of {result['topics']:,} failed, so there is no run. {query_id}: {problem}"
        )
    lines, topics = count(result["lines"], "line"), count(result["topics"], "topic")
    return f"{result['system']} has {lines} for {topics}; {count(result['documents'], 'new text')}."
