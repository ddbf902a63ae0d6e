"""Imports judgements: qrels-like files, one judge each, or raw CSV.

A judged document that was never pooled becomes a task without provenance. An unknown judge becomes a member who
cannot sign in; a member with an account is a judge only if the caller says so. A judgement that the collection already
has is skipped. If the collection's judgement differs (in grade, state or reason, or in a comment, confidence or
passages that the file contains), the line is invalid, because an import never overwrites a judgement.

If a line is invalid, nothing is imported; with `on_error="report"`, the other lines are. Each irregularity of labels
has an option (`agreement.judge_files`), which is stored with its counts and the original file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace

from django.db import IntegrityError

from agreement.judge_files import counts_sentence
from agreement.judge_files.options import JUDGE
from assess.collections.archive import lock_active
from assess.collections.members import check_member_name, lock_members
from assess.errors import Refused
from assess.judging.record_imported import record_staged
from assess.lib.batches import save_planned
from assess.lib.long_work import report
from assess.models import Assignment, Collection, ImportKind
from assess.pools.slots import lock_slots
from assess.transfer.import_record import (
    Imported,
    ImportedBy,
    Progress,
    SourceFile,
    base_name,
    name_by_pattern,
    open_source,
    save_record,
)
from assess.transfer.imported_judges import describe_judges, store_imports
from assess.transfer.judge_record import zeros_warnings
from assess.transfer.judgement_checks import by_judge, check_names, checks_for
from assess.transfer.judgement_lines import Checks, FileLine, FileOfJudgements, describe
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgement_plan import ImportPlan, contradictions, make_plan
from assess.transfer.judgement_readers import Judge, read_file
from assess.transfer.judgement_receipt import judge_rows, left_out
from assess.transfer.matched_ids import repaired_counts
from assess.transfer.preview import Preview
from pooling._io.streams import Source
from pooling.errors import FormatError, shown
from pooling.paths import name_of
from pooling.words import count, first_names


def import_files(
    collection: Collection,
    files: Sequence[SourceFile],
    options: JudgementOptions,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    """Import files of judges whom the user, the pattern or the name of the file names."""
    return _import(collection, [(judge_of(file, options), file) for file in files], options, progress, by)


def import_judgements(
    collection: Collection,
    source: Source,
    assessor: str | None = None,
    progress: Progress = None,
    options: JudgementOptions | None = None,
    *,
    as_members: Sequence[str] = (),
) -> Imported:
    """Import one file of judgements. `assessor` is the name of its judge; `as_members` are added to the options."""
    options = options or JudgementOptions()
    options = replace(options, as_members=(*options.as_members, *as_members))
    return _import(collection, [(Judge(assessor, assessor is not None), source)], options, progress)


def import_by_judge(
    collection: Collection,
    sources: Sequence[tuple[str | None, Source]],
    options: JudgementOptions | None = None,
    progress: Progress = None,
) -> Imported:
    """Import files of any source, each with the judge that it has unless it names its judges."""
    judged = [(Judge(judge), source) for judge, source in sources]
    return _import(collection, judged, options or JudgementOptions(), progress)


def _import(
    collection: Collection,
    sources: Sequence[tuple[Judge, Source | SourceFile]],
    options: JudgementOptions,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    checks = checks_for(collection, options)
    files = [read(source, owner_of(judge, len(sources), options), checks, progress) for judge, source in sources]
    check_names(options, {name for file in files for name in file.names})
    check_files(files, options)
    try:
        return save(collection, files, options, by or ImportedBy())
    except IntegrityError:
        raise Refused(
            f"{', '.join(file.name for file in files)}: somebody else saved some of these judgements at the same time; "
            "nothing was imported. Run the import again."
        ) from None


def judge_of(file: SourceFile, options: JudgementOptions) -> Judge:
    """Return the judge of a file: as stated, or by the pattern, or else the name of the file without its ending."""
    if file.given_name is not None:
        return Judge(file.given_name, is_named=True)
    pattern = options.name_pattern
    return Judge(name_by_pattern(file, pattern, JUDGE) if pattern else name_of(file.name))


def owner_of(judge: Judge, file_count: int, options: JudgementOptions) -> Judge:
    """Return whose judgements a file has: those of the one member in `as_members`, if the only file names nobody."""
    is_members = file_count == len(options.as_members) == 1 and not judge.is_named
    return Judge(options.as_members[0]) if is_members else judge


def read(source: Source | SourceFile, judge: Judge, checks: Checks, progress: Progress = None) -> FileOfJudgements:
    """Read the file of a judge. It is open only meanwhile, because an import may have more files than can be open."""
    with open_source(source) if isinstance(source, SourceFile) else nullcontext(source) as stream:
        return read_file(stream, judge, checks, progress)


def check(preview: Preview, files: Sequence[SourceFile], options: JudgementOptions) -> None:
    """List invalid lines, also those that differ from a saved judgement, and say whose judgements the files have."""
    options = replace(options, on_error="report")
    judged = _read_for_preview(preview, files, options)
    names = {name for file in judged for name in file.names}
    check_names(options, names)
    check_files(judged, options)
    for file, problem in contradictions(preview.collection, judged, options.as_members):
        preview.check.add(file.name, problem.number, problem.sentence)
    preview.check.sentences += [each for file in judged for each in (*_left_out(file), *_ids(file), *file.notes)]
    if not judged:  # no file could be read
        return
    preview.check.judges += judge_rows(preview.collection, judged, options.judge_kind)
    lines = [line for file in judged for line in file.lines]
    _compare_later(preview, lines)
    preview.check.sentences.append(
        f"Judgements: {count(len(lines), 'judgement')} of {count(len(names), 'judge')} "
        f"({first_names(sorted(names))}) on {count(len({line.query_id for line in lines}), 'topic')}."
    )


def _compare_later(preview: Preview, lines: Iterable[FileLine]) -> None:
    for line in lines:
        if line.repeat == 0 and line.judgement_input.relevance is not None:
            own = preview.contents.judgements.setdefault(line.assessor, {})
            own[line.query_id, line.doc_id] = line.judgement_input.relevance


def _read_for_preview(
    preview: Preview, files: Sequence[SourceFile], options: JudgementOptions
) -> list[FileOfJudgements]:
    """Return the files that can be read, and add their invalid lines and the other files to the problems."""
    checks = _checks_with_topics(preview, options)
    judged = []
    for file in files:
        try:
            owner = owner_of(judge_of(file, options), len(files), options)
            judged.append(read(file, owner, checks, preview.progress))
        except (FormatError, Refused) as error:
            preview.check.add_error(file.name, error)
    for each in judged:
        for problem in each.problems:
            preview.check.add(each.name, problem.number or None, problem.sentence)
    return judged


def _checks_with_topics(preview: Preview, options: JudgementOptions) -> Checks:
    """Return what lines are checked against, with the topics that are imported together with the judgements."""
    checks = checks_for(preview.collection, options, preview.scale)
    return checks._replace(
        query_ids=checks.query_ids | preview.query_ids,
        query_ids_by_title={**checks.query_ids_by_title, **preview.titles},
        query_order=list(dict.fromkeys([*checks.query_order, *preview.query_order])),
    )


def check_files(files: Sequence[FileOfJudgements], options: JudgementOptions) -> None:
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


def save(
    collection: Collection, files: Sequence[FileOfJudgements], options: JudgementOptions, by: ImportedBy
) -> Imported:
    """Save what is new in one transaction, which is planned before it, so that nobody who judges waits for long."""
    report("Preparing the judgements")
    judges = {line.assessor for file in files for line in _first_lines(file)}
    return save_planned(
        lambda: make_plan(collection, files, options),
        lambda: _lock(collection, judges),
        lambda plan: _save_plan(plan, options, by),
    )


def _lock(collection: Collection, judges: set[str]) -> None:
    lock_active(collection)
    # Somebody may have opened or closed claiming since the collection was read.
    collection.refresh_from_db(fields=["judges_per_task", "claim_minutes"])
    members = list(collection.members.filter(name__in=judges))
    lock_members(members)  # before the assignments, as in a judgement
    if any(member.user_id for member in members) or Assignment.objects.filter(member__in=members).exists():
        lock_slots(collection)  # so that nobody judges these tasks at the same time


def _save_plan(plan: ImportPlan, options: JudgementOptions, by: ImportedBy) -> Imported:
    """Save what was planned, inside the caller's transaction."""
    plan.save_tasks_and_members()
    added_by_file = [(file, Counter(row.member.name for row in rows)) for file, rows in plan.new_by_file]
    store_imports(plan.collection, added_by_file, plan.members)
    if plan.staged:
        record_staged(plan.staged)
    described = {name: file.options[name] for file in plan.files for name in file.options if name in plan.judges}
    texts = by_judge(options.description)
    descriptions = {name: texts.get(name, texts.get("", "")) for name in plan.judges}
    record = options.record.checked(options.judge_kind).stated
    describe_judges(plan.judges, described, {"kind": options.judge_kind} | record, descriptions)
    result = Imported(read=sum(len(file.lines) for file in plan.files))
    result.added = sum(len(rows) for _, rows in plan.new_by_file)
    result.same = result.read - result.added
    result.left_out = left_out(plan.files)
    result.notes = _notes(plan.files, len(plan.tasks.new_tasks))
    result.notes += zeros_warnings(plan.collection, [member.pk for member in plan.judges.values()])
    details = [{"name": base_name(f.name), "size": len(f.raw), "sha256": f.sha256} for f in plan.files]
    result.repaired = repaired_counts(file.ids for file in plan.files)
    described_options = {name: value for name, value in options.described.items() if value not in (None, "error")}
    save_record(plan.collection, ImportKind.JUDGEMENTS, by, details, counts=result.counts(), options=described_options)
    return result


def _notes(files: Sequence[FileOfJudgements], unpooled: int) -> list[str]:
    notes = []
    for file in files:
        sentences = {judge: counts_sentence(file.counts[judge], file.options[judge]) for judge in file.counts}
        notes += [f"{judge}: {sentence}." for judge, sentence in sentences.items() if sentence]
        notes += [*_left_out(file), *_ids(file), *file.notes]
        notes += [problem.sentence for problem in file.problems]
    if unpooled:
        one = unpooled == 1
        documents = "judged document is" if one else "judged documents are"
        notes.append(f"{unpooled:,} {documents} not in the pool; {'it is' if one else 'they are'} kept outside it.")
    return notes


def _ids(file: FileOfJudgements) -> list[str]:
    """Sentences about repaired ids, and about documents that a repair would make match."""
    return [*file.repaired_notes(), *file.document_notes()]


def _left_out(file: FileOfJudgements) -> list[str]:
    """Sentences about lines that are no judgements."""
    empty = [f"{file.name}: {count(file.empty_rows, 'empty row')} left out."] if file.empty_rows else []
    return empty + ([skipped_sentence(file)] if file.skipped else [])


def skipped_sentence(file: FileOfJudgements) -> str:
    """Return how many lines of a file were left out because they are no judgements of judges."""
    lines = [f"{number:,} with a {kind}" for kind, number in sorted(file.skipped.items())]
    total = count(file.skipped.total(), "line")
    return f"{file.name}: {total} skipped, because only judgements of judges are imported: {', '.join(lines)}."
