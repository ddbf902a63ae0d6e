"""The pages of background jobs: start, progress, result, cancellation and a missing worker."""

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess.models import Job, JobState, Role, Worker
from tests.html import compact

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def build(client, depth="3"):
    return client.post(reverse("research:build_pool", args=["small"]), {"depth": depth})


def started(client) -> str:
    """Start a job, and return the address of its page. The page that started it shows the job in place."""
    assert build(client).url == f"{reverse('research:pool', args=['small'])}#jobs-here"
    return reverse("research:job", args=["small", Job.objects.get().public_id])


def text(response) -> str:
    return compact(response.content.decode())


@pytest.mark.in_ci
def test_pool_is_built_in_the_background(owner, collection):
    page = started(owner)
    waiting = text(owner.get(page))
    assert "The job waits for the worker." in waiting
    assert "No worker is running" in waiting
    assert 'hx-trigger="every 2s"' in waiting
    call_command("worker", once=True, verbosity=0)
    done = text(owner.get(page))
    assert "<strong>Done.</strong> The pool has" in done
    assert "hx-trigger" not in done
    assert "hx-get" not in done.partition("<main")[2]
    assert "Cancel" not in done
    assert f'<a href="{page}">Build the pool</a>' in text(owner.get(reverse("research:collection", args=["small"])))


def test_progress_and_worker(owner, collection):
    Worker.objects.create(name="worker")
    page = started(owner)
    Job.objects.update(state=JobState.RUNNING, stage="Reading runs", progress_done=3, progress_total=10)
    shown = text(owner.get(page))
    assert "Reading runs …" in shown
    assert 'value="3" max="10"' in shown
    assert "No worker is running" not in shown


def test_job_is_cancelled(owner, collection):
    page = started(owner)
    assert owner.post(f"{page}cancel/").url == page
    assert "Cancelled. Nothing was changed." in text(owner.get(page))


def test_error_is_shown(owner, collection):
    page = started(owner)
    Job.objects.update(state=JobState.FAILED, error="<b>No</b> runs.", ended_at=timezone.now())
    shown = text(owner.get(page))
    assert "<strong>Failed.</strong> &lt;b&gt;No&lt;/b&gt; runs." in shown
    assert f'<a href="{reverse("research:pool", args=["small"])}">Back to the pool</a>' in shown


def test_second_start_is_refused(owner, collection):
    build(owner)
    response = build(owner)
    assert response.status_code == 400
    assert "is waiting or running already" in text(response)


@pytest.mark.parametrize("depth", ["", "0", "-1", "ten", "10001", "9" * 50])
def test_invalid_depth_starts_nothing(owner, collection, depth):
    assert build(owner, depth).status_code == 400
    assert not Job.objects.exists()


def test_jobs_of_other_collections_are_not_found(owner, collection):
    job = Job.objects.create(kind="build_pool")
    assert owner.get(reverse("research:job", args=["small", job.public_id])).status_code == 404
    assert owner.post(reverse("research:cancel_job", args=["small", job.public_id])).status_code == 404
