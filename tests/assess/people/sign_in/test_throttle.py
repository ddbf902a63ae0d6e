"""Wrong passwords are limited by account and network. An account attacked from many networks knows its browsers."""

import pytest
from django.test import Client

from assess.models import Action, AttemptCount, AuditEvent, User
from assess.people.sign_in import throttle
from assess.people.sign_in.throttle import LIMIT, unlock
from tests.assess.command_output import output_of

SIGN_IN = "/account/sign-in/"
PASSWORD = "right and long"
HOME = "10.0.0.1"


@pytest.fixture
def three_networks(monkeypatch):
    """Let wrong passwords from three networks suffice, which takes a third of the time."""
    monkeypatch.setattr(throttle, "TOTAL_LIMIT", 3 * LIMIT)


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


def sign_in(name: str = "ada", password: str = PASSWORD, address: str = HOME, client: Client | None = None) -> int:
    """Send the form, and return the status: 302 signed in, 200 wrong, 429 not checked."""
    browser = client or Client()
    return browser.post(SIGN_IN, {"username": name, "password": password}, REMOTE_ADDR=address).status_code


def guess(times: int, **options) -> None:
    for number in range(times):
        assert sign_in(password=f"wrong {number}", **options) == 200


def attack(name: str = "ada") -> None:
    """Enter wrong passwords from many networks, until the account is accepted only in known browsers."""
    for network in range(throttle.TOTAL_LIMIT // LIMIT):
        guess(LIMIT, name=name, address=f"192.0.2.{network}")


def test_password_is_not_checked_after_ten_wrong_ones(ada, throttle_clock):
    guess(LIMIT)
    assert sign_in() == 429
    throttle_clock.advance(minutes=14, seconds=59)
    assert sign_in() == 429
    throttle_clock.advance(seconds=1)
    assert sign_in() == 302


def test_refused_attempts_do_not_extend_the_pause(ada, throttle_clock):
    guess(LIMIT)
    for _ in range(15):
        throttle_clock.advance(minutes=1)
        status = sign_in()
    assert status == 302


def test_other_names_and_other_networks_are_not_affected(ada, throttle_clock):
    User.objects.create_user("bob", password=PASSWORD)
    guess(LIMIT)
    assert sign_in("bob") == 302
    assert sign_in(address="10.0.0.2") == 302


@pytest.mark.slow
def test_class_signs_in_behind_one_address(db, throttle_clock):
    names = [f"student-{number}" for number in range(40)]
    for name in names:
        User.objects.create_user(name, password=PASSWORD)
    guess(LIMIT, name=names[0])
    assert [sign_in(name) for name in names[1:]] == [302] * 39


def test_right_password_deletes_the_count(ada, throttle_clock):
    guess(LIMIT - 1)
    assert sign_in() == 302
    guess(LIMIT - 1)
    assert sign_in() == 302


def test_network_of_ipv6_is_its_64_bits(ada, throttle_clock):
    for number in range(LIMIT):
        assert sign_in(password="wrong", address=f"2001:db8:1:1::{number:x}") == 200
    assert sign_in(address="2001:db8:1:1:ffff::1") == 429
    assert sign_in(address="2001:db8:1:2::1") == 302


def test_name_and_email_address_are_the_same_account(ada, throttle_clock):
    guess(LIMIT // 2)
    guess(LIMIT // 2, name="ADA@example.org")
    assert sign_in() == sign_in("ada@example.org") == 429


def test_unknown_name_is_throttled_too(db, throttle_clock):
    guess(LIMIT, name="nobody")
    assert sign_in("nobody", "wrong") == sign_in("NOBODY", "wrong") == 429


# ---- many networks


@pytest.mark.slow
def test_attacked_name_accepts_only_browsers_that_signed_in_before(ada, throttle_clock):
    known = Client()
    assert sign_in(client=known) == 302
    attack()
    assert sign_in(address="10.9.9.9") == 429
    assert sign_in(address="10.9.9.9", client=known) == 302
    throttle_clock.advance(days=1)
    assert sign_in(address="10.9.9.9") == 302


@pytest.mark.slow
def test_attack_on_one_name_does_not_affect_others(ada, throttle_clock, three_networks):
    User.objects.create_user("bob", password=PASSWORD)
    attack()
    assert sign_in("bob", address="10.9.9.9") == 302


def test_browser_of_somebody_else_is_not_known(ada, throttle_clock, three_networks):
    User.objects.create_user("bob", password=PASSWORD)
    browser = Client()
    sign_in("bob", client=browser)
    attack()
    assert sign_in(address="10.9.9.9", client=browser) == 429


@pytest.mark.slow
def test_one_network_cannot_close_an_account(ada, throttle_clock, three_networks):
    for _ in range(6):
        guess(LIMIT)
        throttle_clock.advance(minutes=16)
    assert sign_in(address="10.9.9.9") == 302


def test_stolen_cookie_allows_ten_passwords_from_all_networks(ada, throttle_clock):
    browser = Client()
    sign_in(client=browser)
    for number in range(LIMIT):
        sign_in(password="wrong", address=f"198.51.100.{number}", client=browser)
    assert sign_in(address="198.51.100.99", client=browser) == 429


@pytest.mark.slow
def test_made_up_cookie_is_ignored(ada, throttle_clock, three_networks):
    attack()
    browser = Client()
    browser.cookies["assay_known"] = "made:up"
    assert sign_in(address="10.9.9.9", client=browser) == 429


@pytest.mark.slow
def test_cookie_knows_several_accounts(db, throttle_clock, three_networks):
    browser = Client()
    for number in range(12):
        User.objects.create_user(f"user-{number}", password=PASSWORD)
        assert sign_in(f"user-{number}", client=browser) == 302
    attack("user-11")
    attack("user-0")
    assert sign_in("user-11", address="10.9.9.9", client=browser) == 302
    assert sign_in("user-0", address="10.9.9.9", client=browser) == 429  # the oldest of more than ten


def test_cookie_is_kept_from_scripts_and_other_sites(ada, throttle_clock):
    browser = Client()
    sign_in(client=browser)
    cookie = browser.cookies["assay_known"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 365 * 24 * 3600


# ---- unlocking


@pytest.mark.slow
def test_unlocked_account_is_checked_again(ada, throttle_clock, three_networks):
    attack()
    unlock(ada)
    assert not AttemptCount.objects.exists()
    assert sign_in(address="192.0.2.1") == 302


def test_command_unlocks_and_is_recorded(ada, throttle_clock):
    guess(LIMIT)
    assert output_of("unlock_sign_in", "ada") == ["Passwords for ada are checked again."]
    assert AuditEvent.objects.get(action=Action.SIGN_IN_UNLOCKED).person == ada
    assert sign_in() == 302


# ---- what is stored


def test_table_has_no_name_and_no_address(db, throttle_clock):
    User.objects.create_user("rita", password=PASSWORD)
    guess(1, name="rita")
    guess(1, name="a secret password")
    text = str(list(AttemptCount.objects.values()))
    assert not [word for word in ("rita", "secret", HOME) if word in text]
