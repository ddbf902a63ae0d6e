"""A locked, full or unreachable database gives 503 with a retry hint, and nothing is half-written."""

import uuid

import pytest
from django.db import OperationalError, ProgrammingError, connection
from django.test import Client
from django.urls import reverse

from assess.judging import worklist
from assess.judging.ledger import ledger_problems
from assess.models import Judgement, JudgementEvent
from assess.pools.assign import assign
from tests.outages import changed_connection, impatient_connections, locked_database, unreachable_database

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
LONGEST_COMMENT = "x" * 5_000


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def browser(ada):
    """A browser that gets the server's answer to an exception, as in production."""
    client = Client(raise_request_exception=False)
    client.force_login(ada.user, backend="assess.people.backend.AccountBackend")
    return client


@pytest.fixture
def judge(browser, ada):
    """A function that sends a judgement of the n-th document, always with the same client id."""
    topic, _ = worklist.topics_with_progress(ada)[0]
    ids = [(card.task, uuid.uuid4()) for card in worklist.upcoming(ada, topic)]

    def judge(number: int = 0, accept: str = "application/json"):
        task, client_id = ids[number]
        data = {"client_id": client_id, "member": ada.pk, "seen_version": 0, "relevance": 1, "comment": LONGEST_COMMENT}
        return browser.post(reverse("judge:record", args=["small", task]), data, headers={"accept": accept})

    return judge


def assert_unavailable(response):
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert "no-store" in response["Cache-Control"]
    assert "Try again in 5 seconds" in response.content.decode()


def assert_saved_once(judge, number: int = 0):
    """The same request succeeds, and its repetition gets the same answer and changes nothing."""
    first, second = judge(number), judge(number)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert Judgement.objects.count() == JudgementEvent.objects.count() == number + 1
    assert list(ledger_problems()) == []


def test_locked_database(judge, caplog):
    with impatient_connections():
        with locked_database():
            assert_unavailable(judge())
        assert not Judgement.objects.exists()
        assert not JudgementEvent.objects.exists()
        assert_saved_once(judge)
    (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert line.exc_info is None
    assert line.getMessage().startswith("Unavailable (503) at POST '/c/small/judge/task/")
    assert "lock" in line.getMessage()


def test_unreachable_database(browser, judge):
    with unreachable_database():
        for url in ("/", "/c/small/judge/", "/no/such/page/", "/account/settings/"):
            page = browser.get(url)
            assert_unavailable(page)
            assert page["Content-Type"].startswith("text/html")
        assert_unavailable(judge())
        assert set(judge().json()) == {"error", "request_id"}
        assert_unavailable(judge(accept="text/html"))
        assert Client().get("/account/sign-in/").status_code == 200  # needs no database
    assert_saved_once(judge)


def test_outage_while_a_page_is_rendered(browser, monkeypatch):
    def fail(*_):
        raise OperationalError("the connection is lost")

    monkeypatch.setattr("django.template.base.Template.render", fail)
    monkeypatch.setattr("assess.web.site.middleware.render_to_string", lambda *_: "Try again in 5 seconds")
    assert_unavailable(browser.get("/"))


def failing_statement(number: int):
    """A wrapper of statements that fails at the n-th one, as on a full disk."""
    left = [number]

    def wrapper(execute, sql, params, many, context):
        left[0] -= 1
        if left[0] == 0:
            raise OperationalError("could not extend the file: no space left on device")
        return execute(sql, params, many, context)

    return wrapper


def test_failure_at_any_statement_leaves_nothing_half_written(judge):
    number = 0
    while True:
        number += 1
        with connection.execute_wrapper(failing_statement(number)):
            response = judge()
        if response.status_code == 200:
            break
        assert_unavailable(response)
        saved = Judgement.objects.count()
        assert JudgementEvent.objects.count() == saved
        if saved:  # only the answer failed, after the commit
            assert judge().status_code == 200
    assert number > 5
    assert_saved_once(judge)


def test_full_sqlite_database(judge):
    """The limit of pages fails as a full disk does; the test of PostgreSQL is the one above."""
    if connection.vendor != "sqlite":
        return
    connection.cursor().execute("VACUUM")  # pages that earlier tests have freed would be filled first
    count = connection.cursor().execute("PRAGMA page_count").fetchone()[0]
    with changed_connection(OPTIONS=connection.settings_dict["OPTIONS"]):
        connection.cursor().execute(f"PRAGMA max_page_count = {count}")
        responses = [judge(number) for number in range(4)]
        full = next(number for number, response in enumerate(responses) if response.status_code == 503)
        assert_unavailable(responses[full])
        assert Judgement.objects.count() == JudgementEvent.objects.count() == full
    assert_saved_once(judge, full)


def test_connections_are_checked_and_wait_shorter_than_the_page(settings):
    """The judging page sends a judgement again after 20 seconds without an answer."""
    assert connection.settings_dict["CONN_HEALTH_CHECKS"]
    assert settings.LOCK_SECONDS + settings.CONNECT_SECONDS < 20
    if connection.vendor == "sqlite":
        assert connection.cursor().execute("PRAGMA busy_timeout").fetchone()[0] == settings.LOCK_SECONDS * 1000
    else:
        cursor = connection.cursor()
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone()[0] == f"{settings.LOCK_SECONDS}s"


def test_lost_connection_is_replaced_before_the_next_request(browser):
    """As after a restart of PostgreSQL. SQLite has no connection that could be lost."""
    assert browser.get("/").status_code == 200
    if connection.vendor == "postgresql":
        import psycopg

        with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    connection.close_if_unusable_or_obsolete()  # at the start of each request, except of those of a test
    assert browser.get("/").status_code == 200


def test_program_error_is_not_an_outage(browser, monkeypatch):
    def fail(*_):
        raise ProgrammingError("no such table")

    monkeypatch.setattr("assess.web.account.views.current_seat", fail)
    response = browser.get("/")
    assert response.status_code == 500
    assert "Retry-After" not in response
