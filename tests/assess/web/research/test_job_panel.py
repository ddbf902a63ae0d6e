"""Pages show the jobs that were started on them in place: progress while they run, and the result for some minutes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assess.models import Job, Role
from tests.html import compact

RESULT = {"added": 1, "same": 0, "kind": "topics", "notes": [], "next_job": ""}
PAGES = {
    "releases/": "release",
    "pool/": "build_pool",
    "baselines/": "make_baselines",
    "near-duplicates/": "find_duplicates",
    "import/": "import_topics",
}


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


@pytest.mark.parametrize(("page", "kind"), PAGES.items())
def test_page_follows_its_running_job_and_shows_how_it_failed(owner, collection, page, kind):
    job = Job.objects.create(kind=kind, collection=collection, state="running", stage="Reading")
    polled = f'hx-get="/c/small/jobs/{job.public_id}/part/" hx-trigger="every 2s"'
    assert polled in text(owner.get(f"/c/small/{page}"))
    response = owner.get(f"/c/small/jobs/{job.public_id}/part/")
    assert polled in text(response)
    assert "Reading …" in text(response)
    assert "HX-Refresh" not in response
    Job.objects.update(state="failed", ended_at=timezone.now(), error="It broke.")
    response = owner.get(f"/c/small/jobs/{job.public_id}/part/")
    assert response["HX-Refresh"] == "true"
    shown = text(owner.get(f"/c/small/{page}"))
    assert "It broke." in shown
    assert polled not in shown


@pytest.mark.in_ci
def test_result_is_shown_for_some_minutes(owner, collection):
    now = timezone.now()
    Job.objects.create(kind="import_topics", collection=collection, state="done", ended_at=now, result=RESULT)
    assert "Imported 1 new topic." in text(owner.get("/c/small/import/"))
    Job.objects.update(ended_at=now - timedelta(minutes=6))
    assert "Imported 1 new topic." not in text(owner.get("/c/small/import/"))


def test_jobs_of_other_pages_and_collections_are_not_shown(owner, collection):
    other = type(collection).objects.create(slug="other", name="Other")
    Job.objects.create(kind="assign", collection=collection, state="running")
    job = Job.objects.create(kind="release", collection=other, state="running")
    assert "jobs-here" not in text(owner.get("/c/small/releases/"))
    assert owner.get(f"/c/small/jobs/{job.public_id}/part/").status_code == 404
