"""One's email address and the list of one's sessions."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from assess.models import AuditEvent, Session, User
from assess.people.sign_in.own_sessions import browser_name

pytestmark = pytest.mark.django_db

PASSWORD = "right and long"
LIST, END, END_OTHERS, EMAIL = (
    "/account/sessions/",
    "/account/sessions/end/",
    "/account/sessions/end-others/",
    "/account/email/",
)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
    "Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password=PASSWORD)


def browser_of(name: str, agent: str = FIREFOX) -> Client:
    client = Client(headers={"user-agent": agent})
    client.post("/account/sign-in/", {"username": name, "password": PASSWORD})
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def names_in(page: str) -> list[str]:
    return [part.split('"')[0] for part in page.split('name="session" value="')[1:]]


# ---- sessions


def test_list_shows_browsers_and_which_is_this_one(ada):
    here, _ = browser_of("ada"), browser_of("ada", IPHONE)
    page = here.get(LIST).content.decode()
    assert 'Firefox on Linux <span class="tag">this browser</span>' in page
    assert "<h2>Safari on iPhone</h2>" in page
    assert len(names_in(page)) == 1


def test_keys_of_sessions_are_not_on_the_page(ada):
    here, _ = browser_of("ada"), browser_of("ada")
    page = here.get(LIST).content.decode()
    assert not [key for key in Session.objects.values_list("session_key", flat=True) if key in page]


def test_one_session_ends(ada):
    here, phone, laptop = browser_of("ada"), browser_of("ada", IPHONE), browser_of("ada")
    laptop_and_phone = names_in(here.get(LIST).content.decode())
    assert len(laptop_and_phone) == 2
    for name in laptop_and_phone:
        assert here.post(END, {"session": name}).url == LIST
    assert is_signed_in(here)
    assert not is_signed_in(phone)
    assert not is_signed_in(laptop)
    assert AuditEvent.objects.filter(action="sessions_ended", actor=ada, person=ada).count() == 2
    assert "has ended already" in here.post(END, {"session": laptop_and_phone[0]}).content.decode()


def test_all_others_end(ada):
    here, phone = browser_of("ada"), browser_of("ada", IPHONE)
    assert here.post(END_OTHERS).url == LIST
    assert is_signed_in(here)
    assert not is_signed_in(phone)


def test_sessions_of_others_are_not_listed_and_cannot_be_ended(ada):
    User.objects.create_user("zoe", password=PASSWORD)
    zoe, zoes_phone = browser_of("zoe"), browser_of("zoe", IPHONE)
    (name,) = names_in(zoe.get(LIST).content.decode())
    eve = browser_of("ada")
    assert eve.post(END, {"session": name}).status_code == 400
    eve.post(END_OTHERS)
    assert is_signed_in(zoe)
    assert is_signed_in(zoes_phone)


def test_requests_need_no_more_queries(ada):
    client = browser_of("ada")
    with CaptureQueriesContext(connection) as queries:
        client.get(EMAIL)
    assert [query["sql"] for query in queries if "UPDATE" in query["sql"]] == []
    assert len(queries) == 2  # session and user


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (IPHONE, "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("", "Unknown browser"),
        ("<script>" * 20, "Unknown browser"),
    ],
)
def test_browsers_are_named(header, name):
    assert browser_name(header) == name


# ---- email address


def test_address_is_saved_with_the_password(ada):
    client = browser_of("ada")
    assert client.post(EMAIL, {"email": "Ada@Example.org", "password": PASSWORD}).url == "/account/settings/"
    assert User.objects.get().email == "ada@example.org"
    assert is_signed_in(browser_of("ada@example.org"))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"email": "ada@example.org", "password": "wrong"}, "This is not your password."),
        ({"email": "ada", "password": PASSWORD}, "is not an email address"),
        ({"email": "zoe@example.org", "password": PASSWORD}, "Another account has this email address."),
        ({"email": "ada@example.org"}, "Password: This field is required."),
    ],
)
def test_invalid_address_changes_nothing(ada, fields, sentence):
    User.objects.create_user("zoe", "zoe@example.org")
    response = browser_of("ada").post(EMAIL, fields)
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert User.objects.get(username="ada").email == ""


def test_address_can_be_removed(ada):
    User.objects.update(email="ada@example.org")
    browser_of("ada").post(EMAIL, {"email": "", "password": PASSWORD})
    assert User.objects.get().email == ""
