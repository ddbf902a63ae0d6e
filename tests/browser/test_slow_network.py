"""A fast reader on a slow network: each document is there at once, although the judgements are sent one by one."""

import pytest
from playwright.sync_api import Page, Route, expect

from assess.models import Collection, Judgement
from assess.pools.assign import assign
from tests.assess.claiming import open_pool
from tests.assess.near_duplicates.grouped import grouped_collection, judged
from tests.browser.judging_page import eventually, press, saved, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

DOCUMENTS = 40
DELAY = 5  # documents that are judged while a request is on its way: 2 seconds for somebody who reads fast


class SlowNetwork:
    """Holds each request of the page until DELAY more documents are judged. No clock is involved."""

    def __init__(self, page: Page):
        self.judged = 0
        self.is_fast = False
        self.held: list[tuple[int, Route]] = []
        page.route("**/judge/**", self._hold)

    def _hold(self, route: Route):
        if self.is_fast:
            route.continue_()
        else:
            self.held.append((self.judged + DELAY, route))

    def next_document(self):
        self.judged += 1
        while self.held and self.held[0][0] <= self.judged:
            self.release()

    def release(self):
        _, route = self.held.pop(0)
        route.fulfill(response=route.fetch())

    def end(self):
        """Let all requests through."""
        self.is_fast = True
        while self.held:
            self.release()


@pytest.fixture
def reader(page, sign_in, join):
    ada = join(open_pool(1, sizes=(60,)), "ada")
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    return page


def test_no_document_waits_for_the_network(reader):
    network, waits = SlowNetwork(reader), 0
    for number in range(DOCUMENTS):
        reader.keyboard.press(str(number % 2))
        network.next_document()
        if reader.locator("#waiting").is_visible():
            waits += 1
            while network.held and reader.locator("#waiting").is_visible():
                network.release()
        settle(reader)
    assert waits == 0
    network.end()
    saved(reader)
    eventually(reader, Judgement.objects.count, DOCUMENTS)


def test_a_near_duplicate_judged_before_the_answer_keeps_its_own_grade(page, sign_in, join):
    """The rule changes while both are on the page, and the second is graded before the page learns of the first."""
    ada = join(grouped_collection("ab", rule="together"), "ada")
    assign(ada.collection, judges=1)
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    Collection.objects.update(near_duplicates="once")
    network = SlowNetwork(page)
    press(page, "1", "0")
    network.end()
    saved(page)
    assert {doc_id: judged(ada)[doc_id] for doc_id in "ab"} == {"a": ("judged", 1, "key"), "b": ("judged", 0, "key")}
    expect(page.locator("#messages")).to_be_hidden()
    press(page, "u")
    expect(page.locator("#doc-title")).to_have_text("Title b")
    press(page, "y")
    saved(page)
    expect(page.locator("#messages")).to_be_hidden()
    assert judged(ada)["b"] == ("judged", 0, "key")
