"""What the form of a new exercise needs besides its values: warnings, and the settings of an exercise to duplicate."""

from django.utils import timezone

from assess.collections.scale import BINARY_GRADES
from assess.models import Exercise, User
from assess.teaching.exercises import ExerciseSpec, material_for, origin_of, practice_choice, source_of
from assess.teaching.lesson.default_topics import few_documents_warning
from assess.teaching.lesson.practice import missing_practice_warning, practice_spec
from assess.teaching.pasted import ORIGIN, pasted_texts


def warnings_about(instructor: User, spec: ExerciseSpec, seed: int) -> list[str]:
    """Return what the instructor should know before an exercise with this seed is created."""
    material = material_for(instructor, spec, seed)
    warnings = [
        few_documents_warning(material),
        missing_practice_warning(spec.practice, source_of(spec), material, seed),
    ]
    return [warning for warning in warnings if warning]


def settings_of(exercise: Exercise) -> ExerciseSpec:
    """Return the settings from which an exercise was created, for a duplicate."""
    origin, collection = origin_of(exercise), exercise.collection
    topics, documents = pasted_texts(collection) if origin == ORIGIN else ("", "")
    return ExerciseSpec(
        title=exercise.title,
        source="" if origin == ORIGIN else origin,
        pasted_topics=topics,
        pasted_documents=documents,
        query_ids=list(collection.topics.order_by("pk").values_list("query_id", flat=True)),
        shared=exercise.shared,
        more_each=exercise.more_each,
        binary=tuple(f"{grade.value}={grade.name}" for grade in collection.grades.all()) == BINARY_GRADES,
        minutes=exercise.minutes,
        show_own=exercise.show_own,
        show_comments=exercise.show_comments,
        worksheets=tuple(exercise.worksheets),
        days=(exercise.erase_on - timezone.localdate(exercise.created_at)).days,
        practice=practice_spec(exercise, practice_choice(exercise)),
    )
