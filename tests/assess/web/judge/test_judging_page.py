"""The assessor's pages over HTTP: as a plain form, and as the page's script speaks."""

import gzip
import json
import re
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.collections.guidelines import publish_guidelines
from assess.judging import worklist
from assess.judging.judgement_input import LONGEST_MS
from assess.judging.worklist import topics_with_progress
from assess.models import Collection, Document, Judgement, JudgementEvent
from assess.pools.assign import assign
from tests.factories import SMALL_RUNS, remove_content, set_content, small_collection
from tests.html import compact


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def page_of(member):
    topic, _ = topics_with_progress(member)[0]
    return reverse("judge:topic", args=[member.collection.slug, topic.pk])


def form_of(html: str, form_id: str = "judgement") -> tuple[str, dict]:
    """Address and hidden fields of a form on the page."""
    form = re.search(rf'<form method="post" id="{form_id}" action="([^"]*)">(.*?)</form>', compact(html), re.S)
    return form[1], dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2].split("<button")[0]))


def script_of(html: str) -> dict:
    return json.loads(re.search(r'<script id="script-data" type="application/json">(.*?)</script>', html, re.S)[1])


def post_judgement(http, member, task, **fields):
    url = reverse("judge:record", args=[member.collection.slug, task])
    fields = {"client_id": str(uuid.uuid4()), "member": member.pk} | fields
    return http.post(url, fields, headers={"accept": "application/json"})


def test_legend_lists_only_keys_that_work(http, ada):
    words = ("how sure you are", "mark the passage that decided the judgement", "guidelines")
    before = [f"<dd>{each}</dd>" in http.get(page_of(ada)).content.decode() for each in words]
    Collection.objects.update(ask_confidence=True, passages="optional")
    publish_guidelines(ada.collection, "Read it all.")
    after = [f"<dd>{each}</dd>" in http.get(page_of(ada)).content.decode() for each in words]
    assert (before, after) == ([False] * 3, [True] * 3)


def test_topics_page_shows_the_progress(http, ada):
    html = compact(http.get(reverse("judge:topics", args=[ada.collection.slug])).content.decode())
    assert "0 of 7 documents judged, 7 to go" in html
    assert "first need" in html
    assert "second need" in html


def test_topics_page_without_assignments(collection, join, signed_in):
    html = signed_in(join(collection, "eve")).get(reverse("judge:topics", args=[collection.slug])).content.decode()
    assert "You have no documents to judge yet." in html


def test_page_shows_topic_scale_progress_and_the_first_document(http, ada):
    html = compact(http.get(page_of(ada)).content.decode())
    topic, _ = topics_with_progress(ada)[0]
    card = worklist.upcoming(ada, topic)[0]
    for words in (topic.title, topic.description, topic.narrative, "Not relevant", "0 of 4 in this topic", card.text):
        assert words in html
    assert [other["task"] for other in script_of(html)["cards"]] == [c.task for c in worklist.upcoming(ada, topic)]


def test_whole_topic_is_judged_without_javascript(http, ada):
    url = page_of(ada)
    for grade in ("1", "0", "1", "0"):
        action, hidden = form_of(http.get(url).content.decode())
        answer = http.post(action, hidden | {"relevance": grade})
        assert (answer.status_code, answer.url) == (302, url)
    assert "This topic is done" in http.get(url).content.decode()
    assert sorted(Judgement.objects.values_list("relevance", flat=True)) == [0, 0, 1, 1]


def test_undo_later_and_cannot_judge_work_without_javascript(http, ada):
    url = page_of(ada)
    action, hidden = form_of(http.get(url).content.decode())
    http.post(action, hidden | {"relevance": "1"})
    undo, hidden = form_of(http.get(url).content.decode(), "undo")
    http.post(undo, hidden | {"state": "undone"})
    html = compact(http.get(url).content.decode())
    again, hidden = form_of(html)
    assert again == action == undo
    assert re.search(r'value="1" class="[^"]*" aria-pressed="true"', html)  # its grade preselected
    http.post(again, hidden | {"reason": "language", "comment": "Welsh"})
    action, hidden = form_of(http.get(url).content.decode())
    http.post(action, hidden | {"state": "later"})
    assert sorted(Judgement.objects.values_list("state", "reason", "comment")) == [
        ("cannot_judge", "language", "Welsh"),
        ("later", "", ""),
    ]
    assert JudgementEvent.objects.count() == 4


def test_script_gets_the_saved_judgement_and_the_new_progress(http, ada):
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    answer = post_judgement(http, ada, card["task"], relevance="1").json()
    assert (answer["state"], answer["relevance"]) == ("judged", 1)
    assert (answer["topic"]["done"], answer["topic"]["left"]) == (1, 3)


def test_repeated_request_gets_the_same_response(http, ada):
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    fields = {"client_id": str(uuid.uuid4()), "relevance": "1"}
    answers = [post_judgement(http, ada, card["task"], **fields).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert JudgementEvent.objects.count() == 1
    assert post_judgement(http, ada, card["task"], **fields | {"relevance": "0"}).status_code == 409


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"relevance": "7"}, "Grade 7 is not on the scale"),
        ({"relevance": "one"}, "relevance: Enter a whole number."),
        ({"client_id": "x", "relevance": "1"}, "client_id: Enter a valid UUID."),
        ({"state": "judged"}, "The grade is missing; it must be one of 0, 1."),
        ({"reason": "bored"}, "The reason must be one of broken, language, expertise, topic, other, not 'bored'."),
        ({"relevance": "1", "guidelines_version": "9"}, "There is no version 9 of the guidelines; reload the page."),
        ({"relevance": "1", "comment": "x" * 5_001}, "The comment has 5,001 characters; at most 5,000 are allowed."),
        ({"relevance": "1", "passages": "[" * 20_000}, "passages: '[[["),
        ({"relevance": "1", "passages": f"[[0,{'9' * 4_300}]]"}, "is not a list of [start, end) spans"),
        ({"relevance": "1", "passages": "0"}, "is not a list of [start, end) spans"),
        ({"relevance": "1", "passages": "false"}, "is not a list of [start, end) spans"),
        ({"relevance": "1", "passages": "{}"}, "is not a list of [start, end) spans"),
        (
            {"relevance": "1", "passages": "[[4,4]]"},
            "Passages must be [start, end) pairs in ascending order, at most 200, without overlap.",
        ),
    ],
)
def test_invalid_fields_are_refused_for_script_and_form(http, ada, fields, words):
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    refused = post_judgement(http, ada, card["task"], **fields)
    assert refused.status_code == 400
    assert words in refused.json()["error"]
    url = reverse("judge:record", args=[ada.collection.slug, card["task"]])
    form = http.post(url, {"client_id": str(uuid.uuid4()), "member": ada.pk} | fields)
    assert form.status_code == 400
    assert 'role="alert"' in form.content.decode()
    assert not Judgement.objects.exists()


def test_too_long_time_is_clamped_and_the_grade_is_saved(http, ada):
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    assert post_judgement(http, ada, card["task"], relevance="1", active_ms=10**9).status_code == 200
    assert Judgement.objects.get().active_ms == LONGEST_MS


def test_page_of_another_user_saves_nothing(http, ada, collection, join):
    bob = join(collection, "bob")
    assign(collection, judges=2)
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    http.force_login(bob.user, backend="assess.people.backend.AccountBackend")
    refused = post_judgement(http, ada, card["task"], relevance="1")
    assert (refused.status_code, refused.json()["wait"]) == (409, True)
    assert not Judgement.objects.exists()


def test_comment_is_shown_again_after_undo(http, ada):
    url = page_of(ada)
    action, hidden = form_of(http.get(url).content.decode())
    http.post(action, hidden | {"relevance": "1", "comment": "see also b"})
    undo, hidden = form_of(http.get(url).content.decode(), "undo")
    http.post(undo, hidden | {"state": "undone"})
    assert re.search(r"<textarea[^>]*>see also b</textarea>", http.get(url).content.decode())


def test_more_cards_exclude_those_on_the_page(http, ada):
    url = page_of(ada)
    cards = script_of(http.get(url).content.decode())["cards"]
    more = http.get(f"{url}next/", {"besides": [card["task"] for card in cards[:3]]}).json()["cards"]
    assert [card["task"] for card in more] == [cards[3]["task"]]
    assert http.get(f"{url}next/", {"besides": "nonsense"}).status_code == 400


def test_topic_and_task_of_somebody_else_are_not_found(http, ada, collection, join):
    other = small_collection(SMALL_RUNS, slug="other")
    bob = join(other, "bob")
    assign(other, judges=1)
    topic, _ = topics_with_progress(bob)[0]
    assert http.get(reverse("judge:topic", args=[collection.slug, topic.pk])).status_code == 404
    assert post_judgement(http, ada, worklist.upcoming(bob, topic)[0].task, relevance="1").status_code == 404


def test_document_is_not_shown_with_another_topic(http, ada):
    first, second = (topic for topic, _ in topics_with_progress(ada))
    strange = worklist.upcoming(ada, second)[0].task
    for full in ("", "&full=1"):
        assert http.get(f"{page_of(ada)}?task={strange}{full}").status_code == 404
    own = worklist.upcoming(ada, first)[-1].task
    assert script_of(http.get(f"{page_of(ada)}?task={own}").content.decode())["cards"][0]["task"] == own


def test_unknown_task_is_not_found_and_an_empty_one_is_ignored(http, ada):
    url = page_of(ada)
    for name in (uuid.uuid4(), "nonsense"):
        assert http.get(f"{url}?task={name}").status_code == 404
    cards = script_of(http.get(url).content.decode())["cards"]
    assert script_of(http.get(f"{url}?task=").content.decode())["cards"] == cards


def test_long_text_is_compressed(http, ada):
    set_content(Document.objects.all(), text="A line of many like it.\n" * 10_000)
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    answer = http.get(
        reverse("judge:document", args=[ada.collection.slug, card["task"]]), headers={"accept-encoding": "gzip"}
    )
    assert answer["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.content))["text"].endswith("like it.\n")
    assert "content-encoding" not in http.get(page_of(ada), headers={"accept-encoding": "gzip"})  # it has a token in it


def test_line_end_counts_as_one_character_of_a_comment(http, ada):
    task = script_of(http.get(page_of(ada)).content.decode())["cards"][0]["task"]
    comment = "\n".join("x" for _ in range(2500))  # 4,999 as the page counts them
    assert post_judgement(http, ada, task, relevance="1", comment=comment.replace("\n", "\r\n")).status_code == 200
    assert Judgement.objects.get().comment == comment


def test_right_to_left_texts_have_dir_auto(http, ada):
    ada.collection.topics.update(title="צורך", description="תיאור", narrative="סיפור")
    html = compact(http.get(page_of(ada)).content.decode())
    for words in ("צורך</h1>", "תיאור</p>", "סיפור</p>"):
        assert re.search(rf'dir="auto"\s*>{words}', html)
    assert 'dir="auto">Not relevant</span>' in html
    assert re.search(r'<textarea id="comment"[^>]* dir="auto"', html)


def test_document_without_text(http, ada):
    remove_content(Document.objects.all())
    html = compact(http.get(page_of(ada)).content.decode())
    assert re.search(r'<p id="doc-missing" class="refusal">The text of this document has not been imported yet', html)
    assert script_of(html)["cards"][0]["text"] is None
    assert re.search(r'name="relevance" value="1"[^>]* disabled>', html)
    set_content(Document.objects.all(), text="")
    html = compact(http.get(page_of(ada)).content.decode())
    assert re.search(r'<p id="doc-empty" class="refusal">This document is empty', html)
    assert re.search(r'<p id="doc-missing" class="refusal" hidden>', html)
    assert re.search(r'name="relevance" value="1"[^>]* disabled>', html)


def test_hostile_text_is_escaped_in_page_and_script_data(http, ada):
    bad = "</script><script>alert(1)</script><img src=x onerror=alert(1)> \u202e"
    set_content(Document.objects.all(), text=bad, title=bad)
    ada.collection.topics.update(title=bad, description=bad, narrative=bad)
    html = compact(http.get(page_of(ada)).content.decode())
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert script_of(html)["cards"][0]["text"] == bad


def test_graded_scale_shows_all_grades(join, signed_in, db):
    collection = small_collection(SMALL_RUNS, "graded", grades=["0=none", "2=some", "3=much", "9=all:everything"])
    ada = join(collection, "ada")
    assign(collection, judges=1)
    http = signed_in(ada)
    html = compact(http.get(page_of(ada)).content.decode())
    assert re.findall(r'name="relevance" value="(\d)" class="tone-(\d)"', html) == [
        ("0", "0"),
        ("2", "1"),
        ("3", "2"),
        ("9", "3"),
    ]
    card = script_of(html)["cards"][0]
    assert post_judgement(http, ada, card["task"], relevance="9").json()["relevance"] == 9
    assert post_judgement(http, ada, card["task"], relevance="1").status_code == 400


def test_snippet_comes_first_and_full_text_works_without_javascript(http, ada, collection):
    collection.snippet_first = True
    collection.save()
    set_content(Document.objects.all(), text="first need. " + "Words in between. " * 200 + "The very end.")
    url = page_of(ada)
    html = compact(http.get(url).content.decode())
    assert "The very end." not in html
    more = re.search(r'<a href="([^"]+)">Full text', html)[1].replace("&amp;", "&")
    assert "The very end." in http.get(more).content.decode()
    card = script_of(html)["cards"][0]
    assert (card["text"], card["apart"]) == (None, True)
    document = reverse("judge:document", args=[collection.slug, card["task"]])
    assert http.get(document).json()["text"].endswith("The very end.")


@pytest.mark.parametrize(("passages", "kept"), [("[[0,2],[4,9]]", [[0, 2], [4, 9]]), ("[]", []), ("", [])])
def test_passages_are_saved_as_sent(http, ada, passages, kept):
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    assert post_judgement(http, ada, card["task"], relevance="1", passages=passages).status_code == 200
    assert Judgement.objects.get().passages == kept


@pytest.mark.parametrize(
    ("rules", "later"),
    [
        ({"judging_open": False}, True),
        ({"judging_open": False, "judging_ends_at": timezone.now() + timedelta(hours=1)}, True),
        ({"judging_ends_at": timezone.now()}, False),
        ({"judging_open": False, "judging_ends_at": timezone.now()}, False),
    ],
)
def test_pause_and_end_have_different_answers(http, ada, collection, rules, later):
    """During a pause, offline judgements may be sent again later. After the end, they are refused for good."""
    card = script_of(http.get(page_of(ada)).content.decode())["cards"][0]
    Collection.objects.filter(pk=collection.pk).update(**rules)
    answer = post_judgement(http, ada, card["task"], relevance="1").json()
    assert (answer["later"], answer["wait"], answer["drop"]) == (later, False, False)
    assert not Judgement.objects.exists()


@pytest.mark.parametrize("closed", [{"judging_open": False}, {"judging_ends_at": timezone.now()}])
def test_closed_judging_shows_and_accepts_nothing(http, ada, collection, closed):
    url = page_of(ada)
    card = script_of(http.get(url).content.decode())["cards"][0]
    Collection.objects.filter(pk=collection.pk).update(**closed)
    html = compact(http.get(f"{url}?task={card['task']}").content.decode())
    assert "You cannot judge now" in html
    assert script_of(html)["cards"] == http.get(f"{url}next/").json()["cards"] == []
    assert card["text"] not in html
    assert http.get(reverse("judge:document", args=[collection.slug, card["task"]])).status_code == 404
    refused = post_judgement(http, ada, card["task"], relevance="1")
    assert (refused.status_code, "This judgement was not saved" in refused.json()["error"]) == (409, True)
    assert not Judgement.objects.exists()


def test_number_of_queries_does_not_grow_with_the_collection(
    http, ada, django_assert_num_queries, django_assert_max_num_queries, join, signed_in
):
    bigger = small_collection(
        {
            name: {topic: [*documents, *(f"{topic}{n}" for n in range(30))] for topic, documents in topics.items()}
            for name, topics in SMALL_RUNS.items()
        },
        "bigger",
        depth=30,
    )
    bob = join(bigger, "bob")
    assign(bigger, judges=1)
    for member in (ada, bob):
        http = signed_in(member)
        url = page_of(member)
        card = script_of(http.get(url).content.decode())["cards"][0]
        # One more in the small collection, where the postponed documents are asked for to fill the page.
        with django_assert_max_num_queries(17):
            http.get(url)
        with django_assert_max_num_queries(10):
            http.get(f"{url}next/")
        with django_assert_num_queries(7):
            http.get(reverse("judge:topics", args=[member.collection.slug]))
        with django_assert_num_queries(13):
            post_judgement(http, member, card["task"], relevance="1")
