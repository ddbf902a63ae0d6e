"""Each request has an id, which its messages in the log, its answer and its error page have in common."""

import io
import json
import logging

import pytest
from django.test import Client

from assess.lib.log_id import LogIdFilter, logged_as
from assess.models import User
from assess.web.site.log_format import MOST_BYTES, ShortFormatter, ShortJsonFormatter
from assess.web.site.token_filter import TokenFilter
from tests.outages import unreachable_database

TOKEN = "UpSLysv3mTDV9PMf5B9ELA"


class Log:
    """What the site writes, with the filters of the settings."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(formatter)
        for each in (TokenFilter(), LogIdFilter()):
            self.handler.addFilter(each)
        logging.getLogger().addHandler(self.handler)

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()

    @property
    def objects(self) -> list[dict]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture
def log(request):
    log = Log(getattr(request, "param", ShortJsonFormatter)())
    yield log
    logging.getLogger().removeHandler(log.handler)


@pytest.fixture
def failing(monkeypatch):
    """A site on which one address raises an exception."""

    def fail():
        raise ZeroDivisionError("a fault in the page")

    monkeypatch.setattr("assess.web.site.middleware.check_health", fail)
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("log", [ShortFormatter], indirect=True)
def test_the_error_page_names_the_request_as_the_log_does(log, failing):
    response = failing.get("/health")
    request_id = response["X-Request-ID"]
    assert response.status_code == 500
    assert f"<code>{request_id}</code>" in response.content.decode()
    assert log.lines[0] == f"[{request_id}] Internal Server Error: /health"
    assert log.lines[-1] == "ZeroDivisionError: a fault in the page"


def test_a_script_gets_the_id_as_json(log, failing):
    response = failing.get("/health", headers={"accept": "application/json"})
    assert response.json()["request_id"] == response["X-Request-ID"]
    assert response.json()["error"].startswith("An error occurred on the server.")


@pytest.mark.django_db(transaction=True)
def test_an_unavailable_page_has_the_id(log):
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("ada"), backend="assess.people.backend.AccountBackend")
    with unreachable_database():
        response = client.get("/")
    request_id = response["X-Request-ID"]
    assert response.status_code == 503
    assert f"<code>{request_id}</code>" in response.content.decode()
    assert {each["id"] for each in log.objects} == {request_id}


def test_each_answer_has_an_id_of_its_own_whatever_the_client_sends(db):
    client = Client(headers={"x-request-id": "mine"})
    ids = [client.get(path)["X-Request-ID"] for path in ("/health", "/account/sign-in/", "/nothing/", "/nothing/")]
    assert len(set(ids)) == 4
    assert "mine" not in ids


def test_errors_as_json(log, failing):
    failing.get("/health")
    (written,) = log.objects
    assert set(written) == {"time", "level", "logger", "id", "message", "traceback"}
    assert (written["level"], written["logger"]) == ("ERROR", "django.request")
    assert written["traceback"].endswith("ZeroDivisionError: a fault in the page")


def test_tokens_of_links_are_not_in_the_json(db, log):
    Client().get(f"/invitation/{TOKEN}/")
    (written,) = log.objects
    assert written["message"] == "Not Found: /invitation/.../"
    assert TOKEN not in log.stream.getvalue()


def test_requests_are_logged_if_the_site_asks_for_it(db, log, settings, caplog):
    client = Client()
    client.get("/account/sign-in/")
    assert log.lines == []
    settings.LOG_REQUESTS = True
    caplog.set_level(logging.INFO, logger="assess.requests")
    response = client.get(f"/invitation/{TOKEN}/?next=1")
    (written,) = [each for each in log.objects if each["logger"] == "assess.requests"]
    assert written["id"] == response["X-Request-ID"]
    assert (written["method"], written["view"], written["status"]) == ("GET", "invitation:open", response.status_code)
    assert written["milliseconds"] >= 0
    assert TOKEN not in log.stream.getvalue()


@pytest.mark.parametrize("character", ["x", "é", "\0", '"', "\n", "\U0001f600"])
@pytest.mark.parametrize("log", [ShortFormatter, ShortJsonFormatter], indirect=True)
def test_no_message_is_long(log, character):
    try:
        raise ValueError(character * 50_000)
    except ValueError:
        with logged_as("job-7"):
            logging.getLogger("assess").exception("%s", character * 50_000, stack_info=True)
    written = log.stream.getvalue()
    assert len(written.encode(errors="backslashreplace")) <= MOST_BYTES + 1
    assert "job-7" in written


def test_ids_do_not_outlive_their_block(log):
    with logged_as("job-7"):
        logging.getLogger("assess").error("first")
    logging.getLogger("assess").error("second")
    assert [(each["id"], each["message"]) for each in log.objects] == [("job-7", "first"), ("-", "second")]
