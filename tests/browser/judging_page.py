"""Helpers that use the judging page and inspect the database behind it."""

from playwright.sync_api import Page

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Judgement, JudgementEvent, Member
from tests.browser.waiting import saved, settle  # noqa: F401 - the tests import both from here

UNSENT = """async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === "assay")) return [];
  const opening = indexedDB.open("assay", 1);
  const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
  const all = database.transaction("unsent").objectStore("unsent").getAll();
  const entries = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
  database.close();
  return entries.map(({ user, task }) => [user, task]);
}"""


def press(page: Page, *keys: str):
    """Press keys one by one, waiting after each until the next document can be judged."""
    for key in keys:
        page.keyboard.press(key)
        settle(page)


def eventually(page: Page, read, expected):
    """Assert that `read` returns `expected` in the end: the page may show a judgement before it has sent it."""
    for _ in range(300):
        if read() == expected:
            break
        page.wait_for_timeout(100)
    assert read() == expected


def unsent(page: Page) -> list:
    """Return [user, task] of each entry in the browser's database, oldest first."""
    return page.evaluate(UNSENT)


def queue(member: Member) -> list[str]:
    """Return the doc_ids of the queue of the member's first topic."""
    topic, _ = topics_with_progress(member)[0]
    return [card.doc_id for card in worklist.upcoming(member, topic, limit=100)]


def grades() -> dict[str, int | None]:
    """Return the grade of each judged doc_id."""
    return dict(Judgement.objects.values_list("task__document__doc_id", "relevance"))


def ledger() -> list[tuple[str, str, int | None]]:
    """Return doc_id, state and grade of all events, in order."""
    events = JudgementEvent.objects.order_by("pk")
    return list(events.values_list("judgement__task__document__doc_id", "state", "relevance"))
