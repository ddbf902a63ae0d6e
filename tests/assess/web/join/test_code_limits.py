"""The pages that ask for codes: the answer to too many wrong codes, and a class with a guesser on its network."""

import pytest
from django.test import Client
from django.urls import reverse

from assess.models import AttemptCount, Exercise, Seat
from assess.models.exercise import LETTERS
from assess.teaching import clock, code_throttle
from assess.teaching.code_throttle import (
    MAX_WRONG_IN_BROWSER,
    Visitor,
    exercise_code_limits,
    reentry_code_limits,
    wrong_codes_per_hour,
)
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, signed_in_client
from tests.html import compact

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throttle_clock")]

COOKIE = "assay_browser"
WRONG = "A" * 10
CLASS = 16  # students; more than the wrong codes that a browser may enter


@pytest.fixture
def instructor(collection):
    return add_instructor(collection)


@pytest.fixture
def exercise(collection, instructor):
    return create_exercise(collection, instructor)


def at(name: str, exercise: Exercise) -> str:
    return reverse(f"join:{name}", args=[exercise.code])


def text(response) -> str:
    return compact(response.content.decode())


def type_code(client: Client, code: str, **extra):
    return client.post(reverse("join:code"), {"code": code}, **extra)


# ---- one browser


def test_first_wrong_code_sets_a_cookie(settings, client, exercise):
    settings.SESSION_COOKIE_SECURE = True
    assert COOKIE not in type_code(client, exercise.code).cookies
    cookie = type_code(client, WRONG).cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    assert len(cookie.value) == 22  # 128 random bits
    assert COOKIE not in type_code(client, WRONG).cookies  # the browser keeps its token
    assert not AttemptCount.objects.filter(key_hash__contains=cookie.value).exists()


@pytest.mark.parametrize("forged", ["", "x", "x" * 5000, "é" * 22])
def test_forged_cookie_is_replaced(client, exercise, forged):
    response = type_code(client, WRONG, headers={"cookie": f"{COOKIE}={forged}"})
    assert len(response.cookies[COOKIE].value) == 22
    assert AttemptCount.objects.count() == 2  # of the network and the site


@pytest.mark.parametrize("guess", ["typed", "join", "back"])
def test_too_many_wrong_codes_are_answered_with_429(client, exercise, guess):
    def enter(code):
        return type_code(client, code) if guess == "typed" else client.get(at_code(code))

    def at_code(code):
        return reverse("join:nickname" if guess == "join" else "join:back", args=[code])

    wrong = [enter(WRONG).status_code for _ in range(MAX_WRONG_IN_BROWSER + 1)]
    assert set(wrong) == {400 if guess == "typed" else 404}
    for code in (WRONG, exercise.code):
        response = enter(code)
        assert response.status_code == 429
        assert response["Retry-After"] == "300"
        assert "Too many wrong codes were entered in this browser. Try again in 5 minutes." in text(response)
        assert "There is no exercise" not in text(response)  # the code was not checked


def test_right_code_works_again_after_the_wait(client, exercise, throttle_clock):
    for _ in range(20):
        type_code(client, WRONG)
    throttle_clock.advance(seconds=int(type_code(client, exercise.code)["Retry-After"]))
    assert type_code(client, exercise.code).status_code == 302


def test_wrong_reentry_codes_are_answered_with_429(client, exercise):
    _, seat = join_exercise(exercise, "Ada")
    for _ in range(MAX_WRONG_IN_BROWSER + 1):
        assert client.post(at("back", exercise), {"reentry_code": WRONG}).status_code == 400
    response = client.post(at("back", exercise), {"reentry_code": seat.reentry_code})
    assert (response.status_code, response["Retry-After"]) == (429, "300")
    assert "Too many wrong codes were entered in this browser." in text(response)
    assert client.get(at("nickname", exercise)).status_code == 200  # joining is still possible
    assert Client().post(at("back", exercise), {"reentry_code": seat.reentry_code}).status_code == 302


def test_seats_and_accounts_are_not_affected_by_the_limit_of_their_network(exercise, instructor, monkeypatch):
    browser, _ = join_exercise(exercise, "Ada")
    monkeypatch.setattr(code_throttle, "wrong_codes_per_hour", lambda _length, _live: 10)
    statuses = [type_code(Client(), WRONG).status_code for _ in range(6)]
    assert statuses == [400] * 5 + [429]
    assert type_code(Client(), exercise.code)["Retry-After"] == "3300"
    for name in ("seat", "live"):
        assert browser.get(at(name, exercise)).status_code == 200
    del browser.cookies["sessionid"]
    assert browser.get(at("seat", exercise)).status_code == 200
    assert signed_in_client(instructor.user).get(reverse("teach:exercise", args=[exercise.code])).status_code == 200


def test_addresses_of_one_ipv6_network_are_counted_together(exercise, monkeypatch):
    monkeypatch.setattr(code_throttle, "wrong_codes_per_hour", lambda _length, _live: 10)
    statuses = [type_code(Client(), WRONG, REMOTE_ADDR=f"2001:db8:1:2::{n}").status_code for n in range(1, 8)]
    assert statuses == [400] * 5 + [429] * 2
    assert type_code(Client(), exercise.code, REMOTE_ADDR="2001:db8:1:3::1").status_code == 302


# ---- a class


class Guesser:
    """A student of the class who guesses codes as fast as the server answers."""

    def __init__(self, exercise: Exercise, keeps_cookies: bool):
        self.exercise, self.keeps_cookies = exercise, keeps_cookies
        self.client = Client()
        self.number = 0
        self.statuses: list[int] = []

    def guess(self, times: int) -> None:
        for _ in range(times):
            if not self.keeps_cookies:
                self.client.cookies.clear()
            code = self._next_code()
            self.statuses += [
                type_code(self.client, code).status_code,
                self.client.post(at("back", self.exercise), {"reentry_code": code}).status_code,
            ]

    def _next_code(self) -> str:
        self.number += 1
        digits, rest = "", self.number
        for _ in range(10):
            rest, digit = divmod(rest, len(LETTERS))
            digits = LETTERS[digit] + digits
        return digits


@pytest.mark.slow
@pytest.mark.parametrize("keeps_cookies", [True, False])
def test_class_and_a_guesser_share_an_address(exercise, instructor, keeps_cookies):
    guesser, screen = Guesser(exercise, keeps_cookies), signed_in_client(instructor.user)
    guesser.guess(CLASS)
    clock.start(exercise)
    for number in range(CLASS):
        guesser.guess(1)
        student = Client()
        if number % 4 == 0:  # some students mistype first
            assert type_code(student, f"{exercise.code[1:]}A").status_code == 400
        assert type_code(student, exercise.readable_code.lower()).url == at("nickname", exercise)
        response = student.post(at("nickname", exercise), {"nickname": f"student {number}"})
        assert response.url == at("seat", exercise)
        seat = Seat.objects.get(nickname=f"student {number}")
        response = Client().post(at("back", exercise), {"reentry_code": seat.reentry_code})
        assert response.url == at("seat", exercise)
        assert student.get(at("live", exercise)).status_code == 200
        assert screen.get(reverse("teach:live", args=[exercise.code])).status_code == 200
    assert exercise.seats.count() == CLASS
    _check_rate(guesser)


def _check_rate(guesser: Guesser) -> None:
    """Count the codes that were checked, of exercises and of seats, and compare them with the limits."""
    guesses, checked = len(guesser.statuses), guesser.statuses.count(400)
    assert guesses == 2 * (CLASS + CLASS)
    assert guesser.statuses.count(429) == guesses - checked
    if guesser.keeps_cookies:
        # The first wrong code sets the cookie. Then ten codes of each kind are checked in ten minutes, 1,440 a day.
        assert checked == 1 + 2 * MAX_WRONG_IN_BROWSER
    else:
        # Every code is checked. The limits of the network are above 300 codes a second.
        assert checked == guesses
        assert min(wrong_codes_per_hour(10, live=1), wrong_codes_per_hour(10, live=200)) // 2 > 300 * 3600
    network = Visitor("", "127.0.0.1")
    limits = exercise_code_limits(network, 10)[0], reentry_code_limits(network, guesser.exercise.pk)[0]
    counted = [AttemptCount.objects.get(key_hash=limit.key_hash).count for limit in limits]
    assert counted[0] == guesser.statuses[::2].count(400) + CLASS // 4  # the codes that the class mistyped
    assert counted[1] == guesser.statuses[1::2].count(400)
