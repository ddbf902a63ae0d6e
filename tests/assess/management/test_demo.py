"""assay demo --host: a class in the same network can open it."""

import socket

import pytest
from django.core.management import CommandError, call_command

from assess.demo import loading
from assess.management import network, serving
from assess.models import Collection

ADDRESSES = ["192.0.2.7", "198.51.100.7"]


@pytest.fixture
def bound(db, settings, monkeypatch):
    """The addresses that the demo listens on. It serves nothing and loads nothing."""
    bound: list[tuple[str, int]] = []
    monkeypatch.setattr(serving, "bind", lambda host, port: bound.append((host, port)) or object())
    monkeypatch.setattr(serving, "run", lambda _, goodbye: goodbye())
    monkeypatch.setattr(loading, "load", list)
    monkeypatch.setattr(loading, "logins", lambda: {"instructor": "secret"})
    settings.ALLOWED_HOSTS, settings.CLASSROOM_ORIGIN = ["localhost"], ""
    return bound


def test_demo_is_for_this_computer_only_by_default(bound, settings, capsys):
    call_command("demo")
    assert bound == [("127.0.0.1", 8000)]
    assert settings.CLASSROOM_ORIGIN == ""
    assert "firewall" not in capsys.readouterr().out


def test_demo_that_is_not_served_has_no_address(bound, capsys):
    call_command("demo", "--no-serve")
    output = capsys.readouterr().out
    assert bound == []
    assert "It is not served" in output
    assert "running" not in output
    assert "secret" in output


def test_class_can_open_the_demo(bound, settings, capsys, monkeypatch):
    monkeypatch.setattr(network, "own_addresses", lambda _: ADDRESSES)
    call_command("demo", "--host", "0.0.0.0", "--port", "8123")
    output = capsys.readouterr()
    assert bound == [("0.0.0.0", 8123)]
    assert ["localhost", *ADDRESSES] == settings.ALLOWED_HOSTS
    assert settings.CLASSROOM_ORIGIN == "http://192.0.2.7:8123"
    assert "Assay is running at http://192.0.2.7:8123/" in output.out
    assert "other address of this computer: http://198.51.100.7:8123/" in output.out
    assert network.qr_code("http://192.0.2.7:8123/join/") in output.out
    assert "TCP port 8123 in this computer's\nfirewall" in output.out
    assert "unencrypted" in output.err


def test_demo_needs_a_network_for_a_class(bound, monkeypatch):
    monkeypatch.setattr(network, "own_addresses", lambda _: [])
    with pytest.raises(CommandError, match="has no network address"):
        call_command("demo", "--host", "0.0.0.0")
    assert bound == []


def test_demo_starts_again_after_an_exercise_was_made(bound, exercise_of_demo):
    call_command("demo")
    Collection.objects.create(slug="other", name="Other")
    with pytest.raises(CommandError, match="holds other collections"):
        call_command("demo")


@pytest.fixture
def exercise_of_demo(collection):
    from tests.assess.classroom import add_instructor, create_exercise

    exercise = create_exercise(collection, add_instructor(collection))
    Collection.objects.filter(pk=collection.pk).update(slug=loading.SLUG)
    return exercise


def test_own_addresses_start_with_that_of_the_route_and_omit_unreachable_ones(monkeypatch):
    listed = ["127.0.1.1", "198.51.100.7", "169.254.3.4", "192.0.2.7"]
    monkeypatch.setattr(network, "_outgoing_address", lambda _: iter(["192.0.2.7"]))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(0, 0, 0, "", (address, 0)) for address in listed])
    assert network.own_addresses("0.0.0.0") == ADDRESSES


def test_addresses_without_a_network_are_empty(monkeypatch):
    def fail(*_):
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    monkeypatch.setattr(socket, "socket", fail)
    assert network.own_addresses("0.0.0.0") == []
