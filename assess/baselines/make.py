"""Makes the baseline runs of a collection from its documents and topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from django.db import transaction

from assess.baselines.options import DEFAULT_DEPTH, PREFIX, SYSTEMS, check_options
from assess.baselines.systems import SYSTEMS as SCORERS
from assess.baselines.systems import Queries, TopDocuments, tie_order
from assess.baselines.term_counts import TermCounts
from assess.collections import runfiles
from assess.collections.archive import lock_active
from assess.documents.texts import document_texts
from assess.errors import Refused
from assess.lib.batches import batches_by_size
from assess.lib.long_work import about_to_save, report
from assess.models import Collection, Run, Topic

BATCH_CHARACTERS = 5_000_000  # of the texts that are counted at once
TOPICS_AT_ONCE = 200  # so that the arrays of scores do not grow with the number of topics


@dataclass(frozen=True)
class BaselineResult:
    """The new runs, those that existed with the same lines, and the topics without a document."""

    added: list[str]
    same: list[str]
    lines: int
    documents: int
    topics_without_documents: list[str]


def make_baselines(
    collection: Collection,
    systems: Sequence[str] = tuple(SYSTEMS),
    fields: str = "title",
    depth: int = DEFAULT_DEPTH,
) -> BaselineResult:
    """Rank the documents with text for each topic, and save the first `depth` of them as one run for each system.

    The query is the topic's title, or its title and description. A document without a word of the query is not
    retrieved. The same documents and topics give the same runs. A baseline run that no pool uses is replaced.
    """
    check_options(systems, fields, depth)
    topics = list(collection.topics.order_by("pk"))
    total = collection.documents.filter(content__isnull=False).count()
    if not topics or not total:
        missing = "documents with text" if topics else "topics"
        raise Refused(f"{collection} has no {missing} yet. Baseline runs need topics and documents.")
    with TemporaryDirectory(prefix="assay-baselines-") as folder:
        counts, doc_ids = _count(collection, Path(folder), total)
        frames = {name: _ranked(name, counts, doc_ids, topics, fields, depth) for name in dict.fromkeys(systems)}
    if any(frame.empty for frame in frames.values()):
        raise Refused(f"No document of {collection} has a word of a topic, so there is nothing to rank.")
    runs = [_stored(collection, name, frame) for name, frame in frames.items()]
    added, same = _save(collection, runs)
    retrieved = set().union(*(frame["query_id"] for frame in frames.values()))
    without = sorted({topic.query_id for topic in topics} - retrieved)
    return BaselineResult(added, same, sum(run.line_count for run in runs), len(doc_ids), without)


def _count(collection: Collection, folder: Path, total: int) -> tuple[TermCounts, list[str]]:
    counts = TermCounts(folder)
    doc_ids: list[str] = []
    for batch in batches_by_size(document_texts(collection), lambda row: len(row[1]), BATCH_CHARACTERS):
        report("Counting words", len(doc_ids), total)
        counts.add([text for _, text in batch])
        doc_ids += [doc_id for doc_id, _ in batch]
    return counts, doc_ids


def _ranked(
    name: str, counts: TermCounts, doc_ids: Sequence[str], topics: Sequence[Topic], fields: str, depth: int
) -> pd.DataFrame:
    """Return the run of one system."""
    ties, frames = tie_order(doc_ids), []
    for start in range(0, len(topics), TOPICS_AT_ONCE):
        some = topics[start : start + TOPICS_AT_ONCE]
        queries = Queries.of([_query(topic, fields) for topic in some], counts)
        top = TopDocuments(len(some), depth, ties)
        for first, scores in SCORERS[name](counts, queries):
            report(f"Ranking by {name}", start * len(doc_ids) + first * len(some), len(topics) * len(doc_ids))
            top.add(first, scores)
        frames += [_frame(topic, doc_ids, *top.of(at)) for at, topic in enumerate(some)]
    return pd.concat(frames, ignore_index=True)


def _query(topic: Topic, fields: str) -> str:
    return "\n".join(getattr(topic, field) for field in fields.split("+"))


def _frame(topic: Topic, doc_ids: Sequence[str], documents: np.ndarray, scores: np.ndarray) -> pd.DataFrame:
    columns = {"query_id": topic.query_id, "doc_id": [doc_ids[at] for at in documents], "score": scores}
    return pd.DataFrame(columns).astype({"query_id": "str", "doc_id": "str", "score": "float64"})


def _stored(collection: Collection, name: str, frame: pd.DataFrame) -> Run:
    """Return the unsaved run, whose file is stored."""
    checksum = runfiles.store(frame)
    return Run(
        collection=collection,
        system=f"{PREFIX}{name}",
        source_checksum=checksum,
        file_checksum=checksum,
        line_count=len(frame),
        topic_count=frame["query_id"].nunique(),
        is_baseline=True,
    )


def _save(collection: Collection, runs: Sequence[Run]) -> tuple[list[str], list[str]]:
    """Save the new runs. Returns the names of the new systems, and of those that had the same lines before."""
    with transaction.atomic():
        lock_active(collection)
        existing = {run.system: run for run in collection.runs.filter(system__startswith=PREFIX)}
        same = [run.system for run in runs if _is_same(run, existing.get(run.system))]
        new = [run for run in runs if run.system not in same]
        for run in new:
            _check_replaceable(existing.get(run.system))
        collection.runs.filter(system__in=[run.system for run in new]).delete()
        Run.objects.bulk_create(new)
        about_to_save()
    return [run.system for run in new], same


def _is_same(run: Run, existing: Run | None) -> bool:
    return existing is not None and existing.is_baseline and existing.file_checksum == run.file_checksum


def _check_replaceable(existing: Run | None) -> None:
    if existing is None:
        return
    if not existing.is_baseline:
        raise Refused(f"{existing.collection} has an imported run of system {existing.system}, which stays.")
    pools = existing.collection.pool_buildings.values_list("run_checksums", flat=True)
    if any(existing.system in checksums for checksums in pools):
        raise Refused(
            f"The run of {existing.system} would change, because documents, topics or options have changed, and a pool "
            "of this collection was built from it."
        )
