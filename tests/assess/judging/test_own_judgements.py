"""My judgements: one row for each document, with filters, judging again and a CSV file."""

import csv
import io
import re
import uuid

import pytest
from django.db.models import F
from django.urls import reverse

from assess.collections.members import add_member
from assess.judging import history
from assess.judging.history import JudgementFilter
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Assignment, Document, Judgement, JudgementEvent, Role
from assess.pools.assign import assign
from tests.factories import SMALL_RUNS, set_content, small_collection
from tests.html import compact


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def judge(member, doc_id: str, *args, repeat: int = 0, **kwargs):
    assignment = Assignment.objects.get(member=member, task__document__doc_id=doc_id, repeat=repeat)
    return record_judgement(member, assignment.public_id, JudgementInput(*args, **kwargs), uuid.uuid4())


def listed(member, **wanted) -> list[tuple]:
    return [(row.doc_id, row.state, row.relevance) for row in history.page(member, JudgementFilter(**wanted)).rows]


def address(member, page="judgements"):
    return reverse(f"judge:{page}", args=[member.collection.slug])


def lines(http, member) -> list[dict]:
    response = http.get(address(member, "judgements_csv"))
    assert response["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(response.getvalue().decode(), newline="")))


def test_newest_judgement_is_listed_first_with_its_fields(http, ada):
    judge(ada, "a", "judged", 1, active_ms=65_000, comment="half of\nit", confidence=2)
    judge(ada, "b", "cannot_judge", reason="language")
    judge(ada, "c" if Assignment.objects.filter(task__document__doc_id="c") else "d", "later")
    html = compact(http.get(address(ada)).content.decode())
    assert [state for _, state, _ in listed(ada)] == ["later", "cannot_judge", "judged"]
    for words in (
        *("3 documents, most recently judged first", "Title a", "Topic 1: <bdi>first need</bdi>", "<b>1</b> Relevant"),
        *("half of<br>it", "1 min 05 s active", "fairly sure", "I cannot read the language", "cannot judge"),
    ):
        assert words in html


def test_empty_list_links_to_the_topics(http, ada):
    html = compact(http.get(address(ada)).content.decode())
    assert "You have not judged any documents yet." in html
    assert address(ada, "topics") in html


def test_undone_judgement_is_not_listed(ada):
    judge(ada, "a", "judged", 1)
    judge(ada, "a", "undone")
    assert listed(ada) == []


def test_judge_again_link_changes_the_row(http, ada):
    judge(ada, "a", "judged", 1)
    html = compact(http.get(address(ada)).content.decode())
    again = re.search(r'<a class="button" href="([^"]*\?task=[^"]*)"', html)[1]
    page = compact(http.get(again).content.decode())
    assert '<h2 id="doc-title"' in page
    task = Assignment.objects.get(member=ada, task__document__doc_id="a").public_id
    assert reverse("judge:record", args=[ada.collection.slug, task]) in page
    judge(ada, "a", "judged", 0)
    assert listed(ada) == [("a", "judged", 0)]
    assert JudgementEvent.objects.count() == 2


def test_repeated_document_is_listed_once_with_the_last_judgement(http, ada):
    for assignment in Assignment.objects.filter(member=ada, task__document__doc_id__in=["a", "b"]):
        Assignment.objects.create(
            member=ada, task=assignment.task, topic=assignment.topic, repeat=1, position=assignment.position + 100
        )
    judge(ada, "a", "judged", 1)
    judge(ada, "b", "judged", 1)
    judge(ada, "a", "judged", 0, repeat=1)
    assert listed(ada) == [("a", "judged", 0), ("b", "judged", 1)]
    assert listed(ada, grade=1) == [("b", "judged", 1)]  # a filter does not show the earlier judgement
    repeat = Assignment.objects.get(member=ada, task__document__doc_id="a", repeat=1)
    assert str(repeat.public_id) in http.get(address(ada)).content.decode()
    judge(ada, "a", "judged", 1)  # the first one again: now it is the latest
    assert listed(ada)[0] == ("a", "judged", 1)
    judge(ada, "a", "undone", repeat=1)
    assert listed(ada) == [("b", "judged", 1)]  # open again: listing the other would reveal the repeat


def test_repeat_looks_like_a_revision_in_the_ledger(http, ada):
    first = Assignment.objects.get(member=ada, task__document__doc_id="a")
    Assignment.objects.create(member=ada, task=first.task, topic=first.topic, repeat=1, position=100)
    judge(ada, "a", "judged", 1)
    judge(ada, "a", "judged", 0, repeat=1)
    judge(ada, "b", "judged", 1)
    judge(ada, "b", "judged", 0)
    rows = lines(http, ada)
    strip = [{k: v for k, v in line.items() if k not in ("at", "doc_id", "title")} for line in rows]
    assert strip[:2] == strip[2:]
    page = compact(http.get(address(ada, "recorded")).content.decode())
    assert "repeat" not in page.lower()


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"a", "b", "x", "y"}),
        ({"state": "judged"}, {"a", "x"}),
        ({"state": "cannot_judge"}, {"b"}),
        ({"state": "later"}, {"y"}),
        ({"grade": 0}, {"x"}),
        ({"text": "TITLE B"}, {"b"}),
        ({"text": "whale"}, {"x"}),
        ({"text": "50%"}, set()),
    ],
)
def test_filters_select_matching_judgements(ada, wanted, expected):
    judge(ada, "a", "judged", 1)
    judge(ada, "b", "cannot_judge", reason="broken")
    judge(ada, "x", "judged", 0, comment="a Whale, 500 of them")
    judge(ada, "y", "later")
    assert {doc_id for doc_id, _, _ in listed(ada, **wanted)} == expected


def test_filters_are_read_from_the_url_and_kept_in_the_form(http, ada):
    judge(ada, "a", "judged", 1)
    judge(ada, "x", "judged", 0)
    topic = ada.collection.topics.get(query_id="2")
    html = compact(
        http.get(address(ada), {"topic": topic.pk, "state": "judged", "grade": "0", "q": "title"}).content.decode()
    )
    assert "1 document, most recently judged first" in html
    assert "Title x" in html
    assert "Title a" not in html
    assert f'<option value="{topic.pk}" selected>' in html
    assert 'value="title"' in html
    assert "None of your judgements matches this filter." in http.get(address(ada), {"q": "nowhere"}).content.decode()


@pytest.mark.parametrize(
    "query", [{"topic": "999999"}, {"topic": "x"}, {"state": "undone"}, {"grade": "7"}, {"q": "x" * 201}]
)
def test_invalid_filter_is_refused_by_name(http, ada, query):
    judge(ada, "a", "judged", 1)
    response = http.get(address(ada), query)
    html = compact(response.content.decode())
    assert response.status_code == 400
    assert f'role="alert">{next(iter(query))}=' in html
    assert "Title a" not in html


@pytest.mark.parametrize("older", ["", "2", "2026-11-21~1", "2026-11-21T10:20:30.123456Z~0", "x" * 99])
def test_invalid_cursor_is_refused(http, ada, older):
    judge(ada, "a", "judged", 1)
    response = http.get(address(ada), {"older": older})
    assert response.status_code == 400
    assert "is not a position in the list; use its links." in response.content.decode()


def titles_on_all_pages(http, member) -> list[str]:
    """Return the titles on all pages of the list, following its links."""
    seen, url = [], f"{address(member)}?state=judged"
    while url:
        html = compact(http.get(url).content.decode())
        seen += re.findall(r'<h2 dir="auto">Title (\w+)</h2>', html)
        older = re.search(r'rel="next" href="([^"]*)"', html)
        url = address(member) + older[1].replace("&amp;", "&") if older else None
    return seen


@pytest.mark.in_ci
@pytest.mark.parametrize("page_size", [1, 2, 3, 7, 8])
def test_list_is_paginated(http, ada, monkeypatch, page_size):
    monkeypatch.setattr(history, "PAGE_SIZE", page_size)
    doc_ids = list(Assignment.objects.filter(member=ada).values_list("task__document__doc_id", flat=True))
    for doc_id in doc_ids:
        judge(ada, doc_id, "judged", 1)
    assert titles_on_all_pages(http, ada) == doc_ids[::-1]


@pytest.mark.in_ci
@pytest.mark.parametrize("page_size", [1, 2, 3, 7])
def test_simultaneous_judgements_are_neither_doubled_nor_skipped(http, ada, monkeypatch, page_size):
    monkeypatch.setattr(history, "PAGE_SIZE", page_size)
    doc_ids = list(Assignment.objects.filter(member=ada).values_list("task__document__doc_id", flat=True))
    for doc_id in doc_ids:
        judge(ada, doc_id, "judged", 1)
    times = list(Judgement.objects.order_by("judged_at").values_list("judged_at", flat=True))
    Judgement.objects.filter(judged_at__gt=times[0], judged_at__lt=times[-1]).update(judged_at=times[3])
    assert titles_on_all_pages(http, ada) == doc_ids[::-1]


@pytest.mark.in_ci
def test_doc_ids_are_hidden_if_the_collection_hides_them(http, ada):
    type(ada.collection).objects.update(hide_doc_ids=True)
    set_content(Document.objects.filter(doc_id="a"), title="")
    Document.objects.filter(doc_id="a").update(doc_id="secret-id")
    judge(ada, "secret-id", "judged", 1)
    html = compact(http.get(address(ada)).content.decode())
    assert "Untitled document" in html
    recorded = compact(http.get(address(ada, "recorded")).content.decode())
    assert "secret-id" not in html + recorded + str(lines(http, ada))
    assert "None of your judgements matches" in http.get(address(ada), {"q": "secret-id"}).content.decode()


@pytest.mark.in_ci
def test_csv_has_every_event_in_order(http, ada):
    judge(
        ada,
        "a",
        "judged",
        1,
        comment="=cmd()",
        confidence=3,
        passages=[[0, 4]],
        active_ms=7,
        away_ms=8,
        highlights=True,
    )
    judge(ada, "a", "undone", highlights=False, input="key")
    judge(ada, "b", "cannot_judge", reason="other", comment='half, "gone"\nreally')
    first, second, third = lines(http, ada)
    assert list(first) == list(history.COLUMNS)
    assert list(first.values())[1:] == [
        *("1", "a", "Title a", "judged", "1", "", "'=cmd()", "3", "[[0, 4]]"),
        *("", "7", "8", "true", "", "", ""),
    ]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", first["at"])
    assert (second["state"], second["highlights"], second["input"]) == ("undone", "false", "key")
    assert (third["reason"], third["comment"], third["highlights"]) == ("other", 'half, "gone"\nreally', "")


def test_imported_judgements_are_listed(http, ada):
    from django.utils import timezone

    task = Assignment.objects.filter(member=ada).first().task
    Assignment.objects.filter(task=task).delete()
    record_imported([ImportedJudgement(ada, task.pk, 0, JudgementInput("judged", 1), timezone.now())])
    html = compact(http.get(address(ada)).content.decode())
    assert "1 document, most recently judged first" in html
    assert "Judge again" not in html


@pytest.mark.in_ci
def test_hostile_text_is_escaped(http, ada):
    bad = "</script><script>alert(1)</script><img src=x onerror=alert(1)> \u202e"
    set_content(Document.objects.all(), title=bad)
    ada.collection.topics.update(title=bad)
    judge(ada, "a", "judged", 1, comment=bad)
    for page in ("judgements", "recorded"):
        html = compact(http.get(address(ada, page), {"q": "<script>"} if page == "judgements" else {}).content.decode())
        assert "&lt;script&gt;" in html
        assert "<script>alert" not in html
        assert "<img src=x" not in html


@pytest.mark.in_ci
def test_pages_show_nothing_of_other_assessors_or_systems(join, signed_in, db):
    collection = small_collection({f"canarysystem{n}": topics for n, topics in enumerate(SMALL_RUNS.values())})
    ada = join(collection, "ada")
    eve, _ = add_member(collection, "eve", Role.ASSESSOR, "canaryjudge")
    assign(collection, judges=2)
    for doc_id in ("a", "b"):
        judge(eve, doc_id, "judged", 1, comment="canarycomment")
    judge(ada, "a", "judged", 0)
    http = signed_in(ada)
    for page in ("judgements", "recorded", "judgements_csv"):
        seen = http.get(address(ada, page)).getvalue().decode().lower()
        assert "title a" in seen
        assert not [word for word in ("canary", "title b", "rank", "provenance") if word in seen]


def test_number_of_queries_does_not_grow_with_judgements(http, ada, django_assert_num_queries):
    judge(ada, "a", "judged", 1)
    for _ in range(2):
        with django_assert_num_queries(8):
            http.get(address(ada))
        with django_assert_num_queries(7):
            http.get(address(ada, "recorded"))
        with django_assert_num_queries(5):
            lines(http, ada)
        for assignment in Assignment.objects.filter(member=ada, state="").annotate(d=F("task__document__doc_id")):
            judge(ada, assignment.d, "judged", 1)
    assert Judgement.objects.count() == 7


@pytest.mark.parametrize(
    ("ms", "words"),
    [(0, "0 s"), (59_400, "59 s"), (60_000, "1 min 00 s"), (3_599_600, "1 h 00 min"), (3_725_000, "1 h 02 min")],
)
def test_durations_are_formatted(ms, words):
    assert history.format_duration(ms) == words
