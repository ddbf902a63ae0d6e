"""A new exercise takes two topics on which earlier judges disagree, and warns of too few documents."""

from collections import Counter

import pytest

from assess.models import Collection, Task
from assess.teaching import exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.lesson.default_topics import DOCUMENTS, default_topics, few_documents_warning
from assess.transfer.judgements import import_judgements
from tests.assess.exercise_factories import make_instructor
from tests.factories import small_collection

pytestmark = pytest.mark.django_db
DOC_IDS = [f"d{number:02}" for number in range(14)]


def collection_with(disputed: dict[str, int]) -> Collection:
    """Return a collection whose two judges disagree on so many documents of each topic, and agree on the others."""
    source = small_collection({"s": {"1": DOC_IDS}}, "source", depth=14)
    documents = source.documents.order_by("pk")
    for query_id in disputed.keys() - {"1", "2"}:
        source.topics.create(query_id=query_id, title=f"need {query_id}")
    for topic in source.topics.exclude(query_id="1").filter(query_id__in=disputed):
        Task.objects.bulk_create(Task(topic=topic, document=document, draw=document.pk) for document in documents)
    lines = [
        f"{name},{query_id},{doc_id},{(place + (name == 'b' and place < n)) % 2}"
        for name in "ab"
        for query_id, n in disputed.items()
        for place, doc_id in enumerate(DOC_IDS)
    ]
    import_judgements(source, "\n".join(["assessor,query_id,doc_id,relevance", *lines]).encode())
    return source


def test_two_topics_with_six_disputed_documents_each_are_taken():
    source = collection_with({"1": 2, "2": 6, "3": 0, "4": 6})
    default = default_topics(source)
    assert default.query_ids == ["2", "4"]
    assert default.explanation == (
        "Two topics are chosen on which earlier judges disagree about at least 6 documents each."
    )
    spec = ExerciseSpec("Class", "source", query_ids=default.query_ids, shared=DOCUMENTS, binary=True)
    instructor = make_instructor(source)
    exercise = exercises.make(instructor, spec)
    tasks = Task.objects.filter(topic__collection=exercise.collection, document__doc_id__in=DOC_IDS[:6])
    assert Counter(tasks.values_list("topic__query_id", flat=True)) == {"2": 6, "4": 6}
    assert few_documents_warning(exercises.material_for(instructor, spec, seed=1)) == ""


def test_fewer_disputed_documents_are_explained():
    default = default_topics(collection_with({"1": 1, "2": 3, "3": 2}))
    assert default.query_ids == ["2", "3"]
    assert default.explanation == (
        "Two topics are chosen on which earlier judges disagree about most documents: 3 and 2 documents. At least 6 "
        "each would be better."
    )


def test_topics_without_disputes_are_explained():
    default = default_topics(collection_with({"1": 0}))
    assert default.query_ids == ["1"]
    assert default.explanation == (
        "The topic of this collection is chosen. Earlier judges disagree about no document, so the documents are drawn "
        "at random."
    )


def test_collection_without_documents_has_no_topic():
    source = small_collection({"s": {"1": ["a"]}}, "empty")
    source.documents.update(content=None)
    assert default_topics(source).query_ids == []


def test_fewer_than_five_documents_of_a_topic_are_warned_of():
    source = collection_with({"1": 6, "2": 6, "3": 6})
    instructor = make_instructor(source)

    def warning(shared: int, *query_ids: str) -> str:
        spec = ExerciseSpec("Class", "source", query_ids=query_ids, shared=shared)
        return few_documents_warning(exercises.material_for(instructor, spec, seed=1))

    assert warning(10, "1", "2") == ""
    assert warning(8, "1", "2").startswith("With 8 documents for 2 topics, students judge only 4 documents of a topic.")
    assert warning(10).startswith("With 10 documents for 3 topics, students judge only 3 documents")
    assert warning(5, "1") == ""
