"""The session cookie follows Django's rules, although sessions and users are read with prepared statements."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assess.models import Session
from assess.people.sessions import SessionStore

pytestmark = pytest.mark.database

HOME = "/"


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "ada"))


def is_signed_in(http) -> bool:
    return http.get(HOME).status_code == 200


def test_session_ends_when_it_expires(http):
    assert is_signed_in(http)
    Session.objects.update(expire_date=timezone.now())
    assert not is_signed_in(http)


def test_deleted_session_ends_at_once(http):
    assert is_signed_in(http)
    Session.objects.all().delete()
    assert not is_signed_in(http)


def test_deactivated_user_is_signed_out_at_once(http, django_user_model):
    assert is_signed_in(http)
    django_user_model.objects.update(is_active=False)
    assert not is_signed_in(http)


def test_new_password_ends_other_sessions(http, django_user_model):
    user = django_user_model.objects.get(username="ada")
    user.set_password("another-good-password")
    user.save()
    assert not is_signed_in(http)


@pytest.mark.parametrize("key", ["made-up", "x' OR '1'='1", "\N{SNOWMAN}" * 8, ""])
def test_unknown_session_key_is_empty_and_not_adopted(db, key):
    session = SessionStore(key)
    assert session.load() == {}
    session["key"] = 1
    session.save()
    assert session.session_key != key
    assert SessionStore(session.session_key)["key"] == 1


def test_session_with_changed_content_is_empty(db):
    session = SessionStore()
    session["key"] = 1
    session.save()
    Session.objects.update(session_data="made:up")
    assert SessionStore(session.session_key).load() == {}


# ---- the end after some hours without a request


@pytest.fixture
def clock(monkeypatch):
    """A function that moves the clock forward."""
    start, passed = timezone.now(), timedelta()

    def move(**time) -> None:
        nonlocal passed
        passed += timedelta(**time)

    monkeypatch.setattr(timezone, "now", lambda: start + passed)
    return move


def writes(http, url: str = HOME) -> list[str]:
    """Return the statements of one request that change the session."""
    with CaptureQueriesContext(connection) as queries:
        assert http.get(url).status_code == 200
    return [query["sql"] for query in queries if not query["sql"].startswith("SELECT") and "session" in query["sql"]]


def test_session_is_written_at_most_every_ten_minutes(http, clock):
    assert writes(http) == []
    for _ in range(9):
        clock(minutes=1)
        assert writes(http) == []
    clock(minutes=1)
    assert len(writes(http)) == 1
    assert writes(http) == []


@pytest.mark.soak
def test_one_write_in_an_hour_of_judging_every_ten_seconds_takes_six(http, clock):
    written = 0
    for _ in range(360):
        clock(seconds=10)
        written += len(writes(http))
    assert written == 6


def test_person_who_keeps_working_is_never_signed_out(http, clock, settings):
    pause = settings.SESSION_COOKIE_AGE - 11 * 60  # the last write may be ten minutes old
    for _ in range(5):
        clock(minutes=9)
        assert is_signed_in(http)
        clock(seconds=pause)
        assert is_signed_in(http)


def test_session_ends_after_hours_without_a_request(http, clock, settings):
    assert is_signed_in(http)
    clock(seconds=settings.SESSION_COOKIE_AGE)
    assert not is_signed_in(http)


def test_cookie_lives_as_long_as_the_session(http, clock, settings):
    key = http.cookies["sessionid"].value
    clock(minutes=10)
    response = http.get(HOME)
    cookie = response.cookies["sessionid"]
    assert cookie.value == key
    assert cookie["max-age"] == settings.SESSION_COOKIE_AGE
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert "sessionid" not in http.get(HOME).cookies


def test_ended_session_is_not_refreshed_into_existence(http, clock):
    clock(minutes=10)
    session = SessionStore(http.cookies["sessionid"].value)
    session.load()
    assert session.needs_refresh
    Session.objects.all().delete()
    assert not session.refresh()
    assert not Session.objects.exists()


def test_refresh_does_not_undo_what_another_request_saved(http, clock):
    clock(minutes=10)
    key = http.cookies["sessionid"].value
    slow, fast = SessionStore(key), SessionStore(key)
    slow.load()
    fast["answer"] = 42
    fast.save()
    slow.refresh()
    assert SessionStore(key)["answer"] == 42


def test_request_is_answered_although_the_refresh_fails(http, clock, monkeypatch):
    clock(minutes=10)

    def locked(_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(SessionStore, "refresh", locked)
    assert is_signed_in(http)


def test_page_that_does_not_use_the_session_writes_nothing(http, clock):
    clock(minutes=10)
    assert writes(http, "/static/assess/assay.css") == []


# ---- the user of a session


def test_session_knows_its_user(http, collection, join, client):
    (session,) = Session.objects.all()
    assert session.user.username == "ada"
    anonymous = SessionStore()
    anonymous["key"] = 1
    anonymous.save()
    assert Session.objects.get(pk=anonymous.session_key).user is None


def test_session_of_a_deleted_user_signs_nobody_in(http, django_user_model):
    django_user_model.objects.create_user("bob")
    session = SessionStore()
    session["_auth_user_id"] = "999999"
    session.save()
    http.cookies["sessionid"] = session.session_key
    assert not is_signed_in(http)


def test_sign_in_and_out_in_one_browser_leave_one_row_or_none(client, django_user_model):
    django_user_model.objects.create_user("zoe", password="right and long")
    client.post("/account/sign-in/", {"username": "zoe", "password": "right and long"})
    assert [session.user.username for session in Session.objects.all()] == ["zoe"]
    client.post("/account/sign-out/")
    assert not Session.objects.exists()
