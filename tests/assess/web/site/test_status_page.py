"""The page Status: for site owners only; the answer first, then a short table of each subject."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from assess.models import JobState, Role, User, Worker
from tests.assess.status.well import add_job, make_well, verify
from tests.html import compact

pytestmark = pytest.mark.django_db
STATUS = "/site/status/"
SUBJECTS = ["jobs", "storage", "backup", "ledger", "mail", "activity", "versions"]


@pytest.fixture
def root(client, settings):
    settings.MIN_FREE_MB = 1
    user = User.objects.create_superuser("root", password="right and long")
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    return user


def page(client) -> str:
    response = client.get(STATUS)
    assert response.status_code == 200
    return compact(response.content.decode())


def main(text: str) -> str:
    return text.partition("<main")[2].partition("</main>")[0]


def test_site_that_is_well(client, root, settings):
    make_well(settings)
    text = page(client)
    assert "The site is well: nothing needs somebody to act." in text
    assert re.findall(r'<section class="sheet" id="(\w+)"', text) == SUBJECTS
    assert 'class="notice"' not in text


def test_new_site_has_a_row_for_every_subject(client, root):
    text = page(client)
    assert '<li><a href="#jobs">No worker is running.</a></li>' in text
    assert "Start the service assay-worker, or run assay worker." in text
    assert "never; run assay verify_ledger" in text
    assert text.count("<tbody>") == len(SUBJECTS)
    assert "<tbody> </tbody>" not in text


def test_problems_link_to_their_section(client, root, settings):
    make_well(settings)
    Worker.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    verify(differences=2)
    text = page(client)
    assert "2 things need somebody to act." in text
    linked = re.findall(r'<li><a href="#(\w+)"', text)
    assert linked == ["jobs", "ledger"]
    assert all(f'id="{name}"' in text for name in linked)


def test_words_above_the_first_table(client, root, settings):
    settings.MIN_FREE_MB, settings.DATA_DIR = 10**9, "/"
    add_job(JobState.FAILED, "send_mail")
    verify(differences=2)
    above = re.sub(r"<[^>]+>", " ", f"<main{main(page(client))}".partition("<table")[0])
    assert "4 things need somebody to act." in above
    assert len(above.split()) <= 60


def test_names_of_kinds_are_text(client, root):
    add_job(JobState.DONE, "<b>kind")
    assert "&lt;b&gt;kind" in page(client)


def test_others_see_nothing(client, collection, join, signed_in):
    assert Client().get(STATUS).url.startswith("/account/sign-in/")
    for role in (Role.OWNER, Role.ASSESSOR):
        assert signed_in(join(collection, role, role)).get(STATUS).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_wrong_method(client, root, method):
    assert getattr(client, method)(STATUS).status_code == 405


def test_number_of_queries(client, root, settings, django_assert_max_num_queries):
    make_well(settings)
    client.get(STATUS)
    with django_assert_max_num_queries(13):
        client.get(STATUS)


def test_home_page_links_to_it(client, root):
    assert f'href="{STATUS}"' in client.get("/").content.decode()
