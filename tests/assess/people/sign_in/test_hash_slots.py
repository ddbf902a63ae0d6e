"""Few passwords are checked at the same time, and the others are refused without waiting."""

import threading
from contextlib import ExitStack

import pytest
from django.conf import settings as loaded_settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password

from assess.people.sign_in import hash_slots, password
from assess.people.sign_in.hash_slots import ADMITTED, AT_ONCE, OF_NETWORK, Busy, LimitedHasher, admitted
from assess.people.sign_in.throttle import UNKNOWN_LIMIT, Visitor
from assess.throttle import TooManyAttempts
from tests.html import compact

SIGN_IN = "/account/sign-in/"


def test_a_network_has_few_sign_ins_at_a_time():
    with ExitStack() as stack:
        for _ in range(OF_NETWORK):
            stack.enter_context(admitted("192.0.2.1", is_account=True))
        with pytest.raises(Busy), admitted("192.0.2.1", is_account=True):
            pass
        with admitted("192.0.2.2", is_account=True):
            pass
    with admitted("192.0.2.1", is_account=True):
        pass


def test_a_process_has_few_sign_ins_at_a_time():
    with ExitStack() as stack:
        for number in range(ADMITTED):
            stack.enter_context(admitted(f"192.0.2.{number}", is_account=True))
        with pytest.raises(Busy) as caught, admitted("198.51.100.1", is_account=True):
            pass
    assert caught.value.retry_after == 1
    assert not hash_slots._admitted


def test_invented_names_share_one_place():
    with admitted("192.0.2.1", is_account=False):
        with pytest.raises(Busy), admitted("192.0.2.2", is_account=False):
            pass
        with admitted("192.0.2.1", is_account=True), admitted("192.0.2.1", is_account=True):
            pass


def test_a_failed_check_frees_its_place():
    with pytest.raises(RuntimeError), admitted("192.0.2.1", is_account=True):
        raise RuntimeError
    assert not hash_slots._admitted


def test_two_hashes_are_computed_at_a_time(monkeypatch):
    running, most, lock, enough = [0], [0], threading.Lock(), threading.Event()

    def encode(self, *_):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
            if running[0] > AT_ONCE:
                enough.set()
        enough.wait(0.05)
        with lock:
            running[0] -= 1
        return "hash"

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    monkeypatch.setattr(hash_slots, "ADMITTED", 10)
    monkeypatch.setattr(hash_slots, "OF_NETWORK", 10)
    threads = [threading.Thread(target=LimitedHasher().encode, args=("password", "salt")) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == AT_ONCE


def test_a_new_password_takes_a_place(monkeypatch):
    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", lambda *_: "hash")
    with admitted("192.0.2.1", is_account=True):
        assert LimitedHasher().encode("password", "salt") == "hash"  # within a sign-in, it has one already
    monkeypatch.setattr(hash_slots, "ADMITTED", 0)
    with pytest.raises(Busy):
        LimitedHasher().encode("password", "salt")
    assert not hash_slots._admitted


@pytest.mark.in_ci
def test_existing_passwords_stay_valid(settings):
    stored = make_password("a long password", hasher=PBKDF2PasswordHasher())
    settings.PASSWORD_HASHERS = ["assess.people.sign_in.hash_slots.LimitedHasher"]
    assert check_password("a long password", stored)
    assert make_password("x").startswith("pbkdf2_sha256$")


def test_the_site_uses_the_limited_hasher():
    from assess import settings as of_site

    assert of_site.PASSWORD_HASHERS == ["assess.people.sign_in.hash_slots.LimitedHasher"]
    assert loaded_settings.PASSWORD_HASHERS != of_site.PASSWORD_HASHERS  # tests hash faster


def test_the_page_shows_the_form_again(client, db, monkeypatch):
    monkeypatch.setattr(hash_slots, "ADMITTED", 0)
    response = client.post(SIGN_IN, {"username": "ada", "password": "a long password"})
    html = compact(response.content.decode())
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert "Your password was not read." in html
    assert 'value="ada"' in html
    assert "a long password" not in html


def test_a_script_gets_the_sentence(client, db, monkeypatch):
    monkeypatch.setattr(hash_slots, "ADMITTED", 0)
    headers = {"accept": "application/json"}
    response = client.post(SIGN_IN, {"username": "ada", "password": "x"}, headers=headers)
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert "not read" in response.json()["error"]


def test_invented_names_are_limited_for_each_network(db, django_user_model, monkeypatch):
    monkeypatch.setattr("assess.people.sign_in.throttle.UNKNOWN_LIMIT", 5)
    checked = []
    monkeypatch.setattr(password, "authenticate", lambda *_, username, **__: checked.append(username))
    here, elsewhere = Visitor("192.0.2.1", "192.0.2.1", {}), Visitor("192.0.2.2", "192.0.2.2", {})
    for number in range(5):
        assert password.user_with_password(f"invented-{number}", "x", here) is None
    with pytest.raises(TooManyAttempts, match="names that do not exist"):
        password.user_with_password("invented-5", "x", here)
    assert len(checked) == 5
    django_user_model.objects.create_user("ada")
    assert password.user_with_password("ada", "x", here) is None
    assert password.user_with_password("invented-5", "x", elsewhere) is None
    assert checked[5:] == ["ada", "invented-5"]


def test_the_limit_of_invented_names_is_generous():
    assert UNKNOWN_LIMIT >= 100
