"""GET /metrics: with the token only, in the format of Prometheus, without names, and also if the database is down."""

from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from agreement.version import VERSION
from assess.lib.environment import token
from assess.models import AuditEvent, Role, User
from assess.pools.assign import assign
from tests.assess.claiming import judge, upcoming
from tests.assess.status.well import add_job, back_up, make_well, verify
from tests.outages import unreachable_database

TOKEN = "a-token-of-20-letters"
METRICS = "/metrics"
OF_REQUESTS = {"assay_requests", "assay_request_seconds", "assay_requests_in_progress"}


@pytest.fixture
def http(settings, db):
    """A client of a server with a token. It counts its own requests only."""
    settings.METRICS_TOKEN = TOKEN
    make_well(settings)
    return Client()


def ask(http: Client, words: str = f"Bearer {TOKEN}", **headers):
    return http.get(METRICS, headers={"authorization": words} | headers)


def families(http: Client) -> dict[str, dict[tuple[str, ...], float]]:
    """The values by the name of the metric and the values of its labels, in the order of the names of the labels.

    Buckets, sums and times of creation are left out.
    """
    response = ask(http)
    assert response.status_code == 200
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(response.content.decode()):
        for sample in family.samples:
            if not sample.name.endswith(("_bucket", "_created", "_sum")):
                found.setdefault(family.name, {})[tuple(value for _, value in sorted(sample.labels.items()))] = (
                    sample.value
                )
    return found


def value(http: Client, name: str) -> float:
    return families(http)[name][()]


# ---- access


@pytest.mark.parametrize("words", ["", TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer x", f"Bearer {TOKEN}x", "Bearer é"])
def test_wrong_token(http, words):
    response = ask(http, words)
    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert "assay_" not in response.content.decode()


def test_right_token(http):
    response = ask(http, f"bearer {TOKEN}")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain; version=")
    assert "no-store" in response["Cache-Control"]
    assert not response.cookies


@pytest.mark.parametrize("words", ["", "Bearer ", "Bearer x"])
def test_without_the_variable_there_is_no_such_address(db, settings, words):
    settings.METRICS_TOKEN = ""
    assert ask(Client(), words).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_wrong_method(http, method):
    assert getattr(http, method)(METRICS, headers={"authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_any_host_without_tls(http, settings):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["assay.example.org"], True
    assert ask(http, host="127.0.0.1:8000").status_code == 200


def test_account_gives_no_access(http):
    http.force_login(User.objects.create_superuser("root"), backend="assess.people.backend.AccountBackend")
    assert http.get(METRICS).status_code == 401


@pytest.mark.parametrize(("text", "expected"), [("", ""), ("  ", ""), (f" {TOKEN} ", TOKEN), ("x" * 16, "x" * 16)])
def test_token_in_the_environment(monkeypatch, text, expected):
    monkeypatch.setenv("ASSAY_METRICS_TOKEN", text)
    assert token("ASSAY_METRICS_TOKEN", 16) == expected


def test_short_token_is_refused_and_not_printed(monkeypatch):
    monkeypatch.setenv("ASSAY_METRICS_TOKEN", "short-and-secret"[:15])
    with pytest.raises(ImproperlyConfigured) as refused:
        token("ASSAY_METRICS_TOKEN", 16)
    assert str(refused.value) == "ASSAY_METRICS_TOKEN must have at least 16 characters, not 15."


# ---- the site


def test_figures_of_a_site_that_is_well(http):
    found = families(http)
    ((labels, number),) = found["assay_info"].items()
    assert (labels[-1], number) == (VERSION, 1)
    expected = {"up": 1, "problems": 0, "workers": 1, "oldest_waiting_job_seconds": 0, "judgements": 0}
    assert {name: found[f"assay_{name}"][()] for name in expected} == expected
    assert found["assay_disk_free_bytes"][()] <= found["assay_disk_total_bytes"][()]
    assert found["assay_disk_minimum_bytes"][()] == 1_000_000
    assert found["assay_database_size_bytes"][()] > 100_000


def test_jobs(http):
    add_job("waiting", age=timedelta(hours=1))
    add_job("waiting")
    add_job("failed", "send_mail")
    found = families(http)
    assert found["assay_jobs"] == {("assign", "waiting"): 2, ("send_mail", "failed"): 1}
    assert 3_600 <= found["assay_oldest_waiting_job_seconds"][()] < 7_200


def test_backup_and_ledger(http):
    back_up(timedelta(hours=30), bytes=1_000)
    verify(differences=2)
    found = families(http)
    assert 30 * 3_600 <= found["assay_backup_age_seconds"][()] < 31 * 3_600
    assert found["assay_backup_size_bytes"][()] == 1_000
    assert found["assay_ledger_verification_age_seconds"][()] < 3_600
    assert (found["assay_ledger_differences"][()], found["assay_problems"][()]) == (2, 1)


def test_what_never_happened_is_missing(settings, db):
    settings.METRICS_TOKEN = TOKEN
    names = families(Client())
    assert not {name for name in names if "backup" in name or "ledger" in name}
    assert names["assay_workers"][()] == 0


def test_use(http, collection, join):
    ada = join(collection, "ada")
    Client().force_login(ada.user, backend="assess.people.backend.AccountBackend")
    assign(collection, judges=1)
    judge(ada, upcoming(ada)[0])
    found = families(http)
    names = ("active_people", "open_collections", "judgements")
    assert [found[f"assay_{name}"][()] for name in names] == [1, 1, 1]


def test_number_of_queries(http, django_assert_max_num_queries):
    ask(http)
    with django_assert_max_num_queries(10):
        ask(http)


# ---- requests


def test_requests_are_counted_by_view(http):
    for path in ("/account/sign-in/", "/account/sign-in/", "/health", "/no/such/page", "/"):
        http.get(path)
    http.generic("BREW", "/account/sign-in/")
    http.get("/static/assess/assay.css")
    found = families(http)
    assert found["assay_requests"] == {
        ("GET", "2xx", "account:sign_in"): 2,
        ("other", "4xx", "account:sign_in"): 1,
        ("GET", "3xx", "home"): 1,
        ("GET", "2xx", "none"): 1,
        ("GET", "4xx", "none"): 1,
        ("GET", "2xx", "static"): 1,
    }
    assert found["assay_request_seconds"] == {("account:sign_in",): 3, ("home",): 1, ("none",): 2, ("static",): 1}
    assert found["assay_requests_in_progress"] == {(): 0}


def test_failing_view_is_counted(http, monkeypatch):
    def fail(*_):
        raise ValueError

    monkeypatch.setattr("assess.web.site.middleware.check_health", fail)
    http.raise_request_exception = False
    http.get("/health")
    found = families(http)
    assert found["assay_requests"] == {("GET", "5xx", "none"): 1}
    assert found["assay_requests_in_progress"] == {(): 0}


def test_each_server_counts_its_own_requests(http):
    http.get("/account/sign-in/")
    assert "assay_requests" not in families(Client())


def test_nothing_names_people_collections_or_tokens(http, collection, join, settings):
    owner = join(collection, "secretname", Role.OWNER)
    http.force_login(owner.user, backend="assess.people.backend.AccountBackend")
    http.get(reverse("research:collection", args=[collection.slug]))
    http.get("/invitation/secret-token-of-a-link/")
    AuditEvent.objects.create(action="backed_up", details={"place": "/srv/secretname"})
    text = ask(http).content.decode()
    for word in ("secretname", f'"{collection.slug}"', "secret-token", collection.name, TOKEN, "/srv", "web-1:42"):
        assert word not in text, word


# ---- the database is down


@pytest.mark.django_db(transaction=True)
@pytest.mark.database
def test_unreachable_database(http):
    http.get("/account/sign-in/")
    with unreachable_database():
        found = families(http)
    assert found.keys() == OF_REQUESTS | {"assay_up"}
    assert found["assay_up"] == {(): 0}
    assert found["assay_requests"] == {("GET", "2xx", "account:sign_in"): 1}
    assert value(http, "assay_up") == 1
