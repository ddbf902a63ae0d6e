"""The session cookie follows Django's rules, although sessions and users are read with prepared statements."""

import pytest
from django.utils import timezone

from assess.models import Session
from assess.people.sessions import SessionStore

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
