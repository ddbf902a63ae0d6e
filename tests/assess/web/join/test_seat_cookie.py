"""The cookie of a seat: a random token that ends when the student leaves, with the exercise, and after twelve hours."""

import uuid
from datetime import timedelta
from hashlib import sha256

import pytest
from django.core import signing
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assess.judging import worklist
from assess.models import Exercise, Judgement, Seat, SeatToken, Session
from assess.teaching import clock, exercises, seats
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, signed_in_client
from tests.html import compact

pytestmark = pytest.mark.django_db

COOKIE = "assay_seats"


@pytest.fixture
def instructor(collection):
    return add_instructor(collection)


@pytest.fixture
def exercise(collection, instructor):
    return create_exercise(collection, instructor)


def at(name: str, exercise: Exercise) -> str:
    return reverse(f"join:{name}", args=[exercise.code])


def with_cookie(value: str) -> Client:
    browser = Client()
    browser.cookies[COOKIE] = value
    return browser


def opens(browser: Client, exercise: Exercise) -> bool:
    """Return whether the browser opens its seat. Otherwise it is sent to the page to join."""
    response = browser.get(at("seat", exercise))
    if response.status_code == 302:
        assert response.url == at("nickname", exercise)
    return response.status_code == 200


def return_to(seat: Seat, browser: Client) -> None:
    response = browser.post(at("back", seat.exercise), {"reentry_code": seat.reentry_code})
    assert response.url == at("seat", seat.exercise)


# ---- what it is


def test_cookie_attributes(settings, exercise):
    settings.SESSION_COOKIE_SECURE = True
    browser, _ = join_exercise(exercise, "Ada")
    cookie = browser.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    assert cookie["max-age"] == 12 * 3600


def test_only_a_hash_of_the_random_token_is_stored(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    other, _ = join_exercise(exercise, "Bob")
    token, stored = browser.cookies[COOKIE].value, seat.tokens.get()
    assert len(token) == 32  # 192 random bits
    assert token != other.cookies[COOKIE].value
    assert stored.token_hash == sha256(token.encode()).hexdigest()
    assert abs(stored.expires_at - timezone.now() - timedelta(hours=12)) < timedelta(minutes=5)


def test_forged_cookies_and_those_of_earlier_versions_are_ignored(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    token = browser.cookies[COOKIE].value
    earlier = signing.dumps([seat.pk], salt="assess.web.join.seats")
    hashed = seat.tokens.get().token_hash
    for value in (earlier, f"[{seat.pk}]", str(seat.pk), hashed, token[:-1], "", ".", "é", "x" * 100_000, "." * 9000):
        assert not opens(with_cookie(value), exercise)
    assert opens(with_cookie(token), exercise)


def test_cookie_does_not_open_the_seat_that_gets_the_same_number_after_a_restore(exercise):
    browser, ada = join_exercise(exercise, "Ada")
    number = ada.pk
    seats.remove_seat(ada)  # the backup is older than this seat
    other, _ = join_exercise(exercise, "Bob")
    with connection.constraint_checks_disabled():
        SeatToken.objects.update(seat=number)
        Seat.objects.update(id=number)
    assert Seat.objects.get(pk=number).nickname == "Bob"
    assert not opens(browser, exercise)
    assert opens(other, exercise)


# ---- signing in again


def test_token_signs_student_in_without_a_session(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    del browser.cookies["sessionid"]
    response = browser.get(at("seat", exercise))
    assert response.status_code == 200
    assert seat.reentry_code in compact(response.content.decode())
    assert "sessionid" in browser.cookies


def test_token_signs_student_in_on_the_judging_page(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    clock.start(exercise)
    topic, _ = worklist.topics_with_progress(seat.member)[0]
    task = worklist.upcoming(seat.member, topic)[0].task
    del browser.cookies["sessionid"]
    data = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": seat.member_id}
    response = browser.post(
        reverse("judge:record", args=[exercise.collection.slug, task]), data, headers={"accept": "application/json"}
    )
    assert response.status_code == 200
    assert Judgement.objects.get().member_id == seat.member_id


def test_seat_can_be_held_by_several_browsers(exercise):
    first, seat = join_exercise(exercise, "Ada")
    second = Client()
    return_to(seat, second)
    assert seat.tokens.count() == 2
    assert opens(with_cookie(first.cookies[COOKIE].value), exercise)
    assert opens(with_cookie(second.cookies[COOKIE].value), exercise)


@pytest.mark.slow
def test_browser_holds_at_most_five_seats(collection, instructor):
    browser = Client()
    all_of_them = [create_exercise(collection, instructor, title=f"Number {number}") for number in range(6)]
    for each in all_of_them:
        browser.post(at("nickname", each), {"nickname": "Ada"})
    assert not opens(with_cookie(browser.cookies[COOKIE].value), all_of_them[0])
    for each in all_of_them[1:]:
        assert opens(with_cookie(browser.cookies[COOKIE].value), each)
    assert SeatToken.objects.count() == 5


def test_returning_in_the_same_browser_replaces_its_token(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    earlier = browser.cookies[COOKIE].value
    del browser.cookies["sessionid"]
    seat.tokens.update(expires_at=timezone.now() - timedelta(seconds=1))
    return_to(seat, browser)
    assert browser.cookies[COOKIE].value != earlier
    assert opens(browser, exercise)


# ---- the end


def test_token_ends_after_twelve_hours_on_the_server(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    del browser.cookies["sessionid"]
    seat.tokens.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not opens(browser, exercise)
    seats.delete_expired_tokens()
    assert not SeatToken.objects.exists()
    return_to(seat, browser)
    assert opens(browser, exercise)


def test_session_ends_with_its_token(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    in_an_hour = timezone.now() + timedelta(hours=1)
    assert Session.objects.get().expire_date == seat.tokens.get().expires_at
    seat.tokens.update(expires_at=in_an_hour)
    del browser.cookies["sessionid"]
    assert opens(browser, exercise)
    session = browser.session
    session["a later change"] = 1
    session.save()  # does not extend it
    assert Session.objects.get(pk=session.session_key).expire_date == in_an_hour


def test_account_after_a_seat_has_a_session_of_usual_length(exercise, instructor):
    browser, _ = join_exercise(exercise, "Ada")
    instructor.user.set_password("a long password")
    instructor.user.save()
    browser.post(reverse("account:sign_in"), {"username": "prof", "password": "a long password"})
    assert browser.session["_auth_user_id"] == str(instructor.user.pk)
    assert "_session_expiry" not in browser.session


def test_leaving_ends_the_token_and_the_session(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    elsewhere = Client()
    return_to(seat, elsewhere)
    token, session = browser.cookies[COOKIE].value, browser.cookies["sessionid"].value
    browser.post(at("leave", exercise))
    assert browser.cookies[COOKIE].value == ""
    assert not opens(with_cookie(token), exercise)
    copied = Client()
    copied.cookies["sessionid"] = session
    assert not opens(copied, exercise)
    assert seat.tokens.count() == 1
    assert opens(elsewhere, exercise)


def test_leaving_one_seat_keeps_the_others(collection, instructor, exercise):
    other = create_exercise(collection, instructor)
    browser, _ = join_exercise(exercise, "Ada")
    browser.post(at("nickname", other), {"nickname": "Ada"})
    browser.post(at("leave", other))
    assert not opens(browser, other)
    assert opens(browser, exercise)


def test_removing_a_seat_ends_its_tokens(exercise, instructor):
    browser, ada = join_exercise(exercise, "Ada")
    other, _ = join_exercise(exercise, "Bob")
    screen = signed_in_client(instructor.user)
    assert screen.post(reverse("teach:remove_seat", args=[exercise.code]), {"seat": ada.pk}).status_code == 302
    assert not opens(browser, exercise)
    assert opens(other, exercise)
    assert SeatToken.objects.count() == 1


def test_tokens_end_with_the_exercise(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    Exercise.objects.update(erase_on=timezone.localdate())
    assert not opens(with_cookie(browser.cookies[COOKIE].value), exercise)  # expired, not erased yet
    exercises.erase(exercise)
    assert not SeatToken.objects.exists()
    assert not Session.objects.exists()
    assert not opens(browser, exercise)


def test_session_of_a_seat_is_never_refreshed(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    ends_at = Session.objects.get().expire_date
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=1))
    browser.get(reverse("join:seat", args=[exercise.code]))
    assert Session.objects.get().expire_date < ends_at - timedelta(hours=11)
