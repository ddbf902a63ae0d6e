"""The second factor: turning it on and off, signing in with a code, and what is stored."""

import base64
import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client
from django.urls import reverse

from assess.models import Action, AuditEvent, User
from assess.people.sign_in import two_factor
from assess.people.sign_in.throttle import LIMIT
from tests.assess.command_output import output_of, refusal
from tests.assess.exercise_factories import make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db(transaction=True)

SIGN_IN, CODE, INDEX = "/account/sign-in/", "/account/sign-in/code/", "/account/two-factor/"
PASSWORD = "right and long"
FIELDS = {"username": "ada", "password": PASSWORD}
JSON = {"accept": "application/json"}


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def client(ada):
    """A browser in which ada has signed in and confirmed the password."""
    client = Client()
    client.post(SIGN_IN, FIELDS)
    confirmed = client.post(f"{reverse('account_reauthenticate')}?next={INDEX}", {"password": PASSWORD})
    assert confirmed.url == INDEX
    return client


@pytest.fixture
def secret(client) -> str:
    """Turn the second factor on, and return the secret that the app would have."""
    return turn_on(client)


def turn_on(client) -> str:
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    secret = re.search(r'id="secret" class="long">(\w+)<', page).group(1)
    done = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert done.url == reverse("mfa_view_recovery_codes")
    return secret


def code_of(secret: str, step: int = 0) -> str:
    """The code that an app shows now, or one period before (-1) or after (1)."""
    counters = list(yield_hotp_counters_from_time())
    return format_hotp_value(hotp_value(secret, counters[1 + step]))


def is_signed_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def actions() -> list[str]:
    return list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))


# ---- turning it on and off


def test_password_must_be_confirmed_first(ada):
    client = Client()
    client.post(SIGN_IN, FIELDS)
    for name in ("mfa_activate_totp", "mfa_generate_recovery_codes"):
        assert client.get(reverse(name)).url.startswith(reverse("account_reauthenticate"))
    wrong = client.post(reverse("account_reauthenticate"), {"password": "wrong"})
    assert "Incorrect password" in wrong.content.decode()


@pytest.mark.in_ci
def test_confirmation_is_throttled(ada):
    client = Client()
    client.post(SIGN_IN, FIELDS)
    for _ in range(LIMIT):
        client.post(reverse("account_reauthenticate"), {"password": "wrong"})
    refused = client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert "Too many wrong passwords" in refused.content.decode()


def test_wrong_code_does_not_turn_it_on(client):
    client.get(reverse("mfa_activate_totp"))
    assert "Incorrect code" in client.post(reverse("mfa_activate_totp"), {"code": "000000"}).content.decode()
    assert not Authenticator.objects.exists()


def test_on_and_off_are_recorded(client, secret, ada):
    assert Authenticator.objects.filter(user=ada, type=Authenticator.Type.TOTP).exists()
    assert "It is <strong>on</strong>" in client.get(INDEX).content.decode()
    assert client.post(reverse("mfa_deactivate_totp")).url == INDEX
    assert not Authenticator.objects.exists()
    assert [each for each in actions() if "factor" in each] == ["second_factor_on", "second_factor_off"]


def test_new_recovery_codes_replace_the_old_ones(client, secret):
    def codes() -> list[str]:
        return re.findall(r"<code>(\d+)</code>", client.get(reverse("mfa_view_recovery_codes")).content.decode())

    before = codes()
    assert len(before) == 10
    client.post(reverse("mfa_generate_recovery_codes"))
    assert set(codes()).isdisjoint(before)
    assert actions()[-1] == "recovery_codes"


def test_secrets_are_encrypted(client, secret):
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    adapter = two_factor.SecretsAdapter()
    totp = Authenticator.objects.get(type=Authenticator.Type.TOTP)
    assert adapter.decrypt(totp.data["secret"]) == secret


def test_secret_key_can_be_replaced(settings):
    adapter = two_factor.SecretsAdapter()
    encrypted = adapter.encrypt("abc")
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another"
    assert adapter.decrypt(encrypted) == "abc"


def test_qr_code_is_an_image_without_scripts(client):
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    encoded = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page).group(1)
    image = base64.b64decode(encoded).decode()
    assert image.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "script" not in image


# ---- signing in


def test_password_alone_does_not_sign_in(secret):
    client = Client()
    assert client.post(SIGN_IN, FIELDS | {"next": "/teach/"}).url == CODE
    assert not is_signed_in(client)
    assert client.post(CODE, {"code": "000000"}).status_code == 400
    assert not is_signed_in(client)
    assert client.post(CODE, {"code": code_of(secret, 1)}).url == "/teach/"
    assert is_signed_in(client)


def test_code_works_once(secret):
    code = code_of(secret, 1)
    first, second = Client(), Client()
    for client in (first, second):
        client.post(SIGN_IN, FIELDS)
        client.post(CODE, {"code": code})
    assert is_signed_in(first)
    assert not is_signed_in(second)


def test_used_code_is_refused_by_every_process(secret, ada):
    from django.core.cache import cache

    code = code_of(secret, 1)
    visitor = two_factor.Visitor("10.0.0.1", "10.0.0.1", {})
    assert two_factor.check_code(ada, code, visitor)
    cache.clear()  # another process has a cache of its own
    assert two_factor.check_code(ada, code, visitor) is None


def test_recovery_code_works_once(client, secret):
    page = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    code = re.findall(r"<code>(\d+)</code>", page)[0]
    for expected in (True, False):
        browser = Client()
        browser.post(SIGN_IN, FIELDS)
        browser.post(CODE, {"code": code})
        assert is_signed_in(browser) is expected


@pytest.mark.in_ci
def test_codes_are_throttled(secret):
    client = Client()
    client.post(SIGN_IN, FIELDS)
    for _ in range(LIMIT):
        client.post(CODE, {"code": "000000"})
    refused = client.post(CODE, {"code": code_of(secret, 1)})
    assert "Too many wrong codes" in refused.content.decode()
    assert not is_signed_in(client)
    assert actions().count(Action.CODE_FAILED) == LIMIT


def test_code_page_without_a_password_leads_to_the_sign_in_page(secret):
    client = Client()
    assert client.get(CODE).url == SIGN_IN
    assert client.post(CODE, {"code": code_of(secret, 1)}).url == SIGN_IN
    assert client.post(CODE, {"code": "1"}, headers=JSON).json()["error"].startswith("Signing in took too long")


def test_script_is_asked_for_the_code(secret, ada):
    client = Client()
    assert client.post(SIGN_IN, FIELDS, headers=JSON).json() == {"code": True}
    assert client.get(SIGN_IN, headers=JSON).json()["user"] is None
    wrong = client.post(CODE, {"code": "000000"}, headers=JSON)
    assert (wrong.status_code, wrong.json()["error"][:18]) == (400, "This code is wrong")
    assert client.post(CODE, {"code": code_of(secret, 1)}, headers=JSON).json() == {"ok": True}
    assert client.get(SIGN_IN, headers=JSON).json()["user"] == ada.pk


def test_another_signed_in_user_is_signed_out_first(secret, ada):
    User.objects.create_user("zoe", password=PASSWORD)
    client = Client()
    client.post(SIGN_IN, FIELDS | {"username": "zoe"})
    assert client.post(SIGN_IN, FIELDS, headers=JSON).json() == {"code": True}
    assert client.get(SIGN_IN, headers=JSON).json()["user"] is None
    client.post(CODE, {"code": code_of(secret, 1)}, headers=JSON)
    assert client.get(SIGN_IN, headers=JSON).json()["user"] == ada.pk


# ---- a lost phone


def test_command_removes_the_second_factor(secret, ada):
    assert output_of("remove_second_factor", "ada") == ["ada signs in with the password only."]
    client = Client()
    client.post(SIGN_IN, FIELDS)
    assert is_signed_in(client)
    assert refusal("remove_second_factor", "ada") == "ada has no second factor."


# ---- seats


@pytest.mark.in_ci
def test_student_of_an_exercise_has_none_of_these_pages():
    exercise = pasted_exercise(make_instructor())
    student = Client()
    student.post(reverse("join:nickname", args=[exercise.code]), {"nickname": "Ann"})
    names = ("mfa_index", "mfa_activate_totp", "mfa_view_recovery_codes", "account_reauthenticate")
    own = ("account:password", "account:email", "account:sessions")
    assert student.get(reverse("account:settings")).status_code == 200
    assert [student.get(reverse(name)).status_code for name in (*names, *own)] == [404] * 7
