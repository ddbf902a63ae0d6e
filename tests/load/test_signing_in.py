"""Forty people sign in, or accept one invitation, at the same moment: nobody is refused."""

import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.load.browsing import Browser, patiently
from tests.load.researcher import PASSWORD, Researcher
from tests.load.server import AssayServe, Server, serving

pytestmark = pytest.mark.alone

PEOPLE = 40
LONGEST = 60  # seconds; 40 passwords are hashed, and other work may use the machine
SLUG = "class"
CREATE = f"""
import django; django.setup()
from django.contrib.auth.hashers import make_password
from assess.models import User
password = make_password("{PASSWORD}")
User.objects.bulk_create(User(username=f"person-{{number}}", password=password) for number in range({PEOPLE}))
"""
MEMBERS = """
import django; django.setup()
import json
from assess.models import Invitation, Member
members = Member.objects.filter(collection__slug="class", role="assessor")
print(json.dumps({
    "users": sorted(members.values_list("user__username", flat=True)),
    "uses": Invitation.objects.get().uses,
}))
"""
INVITED = re.compile(r"http\S*(/invitation/[\w-]+/)")
NAMES = [f"person-{number}" for number in range(PEOPLE)]


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path, os.environ.get("DATABASE_URL"), AssayServe) as server:
        server.run("manage.py", "create_collection", SLUG, "--owner", "ada")
        yield server


def invitation(server: Server) -> str:
    """Return the address of an invitation for all."""
    words = ("--collection", SLUG, "--role", "assessor", "--uses", str(PEOPLE))
    return INVITED.search(server.run("manage.py", "invite", *words))[1]


@pytest.mark.slow
def test_forty_people_sign_in_at_once(server):
    server.run("-c", CREATE)
    assert all_at_once(lambda name: Researcher(server.port, SLUG).sign_in(name)) < LONGEST


@pytest.mark.slow
def test_forty_people_accept_one_invitation_at_once_with_new_accounts(server):
    address = invitation(server)

    def accept(name: str) -> None:
        browser = Browser(server.port)
        fields = {"token": address.split("/")[2], "username": name, "password1": PASSWORD, "password2": PASSWORD}
        page = patiently(lambda: browser.send("/invitation/account/", browser.page(address), **fields))
        assert "You are now a member" in page

    assert all_at_once(accept) < LONGEST
    assert server.run_json("-c", MEMBERS) == {"users": sorted(NAMES), "uses": PEOPLE}
    with pytest.raises(RuntimeError, match="404"):
        Browser(server.port).page(address)  # nobody else can use it


@pytest.mark.slow
def test_forty_people_with_accounts_accept_one_invitation_at_once(server):
    server.run("-c", CREATE)
    address = invitation(server)

    def accept(name: str) -> None:
        person = Researcher(server.port, SLUG)
        person.sign_in(name)
        page = person.browser.page(address)
        assert "You are now a member" in person.browser.send("/invitation/accept/", page, token=address.split("/")[2])

    assert all_at_once(accept) < LONGEST
    assert server.run_json("-c", MEMBERS) == {"users": sorted(NAMES), "uses": PEOPLE}


def all_at_once(act: Callable[[str], object]) -> float:
    """Let all people act at the same moment, and return the seconds until the last one is done."""
    together = threading.Barrier(PEOPLE)

    def wait_and_act(name: str) -> None:
        together.wait()
        act(name)

    with ThreadPoolExecutor(PEOPLE) as threads:
        started = time.monotonic()
        list(threads.map(wait_and_act, NAMES))  # raises what one of them raises
        return time.monotonic() - started
