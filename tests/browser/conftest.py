"""Fixtures for tests with a real browser and a real server."""

import os
from heapq import merge
from operator import itemgetter
from pathlib import Path

import pytest
from django.core.servers.basehttp import WSGIRequestHandler
from playwright.sync_api import BrowserContext, expect

from assess.models import Member, User
from assess.pools.assign import assign
from tests.browser import chromium
from tests.browser.judging_page import settle
from tests.factories import small_collection

HERE = Path(__file__).parent
expect.set_options(timeout=30_000)  # a busy machine must not make a test fail

# Playwright's event loop runs in the thread of the test, which also uses the ORM to read the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# The development server sends head and body of a response apart. With Nagle's algorithm, the body waits 40 ms.
WSGIRequestHandler.disable_nagle_algorithm = True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Repeat a failed browser test once, because the machine may be busy. The report lists repeated tests.

    Browser tests mostly wait. They are spread over all workers, so that others run other tests meanwhile. They come
    between modules, because a module's shared fixtures would be built again after a test of another module."""
    browser = [item for item in items if item.path.is_relative_to(HERE)]
    others = [item for item in items if not item.path.is_relative_to(HERE)]
    for item in browser:
        item.add_marker(pytest.mark.flaky(reruns=1))
    places = [(_end_of_module(others, n * len(others) // len(browser)), item) for n, item in enumerate(browser)]
    items[:] = [item for _, item in merge(enumerate(others), places, key=itemgetter(0))]


def _end_of_module(items: list[pytest.Item], at: int) -> float:
    """Return a place after the last test of the module that the test at this place belongs to."""
    while at + 1 < len(items) and items[at + 1].path == items[at].path:
        at += 1
    return at + 0.5


@pytest.fixture(autouse=True)
def always_isolate(isolated_storage):
    """All of these tests have their own run files."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return browser_type_launch_args | {"executable_path": chromium.find(), "args": chromium.ARGUMENTS}


@pytest.fixture
def sign_in_user(live_server, client):
    """A function that signs a user in without the sign-in form, which has tests of its own."""

    def sign_in_user(user: User, context: BrowserContext):
        client.force_login(user, backend="assess.people.backend.AccountBackend")
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])

    return sign_in_user


@pytest.fixture
def sign_in(live_server, context, sign_in_user):
    """A function that signs in a member with a password and returns the address of the collection."""

    def sign_in(member: Member) -> str:
        member.user.set_password("a long password")
        member.user.save()
        sign_in_user(member.user, context)
        return f"{live_server.url}/c/{member.collection.slug}"

    return sign_in


@pytest.fixture
def ada(join):
    """An assessor with 18 documents of one topic, more than the page fetches at once, to judge on a graded scale."""
    one_topic = {"alpha": {"1": [f"doc{n}" for n in range(18)]}}
    collection = small_collection(one_topic, grades=["0=none", "1=some", "2=much"], depth=18)
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def judging_page(page, sign_in, ada):
    """The judging page of ada, with its first document visible."""
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    return page
