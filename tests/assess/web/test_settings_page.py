"""Settings of one's own: each is kept, each that does not fit is refused by name, and the pages follow them."""

import json
import re

import pytest
from django.urls import reverse

from assess.errors import Refused
from assess.judging import worklist
from assess.models import Role, User
from assess.people import keymap, preferences
from assess.pools import build as pools
from assess.web.account.settings_form import values_of
from tests.html import compact

SETTINGS = "/account/settings/"


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    pools.assign(collection, judges=1)
    return ada


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def fields(user: User, **others) -> dict:
    """What a browser sends of the form: a box without a tick is not sent."""
    return {name: value for name, value in (values_of(user) | others).items() if value is not False}


def saved(ada) -> User:
    return User.objects.get(pk=ada.user_id)


@pytest.mark.parametrize(
    ("sent", "name", "kept"),
    [
        ({"theme": "dark"}, "theme", "dark"),
        ({"theme": "light"}, "theme", "light"),
        ({"text_size": "80"}, "text_size", 80),
        ({"text_size": "250"}, "text_size", 250),
        ({"highlights_on": False}, "highlights_on", False),
        ({"keys_on": False}, "keys_on", False),
        ({"key_undo": "b"}, "keymap", {"undo": "b"}),
        ({"key_undo": "B"}, "keymap", {"undo": "b"}),
        ({"key_undo": "l", "key_later": "u"}, "keymap", {"undo": "l", "later": "u"}),
        ({"key_find": "é"}, "keymap", {"find": "é"}),
    ],
)
def test_each_setting_is_kept_and_shown_again(http, ada, sent, name, kept):
    before = saved(ada)
    response = http.post(SETTINGS, fields(ada.user, **sent))
    assert (response.status_code, response.url) == (302, SETTINGS)
    after = saved(ada)
    assert getattr(after, name) == kept
    for other in set(preferences.NAMES) - {name}:
        assert getattr(after, other) == getattr(before, other)
    html = compact(http.get(SETTINGS).content.decode())
    assert "Your settings are saved." in html
    for field, value in values_of(after).items():
        shown = re.search(rf'<(?:input|select)[^>]*name="{field}"[^>]*>', html)[0]
        if isinstance(value, bool):
            assert ("checked" in shown) == value
        elif field == "theme":
            assert f'<option value="{value}" selected>' in html
        else:
            assert f'value="{value}"' in shown


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"theme": "pink"}, "Theme &#x27;pink&#x27; is not known; it is one of system, light, dark."),
        ({"text_size": "79"}, "Text size 79 % came; it is between 80 and 250 %."),
        ({"text_size": "251"}, "Text size 251 % came"),
        ({"text_size": "big"}, "Enter a whole number."),
        ({"text_size": ""}, "This field is required."),
        ({"key_undo": "l"}, "l is the key of “undo” and of “later”; each needs one of its own."),
        ({"key_undo": "7"}, "The key of “undo” is 7; digits are the grades."),
        ({"key_undo": "٣"}, "digits are the grades."),
        ({"key_undo": "n"}, "The key of “undo” is n; n and r are the grades of a scale of two."),
        ({"key_undo": "R"}, "n and r are the grades"),
        ({"key_undo": " "}, "is &#x27; &#x27;; a key is one character that can be seen."),
        ({"key_undo": ""}, "is &#x27;&#x27;; a key is one character"),
        ({"key_undo": "ab"}, "is &#x27;ab&#x27;; a key is one character"),
        ({"key_undo": "\u200b"}, "a key is one character that can be seen"),
        ({"key_undo": "<b>"}, "&lt;b&gt;"),
    ],
)
def test_what_does_not_fit_is_refused_by_name_and_nothing_is_saved(http, ada, sent, words):
    response = http.post(SETTINGS, fields(ada.user, keys_on=False) | sent)
    html = compact(response.content.decode())
    assert response.status_code == 400
    assert words in html.split('role="alert">')[1].split("</p>")[0]
    after = saved(ada)
    assert [getattr(after, name) for name in preferences.NAMES] == ["system", 100, True, {}, True]


def test_back_to_how_it_was_at_first(http, ada):
    http.post(
        SETTINGS, fields(ada.user, theme="dark", text_size="150", keys_on=False, highlights_on=False, key_undo="b")
    )
    response = http.post("/account/settings/reset/")
    assert response.url == SETTINGS
    assert [getattr(saved(ada), name) for name in preferences.NAMES] == ["system", 100, True, {}, True]


def test_one_person_s_settings_leave_the_others_alone(http, ada, collection, join):
    bob = join(collection, "bob")
    http.post(SETTINGS, fields(ada.user, theme="dark", key_undo="b"))
    assert (saved(bob).theme, saved(bob).keymap) == ("system", {})


@pytest.mark.parametrize("role", Role)
def test_every_role_has_settings(collection, join, signed_in, role):
    http = signed_in(join(collection, "somebody", role))
    assert http.get(SETTINGS).status_code == 200


def test_so_has_somebody_without_any_role(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("eve"), backend="assess.people.backend.AccountBackend")
    html = compact(client.get(SETTINGS).content.decode())
    assert reverse("account:password") in html
    assert f'<a href="{SETTINGS}"' in client.get("/").content.decode()


def test_every_page_follows_theme_and_text_size(http, ada):
    assert '<html lang="en" data-theme="system" style="font-size: 100%">' in http.get("/").content.decode()
    http.post(SETTINGS, fields(ada.user, theme="dark", text_size="150"))
    topic, _ = worklist.topics(ada)[0]
    for url in ("/", reverse("judge:topics", args=["small"]), reverse("judge:topic", args=["small", topic.pk])):
        html = compact(http.get(url).content.decode())
        assert '<html lang="en" data-theme="dark" data-large style="font-size: 150%">' in html


def test_who_is_not_signed_in_gets_the_page_as_the_system_says(client, db):
    assert '<html lang="en">' in client.get("/account/sign-in/").content.decode()


def test_the_judging_page_follows_keys_and_highlights(http, ada):
    http.post(SETTINGS, fields(ada.user, keys_on=False, highlights_on=False, key_undo="b"))
    topic, _ = worklist.topics(ada)[0]
    html = compact(http.get(reverse("judge:topic", args=["small", topic.pk])).content.decode())
    script = json.loads(re.search(r'<script id="script-data" type="application/json">(.*?)</script>', html, re.S)[1])
    wanted = script["preferences"]
    assert (wanted["keysOn"], wanted["highlightsOn"], wanted["keys"]["undo"]) == (False, False, "b")
    assert wanted["keys"]["later"] == "l"


def test_the_defaults_are_keys_that_could_be_chosen():
    assert keymap.own_keys({deed: key for deed, (key, _) in keymap.DEEDS.items()}) == {}


def test_a_deed_that_is_not_there_has_no_key():
    with pytest.raises(Refused, match="'dance' has no key; the deeds with one are undo, later"):
        keymap.own_keys({"dance": "d"})


def test_settings_cost_few_queries(http, ada, django_assert_num_queries):
    with django_assert_num_queries(2):
        http.get(SETTINGS)
    with django_assert_num_queries(3):
        http.post(SETTINGS, fields(ada.user, theme="dark"))
