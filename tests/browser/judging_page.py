"""Helpers that use the judging page and inspect the database behind it."""

from playwright.sync_api import Page, expect

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Judgement, JudgementEvent, Member

UNSENT = """async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === "assay")) return [];
  const opening = indexedDB.open("assay", 1);
  const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
  const all = database.transaction("unsent").objectStore("unsent").getAll();
  const entries = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
  database.close();
  return entries.map(({ user, task }) => [user, task]);
}"""


def settle(page: Page):
    """Wait until the current document may be judged, or there is none."""
    page.wait_for_selector("#document[data-judgeable], #document:has(#card[hidden])")


def press(page: Page, *keys: str):
    for key in keys:
        page.keyboard.press(key)
        settle(page)


def saved(page: Page):
    expect(page.locator("#save")).to_have_text("✓ All saved")


def eventually(page: Page, look, wanted):
    """Call `look` until it returns `wanted`: the page may show a judgement before it has sent it."""
    for _ in range(300):
        if look() == wanted:
            break
        page.wait_for_timeout(100)
    assert look() == wanted


def unsent(page: Page) -> list:
    """[user, task] of the entries in the browser's database, oldest first."""
    return page.evaluate(UNSENT)


def queue(member: Member) -> list[str]:
    topic, _ = topics_with_progress(member)[0]
    return [card.doc_id for card in worklist.upcoming(member, topic, limit=100)]


def grades() -> dict[str, int | None]:
    return dict(Judgement.objects.values_list("task__document__doc_id", "relevance"))


def ledger() -> list[tuple[str, str, int | None]]:
    """All events, in order."""
    events = JudgementEvent.objects.order_by("pk")
    return list(events.values_list("judgement__task__document__doc_id", "state", "relevance"))
