"""The settings of a collection: name, descriptions, scale and archive."""

import re

import pytest
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.collections.scale import GradeSpec, grades_of
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import AuditEvent, Role
from assess.pools.assign import assign
from tests.html import compact

SCALE = {"grade-0-value": "0", "grade-0-name": "No", "grade-1-value": "3", "grade-1-name": "Sure"}


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def send(client, page, status=302, /, **fields):
    response = client.post(reverse(f"research:{page}", args=["small"]), fields)
    assert response.status_code == status
    return compact(client.get(response.url).content.decode()) if status == 302 else compact(response.content.decode())


def test_name_and_descriptions_are_changed(owner, collection):
    page = compact(owner.get(reverse("research:settings", args=["small"])).content.decode())
    assert 'value="Small"' in page
    html = send(owner, "change_texts", name="Drinks", description="Seven systems.", assessor_description="Hot?")
    assert "Saved: description for assessors, description for researchers, name." in html
    assert "Settings of Drinks" in html
    collection.refresh_from_db()
    assert (collection.slug, collection.name, collection.assessor_description) == ("small", "Drinks", "Hot?")
    assert AuditEvent.objects.get(action="collection_changed").actor.username == "olga"
    assert "Nothing has changed." in send(
        owner, "change_texts", name="Drinks", description="Seven systems.", assessor_description="Hot?"
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Name: This field is required."),
        ({"description": "a" * 5_001}, "The description for researchers can have at most 5,000 characters"),
    ],
)
def test_invalid_texts_change_nothing(owner, collection, fields, sentence):
    html = send(owner, "change_texts", 400, **{"name": "Drinks", "assessor_description": "Typed", **fields})
    assert sentence in html
    assert "Typed</textarea>" in html
    collection.refresh_from_db()
    assert collection.name == "Small"


def test_scale_is_changed_before_the_first_judgement(owner, collection):
    assert "The scale is saved." in send(owner, "change_scale", **SCALE)
    assert grades_of(collection) == [GradeSpec(0, "No"), GradeSpec(3, "Sure")]
    event = AuditEvent.objects.get(action="collection_changed")
    assert (event.actor.username, event.details) == ("olga", {"fields": ["scale"]})


def test_preview_of_the_scale_changes_nothing(owner, collection):
    before = grades_of(collection)
    html = send(owner, "change_scale", 200, step="preview", **SCALE)
    assert "<b>3</b> <span>Sure</span>" in html
    assert grades_of(collection) == before


def test_invalid_scale_changes_nothing(owner, collection):
    before = grades_of(collection)
    html = send(owner, "change_scale", 400, **{**SCALE, "grade-1-value": "0"})
    assert "A scale needs 2 to 10 grades" in html
    assert 'value="Sure"' in html
    assert grades_of(collection) == before


def test_scale_is_frozen_after_the_first_judgement(owner, collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    assign(collection, judges=1)
    card = worklist.upcoming(ada, topics_with_progress(ada)[0][0])[0]
    record_judgement(ada, card.task, JudgementInput("judged", 1), card.task, actor=ada.user)
    page = compact(owner.get(reverse("research:settings", args=["small"])).content.decode())
    assert "its scale cannot be changed any more" in page
    assert 'name="grade-0-name"' not in page
    assert "The scale of small is frozen because small has judgements." in send(owner, "change_scale", 400, **SCALE)


def test_collection_is_archived_and_restored(owner, collection):
    html = send(owner, "archive")
    assert "The collection is archived." in html
    assert "Restore from the archive" in html
    assert "small is archived already." in send(owner, "archive", 400)
    assert "small is archived and cannot be changed." in send(owner, "change_texts", 400, name="Drinks")
    assert "The collection is restored from the archive." in send(owner, "restore")
    assert "small is not archived." in send(owner, "restore", 400)


NOTICE = "This collection is archived. It can be read and exported, and nothing in it changes."
RESTORE = '<a href="/c/small/settings/#archive">Restore it</a>'
PAGES = ("collection", "import", "pool", "people", "judging", "work", "agreement", "shift", "settings", "audit")


@pytest.mark.in_ci
@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_an_archived_collection_says_so(owner, collection, name):
    url = reverse(f"research:{name}", args=["small"])
    assert NOTICE not in compact(owner.get(url).content.decode())
    archive_collection(collection)
    html = compact(owner.get(url).content.decode())
    assert NOTICE in html
    assert RESTORE in html


WORK = ("judging", "pool", "people", "assign", "pilot", "work_people", "work", "baselines")


@pytest.mark.in_ci
@pytest.mark.parametrize("name", WORK)
def test_archived_collection_has_no_form_that_would_be_refused(owner, collection, join, name):
    join(collection, "ada")
    assign(collection, judges=1)
    url = reverse(f"research:{name}", args=["small"])
    changes = re.compile(r'<form[^>]*method="post"')
    assert changes.findall(owner.get(url).content.decode())
    archive_collection(collection)
    assert len(changes.findall(owner.get(url).content.decode())) == 1  # signs out


def test_researcher_reads_it_but_cannot_restore(collection, join, signed_in):
    http = signed_in(join(collection, "rita", Role.RESEARCHER))
    archive_collection(collection)
    html = compact(http.get(reverse("research:collection", args=["small"])).content.decode())
    assert NOTICE in html
    assert RESTORE not in html
    assert '<h1>Small <span class="tag">archived</span></h1>' in html


def test_assessor_reads_that_the_collection_is_archived(client, collection, join, signed_in):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    archive_collection(collection)
    topic = collection.topics.first()
    for address in (reverse("judge:topic", args=["small", topic.pk]), reverse("judge:topics", args=["small"])):
        html = compact(signed_in(ada).get(address).content.decode())
        assert "This collection is archived. Your judgements are kept." in html
        assert "Start judging" not in html


def test_page_needs_few_queries(owner, django_assert_max_num_queries):
    with django_assert_max_num_queries(11):
        owner.get(reverse("research:settings", args=["small"]))
