"""Warnings before an exercise is created, and the settings of an exercise that is duplicated."""

import pytest

from assess.models import Practice
from assess.teaching import exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.lesson.new_exercise import settings_of, warnings_about
from assess.teaching.lesson.practice import AGREED, OWN, PracticeSpec
from tests.assess.exercise_factories import PASTED, judged_collection, make_instructor

pytestmark = pytest.mark.django_db
OWN_TEXT = PracticeSpec(OWN, text="Green tea.\n\nHot.", grade=1, topic="tea", explanation="It is about tea.")
FROM_COLLECTION = ExerciseSpec(
    "Seminar",
    "source",
    query_ids=["2"],
    shared=6,
    more_each=2,
    binary=True,
    minutes=20,
    show_own=False,
    show_comments=True,
    worksheets=("dcg", "pair"),
    days=12,
    practice=OWN_TEXT,
)
DOCUMENTS_BY_LINE = "tea\tTea is a drink.\ncoffee\tCoffee is another."


@pytest.fixture
def source(db):
    return judged_collection()


@pytest.fixture
def instructor(source):
    return make_instructor(source)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [23, 24])
@pytest.mark.parametrize("binary", [True, False])
def test_missing_practice_document_is_warned_of(instructor, shared, binary):
    """The collection has 24 documents. If the class judges all of them, none is left; each seed leaves another one."""
    for seed in range(8):
        spec = ExerciseSpec("Class", "source", shared=shared, binary=binary, practice=PracticeSpec(AGREED))
        warnings = warnings_about(instructor, spec, seed)
        exercise = exercises.make(instructor, spec, seed)
        has_practice = Practice.objects.filter(exercise=exercise).exists()
        assert (warnings == []) == has_practice
        assert has_practice == (shared == 23 and exercise_leaves_an_agreed_document(exercise, binary))
        assert not any("no practice document" not in warning for warning in warnings)


def exercise_leaves_an_agreed_document(exercise, binary: bool) -> bool:
    """Whether the document that the class does not judge is one of d07 to d12; d05 and d06 if the scale is binary."""
    used = set(exercise.collection.topics.values_list("tasks__document__doc_id", "query_id"))
    left = {(f"d{number:02}", topic) for number in range(1, 13) for topic in "12"} - used
    return {doc_id for doc_id, _ in left} <= {f"d{number:02}" for number in range(5 if binary else 7, 13)}


def test_both_warnings_are_given_together(instructor):
    spec = ExerciseSpec("Class", "source", query_ids=["1"], shared=4, practice=PracticeSpec(AGREED))
    few, *others = warnings_about(instructor, spec, 1)
    assert (few.startswith("With 4 documents for 1 topic"), others) == (True, [])
    pasted = ExerciseSpec("Class", **PASTED, shared=6, practice=PracticeSpec(AGREED))
    few, missing = warnings_about(instructor, pasted, 1)
    assert few.startswith("With 6 documents for 2 topics")
    assert missing.startswith("There is no practice document, because there is no other document of these topics")


def test_other_practice_is_not_warned_of(instructor):
    for practice in (PracticeSpec(), OWN_TEXT):
        spec = ExerciseSpec("Class", "source", shared=24, practice=practice)
        assert warnings_about(instructor, spec, 1) == []


@pytest.mark.parametrize(
    "spec",
    [
        FROM_COLLECTION,
        ExerciseSpec("All", "source", query_ids=["1", "2"], shared=8, practice=PracticeSpec(AGREED, explanation="So.")),
        ExerciseSpec("No practice", "source", query_ids=["1", "2"], shared=24),
        ExerciseSpec("None left", "source", query_ids=["1", "2"], shared=24, practice=PracticeSpec(AGREED)),
        ExerciseSpec("Blocks", **PASTED, query_ids=["1", "T2"], shared=6, practice=OWN_TEXT),
        ExerciseSpec(
            "Lines",
            pasted_topics="drinks\nT2\tcoffee",
            pasted_documents=DOCUMENTS_BY_LINE,
            query_ids=["1", "T2"],
            shared=4,
            binary=True,
        ),
    ],
    ids=lambda spec: spec.title,
)
def test_settings_of_an_exercise_are_those_it_was_created_from(instructor, spec):
    assert settings_of(exercises.make(instructor, spec)) == spec


def test_practice_document_of_an_older_exercise_is_kept_as_text(instructor):
    exercise = exercises.make(instructor, ExerciseSpec("Class", "source", shared=6, practice=PracticeSpec(AGREED)))
    exercise.collection.pool_buildings.update(parameters={"from": "source", "shared": 6})
    practice = settings_of(exercise).practice
    assert (practice.choice, practice.text, practice.grade) == (OWN, exercise.practice.text, 2)
    assert practice.explanation == "All 3 earlier judges agree on it."
