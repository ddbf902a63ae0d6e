"""Judgements from files, qrels or raw CSV: all of a file or nothing.

A judged document that was never pooled becomes a task without provenance; a judge who is not yet here becomes a
member who never signs in. A judgement that is already here and the same changes nothing; one that differs (in
grade, state or reason, or in a comment, confidence or passages that the file has) is refused, since nothing that was
judged is overwritten from a file.
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
from assess.pools import slots
from assess.transfer.imports import Imported, Progress
from pooling._io.streams import BYTE_ORDER_MARK, Source, display_name, open_input
from pooling.errors import shown

LARGEST_FILE = 2 * 2**30


def import_judgements(
    collection: Collection, source: Source, assessor: str | None = None, progress: Progress = None
) -> Imported:
    """Import one file of judgements; a qrels file needs the name of its judge."""
    name = display_name(source)
    lines = list(_lines(source, name, assessor, progress))
    _check(collection, name, lines)
    try:
        new, unpooled = _write(collection, name, lines)
    except IntegrityError:
        raise Refused(
            f"{name}: something of it was saved here in the meantime; nothing was imported. Run it again."
        ) from None
    done = Imported(len(lines), len(new), len(lines) - len(new))
    if unpooled:
        done.notes.append(f"{unpooled:,} judged documents were not pooled; they are kept as tasks outside the pool.")
    return done


@transaction.atomic
def _write(collection: Collection, name: str, lines: list[Line]) -> tuple[list[ImportedJudgement], int]:
    """Write what is new; returns it, and how many tasks had to be made."""
    lock_collection(collection)
    # Reading the file took its time: somebody may have opened or closed the collection since.
    collection.refresh_from_db(fields=["judges_per_task", "claim_minutes"])
    slots.lock(collection)  # so that nobody judges here what the file is about to say
    members = _members(collection, {line.assessor for line in lines})
    tasks, unpooled = _tasks(collection, lines)
    new = _new(name, lines, members, tasks)
    record_imported(new)
    return new, unpooled


def _lines(source: Source, name: str, assessor: str | None, progress: Progress) -> Iterator[Line]:
    with open_input(source, max_bytes=LARGEST_FILE, progress=progress) as stream:
        content = stream.read()
    content = content.removeprefix(BYTE_ORDER_MARK)
    if _has_csv_header(content):
        yield from _csv_lines(name, content, assessor)
    else:
        yield from _qrels_lines(name, content, assessor)


def _has_csv_header(content: bytes) -> bool:
    """Whether the first line names a column; a comma alone may stand in a doc_id of qrels, or in a comment."""
    cells = content.split(b"\n", 1)[0].replace(b'"', b"").strip().split(b",")
    return any(column.encode() in cells for column in judgement_csv.NEEDED)


def _csv_lines(name: str, content: bytes, assessor: str | None) -> Iterator[Line]:
    if assessor:
        raise Refused(f"{name} is CSV and names its assessors itself; leave --assessor away.")
    try:
        yield from judgement_csv.read(io.StringIO(content.decode(), newline=""))
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise Refused(f"{name}, line {number}: byte 0x{content[error.start]:02X} is not UTF-8.") from None
    except judgement_csv.CsvError as error:
        raise Refused(f"{name}, {error}.") from None


def _qrels_lines(name: str, content: bytes, assessor: str | None) -> Iterator[Line]:
    if not assessor and not content.strip():
        raise Refused(f"{name} is empty; it holds qrels or CSV.")
    if not assessor:
        raise Refused(
            f"{name} has no header {','.join(judgement_csv.NEEDED)}, so it is no CSV but qrels, which do not say who "
            "judged; name the judge with --assessor."
        )
    rows = pooling.read_qrels(content, name=name).itertuples(index=False)
    # Read already, so what is no line of data is blank or a comment.
    lines = enumerate(content.split(b"\n"), start=1)
    numbers = (number for number, line in lines if line.strip() and not line.lstrip().startswith(b"#"))
    for number, row in zip(numbers, rows, strict=True):
        yield Line(number, assessor, row.query_id, row.doc_id, row.relevance)


def _check(collection: Collection, name: str, lines: list[Line]) -> None:
    scale, query_ids = list(scale_of(collection)), set(collection.topics.values_list("query_id", flat=True))
    seen: dict[tuple, int] = {}
    for line in lines:
        try:
            _check_line(collection, line, scale, query_ids)
        except Refused as refusal:
            raise Refused(f"{name}, line {line.number}, {_who_and_what(line)}: {refusal}") from None
        if (first := seen.setdefault(_key(line), line.number)) != line.number:
            raise Refused(
                f"{name}, line {line.number}: {_who_and_what(line)} stands already on line {first}; "
                "an assessor judges a document of a topic once in each repeat."
            )


def _check_line(collection: Collection, line: Line, scale: list[int], query_ids: set[str]) -> None:
    check_member_name(line.assessor)
    if line.query_id not in query_ids:
        raise Refused(f"{collection} has no topic {line.query_id!r}; import the topics first.")
    if problem := pooling.id_problem(line.doc_id):
        raise Refused(f"The doc_id {problem}; {pooling.ALLOWED_ID}.")
    if line.repeat > 1:
        raise Refused(f"Repeat {line.repeat} came; it is 0, or 1 for a hidden repeat.")
    _saying(line).check(scale)


def _who_and_what(line: Line) -> str:
    return f"{shown(line.assessor)} on document {shown(line.doc_id)} of topic {shown(line.query_id)}"


def _key(line: Line) -> tuple:
    return line.assessor, line.query_id, line.doc_id, line.repeat


def _saying(line: Line) -> JudgementInput:
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


def _members(collection: Collection, names: set[str]) -> dict[str, Member]:
    there = {member.name: member for member in collection.members.all()}
    for name in sorted(names):
        if name not in there:
            there[name] = Member.objects.create(collection=collection, role=Role.ASSESSOR, name=name)
        elif there[name].role != Role.ASSESSOR:
            raise Refused(f"{name} is {there[name].role} of {collection}, not an assessor; choose another name.")
    return there


def _tasks(collection: Collection, lines: Iterable[Line]) -> tuple[dict[tuple[str, str], int], int]:
    """The task of every judged pair, made where there is none; and how many had to be made."""
    pairs = {(line.query_id, line.doc_id) for line in lines}
    known = _tasks_there(collection)
    missing = sorted(pairs - known.keys())
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
    return _tasks_there(collection), len(missing)


def _tasks_there(collection: Collection) -> dict[tuple[str, str], int]:
    rows = Task.objects.filter(topic__collection=collection).values_list("topic__query_id", "document__doc_id", "pk")
    return {(query_id, doc_id): pk for query_id, doc_id, pk in rows}


def _new(name: str, lines: list[Line], members: dict[str, Member], tasks: dict) -> list[ImportedJudgement]:
    now, new = timezone.now(), []
    there = _judgements_there(members, lines)
    for line in lines:
        said = ImportedJudgement(
            members[line.assessor],
            tasks[line.query_id, line.doc_id],
            line.repeat,
            _saying(line),
            line.judged_at or now,
        )
        earlier = there.get((said.member.pk, said.task_id, said.repeat))
        if earlier is None:
            new.append(said)
        elif _differs(line, earlier):
            raise Refused(
                f"{name}, line {line.number}, {_who_and_what(line)}: here is {_words(earlier)}, and the file says "
                f"{_words(line)}; nothing was changed."
            )
    return new


def _judgements_there(members: dict[str, Member], lines: list[Line]) -> dict[tuple, Judgement]:
    named = [members[name] for name in {line.assessor for line in lines}]
    found = Judgement.objects.filter(member__in=named)
    return {(judgement.member_id, judgement.task_id, judgement.repeat): judgement for judgement in found}


def _differs(line: Line, there: Judgement) -> bool:
    if (line.state, line.relevance, line.reason) != (there.state, there.relevance, there.reason):
        return True
    # A file without these columns has nothing to say of them.
    more = ("comment", "confidence", "passages")
    return any(getattr(line, name) not in ("", None, (), getattr(there, name)) for name in more)


def _words(said: Line | Judgement) -> str:
    words = f"grade {said.relevance}" if said.state == State.JUDGED else said.state.replace("_", " ")
    words += f" ({said.reason})" if said.reason else ""
    more = {
        "the comment": said.comment and shown(said.comment),
        "confidence": said.confidence,
        "passages": said.passages,
    }
    told = [f"{name} {value}" for name, value in more.items() if value]
    return f"{words} with {' and '.join(told)}" if told else words
