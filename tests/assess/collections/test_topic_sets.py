"""Topics belong to the development set, to the test set, or to none."""

import pytest
from django.db import IntegrityError, connection, transaction

from assess.collections.topic_sets import count_sets, describe_set, set_topics, sets_by_topic, topics_in_set
from assess.deletion import delete_collection
from assess.errors import Refused
from assess.models import ImportKind, Topic, TopicInSet
from assess.transfer.topics import import_topics
from assess.transfer.undo import undo_import
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection


def test_topics_change_their_set_and_leave_it(collection):
    first = set_topics(collection, ["1", "2"], "development")
    assert (first.changed, first.same) == (2, 0)
    second = set_topics(collection, ["2"], "test")
    assert (second.changed, second.same) == (1, 0)
    assert sets_by_topic(collection) == {"1": "development", "2": "test"}
    assert topics_in_set(collection, "test") == ("2",)
    third = set_topics(collection, ["1", "2"], "test")
    assert (third.changed, third.same) == (1, 1)
    set_topics(collection, ["1"], "none")
    assert sets_by_topic(collection) == {"2": "test"}


def test_topics_are_in_the_order_of_import(collection):
    Topic.objects.bulk_create(Topic(collection=collection, query_id=each) for each in ("10", "9"))
    set_topics(collection, ["9", "10", "2"], "test")
    assert topics_in_set(collection, "test") == ("2", "10", "9")


def test_a_topic_named_twice_counts_once(collection):
    result = set_topics(collection, ["1", "1"], "test")
    assert (result.changed, result.same) == (1, 0)


@pytest.mark.parametrize(
    ("query_ids", "name", "sentence"),
    [
        (["1", "9"], "test", "There is no topic '9' in small; nothing was changed."),
        (["1\0"], "test", "There is no topic '1\\x00' in small; nothing was changed."),
        ([], "test", "Choose at least one topic."),
        (["1"], "training", "The set must be one of development, test, none, not 'training'."),
    ],
)
def test_invalid_changes_are_refused_and_change_nothing(collection, query_ids, name, sentence):
    set_topics(collection, ["1"], "development")
    before = tables()
    with pytest.raises(Refused) as refused:
        set_topics(collection, query_ids, name)
    assert str(refused.value) == sentence
    assert tables() == before


def test_topics_of_other_collections_are_unknown_and_stay(collection):
    other = small_collection({"solo": {"1": ["a"]}}, slug="other")
    set_topics(other, ["1"], "test")
    set_topics(collection, ["1"], "development")
    assert (sets_by_topic(other), sets_by_topic(collection)) == ({"1": "test"}, {"1": "development"})


def test_empty_and_unknown_sets_are_refused(collection):
    assert topics_in_set(collection, "") == ()
    with pytest.raises(Refused, match="No topic of small is in the test set yet"):
        topics_in_set(collection, "test")
    with pytest.raises(Refused, match="set must be one of development, test or empty, not 'all'"):
        topics_in_set(collection, "all")


def test_sets_are_counted_and_described():
    assert count_sets(["test", "", "test", "development"]) == {"development": 1, "test": 2, "none": 1}
    assert describe_set("test", ["1", "2"]) == "test set: 2 topics"
    assert describe_set("development", ["1"]) == "development set: 1 topic"
    assert describe_set("", ["1"]) == ""


def test_database_refuses_unknown_sets(collection):
    with pytest.raises(IntegrityError), transaction.atomic():
        TopicInSet.objects.create(topic=collection.topics.first(), name="training")


def test_many_topics_need_few_queries(collection, django_assert_max_num_queries):
    topics = [Topic(collection=collection, query_id=f"q{number}") for number in range(3_000)]
    Topic.objects.bulk_create(topics)
    with django_assert_max_num_queries(20):
        set_topics(collection, [topic.query_id for topic in topics], "test")
    assert len(topics_in_set(collection, "test")) == 3_000


def test_sets_disappear_with_their_topics(db, tmp_path):
    collection = small_collection(SMALL_RUNS)
    path = tmp_path / "more.tsv"
    path.write_text("3\tthird need\n", encoding="utf-8")
    import_topics(collection, path)
    set_topics(collection, ["1", "3"], "test")
    undo_import(collection, collection.imports.filter(kind=ImportKind.TOPICS).first().pk)
    assert sets_by_topic(collection) == {"1": "test"}
    delete_collection("small", "small")
    assert not TopicInSet.objects.exists()
    connection.check_constraints()


def test_command_sets_and_shows(collection, tmp_path):
    path = tmp_path / "ids.txt"
    path.write_text("1\n2\n", encoding="utf-8")
    command = "set_topics", "--collection", "small"
    lines = output_of(*command, "--set", "development", "--file", path)
    assert lines[0] == "Changed the set of 2 topics; 0 belonged to it."
    lines = output_of(*command, "--set", "test", "--topic", "2")
    assert lines == [
        "Changed the set of 1 topic; 0 belonged to it.",
        "development: 1 topic",
        "test: 1 topic",
        "none: 0 topics",
    ]
    assert output_of(*command) == lines[1:]


def test_command_refuses_what_it_cannot_do(collection, tmp_path):
    command = "set_topics", "--collection", "small"
    path = tmp_path / "ids.txt"
    path.write_bytes(b"\xff\xfe")
    assert refusal(*command, "--set", "test", "--file", path) == f"{path}: the file is not text in UTF-8."
    assert refusal(*command, "--topic", "1") == "--topic and --file need --set: development, test or none."
    assert refusal(*command, "--set", "test") == "Choose at least one topic."
    assert refusal(*command, "--set", "test", "--topic", "9") == "There is no topic '9' in small; nothing was changed."
