"""Jobs rank the runs of large collections. The pages show the rest meanwhile."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.analysis import pending
from assess.analysis.documents import pending as documents_pending
from assess.models import Job, Role
from tests.assess.web.research.analysis.pages import judge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_is_small(monkeypatch):
    monkeypatch.setattr(pending, "RUN_LINES_AT_ONCE", 0)


@pytest.fixture
def owner(collection, join, signed_in):
    judge(collection, "first", {("1", "a"): 1, ("1", "b"): 0})
    judge(collection, "second", {("1", "a"): 1, ("1", "b"): 1})
    return signed_in(join(collection, "olga", Role.OWNER))


def work():
    call_command("worker", once=True, verbosity=0)


@pytest.mark.slow
def test_document_is_shown_before_its_systems(owner, collection):
    task = collection.topics.get(query_id="1").tasks.get(document__doc_id="b")
    page = reverse("research:document", args=["small", task.pk])
    html = owner.get(page).content.decode()
    assert "2 judges gave 2 different grades" in html
    assert "The runs are being prepared." in html
    assert f"/jobs/{Job.objects.get().public_id}/" in html
    work()
    html = owner.get(page).content.decode()
    assert "3 of 3 systems retrieved it" in html
    assert owner.get(reverse("research:job", args=["small", Job.objects.get().public_id])).status_code == 200
    assert Job.objects.count() == 1


def test_document_is_shown_before_the_order_of_its_list(owner, collection):
    task = collection.topics.get(query_id="1").tasks.get(document__doc_id="b")
    page = reverse("research:document", args=["small", task.pk])
    html = owner.get(page, {"order": "leverage"}).content.decode()
    assert "2 judges gave 2 different grades" in html
    assert f"/jobs/{Job.objects.get(kind='document_leverage').public_id}/" in html
    assert 'rel="next"' not in html


@pytest.mark.in_ci
def test_many_judgements_of_many_systems_wait_too(owner, monkeypatch):
    monkeypatch.setattr(pending, "RUN_LINES_AT_ONCE", 1_000)
    page = reverse("research:documents", args=["small"])
    assert owner.get(page, {"order": "leverage"}).status_code == 200
    monkeypatch.setattr(documents_pending, "JUDGEMENTS_OF_SYSTEMS_AT_ONCE", 11)  # 4 judgements, 3 systems
    assert owner.get(page, {"order": "leverage", "measure": "P@1"}).status_code == 202


@pytest.mark.slow
def test_list_by_effect_waits_for_its_job(owner):
    page = reverse("research:documents", args=["small"])
    assert owner.get(page).status_code == 200
    assert owner.get(page, {"order": "leverage"}).status_code == 202
    assert (
        owner.get(reverse("research:documents_file", args=["small", "csv"]), {"order": "leverage"}).status_code == 202
    )
    work()
    assert "1 disputed document" in owner.get(page, {"order": "leverage"}).content.decode()
    assert Job.objects.count() == 1
