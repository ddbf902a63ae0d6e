"""The judging page keeps judgements while the server's database is locked or unreachable, and sends them afterwards."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import eventually, ledger, press, queue, saved, settle, unsent
from tests.outages import impatient_connections, locked_database, unreachable_database

pytestmark = pytest.mark.django_db(transaction=True)

TASKS = "**/judge/task/*/"
# Records the waiting times of timers, and shortens those of seven seconds and a minute.
TIMERS = """const wait = window.setTimeout;
window.delays = [];
window.setTimeout = (action, ms, ...rest) => {
  window.delays.push(ms);
  return wait(action, ms === 7_000 || ms === 60_000 ? 100 : ms, ...rest);
};"""
NO_NUMBERS = ("", "-5", "Wed, 21 Oct 2026 07:28:00 GMT")
WAITING = "Waiting: {} not sent yet, the server has a problem"


def test_judgements_wait_while_the_database_is_locked(judging_page, ada):
    first, second, third, *_ = queue(ada)
    with impatient_connections():
        with locked_database():
            press(judging_page, "1", "2", "u")
            expect(judging_page.locator("#save")).to_have_text(WAITING.format(3))
            assert len(unsent(judging_page)) == 3
        press(judging_page, "0", "1")
        saved(judging_page)
    assert ledger() == [
        *((first, "judged", 1), (second, "judged", 2), (second, "undone", None)),
        *((second, "judged", 0), (third, "judged", 1)),
    ]
    expect(judging_page.locator("#messages")).to_be_hidden()  # nothing was refused


@pytest.mark.soak
def test_judgements_survive_a_reload_while_the_database_is_unreachable(judging_page, ada):
    first, second, *_ = queue(ada)
    with unreachable_database():
        press(judging_page, "1", "2")
        expect(judging_page.locator("#save")).to_have_text(WAITING.format(2))
        expect(judging_page.locator("#sign-in")).to_be_hidden()  # the session is not known to be over
        judging_page.reload()
        expect(judging_page.locator("h1")).to_have_text("Try again in a moment")
        assert len(unsent(judging_page)) == 2
    judging_page.reload()
    settle(judging_page)
    saved(judging_page)
    assert ledger() == [(first, "judged", 1), (second, "judged", 2)]


@pytest.mark.parametrize(("asked", "waited"), [("86400", 60_000), pytest.param("7", 7_000, marks=pytest.mark.soak)])
def test_page_waits_as_long_as_the_server_asks(judging_page, asked, waited):
    judging_page.add_init_script(TIMERS)
    judging_page.reload()
    settle(judging_page)
    headers = {"Retry-After": asked}
    judging_page.route(TASKS, lambda route: route.fulfill(status=503, headers=headers, body="busy"), times=1)
    press(judging_page, "1")
    saved(judging_page)
    assert waited in judging_page.evaluate("window.delays")
    eventually(judging_page, lambda: len(ledger()), 1)


@pytest.mark.parametrize("hint", ["soon", *(pytest.param(hint, marks=pytest.mark.soak) for hint in NO_NUMBERS)])
def test_page_retries_on_its_own_without_a_number(judging_page, hint):
    headers = {"Retry-After": hint} if hint else {}
    judging_page.route(TASKS, lambda route: route.fulfill(status=503, headers=headers, body="busy"), times=1)
    press(judging_page, "1")
    expect(judging_page.locator("#save")).to_have_text(WAITING.format(1))
    saved(judging_page)
    assert len(ledger()) == 1
