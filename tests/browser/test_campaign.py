"""A whole campaign in the browser, from an empty site to a shifted ranking: by pointer, and by keyboard only."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass

import pytest
from django.core.management import call_command
from playwright.sync_api import Error, FileChooser, Locator, Page, expect

from assess.demo.documents import documents
from assess.demo.loading import FOLDER
from assess.models import Judgement, Task, Worker
from assess.people.owner_link import create_link
from tests.browser.axe import problems
from tests.browser.judging_page import saved, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PASSWORD = "right and long"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
TOPICS, DOCUMENTS_PER_TOPIC = 12, 2
MOST_TABS = 200


class Pointer:
    """Somebody who clicks."""

    def press(self, target: Locator) -> None:
        target.click()

    def fill(self, target: Locator, text: str) -> None:
        target.fill(text)

    def choose(self, target: Locator, value: str) -> None:
        target.select_option(value)

    def check(self, target: Locator) -> None:
        target.check()

    def upload(self, target: Locator, files: list) -> None:
        target.set_input_files(files)


class Keyboard:
    """Somebody who uses Tab, Enter, arrows and letters only."""

    def reach(self, target: Locator) -> None:
        target.wait_for()
        for _ in range(MOST_TABS):
            if target.evaluate("element => element === document.activeElement"):
                return
            target.page.keyboard.press("Tab")
        raise AssertionError(f"{target} is not reached by Tab from {target.page.url}")

    def press(self, target: Locator) -> None:
        self.reach(target)
        target.page.keyboard.press("Enter")

    def fill(self, target: Locator, text: str) -> None:
        self.reach(target)
        target.page.keyboard.press("Control+A")
        target.page.keyboard.type(text)

    def choose(self, target: Locator, value: str) -> None:
        self.reach(target)
        target.page.keyboard.type(value)

    def check(self, target: Locator) -> None:
        """Reach the checked button of the group, and go on with the arrow keys."""
        self.reach(target.page.locator(f"[name={target.get_attribute('name')}]:checked"))
        while not target.is_checked():
            target.page.keyboard.press("ArrowDown")

    def upload(self, target: Locator, files: list) -> None:
        self.reach(target)
        waits = (10_000, 20_000, 60_000)  # on a busy machine, a key may come before the browser reacts to it
        chooser = next(filter(None, (self._chooser(target.page, timeout) for timeout in waits)))
        chooser.set_files(files)

    def _chooser(self, page: Page, timeout: int) -> FileChooser | None:
        with suppress(Error):
            with page.expect_file_chooser(timeout=timeout) as chooser:
                page.keyboard.press("Enter")
            return chooser.value
        return None


@dataclass
class Campaign:
    """The owner's page, and the hand that uses it."""

    page: Page
    hand: Pointer | Keyboard
    root: str = ""

    def open_step(self, name: str) -> None:
        """Open the page of a step from the overview."""
        self.page.goto(self.root)
        self.hand.press(self.page.get_by_text("All steps", exact=True))
        self.hand.press(self.page.locator(".campaign").get_by_role("link", name=name, exact=True))

    def button(self, name: str) -> None:
        self.hand.press(self.page.get_by_role("button", name=name, exact=True))

    def field(self, label: str, text: str) -> None:
        self.hand.fill(self.page.get_by_label(label, exact=True), text)

    def finish_job(self, sentence: str) -> None:
        expect(self.page.locator("#job, #jobs-here").first).to_be_visible()
        call_command("worker", once=True, verbosity=0)
        expect(self.page.get_by_text(re.compile(sentence))).to_be_visible()

    def import_files(self, files: list, *sentences: str) -> None:
        self.open_step("Topics")
        self.hand.upload(self.page.get_by_label("Choose files"), files)
        expect(self.page.get_by_role("heading", name="Files to import")).to_be_visible()
        self.button("Check the files")
        self.page.wait_for_url("**/check/**")
        call_command("worker", once=True, verbosity=0)
        self.button("Import")
        for sentence in sentences:
            self.finish_job(sentence)


@pytest.fixture(params=[Pointer, Keyboard], ids=["pointer", "keyboard"])
def campaign(request, page, live_server):
    Worker.objects.create(name="worker")
    return Campaign(page, request.param())


def demo_files() -> tuple[list, list]:
    """The demo's topics and runs, and its documents, as files of a user."""
    runs = sorted((FOLDER / "runs").glob("*.run.gz"))
    texts = [json.dumps({"doc_id": doc_id, "title": title, "text": text}) for doc_id, title, text in documents()]
    file = {"name": "documents.jsonl", "mimeType": "application/json", "buffer": "\n".join(texts).encode()}
    return [FOLDER / "topics.jsonl", *runs], [file]


def test_from_an_empty_site_to_a_shifted_ranking(campaign, live_server, browser):
    create_account_and_collection(campaign, live_server.url)
    import_pool_and_texts(campaign)
    phones = [accept_invitation(campaign, browser, name) for name in ("ada", "bob")]
    assign_everything(campaign)
    for period, phone in zip((2, 3), phones, strict=True):
        judge_all(phone, campaign.hand, period)
    assert Judgement.objects.count() == 2 * TOPICS * DOCUMENTS_PER_TOPIC
    see_the_figures(campaign)


def create_account_and_collection(campaign: Campaign, site: str) -> None:
    page = campaign.page
    page.goto(f"{site}/account/owner/{create_link()}/")
    for label, text in (("Name", "olga"), ("Password", PASSWORD), ("Password confirmation", PASSWORD)):
        campaign.field(label, text)
    campaign.button("Create the account and sign in")
    expect(page.get_by_role("heading", level=1)).to_have_text("New collection")
    campaign.field("Name", "Help texts")
    campaign.button("Create the collection")
    page.wait_for_url("**/c/help-texts/**")
    campaign.root = page.url.partition("/c/")[0] + "/c/help-texts/"
    page.goto(campaign.root)
    expect(page.locator(".todo-panel")).to_contain_text("Topics. There are no topics yet.")
    assert problems(page) == []


def import_pool_and_texts(campaign: Campaign) -> None:
    page, (runs, texts) = campaign.page, demo_files()
    campaign.import_files(runs, f"Imported {TOPICS} new topics", "Imported 5 new runs")
    campaign.open_step("Pool")
    campaign.hand.check(page.get_by_label("By rank fusion"))
    expect(page.get_by_label("Strategy", exact=True)).to_have_value("rrf")
    expect(page.get_by_label("k", exact=True)).to_be_visible()
    campaign.field("Documents per topic", str(DOCUMENTS_PER_TOPIC))
    campaign.button("Preview")
    campaign.button("Build this pool")
    campaign.finish_job(f"The pool has {TOPICS * DOCUMENTS_PER_TOPIC} ")
    campaign.import_files(texts, "Imported [0-9,]+ new documents")
    assert not Task.objects.filter(document__content=None).exists()


def accept_invitation(campaign: Campaign, browser, name: str) -> Page:
    """The owner makes a link, and an assessor opens it on a phone and creates an account."""
    campaign.open_step("People")
    campaign.button("Create the invitation")
    phone = browser.new_context(**PHONE).new_page()
    phone.goto(campaign.page.get_by_label("Link for 1").input_value())
    for label, text in (("Name", name), ("Password", PASSWORD), ("Password confirmation", PASSWORD)):
        campaign.hand.fill(phone.get_by_label(label, exact=True), text)
    campaign.hand.press(phone.get_by_role("button", name="Create"))
    expect(phone.get_by_text("You are now a member of Help texts as an assessor.")).to_be_visible()
    return phone


def assign_everything(campaign: Campaign) -> None:
    campaign.open_step("Work")
    campaign.button("Preview")
    campaign.button("Assign as shown")
    campaign.finish_job(f"Created {2 * TOPICS * DOCUMENTS_PER_TOPIC} assignments")


def judge_all(phone: Page, hand: Pointer | Keyboard, period: int) -> None:
    """Judge all documents; every second or third one is not relevant."""
    phone.reload()
    number = 0
    for _ in range(TOPICS):
        hand.press(phone.get_by_role("link", name=re.compile("(Start|Continue) judging")))
        settle(phone)
        for _ in range(DOCUMENTS_PER_TOPIC):
            judge_one(phone, hand, int(number % period > 0))
            number += 1
        saved(phone)
        phone.goto(phone.url.partition("/judge/")[0] + "/judge/")
    expect(phone.get_by_text(f"All {TOPICS * DOCUMENTS_PER_TOPIC} documents are judged.")).to_be_visible()


def judge_one(phone: Page, hand: Pointer | Keyboard, grade: int) -> None:
    if isinstance(hand, Keyboard):
        phone.keyboard.press(str(grade))
    else:
        phone.locator(f"button[name=relevance][value='{grade}']").tap()
    settle(phone)


def see_the_figures(campaign: Campaign) -> None:
    page = campaign.page
    page.goto(campaign.root)
    expect(page.locator(".todo-panel")).to_contain_text("Agreement. 2 judges so far.")
    campaign.open_step("Agreement")
    row = page.get_by_role("row", name=re.compile("assessor-1 and assessor-2"))
    expect(row.get_by_role("cell").first).to_have_text(str(TOPICS * DOCUMENTS_PER_TOPIC))
    campaign.hand.press(page.get_by_role("link", name="Does the ranking of the systems change?"))
    ranks = page.get_by_role("table", name=re.compile("Rank and score under each gold"))
    expect(ranks.get_by_role("row")).to_have_count(1 + 5)
    assert problems(page) == []
    page.goto(campaign.root)
    campaign.hand.press(page.locator("details.download > summary"))
    with page.expect_download() as download:
        campaign.button("Download qrels")
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == TOPICS * DOCUMENTS_PER_TOPIC
    assert {line.split()[3] for line in lines} == {"0", "1"}
