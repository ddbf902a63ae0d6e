"""GET /health: anonymous, for any host name, without TLS, session or details."""

import pytest

from assess.models import Worker
from assess.web.site import middleware

WELL = {"status": "ok", "checks": {"database": True, "migrations": True, "disk": True, "worker": True}}


@pytest.fixture
def all_well(monkeypatch):
    monkeypatch.setattr(middleware, "check_health", lambda: dict(WELL["checks"]))


def test_healthy_server(db, client, monkeypatch, settings, django_assert_max_num_queries):
    settings.MIN_FREE_MB = 1
    Worker.objects.create(name="worker")
    with django_assert_max_num_queries(3):
        response = client.get("/health")
    assert response.status_code == 200
    assert response.json() == WELL


def test_answers_to_any_host_without_tls(all_well, client, settings):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["assay.example.org"], True
    for host in ("localhost:8000", "127.0.0.1:8000", "web", "assay.example.org"):
        assert client.get("/health", headers={"host": host}).status_code == 200
    assert client.get("/", headers={"host": "localhost"}).status_code in (301, 400)


@pytest.mark.parametrize("failing", ["database", "migrations", "disk"])
def test_one_failing_check_is_503(monkeypatch, client, failing):
    monkeypatch.setattr(middleware, "check_health", lambda: WELL["checks"] | {failing: False})
    response = client.get("/health")
    assert response.status_code == 503
    assert response.json() == {"status": "failing", "checks": WELL["checks"] | {failing: False}}


def test_pages_work_without_a_worker(monkeypatch, client):
    monkeypatch.setattr(middleware, "check_health", lambda: WELL["checks"] | {"worker": False})
    response = client.get("/health")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")


def test_neither_stored_nor_bound_to_a_session(all_well, client):
    response = client.get("/health")
    assert "no-store" in response["Cache-Control"]
    assert not response.cookies
    assert "Vary" not in response


def test_signed_in_member_gets_the_same_answer(all_well, collection, join, signed_in, django_assert_num_queries):
    client = signed_in(join(collection, "ada"))
    with django_assert_num_queries(0):
        assert client.get("/health").json() == WELL


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_wrong_method_is_refused(all_well, client, method):
    assert getattr(client, method)("/health").status_code == 405


def test_head(all_well, client):
    assert client.head("/health").status_code == 200


@pytest.mark.parametrize("path", ["/health/", "/healthy", "/health/x"])
def test_other_paths_are_ordinary_pages(db, client, path):
    assert client.get(path).status_code in (302, 404)
