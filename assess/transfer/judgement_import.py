"""Imports judgements: qrels-like files, one judge each, or raw CSV.

A judged document that was never pooled becomes a task without provenance. An unknown judge becomes a member who
cannot sign in; a member with an account is a judge only if the caller says so. A judgement that the collection already
has is skipped. If the collection's judgement differs (in grade, state or reason, or in a comment, confidence or
passages that the file contains), the line is invalid, because an import never overwrites a judgement.

If a line is invalid, nothing is imported; with `on_error="report"`, the other lines are. Each irregularity of labels
has an option (`agreement.judge_files`), which is stored with its counts and the original file.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from assess.collections.create import lock_collection
from assess.collections.members import check_member_name, lock_members
from assess.errors import Refused
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, Judgement, Member, State, Task
from assess.pools.slots import lock_slots
from assess.transfer.import_options import ImportOptions, check_names, checks_for
from assess.transfer.imported_judges import check_kind, describe_judges, find_or_create_judges, store_imports
from assess.transfer.imports import Imported, Progress
from assess.transfer.judgement_lines import FileLine, FileOfJudgements, Problem, describe, read_file
from pooling._io.streams import Source, display_name
from pooling.errors import shown

Pair = tuple[str, str]  # query_id, doc_id


def import_judgements(
    collection: Collection,
    source: Source,
    assessor: str | None = None,
    progress: Progress = None,
    options: ImportOptions | None = None,
    *,
    as_members: Sequence[str] = (),
) -> Imported:
    """Import one file of judgements. `assessor` is the name of its judge; `as_members` are added to the options."""
    options = options or ImportOptions()
    options = replace(options, as_members=(*options.as_members, *as_members))
    named = () if assessor is None else (assessor,)
    return import_files(collection, [(assessor, source)], options, progress, named=named)


def import_files(
    collection: Collection,
    sources: Sequence[tuple[str | None, Source]],
    options: ImportOptions | None = None,
    progress: Progress = None,
    *,
    named: Container[str | None] = (),
) -> Imported:
    """Import files, each with the name of its judge, in one transaction.

    `named` are the judges whom the user named; the others are named after their files. CSV names its own assessors, so
    it is refused with such a name. A single file without such a name is that of the member in `as_members`, if that is
    one.
    """
    options = options or ImportOptions()
    if len(sources) == len(options.as_members) == 1 and sources[0][0] not in named:
        sources = [(options.as_members[0], sources[0][1])]
    check_kind(options.kind)
    checks = checks_for(collection, options)
    files = [read_file(source, judge, checks, progress, named=judge in named) for judge, source in sources]
    check_names(options, {name for file in files for name in file.names})
    _check_files(files, options)
    try:
        result = _write(collection, files, options)
    except IntegrityError:
        names = ", ".join(display_name(source) for _, source in sources)
        raise Refused(
            f"{names}: somebody else saved some of these judgements at the same time; nothing was imported. Run the "
            "import again."
        ) from None
    return result


def _check_files(files: Sequence[FileOfJudgements], options: ImportOptions) -> None:
    """Refuse names that no member can have, a judge in two files, and (without `on_error="report"`) invalid lines."""
    seen: dict[str, str] = {}
    for file in files:
        if file.problems and options.on_error != "report":
            raise Refused(file.problems[0].sentence)
        for line in _first_lines(file):
            try:
                check_member_name(line.assessor)
            except Refused as refusal:
                raise Refused(f"{file.name}, line {line.number}, {describe(line)}: {refusal}") from None
        for judge in sorted(file.counts):
            if judge in seen:
                raise Refused(f"{shown(judge)} is the judge of {seen[judge]} and of {file.name}; nothing was imported.")
            seen[judge] = file.name


def _first_lines(file: FileOfJudgements) -> Iterable[FileLine]:
    """The first line of each judge."""
    return {line.assessor: line for line in reversed(file.lines)}.values()


@transaction.atomic
def _write(collection: Collection, files: Sequence[FileOfJudgements], options: ImportOptions) -> Imported:
    lock_collection(collection)
    # Reading the files may have taken long, and somebody may have opened or closed claiming in the meantime.
    collection.refresh_from_db(fields=["judges_per_task", "claim_minutes"])
    judges = {line.assessor for file in files for line in _first_lines(file)}
    members = find_or_create_judges(collection, judges, options.as_members)
    lock_members([members[name] for name in judges])  # before the assignments, as in a judgement
    lock_slots(collection)  # so that nobody judges these tasks at the same time
    tasks, unpooled = _find_or_create_tasks(collection, [line for file in files for line in file.lines])
    existing = _existing_judgements([members[name] for name in judges])
    result = Imported()
    new: list[ImportedJudgement] = []
    added_by_file = []
    for file in files:
        added = _new_judgements(file, members, tasks, existing, options)
        new += added
        added_by_file.append((file, Counter(row.member.name for row in added)))
        result.read += len(file.lines)
    store_imports(collection, added_by_file, members)
    record_imported(new)
    described = {name: file.options[name] for file in files for name in file.options if name in judges}
    descriptions = {name: options.descriptions.get(name, options.descriptions.get("", "")) for name in judges}
    describe_judges({name: members[name] for name in judges}, described, options.kind, descriptions)
    result.added, result.same = len(new), result.read - len(new)
    result.notes = _notes(files, unpooled)
    return result


def _notes(files: Sequence[FileOfJudgements], unpooled: int) -> list[str]:
    from agreement.judge_files import counts_sentence

    notes = []
    for file in files:
        sentences = {judge: counts_sentence(file.counts[judge], file.options[judge]) for judge in file.counts}
        notes += [f"{judge}: {sentence}." for judge, sentence in sentences.items() if sentence]
        notes += [problem.sentence for problem in file.problems]
    if unpooled:
        notes.append(f"{unpooled:,} judged documents are not in the pool; they are kept as tasks outside it.")
    return notes


def _find_or_create_tasks(collection: Collection, lines: Iterable[FileLine]) -> tuple[dict[Pair, int], int]:
    """Return the task of every judged pair, and the number of tasks that were created."""
    pairs = {(line.query_id, line.doc_id) for line in lines}
    existing = _existing_tasks(collection)
    missing = sorted(pairs - existing.keys())
    topics = dict(collection.topics.values_list("query_id", "pk"))
    documents = dict(collection.documents.values_list("doc_id", "pk"))
    new_ids = sorted({doc_id for _, doc_id in missing} - documents.keys())
    rows = Document.objects.bulk_create((Document(collection=collection, doc_id=i) for i in new_ids), batch_size=BATCH)
    documents |= {row.doc_id: row.pk for row in rows}
    created = Task.objects.bulk_create(
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
    return existing | {pair: task.pk for pair, task in zip(missing, created, strict=True)}, len(missing)


def _existing_tasks(collection: Collection) -> dict[Pair, int]:
    rows = Task.objects.filter(topic__collection=collection).values_list("topic__query_id", "document__doc_id", "pk")
    return {(query_id, doc_id): pk for query_id, doc_id, pk in rows}


def _existing_judgements(judges: Sequence[Member]) -> dict[tuple[int, int, int], Judgement]:
    judgements = Judgement.objects.filter(member__in=judges)
    return {(judgement.member_id, judgement.task_id, judgement.repeat): judgement for judgement in judgements}


def _new_judgements(
    file: FileOfJudgements,
    members: Mapping[str, Member],
    tasks: Mapping[Pair, int],
    existing: Mapping[tuple[int, int, int], Judgement],
    options: ImportOptions,
) -> list[ImportedJudgement]:
    """Return the judgements that the collection does not have.

    A line that differs from a saved judgement is invalid.
    """
    now = timezone.now()
    new, problems = [], []
    for line in file.lines:
        member, task = members[line.assessor], tasks[line.query_id, line.doc_id]
        saved = existing.get((member.pk, task, line.repeat))
        if saved is None:
            new.append(ImportedJudgement(member, task, line.repeat, line.judgement_input, line.judged_at or now))
        elif _differs(line, saved):
            problems.append(Problem(line.number, _difference(file.name, line, saved)))
    if problems and options.on_error != "report":
        raise Refused(problems[0].sentence)
    if problems:
        _leave_out(file, problems)
    return new


def _leave_out(file: FileOfJudgements, problems: Sequence[Problem]) -> None:
    """Move lines that differ from saved judgements from the judgements of the file to its problems."""
    numbers = {problem.number for problem in problems}
    for line in file.lines:
        if line.number in numbers:
            file.counts[line.assessor]["judgements"] -= 1
            file.counts[line.assessor]["invalid"] += 1
    file.lines = [line for line in file.lines if line.number not in numbers]
    file.problems = sorted([*file.problems, *problems])


def _difference(name: str, line: FileLine, saved: Judgement) -> str:
    return (
        f"{name}, line {line.number}, {describe(line)}: the collection has {_describe_judgement(saved)}, "
        f"but the file has {_describe_judgement(line.judgement_input)}; nothing was changed."
    )


def _differs(line: FileLine, saved: Judgement) -> bool:
    read = line.judgement_input
    if (read.state, read.relevance, read.reason) != (saved.state, saved.relevance, saved.reason):
        return True
    # A file without these columns does not contradict the saved values.
    optional = ("comment", "confidence", "passages", "label_confidence")
    return any(getattr(read, name) not in ("", None, [], getattr(saved, name)) for name in optional)


def _describe_judgement(judgement: Any) -> str:
    text = f"grade {judgement.relevance}" if judgement.state == State.JUDGED else judgement.state.replace("_", " ")
    if judgement.reason:
        text += f" ({judgement.reason})"
    details = {
        "the comment": judgement.comment and shown(judgement.comment),
        "confidence": judgement.confidence,
        "passages": judgement.passages,
        "label confidence": judgement.label_confidence,
    }
    parts = [f"{name} {value}" for name, value in details.items() if value]
    return f"{text} with {' and '.join(parts)}" if parts else text
