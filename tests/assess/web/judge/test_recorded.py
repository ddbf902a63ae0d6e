"""The page on what is recorded about an assessor."""

import uuid

import pytest
from django.urls import reverse

from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.pools.assign import assign
from tests.html import compact


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


def page(signed_in, ada) -> str:
    return compact(signed_in(ada).get(reverse("judge:recorded", args=[ada.collection.slug])).content.decode())


def test_page_explains_what_is_recorded_who_sees_it_and_what_is_not(signed_in, ada):
    html = page(signed_in, ada)
    for words in (
        *(
            "how long the document was in front of you",
            "how long you were away",
            "whether you used a key, the mouse, a touch screen",
        ),
        *("topic's words were highlighted", "version of the guidelines", "Nothing is overwritten"),
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
def test_page_mentions_only_what_the_collection_asks(signed_in, ada, rule, value, words):
    off = {"ask_confidence": False, "passages": "off", "ask_at_topic_end": False}
    type(ada.collection).objects.update(**off)
    assert words not in page(signed_in, ada)
    type(ada.collection).objects.update(**{rule: value})
    assert words in page(signed_in, ada)


def test_page_shows_the_latest_ledger_lines(signed_in, ada):
    topic, _ = topics_with_progress(ada)[0]
    task = worklist.upcoming(ada, topic)[0].task
    for judgement in [JudgementInput("judged", 1, input="key")] + 12 * [
        JudgementInput("undone"),
        JudgementInput("judged", 0, active_ms=61_000),
    ]:
        record_judgement(ada, task, judgement, uuid.uuid4())
    html = page(signed_in, ada)
    assert "Your last 20 entries" in html
    assert html.count(">undone</span>") == 10
    assert html.count("1 min 01 s") == 10
    assert "by key" not in html.split("<table")[1]  # the first line is the 25th
