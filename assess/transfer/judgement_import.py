"""Imports judgements: qrels-like files, one judge each, or raw CSV.

A judged document that was never pooled becomes a task without provenance. An unknown judge becomes a member who
cannot sign in; a member with an account is a judge only if the caller says so. A judgement that the collection already
has is skipped. If the collection's judgement differs (in grade, state or reason, or in a comment, confidence or
passages that the file contains), the line is invalid, because an import never overwrites a judgement.

If a line is invalid, nothing is imported; with `on_error="report"`, the other lines are. Each irregularity of labels
has an option (`agreement.judge_files`), which is stored with its counts and the original file.
"""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from django.db import IntegrityError

from assess.collections.archive import lock_active
from assess.collections.members import check_member_name, lock_members
from assess.errors import Refused
from assess.judging.record_imported import record_staged
from assess.lib.batches import save_planned
from assess.lib.long_work import report
from assess.models import Assignment, Collection, ImportKind
from assess.pools.slots import lock_slots
from assess.transfer.import_options import ImportOptions, check_names, checks_for
from assess.transfer.import_record import ImportedBy, base_name, save_record
from assess.transfer.imported_judges import check_kind, describe_judges, store_imports
from assess.transfer.imports import Imported, Progress
from assess.transfer.judgement_lines import FileLine, FileOfJudgements, describe, read_file
from assess.transfer.judgement_plan import ImportPlan, make_plan
from pooling._io.streams import Source, display_name
from pooling.errors import shown
from pooling.words import count


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
    by: ImportedBy | None = None,
) -> Imported:
    """Import files, each with the name of its judge, in one transaction.

    `named` are the judges whom the user named; the others are named after their files. CSV names its own assessors, so
    it is refused with such a name. A single file without such a name is that of the member in `as_members`, if that is
    one.
    """
    options = options or ImportOptions()
    check_kind(options.kind)
    checks = checks_for(collection, options)
    files = [
        read_file(source, judge_of_file(judge, len(sources), options, named), checks, progress, named=judge in named)
        for judge, source in sources
    ]
    check_names(options, {name for file in files for name in file.names})
    check_files(files, options)
    try:
        result = _write(collection, files, options, by or ImportedBy())
    except IntegrityError:
        names = ", ".join(display_name(source) for _, source in sources)
        raise Refused(
            f"{names}: somebody else saved some of these judgements at the same time; nothing was imported. Run the "
            "import again."
        ) from None
    return result


def judge_of_file(
    judge: str | None, file_count: int, options: ImportOptions, named: Container[str | None]
) -> str | None:
    """Return the judge of a file: the one member in `as_members`, if the only file does not have a judge by name."""
    is_members = file_count == len(options.as_members) == 1 and judge not in named
    return options.as_members[0] if is_members else judge


def check_files(files: Sequence[FileOfJudgements], options: ImportOptions) -> None:
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


def _write(
    collection: Collection, files: Sequence[FileOfJudgements], options: ImportOptions, by: ImportedBy
) -> Imported:
    report("Preparing the judgements")
    judges = {line.assessor for file in files for line in _first_lines(file)}
    return save_planned(
        lambda: make_plan(collection, files, options),
        lambda: _lock(collection, judges),
        lambda plan: _save(plan, options, by),
    )


def _lock(collection: Collection, judges: set[str]) -> None:
    lock_active(collection)
    # Somebody may have opened or closed claiming since the collection was read.
    collection.refresh_from_db(fields=["judges_per_task", "claim_minutes"])
    members = list(collection.members.filter(name__in=judges))
    lock_members(members)  # before the assignments, as in a judgement
    if any(member.user_id for member in members) or Assignment.objects.filter(member__in=members).exists():
        lock_slots(collection)  # so that nobody judges these tasks at the same time


def _save(plan: ImportPlan, options: ImportOptions, by: ImportedBy) -> Imported:
    """Save what was planned, inside the caller's transaction."""
    plan.save_tasks_and_members()
    added_by_file = [(file, Counter(row.member.name for row in rows)) for file, rows in plan.new_by_file]
    store_imports(plan.collection, added_by_file, plan.members)
    if plan.staged:
        record_staged(plan.staged)
    described = {name: file.options[name] for file in plan.files for name in file.options if name in plan.judges}
    descriptions = {name: options.descriptions.get(name, options.descriptions.get("", "")) for name in plan.judges}
    describe_judges(plan.judges, described, options.kind, descriptions)
    result = Imported(read=sum(len(file.lines) for file in plan.files))
    result.added = sum(len(rows) for _, rows in plan.new_by_file)
    result.same = result.read - result.added
    result.notes = _notes(plan.files, len(plan.tasks.new_tasks))
    details = [{"name": base_name(f.name), "size": len(f.raw), "sha256": f.sha256} for f in plan.files]
    described_options = {name: value for name, value in options.labels.items() if value not in (None, "error")}
    save_record(plan.collection, ImportKind.JUDGEMENTS, by, details, counts=result.counts(), options=described_options)
    return result


def _notes(files: Sequence[FileOfJudgements], unpooled: int) -> list[str]:
    from agreement.judge_files import counts_sentence

    notes = []
    for file in files:
        sentences = {judge: counts_sentence(file.counts[judge], file.options[judge]) for judge in file.counts}
        notes += [f"{judge}: {sentence}." for judge, sentence in sentences.items() if sentence]
        notes += [skipped_sentence(file)] if file.skipped else []
        notes += [problem.sentence for problem in file.problems]
    if unpooled:
        one = unpooled == 1
        documents = "judged document is" if one else "judged documents are"
        notes.append(f"{unpooled:,} {documents} not in the pool; {'it is' if one else 'they are'} kept outside it.")
    return notes


def skipped_sentence(file: FileOfJudgements) -> str:
    """Return how many lines of a file were left out because they are no judgements of judges."""
    lines = [f"{number:,} with a {kind}" for kind, number in sorted(file.skipped.items())]
    total = count(file.skipped.total(), "line")
    return f"{file.name}: {total} skipped, because only judgements of judges are imported: {', '.join(lines)}."
