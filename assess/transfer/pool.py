"""Imports a pool that was made elsewhere: the documents of each topic, without the runs that retrieved them.

The file is `judgment-pool.json` of a course (`pooling.formats.courses.teaching_ir`). The import builds the pool:
the pool only grows, and undoing the building undoes the import.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assess.errors import Refused
from assess.lib.batches import save_planned
from assess.models import Collection, ImportKind
from assess.pools.building.build import NO_RANK, PoolPlan, Selected, lock_pool, plan_pool, save_pool
from assess.pools.building.every_document import MOST_TASKS
from assess.pools.building.strategies import IMPORTED
from assess.pools.new_tasks import Pair
from assess.pools.pooled_documents import documents_without_text
from assess.pools.tasks import pooled_tasks
from assess.transfer.import_record import Imported, ImportedBy, Progress, SourceFile, file_details, save_record
from assess.transfer.options import ImportOptions
from assess.transfer.preview import Preview
from pooling._io.streams import open_input
from pooling.errors import FormatError, shown
from pooling.formats.courses.teaching_ir import read_teaching_ir_pool
from pooling.words import count

MAX_BYTES = 1 << 27


@dataclass(frozen=True)
class PoolOptions(ImportOptions):
    """Pools have no options."""


def import_files(
    collection: Collection,
    files: Sequence[SourceFile],
    _options: PoolOptions,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    """Add the documents of files to the pool. What is in the pool already stays as it is."""
    pairs = read(files, progress)
    _check_topics(files, pairs, set(collection.topics.values_list("query_id", flat=True)), f"{collection}")
    selected = [Selected(pair, (), NO_RANK) for pair in pairs]
    details, result = file_details(files), Imported(len(pairs))

    def save(plan: PoolPlan) -> None:
        result.added, result.same = len(plan.new), len(pairs) - len(plan.new)
        record = save_record(
            collection, ImportKind.POOL, by or ImportedBy(), details, counts=result.counts(), options={}
        )
        if record:
            save_pool(plan, {"strategy": IMPORTED, "parameters": {}, "run_checksums": {}, "import_record": record})

    save_planned(lambda: plan_pool(collection, selected, records_all=True), lambda: lock_pool(collection), save)
    if without := documents_without_text(collection).count():
        result.notes.append(f"Pooled documents without text: {without:,}.")
    return result


def read(files: Iterable[SourceFile], progress: Progress = None) -> list[Pair]:
    """Return the pairs of all files, each once. Raises FormatError if a file is invalid, Refused if it is too large."""
    pairs = list(dict.fromkeys(pair for file in files for pair in _pairs_of(file, progress)))
    if len(pairs) > MOST_TASKS:
        raise Refused(f"The pool has {len(pairs):,} documents over all topics; at most {MOST_TASKS:,} are allowed.")
    return pairs


def _pairs_of(file: SourceFile, progress: Progress = None) -> list[Pair]:
    with open_input(file.path, max_bytes=MAX_BYTES, name=file.name, progress=progress) as stream:
        return read_teaching_ir_pool(stream.read(), file.name)


def _check_topics(files: Sequence[SourceFile], pairs: Iterable[Pair], known: set[str], collection: str) -> None:
    """Refuse topics that the collection does not have: the file may belong to another one."""
    if unknown := list(dict.fromkeys(query_id for query_id, _ in pairs if query_id not in known)):
        names = ", ".join(file.name for file in files)
        raise Refused(
            f"{names}: {collection} has no topic {shown(unknown[0])}"
            + (f", and {count(len(unknown) - 1, 'topic')} more of the file are missing" if unknown[1:] else "")
            + ". Import the topics first."
        )


def check(preview: Preview, files: Sequence[SourceFile], _options: PoolOptions) -> None:
    """Say how many documents an import would add, and let documents of the same preview count as pooled."""
    valid = []
    for file in files:
        try:
            _pairs_of(file, preview.progress)
            valid.append(file)
        except FormatError as error:
            preview.check.add_error(file.name, error)
    if not valid:
        return
    pairs = read(valid)
    _check_topics(valid, pairs, preview.query_ids, f"{preview.collection}")
    known = set(pooled_tasks(preview.collection).values_list("topic__query_id", "document__doc_id"))
    new = len(set(pairs) - known)
    preview.pooled |= {doc_id for _, doc_id in pairs}
    topics = count(len({query_id for query_id, _ in pairs}), "topic")
    preview.check.sentences.append(
        f"Pool: {count(len(pairs), 'document')} of {topics}, {new:,} new, {len(pairs) - new:,} in the pool already."
    )
