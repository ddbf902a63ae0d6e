"""The pages of releases: form, preview, releasing in the background, one release, and downloads."""

import io
import re
import zipfile
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.utils import timezone

from assess.jobs import run
from assess.models import Action, AuditEvent, Job, Release, Role
from assess.releases.choices import ReleaseChoices
from assess.releases.freeze import create_release
from assess.web.research.release_forms import ReleaseForm
from tests.assess.adjudication.conftest import disputed, people, task_of  # noqa: F401
from tests.assess.adjudication.test_openings import decide_all
from tests.assess.releases.conftest import without_reports  # noqa: F401
from tests.assess.releases.stored import small_release
from tests.html import compact

pytestmark = pytest.mark.django_db
URL = "/c/small/releases/"
CHOICES = {"name": "main", "rule": "majority", "rel": "", "notes": "The first one."}


@pytest.fixture
def owner(disputed, people, signed_in):  # noqa: F811
    return signed_in(people["olga"])


def text(response) -> str:
    return compact(response.content.decode())


def content(response) -> bytes:
    return b"".join(response.streaming_content)


def test_page_without_releases_says_what_one_is(owner):
    page = text(owner.get(URL))
    assert "None yet. A release freezes a gold" in page
    assert '<option value="judge:ann" selected>' in page
    assert '<option value="judge:bob">' in page
    assert 'name="judges" value="bob"' in page


@pytest.mark.slow
def test_preview_says_what_would_be_released(owner):
    page = text(owner.get(URL, CHOICES))
    assert "main, version 1" in page
    assert "The gold by majority: 7 documents in 2 topics, 6 with grade 0, 1 with grade 1." in page
    assert "The raw judgements of 2 members under pseudonyms: 14 rows, “cannot judge” and decisions included." in page
    assert "Sentences that compare golds need 10" in page
    assert '<input type="hidden" name="notes" value="The first one.">' in page
    assert not Release.objects.exists()


@pytest.mark.slow
def test_preview_warns_of_a_gold_with_few_grades(owner):
    page = text(owner.get(URL, {**CHOICES, "rule": "both_agree", "topics": "1"}))
    assert "1 of 4 pooled documents have no grade in this gold." in page
    page = text(owner.get(URL, {**CHOICES, "rule": "adjudicated", "judges": "ann", "topics": "2"}))
    assert "have no grade" not in page


@pytest.mark.slow
def test_preview_warns_of_decisions_that_were_not_blind(owner, disputed, people):  # noqa: F811
    from assess.adjudication.openings import record_openings

    record_openings(people["rita"], [task_of(disputed, "1", "b").pk])
    decide_all(disputed, people["rita"])
    page = text(owner.get(URL, {**CHOICES, "rule": "adjudicated"}))
    assert "1 decision of 3 was not blind: the adjudicator had seen the grades." in page


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"name": "a b"}, "letters"),
        ({"rule": "best"}, "best is not one of the available choices"),
        ({"rel": "3"}, "3 is not one of the available choices"),
        ({"topics": "9"}, "There is no topic &#x27;9&#x27; in this collection."),
        ({"rule": "mean"}, "rounding"),
        ({"measure": "Foo@"}, "Foo@"),
    ],
)
def test_invalid_choices_are_refused_with_the_form(owner, changed, reason):
    response = owner.get(URL, {**CHOICES, **changed})
    assert response.status_code == 400
    assert reason in text(response)
    assert "The first one." in text(response)


@pytest.mark.in_ci
def test_gold_is_released_in_the_background(owner, without_reports):  # noqa: F811
    response = owner.post(f"{URL}create/", CHOICES)
    job = Job.objects.get(kind="release")
    assert response.url == f"{URL}#jobs-here"
    assert f'hx-get="/c/small/jobs/{job.public_id}/part/"' in text(owner.get(URL))
    Job.objects.filter(pk=job.pk).update(state="waiting", attempt=0)
    run.run(job.pk, 1)
    stored = Release.objects.get()
    page = text(owner.get(response.url))
    assert "Released main, version 1:" in page
    assert f'href="{URL}{stored.pk}/"' in page
    page = text(owner.get(f"{URL}{stored.pk}/"))
    assert f"<code>{stored.manifest_sha256}</code>" in page
    assert f"assay verify_release --collection small --name main --release-version {stored.version}" in page
    assert "The first one. First version." in page
    assert f'href="{URL}{stored.pk}/files/paper/methods.tex"' in page
    methods = content(owner.get(f"{URL}{stored.pk}/files/paper/methods.tex"))
    assert b"Small has 2 topics and 3 runs." in methods


def test_zip_file_is_downloaded_and_recorded(owner, disputed):  # noqa: F811
    stored = small_release(disputed)
    response = owner.get(f"{URL}{stored.pk}/release.zip")
    assert response["Content-Disposition"] == 'attachment; filename="small-main-1.zip"'
    assert zipfile.ZipFile(io.BytesIO(content(response))).namelist()[0] == "main-1/CHANGES.md"
    assert AuditEvent.objects.get(action=Action.EXPORTED).subject == "release main-1"


def test_files_are_downloads_of_plain_text(owner, disputed):  # noqa: F811
    stored = small_release(disputed)
    response = owner.get(f"{URL}{stored.pk}/files/qrels.txt")
    assert (response["Content-Type"], content(response)) == ("text/plain; charset=utf-8", b"1 0 a 1\n")
    assert response["Content-Disposition"].startswith("attachment")
    assert owner.get(f"{URL}{stored.pk}/files/none.txt").status_code == 404
    assert owner.get(f"{URL}99/").status_code == 404


def test_release_without_archive_keeps_its_manifest(owner, disputed):  # noqa: F811
    stored = small_release(disputed)
    Release.objects.update(archive=None, withdrawn_at=timezone.now())
    assert "files deleted" in text(owner.get(URL))
    page = text(owner.get(f"{URL}{stored.pk}/"))
    assert "contained data of a person who was erased" in page
    assert "release.zip" not in page
    assert owner.get(f"{URL}{stored.pk}/release.zip").status_code == 400


def test_number_of_queries(owner, disputed, django_assert_num_queries):  # noqa: F811
    small_release(disputed)
    owner.get(URL)
    with django_assert_num_queries(15):
        owner.get(URL)
    small_release(disputed, version=2)
    with django_assert_num_queries(15):
        owner.get(URL)


def test_assessors_may_not_open_releases(disputed, people, signed_in):  # noqa: F811
    assert people["cleo"].role == Role.ASSESSOR
    assert signed_in(people["cleo"]).get(URL).status_code == 403


# ---- blindness certificates


def test_certificates_are_shown_with_a_link(owner, disputed, without_reports, signed_in, people):  # noqa: F811
    stored = create_release(disputed, ReleaseChoices("main", "majority"))
    page = f"{URL}{stored.pk}/"
    assert f'href="{page}blindness/"' in text(owner.get(page))
    shown = text(owner.get(f"{page}blindness/"))
    assert "What 2 judges without a known role could see is not known." in shown  # they are imported
    assert "none (7)" in shown
    assert f'href="{page}files/blindness.json"' in shown


def test_release_without_certificates_says_so(owner, disputed):  # noqa: F811
    stored = small_release(disputed)
    page = f"{URL}{stored.pk}/"
    assert "blindness/" not in text(owner.get(page))
    assert "no blindness certificates" in text(owner.get(f"{page}blindness/"))
    Release.objects.update(archive=None, withdrawn_at=timezone.now())
    refused = owner.get(f"{page}blindness/")
    assert (refused.status_code, "were deleted" in text(refused)) == (400, True)


def test_certificates_are_for_researchers(disputed, people, signed_in, join, client, django_user_model):  # noqa: F811
    address = f"{URL}{small_release(disputed).pk}/blindness/"
    for role, status in ((Role.RESEARCHER, 200), (Role.INSTRUCTOR, 403), (Role.ASSESSOR, 403)):
        assert signed_in(join(disputed, f"new-{role}", role)).get(address).status_code == status
    client.force_login(django_user_model.objects.create_user("outsider"))
    assert client.get(address).status_code == 404
    assert client.post(address).status_code == 405
    owner = signed_in(people["olga"])
    assert owner.get(f"{URL}999999/blindness/").status_code == 404


def test_form_lists_each_gold_once_with_topics_and_measures(owner):
    page = text(owner.get(URL))
    for same in ("median", "max", "min"):
        assert f'<option value="{same}"' not in page
    assert '<option value="union"' in page
    assert re.search(r'name="topics" value="2"[^>]*> 2 second need', page)
    assert '<option value="nDCG@10">' in page
    assert '<option value="other">another measure</option>' in page


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"measure": "other", "other_measure": "ERR@20"}, {"measure": "ERR@20"}),
        ({"measure": "nDCG@10", "other_measure": "ERR@20"}, {"measure": "nDCG@10"}),
        ({"rule": "union", "rounding": "up"}, {"rounding": ""}),
        ({"rule": "people:mean", "rounding": "up"}, {"rounding": "up"}),
        ({"rule": "judge:ann", "judges": ["bob"]}, {"judges": []}),
        ({"topics": ["2", "1"]}, {"topics": ["2", "1"]}),
        ({"topics": "2 1"}, {"topics": ["2", "1"]}),
    ],
)
def test_hidden_fields_are_left_out(disputed, typed, expected):  # noqa: F811
    form = ReleaseForm(disputed, QueryDict(urlencode({**CHOICES, **typed}, doseq=True)))
    form.fields["rule"].choices = [*form.fields["rule"].choices, ("people:mean", "")]
    assert form.choices().items() >= expected.items()
