"""The imported judges of a collection: what they are, and what was changed when their files were read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from agreement.judge_files import counts_sentence, options_sentence
from agreement.judge_files.notes import comparison_notes, declared_grades, declared_threshold
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import NOT_WITHDRAWN, Collection, ImportedJudge, JudgeKind, Judgement, JudgementImport, Role, State
from pooling.words import count

NOT_STATED = "not stated"


@dataclass(frozen=True)
class ImportRow:
    """One import of one judge's judgements. `file_id` is that of the original file; None if it was deleted."""

    judge: str
    kind: str
    description: str
    file: str
    lines: int
    added: int
    changed: str
    options: str
    file_id: int | None

    @property
    def sentence(self) -> str:
        """The row as one line of text."""
        what = f"{self.judge} ({self.kind}{f': {self.description}' if self.description else ''})"
        changed = f"{self.changed}; options: {self.options or 'none'}" if self.changed or self.options else "as it is"
        return f"{what}, {self.file}: {count(self.lines, 'line')}, {self.added:,} added; {changed}."


def import_rows(collection: Collection) -> list[ImportRow]:
    """Return the imports that added judgements, by judge and time, without those of withdrawn judges."""
    records = JudgementImport.objects.filter(NOT_WITHDRAWN, member__collection=collection)
    ordered = records.select_related("member__imported_judge").order_by("member__name", "pk")
    rows = [_row(record) for record in ordered]
    return [row for row in rows if row.added]


def _row(record: JudgementImport) -> ImportRow:
    judge: ImportedJudge | None = getattr(record.member, "imported_judge", None)
    # A member with an account is a person, and has no record as an imported judge.
    kind = JudgeKind.HUMAN.value if judge is None else judge.kind or f"kind {NOT_STATED}"
    return ImportRow(
        judge=record.member.name,
        kind=kind,
        description=judge.described if judge else "",
        file=PurePath(record.file_name).name,
        lines=record.counts.get("lines", 0),
        added=record.added,
        changed=counts_sentence(record.counts, record.options),
        options=options_sentence(record.options),
        file_id=record.file_id,
    )


def scale_notes(
    collection: Collection, rel: int | None, used: Mapping[str, tuple[int, ...]] | None = None
) -> list[str]:
    """Return sentences about judges with fewer grades than the scale, and the threshold of the comparison.

    `used` are the grades that each judge gave; by default those of all judgements.
    """
    used = _used_grades(collection) if used is None else used
    declared = _declared(collection, used)
    known = {name: grades for name, grades in declared.items() if grades}
    return comparison_notes(used, known, scale_of(collection), rel, from_files=declared)


def threshold_of_imported(collection: Collection) -> int | None:
    """Return the threshold at which imported judges with two grades can be compared with the others; None if none is.

    Refused if two of them have different thresholds.
    """
    used = _used_grades(collection)
    known = {name: grades for name, grades in _declared(collection, used).items() if grades}
    try:
        return declared_threshold(known, list(used), list(scale_of(collection)))
    except ValueError as error:
        raise Refused(str(error)) from None


def _declared(collection: Collection, used: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    imported = ImportedJudge.objects.filter(NOT_WITHDRAWN, member__collection=collection)
    return {
        name: declared_grades(own_scale, mapping, used.get(name, ()))
        for name, own_scale, mapping in imported.values_list("member__name", "own_scale", "mapping")
    }


def _used_grades(collection: Collection) -> dict[str, tuple[int, ...]]:
    rows = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=0, member__role=Role.ASSESSOR
    )
    used: dict[str, list[int]] = {}
    for name, grade in rows.values_list("member__name", "relevance").distinct().order_by("member__name", "relevance"):
        used.setdefault(name, []).append(grade or 0)
    return {name: tuple(grades) for name, grades in used.items()}
