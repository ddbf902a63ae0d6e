"""Imports judgements from a qrels file or raw CSV. If a line is invalid, nothing is imported.

A judged document that was never pooled becomes a task without provenance. An unknown judge becomes a member who
cannot sign in. A judgement that the collection already has is skipped. If the collection's judgement differs (in
grade, state or reason, or in a comment, confidence or passages that the file contains), the import is refused, because
an import never overwrites a judgement.
"""

import io
from collections.abc import Iterable, Iterator

from django.db import IntegrityError, transaction
from django.utils import timezone

import pooling
from assess.collections.create import lock_collection
from assess.collections.members import check_member_name
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.judging import judgement_csv
from assess.judging.judgement_csv import Line
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import ImportedJudgement, record_imported
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, Judgement, Member, Role, State, Task
from assess.pools.slots import lock_slots
from assess.transfer.imports import Imported, Progress
from pooling._io.streams import BYTE_ORDER_MARK, Source, display_name, open_input
from pooling.errors import shown

MAX_FILE_BYTES = 2 * 2**30

Key = tuple[str, str, str, int]  # assessor, query_id, doc_id, repeat
Pair = tuple[str, str]  # query_id, doc_id


def import_judgements(
    collection: Collection, source: Source, assessor: str | None = None, progress: Progress = None
) -> Imported:
    """Import one file of judgements. A qrels file requires `assessor`, the name of its judge."""
    name = display_name(source)
    lines = list(_read_lines(source, name, assessor, progress))
    _check_lines(collection, name, lines)
    try:
        new, unpooled = _write(collection, name, lines)
    except IntegrityError:
        raise Refused(
            f"{name}: somebody else saved some of these judgements at the same time; nothing was imported. Run the "
            "import again."
        ) from None
    result = Imported(len(lines), len(new), len(lines) - len(new))
    if unpooled:
        result.notes.append(f"{unpooled:,} judged documents are not in the pool; they are kept as tasks outside it.")
    return result


@transaction.atomic
def _write(collection: Collection, name: str, lines: list[Line]) -> tuple[list[ImportedJudgement], int]:
    """Write the new judgements. Returns them, and the number of tasks created for them."""
    lock_collection(collection)
    # Reading the file may have taken long, and somebody may have opened or closed claiming in the meantime.
    collection.refresh_from_db(fields=["judges_per_task", "claim_minutes"])
    lock_slots(collection)  # so that nobody judges these tasks at the same time
    members = _find_or_create_members(collection, {line.assessor for line in lines})
    tasks, unpooled = _find_or_create_tasks(collection, lines)
    new = _new_judgements(name, lines, members, tasks)
    record_imported(new)
    return new, unpooled


def _read_lines(source: Source, name: str, assessor: str | None, progress: Progress) -> Iterator[Line]:
    with open_input(source, max_bytes=MAX_FILE_BYTES, progress=progress) as stream:
        content = stream.read()
    content = content.removeprefix(BYTE_ORDER_MARK)
    if _has_csv_header(content):
        yield from _csv_lines(name, content, assessor)
    else:
        yield from _qrels_lines(name, content, assessor)


def _has_csv_header(content: bytes) -> bool:
    """Return whether the first line names a column. A comma is not enough: doc_ids of qrels may contain commas."""
    cells = content.split(b"\n", 1)[0].replace(b'"', b"").strip().split(b",")
    return any(column.encode() in cells for column in judgement_csv.NEEDED)


def _csv_lines(name: str, content: bytes, assessor: str | None) -> Iterator[Line]:
    if assessor:
        raise Refused(f"{name} is a CSV file, which names its assessors; remove --assessor.")
    try:
        yield from judgement_csv.read(io.StringIO(content.decode(), newline=""))
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise Refused(f"{name}, line {number}: byte 0x{content[error.start]:02X} is not valid UTF-8.") from None
    except judgement_csv.CsvError as error:
        raise Refused(f"{name}, {error}.") from None


def _qrels_lines(name: str, content: bytes, assessor: str | None) -> Iterator[Line]:
    if not assessor and not content.strip():
        raise Refused(f"{name} is empty; a file with qrels or CSV is expected.")
    if not assessor:
        raise Refused(
            f"{name} has no header {','.join(judgement_csv.NEEDED)}, so it is read as qrels, which do not name the "
            "judge. Name the judge with --assessor."
        )
    rows = pooling.read_qrels(content, name=name).to_dict("records")
    # read_qrels accepted the file, so every other line is blank or a comment.
    lines = enumerate(content.split(b"\n"), start=1)
    numbers = (number for number, line in lines if line.strip() and not line.lstrip().startswith(b"#"))
    for number, row in zip(numbers, rows, strict=True):
        yield Line(number, assessor, row["query_id"], row["doc_id"], row["relevance"])


def _check_lines(collection: Collection, name: str, lines: list[Line]) -> None:
    scale, query_ids = list(scale_of(collection)), set(collection.topics.values_list("query_id", flat=True))
    seen: dict[Key, int] = {}
    for line in lines:
        try:
            _check_line(collection, line, scale, query_ids)
        except Refused as refusal:
            raise Refused(f"{name}, line {line.number}, {_describe_line(line)}: {refusal}") from None
        if (first := seen.setdefault(_key(line), line.number)) != line.number:
            raise Refused(
                f"{name}, line {line.number}: {_describe_line(line)} is already on line {first}; an assessor judges a "
                "document of a topic once in each repeat."
            )


def _check_line(collection: Collection, line: Line, scale: list[int], query_ids: set[str]) -> None:
    check_member_name(line.assessor)
    if line.query_id not in query_ids:
        raise Refused(f"{collection} has no topic {line.query_id!r}; import the topics first.")
    if problem := pooling.id_problem(line.doc_id):
        raise Refused(f"The doc_id {problem}; {pooling.ALLOWED_ID}.")
    if line.repeat > 1:
        raise Refused(f"Repeat must be 0, or 1 for a hidden repeat, not {line.repeat}.")
    _judgement_input(line).check(scale)


def _describe_line(line: Line) -> str:
    return f"{shown(line.assessor)} on document {shown(line.doc_id)} of topic {shown(line.query_id)}"


def _key(line: Line) -> Key:
    return line.assessor, line.query_id, line.doc_id, line.repeat


def _judgement_input(line: Line) -> JudgementInput:
    return JudgementInput(
        line.state,
        line.relevance,
        line.reason,
        line.comment,
        confidence=line.confidence,
        passages=list(line.passages),
        active_ms=line.active_ms,
        away_ms=line.away_ms,
        highlights=line.highlights,
        input=line.input,
        guidelines_version=line.guidelines_version,
    )


def _find_or_create_members(collection: Collection, names: set[str]) -> dict[str, Member]:
    members = {member.name: member for member in collection.members.all()}
    for name in sorted(names):
        if name not in members:
            members[name] = Member.objects.create(collection=collection, role=Role.ASSESSOR, name=name)
        elif members[name].role != Role.ASSESSOR:
            raise Refused(f"{name} is {members[name].role} of {collection}, not assessor; choose another name.")
    return members


def _find_or_create_tasks(collection: Collection, lines: Iterable[Line]) -> tuple[dict[Pair, int], int]:
    """Return the task of every judged pair, and the number of tasks that were created."""
    pairs = {(line.query_id, line.doc_id) for line in lines}
    missing = sorted(pairs - _existing_tasks(collection).keys())
    topics = dict(collection.topics.values_list("query_id", "pk"))
    documents = dict(collection.documents.values_list("doc_id", "pk"))
    new_ids = sorted({doc_id for _, doc_id in missing} - documents.keys())
    rows = Document.objects.bulk_create((Document(collection=collection, doc_id=i) for i in new_ids), batch_size=BATCH)
    documents |= {row.doc_id: row.pk for row in rows}
    Task.objects.bulk_create(
        (
            Task(
                topic_id=topics[query_id],
                document_id=documents[doc_id],
                draw=draw(collection.seed, query_id, doc_id),
            )
            for query_id, doc_id in missing
        ),
        batch_size=BATCH,
    )
    return _existing_tasks(collection), len(missing)


def _existing_tasks(collection: Collection) -> dict[Pair, int]:
    rows = Task.objects.filter(topic__collection=collection).values_list("topic__query_id", "document__doc_id", "pk")
    return {(query_id, doc_id): pk for query_id, doc_id, pk in rows}


def _new_judgements(
    name: str, lines: list[Line], members: dict[str, Member], tasks: dict[Pair, int]
) -> list[ImportedJudgement]:
    now = timezone.now()
    new = []
    existing = _existing_judgements(members, lines)
    for line in lines:
        judgement = ImportedJudgement(
            members[line.assessor],
            tasks[line.query_id, line.doc_id],
            line.repeat,
            _judgement_input(line),
            line.judged_at or now,
        )
        saved = existing.get((judgement.member.pk, judgement.task_id, judgement.repeat))
        if saved is None:
            new.append(judgement)
        elif _differs(line, saved):
            raise Refused(
                f"{name}, line {line.number}, {_describe_line(line)}: the collection has {_describe_judgement(saved)}, "
                f"but the file has {_describe_judgement(line)}; nothing was changed."
            )
    return new


def _existing_judgements(members: dict[str, Member], lines: list[Line]) -> dict[tuple[int, int, int], Judgement]:
    judges = [members[name] for name in {line.assessor for line in lines}]
    judgements = Judgement.objects.filter(member__in=judges)
    return {(judgement.member_id, judgement.task_id, judgement.repeat): judgement for judgement in judgements}


def _differs(line: Line, saved: Judgement) -> bool:
    if (line.state, line.relevance, line.reason) != (saved.state, saved.relevance, saved.reason):
        return True
    # A file without these columns does not contradict the saved values.
    optional = ("comment", "confidence", "passages")
    return any(getattr(line, name) not in ("", None, (), getattr(saved, name)) for name in optional)


def _describe_judgement(judgement: Line | Judgement) -> str:
    text = f"grade {judgement.relevance}" if judgement.state == State.JUDGED else judgement.state.replace("_", " ")
    if judgement.reason:
        text += f" ({judgement.reason})"
    details = {
        "the comment": judgement.comment and shown(judgement.comment),
        "confidence": judgement.confidence,
        "passages": judgement.passages,
    }
    parts = [f"{name} {value}" for name, value in details.items() if value]
    return f"{text} with {' and '.join(parts)}" if parts else text
