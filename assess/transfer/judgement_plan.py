"""Plans an import of judgements: everything that it will save, before the transaction that saves it.

The plan depends on the collection's members, tasks and documents, and on the ledger of the judges. The transaction
compares these with the plan (`is_current`), and if they have changed, the import is planned again.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils import timezone

from assess.errors import Refused
from assess.judging.chain import heads_of
from assess.judging.chain_format import Head
from assess.judging.record_imported import ImportedJudgement, StagedJudgements, stage_imported
from assess.lib.batches import BATCH
from assess.marginal.stored import NOT_ANSWERED, Answered, answers_of
from assess.models import Collection, Judgement, Member, State
from assess.pools.new_tasks import Pair, RowSet, TaskPlan, plan_tasks, task_sets
from assess.suggestions.stored import ALONE, Assisted, assistance_of
from assess.transfer.imported_judges import check_judges, find_judges
from assess.transfer.judgement_lines import FileLine, FileOfJudgements, Problem, describe
from assess.transfer.judgement_options import JudgementOptions
from pooling.errors import shown


class _Saved(NamedTuple):
    """A judgement that the collection has, its answer about marginal relevance, and the suggestion it was made with."""

    judgement: Judgement
    answer: Answered
    assistance: Assisted


class _Basis(NamedTuple):
    """What a plan depends on. Each new judgement moves the head of its judge's chain."""

    members: list[tuple[Any, ...]]
    heads: dict[int, Head]
    tasks: tuple[RowSet, ...]


def _basis(collection: Collection, judges: set[str]) -> _Basis:
    members = collection.members.order_by("pk")
    return _Basis(
        list(members.values_list("pk", "name", "role", "user", "user__username", "removed_at")),
        heads_of(members.filter(name__in=judges)),
        task_sets(collection),
    )


@dataclass(frozen=True)
class ImportPlan:
    """What an import will save. New rows have reserved keys."""

    collection: Collection
    files: Sequence[FileOfJudgements]  # without the lines that were left out
    members: Mapping[str, Member]  # all of the collection, with the new ones
    judges: Mapping[str, Member]  # of these files
    new_members: Sequence[Member]
    tasks: TaskPlan
    new_by_file: Sequence[tuple[FileOfJudgements, Sequence[ImportedJudgement]]]
    staged: StagedJudgements | None
    basis: _Basis

    def is_current(self) -> bool:
        """Whether the plan can still be saved. The caller has locked the collection and the judges."""
        return self.basis == _basis(self.collection, set(self.judges))

    def save_tasks_and_members(self) -> None:
        Member.objects.bulk_create(self.new_members, batch_size=BATCH)
        self.tasks.save()


def make_plan(collection: Collection, files: Sequence[FileOfJudgements], options: JudgementOptions) -> ImportPlan:
    """Plan the import of files, and stage their new judgements. Raises Refused if a line is invalid."""
    names = {name for file in files for name in {line.assessor for line in file.lines}}
    basis = _basis(collection, names)  # before the rest is read
    members, new_members = find_judges(collection, names, options.as_members)
    judges = {name: members[name] for name in sorted(names)}
    tasks = plan_tasks(collection, ((line.query_id, line.doc_id) for file in files for line in file.lines))
    existing = _existing_judgements(judges.values())
    new_by_file = [_new_judgements(file, judges, tasks.keys, existing, options) for file in files]
    _compress(collection, [file for file, rows in new_by_file if rows])
    new = [row for _, rows in new_by_file for row in rows]
    return ImportPlan(
        collection,
        [file for file, _ in new_by_file],
        members,
        judges,
        new_members,
        tasks,
        new_by_file,
        stage_imported(new, basis.heads, {key: pair for pair, key in tasks.keys.items()}) if new else None,
        basis,
    )


def _compress(collection: Collection, files: Sequence[FileOfJudgements]) -> None:
    """Compress the files that are not stored yet."""
    stored = collection.imported_files.filter(sha256__in=[file.sha256 for file in files])
    known = set(stored.values_list("sha256", flat=True))
    for file in files:
        if file.sha256 not in known:
            _ = file.compressed  # kept until it is stored


def _existing_judgements(judges: Iterable[Member]) -> dict[tuple[int, int, int], _Saved]:
    judgements = Judgement.objects.filter(member__in=list(judges))
    answers, assisted = answers_of(judgements), assistance_of(judgements)
    return {
        (each.member_id, each.task_id, each.repeat): _Saved(
            each, answers.get(each.pk, NOT_ANSWERED), assisted.get(each.pk, ALONE)
        )
        for each in judgements
    }


def _new_judgements(
    file: FileOfJudgements,
    members: Mapping[str, Member],
    tasks: Mapping[Pair, int],
    existing: Mapping[tuple[int, int, int], _Saved],
    options: JudgementOptions,
) -> tuple[FileOfJudgements, list[ImportedJudgement]]:
    """Return the file and its judgements that the collection does not have.

    A line that differs from a saved judgement is invalid, and the file is returned without it.
    """
    now = timezone.now()
    new, problems = [], []
    for line in file.lines:
        member, task = members[line.assessor], tasks[line.query_id, line.doc_id]
        saved = existing.get((member.pk, task, line.repeat))
        if saved is None:
            new.append(ImportedJudgement(member, task, line.repeat, line.judgement_input, line.judged_at or now))
        elif _differs(line, saved):
            problems.append((line, Problem(line.number, _difference(file.name, line, saved))))
    if problems and options.on_error != "report":
        raise Refused(problems[0][1].sentence)
    return _without(file, problems) if problems else file, new


def contradictions(
    collection: Collection, files: Sequence[FileOfJudgements], as_members: Sequence[str]
) -> list[tuple[FileOfJudgements, Problem]]:
    """Return the lines that differ from a saved judgement of their judge, without planning anything.

    Raises Refused if a judge is a member and may not be a judge.
    """
    names = {line.assessor for file in files for line in file.lines}
    members = check_judges(collection, names, as_members)
    judges = [members[name] for name in names & members.keys()]
    judgements = Judgement.objects.filter(member__in=judges)
    rows = judgements.values_list("task__topic__query_id", "task__document__doc_id", "task").distinct()
    tasks = {(query_id, doc_id): task for query_id, doc_id, task in rows}
    existing = _existing_judgements(judges)

    def saved_of(line: FileLine) -> _Saved | None:
        judge, task = members.get(line.assessor), tasks.get((line.query_id, line.doc_id))
        return existing.get((judge.pk, task, line.repeat)) if judge and task else None

    found = ((file, line, saved_of(line)) for file in files for line in file.lines)
    return [
        (file, Problem(line.number, _difference(file.name, line, saved)))
        for file, line, saved in found
        if saved and _differs(line, saved)
    ]


def _without(file: FileOfJudgements, invalid: Sequence[tuple[FileLine, Problem]]) -> FileOfJudgements:
    """Return the file with these lines as problems instead of judgements. A row of a table may have several lines."""
    left_out, counts = {id(line) for line, _ in invalid}, deepcopy(file.counts)
    for line, _ in invalid:
        counts[line.assessor]["judgements"] -= 1
        counts[line.assessor]["invalid"] += 1
    lines = [line for line in file.lines if id(line) not in left_out]
    problems = sorted([*file.problems, *(problem for _, problem in invalid)])
    return replace(file, lines=lines, counts=counts, problems=problems)


def _difference(name: str, line: FileLine, saved: _Saved) -> str:
    in_collection = _describe_judgement(*saved)
    in_file = _describe_judgement(line.judgement_input, _answer_in(line), _assistance_in(line))
    return (
        f"{name}, line {line.number}, {describe(line)}: the collection has {in_collection}, "
        f"but the file has {in_file}; nothing was changed."
    )


def _answer_in(line: FileLine) -> Answered:
    read = line.judgement_input
    return Answered(read.marginal, tuple(sorted(set(read.repeated))))


def _assistance_in(line: FileLine) -> Assisted:
    return Assisted(line.judgement_input.assisted, line.judgement_input.suggested)


def _differs(line: FileLine, existing: _Saved) -> bool:
    read, (saved, answer, assistance) = line.judgement_input, existing
    if _answer_in(line) not in (NOT_ANSWERED, answer) or _assistance_in(line) not in (ALONE, assistance):
        return True
    if (read.state, read.relevance, read.reason) != (saved.state, saved.relevance, saved.reason):
        return True
    # A file without these columns does not contradict the saved values.
    optional = ("comment", "confidence", "passages", "label_confidence")
    return any(getattr(read, name) not in ("", None, [], getattr(saved, name)) for name in optional)


def _describe_judgement(judgement: Any, answer: Answered, assistance: Assisted) -> str:
    text = f"grade {judgement.relevance}" if judgement.state == State.JUDGED else judgement.state.replace("_", " ")
    if judgement.reason:
        text += f" ({judgement.reason})"
    details = {
        "the comment": judgement.comment and shown(judgement.comment),
        "confidence": judgement.confidence,
        "passages": judgement.passages,
        "label confidence": judgement.label_confidence,
        "the answer": answer.marginal,
        "repeats": ", ".join(answer.repeats),
        "the suggestion": assistance.assisted and f"{assistance.suggested} of {shown(assistance.assisted)}",
    }
    parts = [f"{name} {value}" for name, value in details.items() if value]
    return f"{text} with {' and '.join(parts)}" if parts else text
