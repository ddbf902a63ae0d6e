"""What an exercise is made of: a true copy out of a collection, or what was pasted; and what is refused."""

import pytest

from assess.errors import Refused
from assess.models import Collection, Document, Exercise, Judgement, Provenance, Role, Run, Task, Topic
from assess.pools import build as pools
from assess.teaching import exercise_sources, exercises, pasted
from assess.teaching.exercises import Wish
from tests.assess.command_output import tables
from tests.assess.exercise_factories import PASTED, instructor_of, judged_collection, pasted_exercise
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(db):
    source = judged_collection()
    source.guidelines.create(version=1, text="Old words.")
    source.guidelines.create(version=2, text="Judge what is **there**.")
    source.hide_doc_ids, source.snippet_first = True, True
    source.save()
    source.documents.filter(doc_id="d01").update(text="<p>One</p>", format="html", metadata={"year": 1999})
    return source


@pytest.fixture
def iris(source):
    return instructor_of(source)


def make(user, **wish) -> Collection:
    return exercises.make(user, Wish(**{"title": "Class", "source": "source", **wish})).collection


# ---- from a collection


def test_the_copy_has_all_that_judging_and_ranking_need(source, iris):
    copy = make(iris, shared=24)
    assert copy.topics.count() == 2
    for name in ("query_id", "title", "description", "narrative"):
        ours, theirs = (sorted(each.topics.values_list(name, flat=True)) for each in (copy, source))
        assert ours == theirs
    columns = ("doc_id", "title", "text", "format", "metadata")
    ours, theirs = (list(each.documents.order_by("doc_id").values(*columns)) for each in (copy, source))
    assert ours == theirs
    scale = ("value", "name", "meaning", "colour")
    assert list(copy.grades.values(*scale)) == list(source.grades.values(*scale))
    assert [(each.version, each.text) for each in copy.guidelines.all()] == [(1, "Judge what is **there**.")]
    assert (copy.hide_doc_ids, copy.snippet_first, copy.ask_at_topic_end) == (True, True, False)


def test_tasks_come_with_what_they_were_pooled_by_and_runs_lie_in_the_same_files(source, iris):
    copy = make(iris, shared=24)

    def came(collection):
        rows = Provenance.objects.filter(task__topic__collection=collection)
        names = ("task__topic__query_id", "task__document__doc_id", "best_rank", "systems")
        return sorted(rows.values_list(*names))

    assert came(copy) == came(source)
    names = ("system", "source_checksum", "file_checksum", "line_count", "topic_count")
    assert list(copy.runs.values(*names)) == list(source.runs.values(*names))
    building = copy.pool_buildings.get()
    assert building.parameters == {"from": "source", "shared": 24}
    assert building.tasks_added == 24
    assert building.run_checksums == dict(source.runs.values_list("system", "file_checksum"))


def test_nothing_of_the_source_changes_and_none_of_its_judgements_come_along(source, iris):
    def of_source():
        return {
            name: list(rows) for name, rows in tables().items() if name in ("Judgement", "JudgementEvent", "Assignment")
        } | {
            model.__name__: list(model.objects.filter(collection=source).order_by("pk").values())
            for model in (Topic, Document, Run)
        }

    before, tasks = of_source(), list(pools.pooled_tasks(source).order_by("pk").values())
    copy = make(iris)
    assert of_source() == before
    assert list(pools.pooled_tasks(source).order_by("pk").values()) == tasks
    assert not Judgement.objects.filter(task__topic__collection=copy).exists()
    assert list(copy.members.values_list("name", "role")) == [("instructor", Role.INSTRUCTOR)]


def test_only_what_was_chosen_is_copied(source, iris):
    copy = make(iris, query_ids=["2"], shared=5)
    assert list(copy.topics.values_list("query_id", flat=True)) == ["2"]
    assert copy.documents.count() == Task.objects.filter(topic__collection=copy).count() == 5
    wider = make(iris, query_ids=["2"], shared=5, more_each=1)
    assert Task.objects.filter(topic__collection=wider).count() == 12
    assert Exercise.objects.get(collection=wider).shared == 5


def test_a_graded_source_can_become_binary(source, iris):
    copy = make(iris, binary=True)
    assert list(copy.grades.values_list("value", "name")) == [(0, "Not relevant"), (1, "Relevant")]


def test_a_source_with_less_than_was_asked_gives_what_it_has(source, iris):
    made = exercises.make(iris, Wish("Class", "source", shared=100))
    assert made.shared == 24


def test_the_source_is_one_of_ones_own(source):
    assert [each.slug for each in exercise_sources.sources(instructor_of(source))] == ["source"]
    for role in (Role.OWNER, Role.RESEARCHER):
        member = source.members.create(user=instructor_of(name=role), role=role, name=role)
        assert make(member.user).slug.startswith("exercise-")
    assessor = source.members.create(user=instructor_of(name="ann"), role=Role.ASSESSOR, name="ann")
    for user, slug in ((assessor.user, "source"), (instructor_of(name="out"), "source"), (instructor_of(), "nowhere")):
        with pytest.raises(Refused, match=f"no collection '{slug}' that you may make an exercise from"):
            make(user, source=slug)


def test_an_exercise_is_no_source_of_another(source, iris):
    made = make(iris)
    assert [each.slug for each in exercise_sources.sources(iris)] == ["source"]
    with pytest.raises(Refused, match=r"there are: source\."):
        make(iris, source=made.slug)


def test_an_unknown_topic_is_named(source, iris):
    with pytest.raises(Refused, match=r"source has no topic '7'; it has 1, 2\."):
        make(iris, query_ids=["1", "7"])
    assert not Exercise.objects.exists()


def test_a_source_without_texts_is_refused(source, iris):
    source.documents.exclude(doc_id="d01").update(text=None)
    with pytest.raises(Refused, match="source has 1 pooled documents with a text in these topics"):
        make(iris, query_ids=["1"])


def test_a_source_without_judgements_guidelines_and_dispute_will_do():
    source = small_collection(SMALL_RUNS, "fresh")
    copy = make(instructor_of(source), source="fresh", shared=4)
    assert Task.objects.filter(topic__collection=copy).count() == 4
    assert not copy.guidelines.exists()


def test_the_few_queries_do_not_grow_with_the_documents(source, iris, django_assert_max_num_queries):
    with django_assert_max_num_queries(45):
        make(iris, shared=24)


# ---- pasted


def test_pasted_topics_and_documents_are_all_judged_with_each_other(iris):
    made = pasted_exercise(iris, shared=6)
    collection = made.collection
    assert list(collection.topics.order_by("pk").values_list("query_id", "title", "description")) == [
        ("1", "tea", ""),
        ("T2", "coffee", "How it is made."),
    ]
    assert list(collection.documents.order_by("pk").values_list("doc_id", "text")) == [
        ("document-1", "Tea is a drink."),
        ("document-2", "Coffee is another.\nIt is black."),
        ("document-3", "Milk is white."),
    ]
    assert Task.objects.filter(topic__collection=collection).count() == made.shared == 6
    assert not collection.runs.exists()
    assert not Provenance.objects.filter(task__topic__collection=collection).exists()
    assert list(collection.grades.values_list("value", flat=True)) == [0, 1, 2, 3]
    assert collection.pool_buildings.get().parameters == {"from": "pasted text", "shared": 6}


def test_pasted_and_binary_with_more_for_each(iris):
    made = pasted_exercise(iris, shared=2, more_each=1, binary=True)
    assert list(made.collection.grades.values_list("value", flat=True)) == [0, 1]
    rows = Task.objects.filter(topic__collection=made.collection).order_by("pk")
    assert rows.count() == 6
    assert {task.topic.query_id for task in rows[:2]} == {"1", "T2"}  # topics take turns


def documents(text: str) -> list[tuple[str, str]]:
    return [(each.doc_id, each.text) for each in pasted.read_documents(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\tone\nb\ttwo\tthree\n\nc\t four \n", [("a", "one"), ("b", "two\tthree"), ("c", "four")]),
        ("one\r\nmore\r\n\r\n  \r\ntwo\r\n", [("document-1", "one\nmore"), ("document-2", "two")]),
        ("\n\n\tindented\n  kept\n", [("document-1", "indented\n  kept")]),
        ("two words\tand a tab\n\nb", [("document-1", "two words\tand a tab"), ("document-2", "b")]),
    ],
)
def test_documents_come_in_two_ways(text, found):
    assert documents(text) == found


@pytest.mark.parametrize(
    ("topics", "words"),
    [
        ("", "Topics: nothing was pasted"),
        ("a\n\n2\tb\n2\tc", "Topics, line 4: query_id '2' stands already on line 3."),
        ("tea\n1\tcoffee", "Topics, line 2: query_id '1' stands already on line 1."),
        ("x y\ttea", "Topics, line 1: query_id 'x y' contains white space"),
        ("1\ttea\tdrink\tnarrative", "Topics, line 1 has 4 columns"),
        ("tea\n2\t \tnothing", "Topics, line 2 has no title"),
        ("tea\n" + "x" * 501, "Topics, line 2: the title has 501 characters; at most 500"),
        ("1\ta\t" + "x" * 501, "the description has 501 characters"),
        ("a\n" * 51, "Topics: 51 lines came; at most 50 topics"),
        ("tea\nco\0ffee", "Topics, line 2 holds a character that is no text"),
        ("tea\n\ud800", "Topics, line 2 holds a character that is no text"),
        ("x" * 1_000_001, "Topics: 1,000,001 characters came; at most 1,000,000"),
    ],
)
def test_a_topic_that_is_none_is_refused_with_its_line(iris, topics, words):
    refused(iris, words, pasted_topics=topics)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n \n", "Documents: nothing was pasted"),
        ("a\tone\n\nb two", "Documents, line 3 has no tab; the first line is doc_id, tab and text"),
        ("a\tone\na\ttwo", "Documents, line 2: doc_id 'a' stands already on line 1."),
        ("a\tone\nb c\ttwo", "Documents, line 2: doc_id 'b c' contains white space"),
        ("a\tone\nb\t ", "Documents, line 2: the text has 0 characters; it has 1 to 20,000."),
        ("one\n\n" + "x" * 20_001, "Documents, line 3: the text has 20,001 characters"),
        ("one\n\n" * 201, "Documents: 201 came; at most 200"),
        ("one\n\nt\0wo", "Documents, line 3 holds a character that is no text"),
    ],
)
def test_a_document_that_is_none_is_refused_with_its_line(iris, text, words):
    refused(iris, words, pasted_documents=text)


def test_as_many_pairs_as_can_be_judged(iris):
    refused(
        iris, "1 topics and 1 documents make 1 pairs to judge; an exercise has 2 to 2,000.",
        pasted_topics="tea", pasted_documents="Tea.",
    )  # fmt: skip
    refused(iris, "make 2,100 pairs", pasted_topics="a\n" * 21, pasted_documents="b\n\n" * 100)


def refused(user, words: str, **wish) -> None:
    with pytest.raises(Refused) as refusal:
        exercises.make(user, Wish(**{"title": "Drinks", **PASTED, **wish}))
    assert words in str(refusal.value)
    assert not Exercise.objects.exists()
