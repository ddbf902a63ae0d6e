"""A network that sends many sign-ins in a second is refused before they cost anything."""

from assess.lib import buckets as module
from assess.lib.buckets import Buckets
from assess.people.sign_in.hash_slots import Busy
from assess.web.site import middleware
from assess.web.site.middleware import BURST, PER_SECOND

SIGN_IN = "/account/sign-in/"


def test_a_network_has_a_burst_and_then_a_rate():
    buckets = Buckets(PER_SECOND, BURST)
    assert [buckets.take("a", 0) for _ in range(BURST + 1)] == [True] * BURST + [False]
    assert buckets.take("b", 0)
    assert [buckets.take("a", 1) for _ in range(PER_SECOND + 1)] == [True] * PER_SECOND + [False]
    assert [buckets.take("a", 1_000) for _ in range(BURST + 1)] == [True] * BURST + [False]


def test_few_networks_are_remembered(monkeypatch):
    monkeypatch.setattr(module, "MOST_KEYS", 3)
    buckets = Buckets(PER_SECOND, BURST)
    for number in range(100):
        buckets.take(str(number), number)
    assert list(buckets._left) == ["97", "98", "99"]


def test_a_flood_costs_no_query(client, db, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(middleware, "BURST", 0)
    monkeypatch.setattr(middleware, "PER_SECOND", 0)
    with django_assert_num_queries(0):
        response = client.post(SIGN_IN, {"username": "ada", "password": "x"})
        script = client.post(SIGN_IN, {"username": "ada"}, headers={"accept": "application/json"})
    assert [response.status_code, script.status_code] == [429, 429]
    assert [response["Retry-After"], script["Retry-After"]] == ["1", "1"]
    assert "no-store" in response["Cache-Control"]
    assert "not read" in script.json()["error"]
    assert client.get(SIGN_IN).status_code == 200


def test_other_pages_are_not_counted(client, db, monkeypatch):
    monkeypatch.setattr(middleware, "BURST", 0)
    monkeypatch.setattr(middleware, "PER_SECOND", 0)
    assert client.post("/join/", {"code": "x"}).status_code != 429


def test_a_new_password_without_a_place_is_refused_for_a_second(client, django_user_model, db, monkeypatch, settings):
    user = django_user_model.objects.create_user("ada", password="right and long")
    client.force_login(user, backend="assess.people.backend.AccountBackend")

    def busy(*_, **__):
        raise Busy

    monkeypatch.setattr("assess.web.account.password_views.set_password", busy)
    fields = {
        "old_password": "right and long",
        "new_password1": "another long one",
        "new_password2": "another long one",
    }
    response = client.post("/account/password/", fields)
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    user.refresh_from_db()
    assert user.check_password("right and long")
