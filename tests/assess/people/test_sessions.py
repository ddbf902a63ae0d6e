"""Who a browser's cookie signs in: Django's own rules, read by queries that are composed once."""

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from assess.people.sessions import SessionStore

HOME = "/"


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "ada"))


def is_in(http) -> bool:
    return http.get(HOME).status_code == 200


def test_a_session_lasts_until_its_day(http):
    assert is_in(http)
    Session.objects.update(expire_date=timezone.now())
    assert not is_in(http)


def test_a_session_that_was_ended_elsewhere_is_over_at_once(http):
    assert is_in(http)
    Session.objects.all().delete()
    assert not is_in(http)


def test_a_person_who_may_not_sign_in_any_more_is_out_at_once(http, django_user_model):
    assert is_in(http)
    django_user_model.objects.update(is_active=False)
    assert not is_in(http)


def test_a_new_password_ends_the_other_sessions(http, django_user_model):
    user = django_user_model.objects.get(username="ada")
    user.set_password("another-good-password")
    user.save()
    assert not is_in(http)


@pytest.mark.parametrize("key", ["made-up-by-somebody", "x' OR '1'='1", "\N{SNOWMAN}" * 8, ""])
def test_a_key_that_nobody_has_is_nobodys_and_is_not_taken_over(db, key):
    session = SessionStore(key)
    assert session.load() == {}
    session["own"] = 1
    session.save()
    assert session.session_key != key
    assert SessionStore(session.session_key)["own"] == 1


def test_a_session_whose_content_was_changed_is_empty(db):
    session = SessionStore()
    session["own"] = 1
    session.save()
    Session.objects.update(session_data="made-up:by:somebody")
    assert SessionStore(session.session_key).load() == {}
