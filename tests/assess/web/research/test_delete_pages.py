"""Deleting a collection in the browser: what is lost, the confirmation, and the job outside of the collection."""

import uuid

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess.collections.members import add_member
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import AuditEvent, Collection, Job, JobState, Role
from assess.pools.assign import assign
from tests.html import compact

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/c/small/settings/delete/"


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


def judge(collection):
    ada = add_member(collection, "ada", Role.ASSESSOR)[0]
    assign(collection, judges=1)
    card = worklist.upcoming(ada, topics_with_progress(ada)[0][0])[0]
    record_judgement(ada, card.task, JudgementInput("judged", 1), uuid.uuid4(), actor=ada.user)


@pytest.mark.in_ci
def test_collection_is_deleted_by_a_job(owner, collection):
    page = text(owner.get(PAGE))
    assert '<th scope="row">topics</th><td class="num">2</td>' in page
    assert '<th scope="row">judgements, “cannot judge” and decisions included</th><td class="num">0</td>' in page
    job = owner.post(PAGE, {"confirmation": "small"}).url
    waiting = text(owner.get(job))
    assert "The job waits for the worker." in waiting
    assert "No worker is running" in waiting
    assert Collection.objects.exists()
    call_command("worker", once=True, verbosity=0)
    done = text(owner.get(job))
    assert "<strong>Done.</strong> Deleted Small with 2 topics, 7 documents, 3 runs and 0 judgements." in done
    assert "hx-trigger" not in done
    assert not Collection.objects.exists()
    assert AuditEvent.objects.get(action="collection_deleted").actor.username == "olga"
    assert owner.get(PAGE).status_code == 404


def test_job_is_cancelled(owner, collection):
    job = owner.post(PAGE, {"confirmation": "small"}).url
    assert owner.post(f"{job}cancel/").url == job
    assert "Cancelled. Nothing was changed." in text(owner.get(job))
    call_command("worker", once=True, verbosity=0)
    assert Collection.objects.exists()


def test_error_is_shown(owner, collection):
    job = owner.post(PAGE, {"confirmation": "small"}).url
    Job.objects.update(state=JobState.FAILED, error="<b>No</b>.", ended_at=timezone.now())
    assert "&lt;b&gt;No&lt;/b&gt;." in text(owner.get(job))


def test_second_start_is_refused(owner, collection):
    owner.post(PAGE, {"confirmation": "small"})
    response = owner.post(PAGE, {"confirmation": "small"})
    assert response.status_code == 400
    assert "is waiting or running already" in text(response)


@pytest.mark.parametrize("confirmation", ["", "Small", " small"])
def test_wrong_confirmation_starts_nothing(owner, collection, confirmation):
    assert owner.post(PAGE, {"confirmation": confirmation}).status_code == 400
    assert not Job.objects.exists()


def test_judgements_must_be_downloaded_first(owner, collection):
    judge(collection)
    page = text(owner.get(PAGE))
    assert "small has judgements that were not exported since the last change." in page
    assert 'name="confirmation"' not in page
    assert owner.post(PAGE, {"confirmation": "small"}).status_code == 400
    assert not Job.objects.exists()
    assert owner.get(reverse("research:judgements_csv", args=["small"])).status_code == 200
    assert 'name="confirmation"' in text(owner.get(PAGE))
    assert owner.post(PAGE, {"confirmation": "small"}).status_code == 302


def test_judgement_after_the_start_stops_the_job(owner, collection):
    job = owner.post(PAGE, {"confirmation": "small"}).url
    judge(collection)
    call_command("worker", once=True, verbosity=0)
    assert "small has judgements that were not exported" in text(owner.get(job))
    assert Collection.objects.exists()


def test_page_needs_few_queries(owner, django_assert_max_num_queries):
    with django_assert_max_num_queries(16):
        owner.get(PAGE)
