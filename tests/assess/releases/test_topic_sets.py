"""A release states the set of each topic, as it was when the gold was released."""

import json

import pytest

from assess.collections.topic_sets import set_topics
from assess.models import Topic
from assess.releases.verify import verify_stored
from tests.assess.releases.conftest import release, text_of

pytestmark = pytest.mark.django_db


def topics(stored) -> dict:
    rows = [json.loads(line) for line in text_of(stored, "topics.jsonl").splitlines()]
    return {row["query_id"]: row.get("set", "no field") for row in rows}


@pytest.mark.slow
def test_release_states_the_sets_and_keeps_them(collection, judges, without_reports):
    set_topics(collection, ["2"], "test")
    stored = release(collection)
    assert topics(stored) == {"1": None, "2": "test"}
    assert (
        "The development set has 0 topics and the test set has 1 topic; 1 topic belongs to no set. "
        "The file topics.jsonl names the set of each topic."
    ) in text_of(stored, "paper/methods.md")
    assert "- `topics.jsonl`: query_id, title, description, narrative, set\n" in text_of(stored, "README.md")
    set_topics(collection, ["1", "2"], "development")
    assert verify_stored(stored).problems == []
    assert topics(release(collection)) == {"1": "development", "2": "development"}


def test_release_of_some_topics_has_their_sets_only(collection, judges, without_reports):
    Topic.objects.create(collection=collection, query_id="3")
    set_topics(collection, ["1", "3"], "development")
    set_topics(collection, ["2"], "test")
    stored = release(collection, topics=["2"])
    assert topics(stored) == {"2": "test"}
    assert json.loads(text_of(stored, "release.json"))["topic_sets"] == {"2": "test"}


@pytest.mark.slow
def test_release_without_sets_has_the_files_of_earlier_versions(collection, judges, without_reports):
    stored = release(collection)
    assert topics(stored) == {"1": "no field", "2": "no field"}
    assert "topic_sets" not in json.loads(text_of(stored, "release.json"))
    assert "test set" not in text_of(stored, "paper/methods.md")
    assert verify_stored(stored).problems == []
