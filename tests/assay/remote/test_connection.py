"""Requests: what is sent again and after how long, what an error says, and who gets the token."""

import warnings
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from assay.remote import OutdatedServerWarning, Site, SiteError
from assay.remote.connection import ATTEMPTS, _lines, retry_after
from assay.version import installed_version
from tests.assay.remote.conftest import COLLECTION, TOKEN, URL, problem

ME = {"username": "olga", "token": "laptop", "scope": "manage", "expires_at": "2027-01-01T00:00:00Z"}


def test_requests_have_the_token_and_the_version(site_with):
    site, fake = site_with(ME)
    assert site.me == ME
    assert fake.requests[0].headers["Authorization"] == f"Bearer {TOKEN}"
    assert fake.requests[0].headers["User-Agent"] == f"assay/{installed_version()}"


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_get_is_sent_again_after_longer_and_longer_waits(site_with, waits, status):
    site, fake = site_with(problem(status, "Later."), problem(status, "Later."), ME)
    assert site.me == ME
    assert (len(fake.requests), waits) == (3, [0.5, 1.0])


def test_retry_after_decides_the_wait(site_with, waits):
    site, _ = site_with(problem(429, "Too many.", {"Retry-After": "7"}), ME)
    assert site.me == ME
    assert waits == [7.0]


def test_a_long_retry_after_is_an_error_at_once(site_with, waits):
    site, fake = site_with(problem(503, "Maintenance until noon.", {"Retry-After": "3600"}))
    with pytest.raises(SiteError, match="Maintenance until noon") as caught:
        _ = site.me
    assert (caught.value.status, len(fake.requests), waits) == (503, 1, [])


@pytest.mark.parametrize(("text", "seconds"), [("2", 2.0), ("", None), ("soon", None), ("-1", None)])
def test_retry_after_as_a_number(text, seconds):
    assert retry_after(httpx2.Response(429, headers={"Retry-After": text})) == seconds


def test_retry_after_as_a_date():
    at = datetime.now(UTC) + timedelta(seconds=100)
    seconds = retry_after(httpx2.Response(429, headers={"Retry-After": format_datetime(at, usegmt=True)}))
    assert seconds is not None
    assert 90 < seconds <= 100


def test_attempts_end(site_with, waits):
    site, fake = site_with(*[problem(503, "Down.")] * ATTEMPTS)
    with pytest.raises(SiteError, match="Down"):
        _ = site.me
    assert len(fake.requests) == ATTEMPTS
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_lost_connections_are_tried_again(site_with, waits):
    site, _ = site_with(httpx2.ConnectError("refused"), httpx2.ReadTimeout("slow"), ME)
    assert site.me == ME
    assert waits == [0.5, 1.0]


def test_a_site_that_does_not_answer(site_with, waits):
    site, _ = site_with(*[httpx2.ConnectError(f"refused {TOKEN}")] * ATTEMPTS)
    with pytest.raises(SiteError, match=f"^{URL} does not answer: refused") as caught:
        _ = site.me
    assert caught.value.status is None
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize("answer", [problem(503, "Down."), httpx2.ReadError("lost")])
def test_what_may_happen_twice_is_not_sent_again(site_with, waits, answer):
    """Nobody knows whether the first request created the collection."""
    site, fake = site_with(answer)
    with pytest.raises(SiteError):
        site.create_collection("Robust")
    assert (len(fake.requests), waits) == (1, [])


def test_a_judgement_is_sent_again_with_the_same_client_id(site_with, waits):
    receipt = {"state": "judged", "relevance": 1, "version": 1, "position": 1, "hash": "00"}
    site, fake = site_with(COLLECTION, httpx2.ReadError("lost"), receipt)
    assert site.collection("robust").judge("task-id", 1) == receipt
    assert fake.paths[1:] == ["POST /collections/robust/judging/tasks/task-id"] * 2
    assert fake.requests[1].content == fake.requests[2].content
    assert fake.body(1)["client_id"]


def test_an_error_has_the_sentence_and_the_fields(site_with):
    errors = [{"place": "body.name", "problem": "is missing"}, {"place": "body.scale", "problem": "is too short"}]
    site, _ = site_with(problem(422, "body.name: is missing.", errors=errors))
    with pytest.raises(SiteError) as caught:
        site.create_collection("")
    assert (caught.value.status, caught.value.sentence) == (422, "body.name: is missing.")
    assert caught.value.errors == errors
    assert caught.value.problem["status"] == 422
    assert str(caught.value) == "body.name: is missing. (status 422)\n  body.scale: is too short"


def test_an_answer_that_is_no_problem(site_with):
    site, _ = site_with(httpx2.Response(500, text="<h1>Oops</h1>"))
    with pytest.raises(SiteError, match="The site answers 500 Internal Server Error"):
        _ = site.me


def test_the_token_is_not_sent_to_another_site(site_with):
    site, fake = site_with(httpx2.Response(302, headers={"Location": "https://elsewhere.example/"}))
    with pytest.raises(SiteError, match="redirects to https://elsewhere"):
        _ = site.me
    assert len(fake.requests) == 1


def test_the_token_is_shown_nowhere(site_with):
    site, _ = site_with(problem(400, f"What is {TOKEN}?"), COLLECTION)
    with pytest.raises(SiteError) as caught:
        _ = site.me
    collection = site.collection("robust")
    shown = [site, collection, collection.topics(), site._connection, site._connection._auth, caught.value]
    assert not [each for each in shown if TOKEN in f"{each!r} {each}"]
    assert TOKEN not in repr(caught.value.problem) + repr(site.last_response)


def test_an_older_server_is_a_warning_once(site_with):
    site, _ = site_with(ME, ME, version="0.0.1")
    with pytest.warns(OutdatedServerWarning, match="has Assay 0.0.1") as caught:
        _ = site.me, site.me
    assert len(caught) == 1
    assert site.version == "0.0.1"


@pytest.mark.parametrize("version", [installed_version(), "999.0", "unknown"])
def test_a_newer_server_is_no_warning(site_with, version):
    site, _ = site_with(ME, version=version)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ = site.me


@pytest.mark.parametrize("url", ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:80/", "https://a.example/"])
def test_addresses(url):
    assert Site(url, TOKEN).url == url.rstrip("/")


@pytest.mark.parametrize("url", ["http://assay.example.org", "http://10.0.0.1", "http://localhost.example.org"])
def test_without_tls_the_token_goes_to_this_computer_only(url):
    with pytest.raises(SiteError, match=r"is not sent to .* without TLS"):
        Site(url, TOKEN)
    assert Site(url, TOKEN, allow_http=True).url == url


@pytest.mark.parametrize("url", ["assay.example.org", "ftp://a.example", "https://", "https://[", "https://a.b/?x=1"])
def test_what_is_no_address(url):
    with pytest.raises(SiteError, match="address of a site begins with https"):
        Site(url, TOKEN)


def test_a_secret_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(SiteError) as caught:
        Site("https://olga:hunter2@assay.example.org", TOKEN)
    assert "hunter2" not in str(caught.value)


def test_address_and_token_come_from_the_environment(monkeypatch):
    with pytest.raises(SiteError, match="Which site"):
        Site()
    monkeypatch.setenv("ASSAY_URL", f"{URL}/")
    with pytest.raises(SiteError, match=f"There is no token for {URL}"):
        Site()
    monkeypatch.setenv("ASSAY_TOKEN", TOKEN)
    assert Site().url == URL


def test_the_token_in_the_environment_belongs_to_the_site_there(monkeypatch):
    monkeypatch.setenv("ASSAY_URL", URL)
    monkeypatch.setenv("ASSAY_TOKEN", TOKEN)
    with pytest.raises(SiteError, match="There is no token for https://other"):
        Site("https://other.example.org")
    monkeypatch.delenv("ASSAY_URL")
    assert Site("https://other.example.org").url == "https://other.example.org"


def test_a_token_with_a_line_break_inside_is_refused():
    with pytest.raises(SiteError, match="Copy it again") as caught:
        Site(URL, "assay_secret\nX-Other: 1")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("parts", [[b'{"a":1}\n{"a":2}\n'], [b'{"a"', b":1}", b'\n{"a":2}', b"\n"]])
def test_lines_may_arrive_in_any_parts(parts):
    assert list(_lines(parts)) == [b'{"a":1}', b'{"a":2}']


def test_an_answer_that_ends_within_a_line_is_an_error():
    with pytest.raises(SiteError, match="within a line"):
        list(_lines([b'{"a":1}\n{"a"']))
