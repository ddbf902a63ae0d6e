"""The page on what is recorded: its texts and the latest entries."""

import uuid

import pytest
from django.urls import reverse

from assess.judging import record as judging
from assess.judging import worklist
from assess.judging.judgement_input import Saying
from assess.pools import build as pools
from tests.html import compact


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    pools.assign(collection, judges=1)
    return ada


def page(signed_in, ada) -> str:
    return compact(signed_in(ada).get(reverse("judge:recorded", args=[ada.collection.slug])).content.decode())


def test_it_says_what_who_and_what_never(signed_in, ada):
    html = page(signed_in, ada)
    for words in (
        *(
            "how long the document was in front of you",
            "how long you were away",
            "whether you used a key, the mouse or a touch screen",
        ),
        *("words of the topic were highlighted", "version of the guidelines", "Nothing is overwritten"),
        *(
            "under the name <b>assessor-1</b>",
            "What is never recorded",
            "not judged any documents",
            "a second time without notice",
        ),
        *(reverse("judge:judgements_csv", args=["small"]), reverse("judge:judgements", args=["small"])),
    ):
        assert words in html


@pytest.mark.parametrize(
    ("rule", "value", "words"),
    [
        ("ask_confidence", True, "how sure you were"),
        ("passages", "optional", "the passages you marked"),
        ("ask_at_topic_end", True, "At the end of a topic"),
    ],
)
def test_what_a_collection_does_not_ask_is_not_said_to_be_kept(signed_in, ada, rule, value, words):
    off = {"ask_confidence": False, "passages": "off", "ask_at_topic_end": False}
    type(ada.collection).objects.update(**off)
    assert words not in page(signed_in, ada)
    type(ada.collection).objects.update(**{rule: value})
    assert words in page(signed_in, ada)


def test_the_newest_lines_stand_there_as_they_were_kept(signed_in, ada):
    topic, _ = worklist.topics(ada)[0]
    task = worklist.upcoming(ada, topic)[0].task
    for saying in [Saying("judged", 1, input="key")] + 12 * [Saying("undone"), Saying("judged", 0, active_ms=61_000)]:
        judging.record(ada, task, saying, uuid.uuid4())
    html = page(signed_in, ada)
    assert "Your last 20 entries" in html
    assert html.count("taken back") == 10
    assert html.count("1 min 01 s") == 10
    assert "by key" not in html.split("<table")[1]  # the first line is the 25th
