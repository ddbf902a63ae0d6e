"""The navigation marks the area of the page, also on the pages below an area."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.models import Job, Role

pytestmark = pytest.mark.django_db
PAGES = {
    "topics": "Topics",
    "runs": "Runs",
    "collection": "Overview",
    "baselines": "Runs",
    "import": "Import",
    "pool": "Pool",
    "people": "People",
    "judging": "Guidelines",
    "work": "Work",
    "assign": "Work",
    "pilot": "Work",
    "work_people": "Work",
    "agreement": "Agreement",
    "adjudication": "Adjudication",
    "norming": "Adjudication",
    "documents": "Disputed",
    "shift": "Ranking shift",
    "settings": "Settings",
    "delete": "Settings",
    "audit": "Audit log",
}
JOBS = {
    "build_pool": "Pool",
    "assign": "Work",
    "import_runs": "Import",
    "undo_import": "Import",
    "check_files": "Import",
    "make_baselines": "Runs",
}


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def http(owner, signed_in):
    return signed_in(owner)


def marked(http, url: str) -> list[str]:
    """Return the entries that the navigation of a page marks as the current one."""
    header = re.search(r'<nav aria-label="(?:Collection|Site)">(.*?)</nav>', http.get(url).content.decode(), re.S)[1]
    current = re.findall(r'aria-current="page">(.*?)</a>', header, re.S)
    return [re.sub(r"<svg.*?</svg>|<[^>]*>|\d|\s{2,}", "", entry, flags=re.S).strip() for entry in current]


@pytest.mark.parametrize(("name", "entry"), PAGES.items())
def test_page_is_marked(http, name, entry):
    assert marked(http, reverse(f"research:{name}", args=["small"])) == [entry]


def test_page_of_a_person_is_marked(http, owner):
    assert marked(http, reverse("research:person", args=["small", owner.pk])) == ["People"]


@pytest.mark.parametrize(("name", "entry"), [("agreement", "Agreement"), ("shift", "Ranking shift")])
def test_refused_figures_are_marked(http, name, entry):
    assert marked(http, reverse(f"research:{name}", args=["small"]) + "?rel=x&measure=x") == [entry]


@pytest.mark.parametrize(("kind", "entry"), JOBS.items())
def test_area_of_a_job_is_marked(http, collection, kind, entry):
    job = Job.objects.create(kind=kind, collection=collection, state="failed", ended_at=timezone.now(), error="No.")
    assert marked(http, reverse("research:job", args=["small", job.public_id])) == [entry]


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("site:people", "People"),
        ("site:collections", "Collections"),
        ("site:status", "Status"),
        ("account:audit", "Audit log"),
    ],
)
def test_page_of_the_site_is_marked(http, owner, name, entry):
    owner.user.is_superuser = True
    owner.user.save()
    assert marked(http, reverse(name)) == [entry]


def test_a_page_is_painted_when_it_is_complete(http, collection):
    """Rows of a table that arrive later would change its widths."""
    html = http.get(reverse("research:collection", args=[collection.slug])).content.decode()
    assert '<link rel="expect" href="#main" blocking="render">' in html
    assert '<main id="main"' in html
