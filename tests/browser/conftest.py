"""A real browser before a real server."""

import os

import pytest

from tests.browser import chromium

# Playwright's own loop runs in the test's thread; the ORM is still used from tests to look into the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return browser_type_launch_args | {"executable_path": chromium.find(), "args": chromium.ARGUMENTS}


@pytest.fixture
def sign_in(page, live_server, context):
    """A function that signs a member in through the form, and says where the collection's pages begin."""

    def sign_in(member):
        member.user.set_password("a long password")
        member.user.save()
        page.goto(f"{live_server.url}/account/sign-in/")
        page.fill("#id_username", member.user.username)
        page.fill("#id_password", "a long password")
        page.click("main button")
        page.wait_for_url(f"{live_server.url}/")
        return f"{live_server.url}/c/{member.collection.slug}"

    return sign_in
