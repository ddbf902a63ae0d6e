"""The sources of an exercise: a copy from a collection, or pasted text; and what is refused."""

import pytest

from assess.collections.guidelines import guidelines_hash
from assess.errors import Refused
from assess.models import Collection, Document, Exercise, Judgement, Provenance, Role, Run, Task, Topic
from assess.pools.tasks import pooled_tasks
from assess.teaching import exercise_sources, exercises, pasted
from assess.teaching.exercises import ExerciseSpec
from tests.assess.command_output import tables
from tests.assess.exercise_factories import PASTED, judged_collection, make_instructor, pasted_exercise
from tests.factories import SMALL_RUNS, remove_content, set_content, small_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(db):
    source = judged_collection()
    for version, text in enumerate(["Old guidelines.", "Judge what is **there**."], start=1):
        source.guidelines.create(version=version, text=text, sha256=guidelines_hash(text))
    source.hide_doc_ids, source.snippet_first = True, True
    source.save()
    set_content(source.documents.filter(doc_id="d01"), text="<p>One</p>", format="html", metadata={"year": 1999})
    return source


@pytest.fixture
def instructor(source):
    return make_instructor(source)


def make(user, **options) -> Collection:
    return exercises.make(user, ExerciseSpec(**{"title": "Class", "source": "source", **options})).collection


# ---- from a collection


def test_copy_contains_what_judging_and_ranking_need(source, instructor):
    copy = make(instructor, shared=24)
    assert copy.topics.count() == 2
    for name in ("query_id", "title", "description", "narrative"):
        ours, theirs = (sorted(each.topics.values_list(name, flat=True)) for each in (copy, source))
        assert ours == theirs
    columns = (
        "doc_id",
        *(f"content__{name}" for name in ("title", "text", "format", "metadata", "sanitised", "sha256")),
    )
    ours, theirs = (list(each.documents.order_by("doc_id").values(*columns)) for each in (copy, source))
    assert ours == theirs
    scale = ("value", "name", "meaning", "colour")
    assert list(copy.grades.values(*scale)) == list(source.grades.values(*scale))
    assert [(each.version, each.text) for each in copy.guidelines.all()] == [(1, "Judge what is **there**.")]
    assert (copy.hide_doc_ids, copy.snippet_first, copy.ask_at_topic_end) == (True, True, False)
    assert copy.continuous


def test_provenance_and_runs_are_copied(source, instructor):
    copy = make(instructor, shared=24)

    def provenance(collection):
        rows = Provenance.objects.filter(task__topic__collection=collection)
        names = ("task__topic__query_id", "task__document__doc_id", "best_rank", "systems")
        return sorted(rows.values_list(*names))

    assert provenance(copy) == provenance(source)
    names = ("system", "source_checksum", "file_checksum", "line_count", "topic_count")
    assert list(copy.runs.values(*names)) == list(source.runs.values(*names))
    building = copy.pool_buildings.get()
    assert building.parameters == {"from": "source", "shared": 24, "practice": "none"}
    assert building.tasks_added == 24
    assert building.run_checksums == dict(source.runs.values_list("system", "file_checksum"))


def test_source_does_not_change_and_judgements_are_not_copied(source, instructor):
    def source_rows():
        return {
            name: list(rows) for name, rows in tables().items() if name in ("Judgement", "JudgementEvent", "Assignment")
        } | {
            model.__name__: list(model.objects.filter(collection=source).order_by("pk").values())
            for model in (Topic, Document, Run)
        }

    before, tasks = source_rows(), list(pooled_tasks(source).order_by("pk").values())
    copy = make(instructor)
    assert source_rows() == before
    assert list(pooled_tasks(source).order_by("pk").values()) == tasks
    assert not Judgement.objects.filter(task__topic__collection=copy).exists()
    assert list(copy.members.values_list("name", "role")) == [("instructor", Role.INSTRUCTOR)]


def test_only_chosen_topics_and_documents_are_copied(source, instructor):
    copy = make(instructor, query_ids=["2"], shared=5)
    assert list(copy.topics.values_list("query_id", flat=True)) == ["2"]
    assert copy.documents.count() == Task.objects.filter(topic__collection=copy).count() == 5
    larger = make(instructor, query_ids=["2"], shared=5, more_each=1)
    assert Task.objects.filter(topic__collection=larger).count() == 12
    assert Exercise.objects.get(collection=larger).shared == 5


def test_graded_source_can_become_binary(source, instructor):
    copy = make(instructor, binary=True)
    assert list(copy.grades.values_list("value", "name")) == [(0, "Not relevant"), (1, "Relevant")]


def test_small_source_gives_all_its_documents(source, instructor):
    exercise = exercises.make(instructor, ExerciseSpec("Class", "source", shared=100))
    assert exercise.shared == 24


def test_only_readers_can_use_a_source(source):
    assert [each.slug for each in exercise_sources.source_collections(make_instructor(source))] == ["source"]
    for role in (Role.OWNER, Role.RESEARCHER):
        member = source.members.create(user=make_instructor(name=role), role=role, name=role)
        assert make(member.user).slug.startswith("exercise-")
    assessor = source.members.create(user=make_instructor(name="ann"), role=Role.ASSESSOR, name="ann")
    for user, slug in (
        (assessor.user, "source"),
        (make_instructor(name="out"), "source"),
        (make_instructor(), "nowhere"),
    ):
        with pytest.raises(Refused, match=f"no collection '{slug}' that you can create an exercise from"):
            make(user, source=slug)


def test_exercise_is_not_a_source(source, instructor):
    exercise = make(instructor)
    assert [each.slug for each in exercise_sources.source_collections(instructor)] == ["source"]
    with pytest.raises(Refused, match=r"Available: source\."):
        make(instructor, source=exercise.slug)


def test_unknown_topic_is_refused(source, instructor):
    with pytest.raises(Refused, match=r"source has no topic '7'. Its topics: 1, 2\."):
        make(instructor, query_ids=["1", "7"])
    assert not Exercise.objects.exists()


def test_source_without_texts_is_refused(source, instructor):
    remove_content(source.documents.exclude(doc_id="d01"))
    with pytest.raises(Refused, match="at least 2 pooled documents with a text; source has 1 in these topics"):
        make(instructor, query_ids=["1"])


def test_source_without_judgements_and_guidelines_is_accepted():
    source = small_collection(SMALL_RUNS, "fresh")
    copy = make(make_instructor(source), source="fresh", shared=4)
    assert Task.objects.filter(topic__collection=copy).count() == 4
    assert not copy.guidelines.exists()


def test_number_of_queries_does_not_grow_with_documents(source, instructor, django_assert_max_num_queries):
    with django_assert_max_num_queries(45):
        make(instructor, shared=24)


# ---- pasted


def test_every_pasted_topic_is_judged_with_every_document(instructor):
    exercise = pasted_exercise(instructor, shared=6)
    collection = exercise.collection
    assert list(collection.topics.order_by("pk").values_list("query_id", "title", "description")) == [
        ("1", "tea", ""),
        ("T2", "coffee", "How it is made."),
    ]
    assert list(collection.documents.order_by("pk").values_list("doc_id", "content__text")) == [
        ("document-1", "Tea is a drink."),
        ("document-2", "Coffee is another.\nIt is black."),
        ("document-3", "Milk is white."),
    ]
    assert Task.objects.filter(topic__collection=collection).count() == exercise.shared == 6
    assert not collection.runs.exists()
    assert not Provenance.objects.filter(task__topic__collection=collection).exists()
    assert list(collection.grades.values_list("value", flat=True)) == [0, 1, 2, 3]
    assert collection.pool_buildings.get().parameters == {"from": "pasted text", "shared": 6, "practice": "none"}


def test_pasted_binary_exercise_with_more_for_each_student(instructor):
    exercise = pasted_exercise(instructor, shared=2, more_each=1, binary=True)
    assert list(exercise.collection.grades.values_list("value", flat=True)) == [0, 1]
    rows = Task.objects.filter(topic__collection=exercise.collection).order_by("pk")
    assert rows.count() == 6
    assert {task.topic.query_id for task in rows[:2]} == {"1", "T2"}  # topics take turns


def documents(text: str) -> list[tuple[str, str]]:
    return [(each.doc_id, each.content.text) for each in pasted.read_documents(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tone\nb\ttwo\tthree\n\nc\t four \n", [("a", "one"), ("b", "two\tthree"), ("c", "four")]),
        ("one\r\nmore\r\n\r\n  \r\ntwo\r\n", [("document-1", "one\nmore"), ("document-2", "two")]),
        ("\n\n\tindented\n  kept\n", [("document-1", "indented\n  kept")]),
        ("two words\tand a tab\n\nb", [("document-1", "two words\tand a tab"), ("document-2", "b")]),
    ],
)
def test_two_formats_of_documents(text, expected):
    assert documents(text) == expected


@pytest.mark.parametrize(
    ("topics", "words"),
    [
        ("", "Topics: the field is empty. Enter one topic per line."),
        ("a\n\n2\tb\n2\tc", "Topics, line 4: query_id '2' is already used on line 3."),
        ("tea\n1\tcoffee", "Topics, line 2: query_id '1' is already used on line 1."),
        ("x y\ttea", "Topics, line 1: query_id 'x y' contains white space"),
        ("1\ttea\tdrink\tnarrative", "Topics, line 1 has 4 columns"),
        ("tea\n2\t \tnothing", "Topics, line 2 has no title"),
        ("tea\n" + "x" * 501, "Topics, line 2: the title must have at most 500 characters, not 501."),
        ("1\ta\t" + "x" * 501, "the description must have at most 500 characters, not 501."),
        ("a\n" * 51, "Topics: there can be at most 50 topics, not 51."),
        ("tea\nco\0ffee", "Topics, line 2 contains an invalid character"),
        ("tea\n\ud800", "Topics, line 2 contains an invalid character"),
        ("x" * 1_000_001, "Topics: there can be at most 1,000,000 characters, not 1,000,001."),
    ],
)
def test_invalid_topic_is_refused_with_its_line(instructor, topics, words):
    assert_refused(instructor, words, pasted_topics=topics)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n \n", "Documents: the field is empty."),
        (
            "a\tone\n\nb two",
            "Documents, line 3 has no tab. The first line has doc_id, tab and text, so every line must have them.",
        ),
        ("a\tone\na\ttwo", "Documents, line 2: doc_id 'a' is already used on line 1."),
        ("a\tone\nb c\ttwo", "Documents, line 2: doc_id 'b c' contains white space"),
        ("a\tone\nb\t ", "Documents, line 2: the text must have 1 to 20,000 characters, not 0."),
        ("one\n\n" + "x" * 20_001, "Documents, line 3: the text must have 1 to 20,000 characters, not 20,001."),
        ("one\n\n" * 201, "Documents: there can be at most 200 documents, not 201."),
        ("one\n\nt\0wo", "Documents, line 3 contains an invalid character"),
    ],
)
def test_invalid_document_is_refused_with_its_line(instructor, text, words):
    assert_refused(instructor, words, pasted_documents=text)


def test_number_of_pairs_is_limited(instructor):
    assert_refused(
        instructor, "1 topic and 1 document make 1 pair to judge. An exercise must have between 2 and 2,000.",
        pasted_topics="tea", pasted_documents="Tea.",
    )  # fmt: skip
    assert_refused(instructor, "make 2,100 pairs", pasted_topics="a\n" * 21, pasted_documents="b\n\n" * 100)


def assert_refused(user, words: str, **options) -> None:
    with pytest.raises(Refused) as refusal:
        exercises.make(user, ExerciseSpec(**{"title": "Drinks", **PASTED, **options}))
    assert words in str(refusal.value)
    assert not Exercise.objects.exists()
