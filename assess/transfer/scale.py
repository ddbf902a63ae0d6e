"""Imports the scale of a collection from the labels of a doccano project, such as those of a course.

A scale can be imported until the collection has judgements. The page *Settings* changes it; there is no undo.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from assess.collections.archive import lock_active
from assess.collections.scale import GradeSpec, check_grades, grades_of, is_frozen, set_grades
from assess.errors import Refused
from assess.lib.long_work import about_to_save
from assess.models import Collection, ImportKind
from assess.transfer.import_record import Imported, ImportedBy, Progress, SourceFile, file_details, save_record
from assess.transfer.options import ImportOptions
from assess.transfer.preview import Preview
from pooling._io.streams import open_input
from pooling.formats.courses.doccano import read_labels
from pooling.words import count

MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class ScaleOptions(ImportOptions):
    """Scales have no options."""


def import_files(
    collection: Collection,
    files: Sequence[SourceFile],
    _options: ScaleOptions,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    """Declare the grades of a file. Grades with the same value and name keep their meaning and colour."""
    grades, details, by = read(files, progress), file_details(files), by or ImportedBy()
    with transaction.atomic():
        lock_active(collection)
        about_to_save()
        result = Imported(len(grades), same=len(grades)) if is_same(collection, grades) else Imported(len(grades))
        if not result.same:
            result.added = len(grades)
            set_grades(collection, _with_details(collection, grades), by.user)
        save_record(collection, ImportKind.SCALE, by, details, counts=result.counts(), options={})
    return result


def read(files: Sequence[SourceFile], progress: Progress = None) -> list[GradeSpec]:
    """Return the grades of the only file, lowest first."""
    if len(files) > 1:
        names = " and ".join(file.name for file in files[:2])
        raise Refused(f"{names} both have a scale; a collection has one. Import one of them.")
    (file,) = files
    with open_input(file.path, max_bytes=MAX_BYTES, name=file.name, progress=progress) as stream:
        grades = [GradeSpec(*grade) for grade in read_labels(stream.read(), file.name)]
    try:
        check_grades(grades)
    except Refused as refusal:
        hint = "Declare the grades on the page Settings, and map the other labels when you import judgements."
        raise Refused(f"{file.name}: {refusal} {hint}") from None
    return grades


def is_same(collection: Collection, grades: Sequence[GradeSpec]) -> bool:
    """Whether a collection has these grades with these names."""
    return [(grade.value, grade.name) for grade in grades_of(collection)] == [
        (grade.value, grade.name) for grade in grades
    ]


def _with_details(collection: Collection, grades: Sequence[GradeSpec]) -> list[GradeSpec]:
    known = {(grade.value, grade.name): grade for grade in grades_of(collection)}
    return [known.get((grade.value, grade.name), grade) for grade in grades]


def check(preview: Preview, files: Sequence[SourceFile], _options: ScaleOptions) -> None:
    """Say which scale the collection would have, and check judgements of the same preview with it."""
    grades = read(files, preview.progress)
    names = ", ".join(f"{grade.value} {grade.name}" for grade in grades)
    if is_same(preview.collection, grades):
        preview.check.sentences.append(f"Scale: {names}, as the collection has it.")
        return
    if is_frozen(preview.collection):
        raise Refused(f"The scale of {preview.collection} is frozen because {preview.collection} has judgements.")
    preview.scale = tuple(grade.value for grade in grades)
    former = count(preview.collection.grades.count(), "grade")
    preview.check.sentences.append(f"Scale: {names}. It replaces the scale with {former}.")
