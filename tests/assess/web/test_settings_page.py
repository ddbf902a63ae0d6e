"""Personal settings: valid ones are saved, invalid ones are refused by name, and pages apply them."""

import json
import re

import pytest
from django.urls import reverse

from assess.errors import Refused
from assess.judging.worklist import topics_with_progress
from assess.models import ROLES_OF_PEOPLE, User
from assess.people import keymap, preferences
from assess.people.keymap import ACTIONS
from assess.pools.assign import assign
from assess.web.account.settings_view import initial_values
from tests.html import compact

SETTINGS = "/account/settings/"


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def fields(user: User, **others) -> dict:
    """Return what a browser sends. It does not send an unticked box."""
    return {name: value for name, value in (initial_values(user) | others).items() if value is not False}


def saved(ada) -> User:
    return User.objects.get(pk=ada.user_id)


@pytest.mark.parametrize(
    ("sent", "name", "value"),
    [
        ({"theme": "dark"}, "theme", "dark"),
        ({"theme": "light"}, "theme", "light"),
        ({"text_size": "80"}, "text_size", 80),
        ({"text_size": "250"}, "text_size", 250),
        ({"highlights_on": False}, "highlights_on", False),
        ({"keys_on": False}, "keys_on", False),
        ({"pace_on": False}, "pace_on", False),
        ({"key_undo": "b"}, "keymap", {"undo": "b"}),
        ({"key_undo": "B"}, "keymap", {"undo": "b"}),
        ({"key_undo": "l", "key_later": "u"}, "keymap", {"undo": "l", "later": "u"}),
        ({"key_find": "é"}, "keymap", {"find": "é"}),
    ],
)
def test_each_setting_is_saved_and_shown(http, ada, sent, name, value):
    before = saved(ada)
    response = http.post(SETTINGS, fields(ada.user, **sent))
    assert (response.status_code, response.url) == (302, SETTINGS)
    after = saved(ada)
    assert getattr(after, name) == value
    for other in set(preferences.NAMES) - {name}:
        assert getattr(after, other) == getattr(before, other)
    html = compact(http.get(SETTINGS).content.decode())
    assert "Your settings are saved." in html
    for field, initial in initial_values(after).items():
        element = re.search(rf'<(?:input|select)[^>]*name="{field}"[^>]*>', html)[0]
        if isinstance(initial, bool):
            assert ("checked" in element) == initial
        elif field == "theme":
            assert f'<option value="{initial}" selected>' in html
        else:
            assert f'value="{initial}"' in element


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"theme": "pink"}, "Theme must be one of system, light, dark, not &#x27;pink&#x27;."),
        ({"text_size": "79"}, "Text size must be between 80 and 250%, not 79%."),
        ({"text_size": "251"}, "Text size must be between 80 and 250%, not 251%."),
        ({"text_size": "big"}, "Enter a whole number."),
        ({"text_size": ""}, "This field is required."),
        ({"key_undo": "l"}, "l cannot be the key for both “undo” and “later”; choose two keys."),
        ({"key_undo": "7"}, "The key for “undo” cannot be 7, because digits are grades."),
        ({"key_undo": "٣"}, "because digits are grades."),
        ({"key_undo": "n"}, "The key for “undo” cannot be n, because n and r are grades on a binary scale."),
        ({"key_undo": "R"}, "because n and r are grades"),
        ({"key_undo": " "}, "The key for “undo” must be one visible character, not &#x27; &#x27;."),
        ({"key_undo": ""}, "must be one visible character, not &#x27;&#x27;."),
        ({"key_undo": "ab"}, "must be one visible character, not &#x27;ab&#x27;."),
        ({"key_undo": "\u200b"}, "must be one visible character"),
        ({"key_undo": "<b>"}, "&lt;b&gt;"),
    ],
)
def test_invalid_setting_is_refused_and_nothing_is_saved(http, ada, sent, words):
    response = http.post(SETTINGS, fields(ada.user, keys_on=False) | sent)
    html = compact(response.content.decode())
    assert response.status_code == 400
    assert words in html.split('role="alert">')[1].split("</p>")[0]
    after = saved(ada)
    assert [getattr(after, name) for name in preferences.NAMES] == ["system", 100, True, {}, True, True]


def test_reset_restores_the_defaults(http, ada):
    http.post(
        SETTINGS, fields(ada.user, theme="dark", text_size="150", keys_on=False, highlights_on=False, key_undo="b")
    )
    response = http.post("/account/settings/reset/")
    assert response.url == SETTINGS
    assert [getattr(saved(ada), name) for name in preferences.NAMES] == ["system", 100, True, {}, True, True]


def test_settings_of_other_users_do_not_change(http, ada, collection, join):
    bob = join(collection, "bob")
    http.post(SETTINGS, fields(ada.user, theme="dark", key_undo="b"))
    assert (saved(bob).theme, saved(bob).keymap) == ("system", {})


@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_every_role_has_settings(collection, join, signed_in, role):
    http = signed_in(join(collection, "somebody", role))
    assert http.get(SETTINGS).status_code == 200


def test_user_without_a_role_has_settings(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("eve"), backend="assess.people.backend.AccountBackend")
    html = compact(client.get(SETTINGS).content.decode())
    assert reverse("account:password") in html
    assert f'<a href="{SETTINGS}"' in client.get("/").content.decode()


def test_every_page_applies_theme_and_text_size(http, ada):
    assert '<html lang="en" data-theme="system" style="font-size: 100%">' in http.get("/").content.decode()
    http.post(SETTINGS, fields(ada.user, theme="dark", text_size="150"))
    topic, _ = topics_with_progress(ada)[0]
    for url in ("/", reverse("judge:topics", args=["small"]), reverse("judge:topic", args=["small", topic.pk])):
        html = compact(http.get(url).content.decode())
        assert '<html lang="en" data-theme="dark" data-large style="font-size: 150%">' in html


def test_page_without_sign_in_uses_the_system_theme(client, db):
    assert '<html lang="en">' in client.get("/account/sign-in/").content.decode()


def test_judging_page_applies_keys_and_highlights(http, ada):
    http.post(SETTINGS, fields(ada.user, keys_on=False, highlights_on=False, key_undo="b"))
    topic, _ = topics_with_progress(ada)[0]
    html = http.get(reverse("judge:topic", args=["small", topic.pk])).content.decode()
    script = json.loads(re.search(r'<script id="script-data" type="application/json">(.*?)</script>', html, re.S)[1])
    applied = script["preferences"]
    assert (applied["keysOn"], applied["highlightsOn"], applied["keys"]["undo"]) == (False, False, "b")
    assert applied["keys"]["later"] == "l"


def test_default_keys_are_valid():
    assert keymap.changed_keys({action: key for action, (key, _) in ACTIONS.items()}) == {}


def test_unknown_action_is_refused():
    with pytest.raises(Refused, match=r"Unknown action 'dance'\. The actions with a key are undo, redo"):
        keymap.changed_keys({"dance": "d"})


def test_number_of_queries(http, ada, django_assert_num_queries):
    with django_assert_num_queries(2):
        http.get(SETTINGS)
    with django_assert_num_queries(3):
        http.post(SETTINGS, fields(ada.user, theme="dark"))
