"""Judgements that the previous release's page left in the browser are saved after an upgrade.

The entries below are literal copies of what release 0.1 stores and sends. Remove this module after 0.2.
"""

import pytest
from playwright.sync_api import Page, expect

from assess.models import Assignment, Judgement, JudgementEvent
from tests.browser.judging_page import eventually, ledger, press, queue, saved, settle, unsent

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FILL_STORE = """async (entries) => {
  const opening = indexedDB.open("assay", 1);
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore("unsent", { keyPath: "id", autoIncrement: true });
    store.createIndex("user", "user");
  };
  const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
  const transaction = database.transaction("unsent", "readwrite");
  for (const entry of entries) {
    // The page sets these two to undefined, and IndexedDB stores that.
    transaction.objectStore("unsent").add({ ...entry, card: { ...entry.card, spent: undefined, isUnsaid: undefined } });
  }
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  database.close();
}"""
CLIENT_IDS = [f"6f1c2d3e-0000-4000-8000-00000000000{n}" for n in range(5)]


def old_entry(assignment: Assignment, client_id: str, card: dict, fields: dict) -> dict:
    """An entry of the object store `unsent`, as the previous release writes it."""
    slug, task = assignment.member.collection.slug, str(assignment.public_id)
    document, content = assignment.task.document, assignment.task.document.content
    return {
        "address": f"/c/{slug}/judge/task/{task}/",
        "topic": f"/c/{slug}/judge/{assignment.topic_id}/next/",
        "task": task,
        "card": {
            "task": task,
            "doc_id": document.doc_id,
            "title": content.title,
            "metadata": {},
            "format": "text",
            "text": content.text,
            "lacking": False,
            "apart": False,
            "snippet": None,
            "state": "",
            "version": 1,
            "relevance": None,
            "reason": "",
            "comment": "",
            "confidence": None,
            "passages": [],
        }
        | card,
        "fields": {
            "client_id": client_id,
            "member": assignment.member_id,
            "seen_version": 0,
            "guidelines_version": None,
            "input": "key",
        }
        | fields,
        "user": assignment.member.user_id,
    }


def old_entries(first: Assignment, second: Assignment, third: Assignment) -> list[dict]:
    """Graded with all details; left for later; cannot judge; undone; and graded again."""
    judged = {"state": "judged", "relevance": 2, "reason": "", "comment": "a comment", "confidence": None}
    judged |= {"passages": [[0, 4]]}
    later = {"state": "later", "relevance": None, "reason": "", "comment": "", "confidence": None, "passages": []}
    cannot = later | {"state": "cannot_judge", "reason": "other", "comment": "a poem"}
    again = later | {"state": "judged", "relevance": 0, "comment": "a poem"}
    time = {"active_ms": 1234, "away_ms": 56, "highlights": True}
    ids = CLIENT_IDS
    return [
        old_entry(first, ids[0], judged, judged | time),
        old_entry(second, ids[1], later, later | time),
        old_entry(third, ids[2], cannot, cannot | time | {"input": "pointer"}),
        old_entry(third, ids[3], cannot | {"version": 2}, {"state": "undone", "seen_version": 1}),
        old_entry(third, ids[4], again | {"version": 3}, again | time | {"seen_version": 2}),
    ]


@pytest.fixture
def assignments(ada) -> list[Assignment]:
    """Ada's assignments in the order in which she judges them."""
    by_doc_id = {one.task.document.doc_id: one for one in Assignment.objects.select_related("task__document", "member")}
    return [by_doc_id[doc_id] for doc_id in queue(ada)]


@pytest.fixture
def upgraded(page: Page, sign_in, ada, assignments):
    """A page of the site in a browser whose store was filled by the previous release."""
    page.goto(f"{sign_in(ada)}/judge/recorded/")  # loads nothing that sends judgements
    page.evaluate(FILL_STORE, old_entries(*assignments[:3]))
    assert len(unsent(page)) == 5
    return page


def check_ledger(assignments):
    first, second, third = (assignment.task.document.doc_id for assignment in assignments[:3])
    assert ledger() == [
        (first, "judged", 2),
        (second, "later", None),
        (third, "cannot_judge", None),
        (third, "undone", None),
        (third, "judged", 0),
    ]
    events = list(JudgementEvent.objects.order_by("pk"))
    assert [str(event.client_id) for event in events] == CLIENT_IDS
    assert [event.seen_version for event in events] == [0, 0, 0, 1, 2]
    assert [event.input for event in events] == ["key", "key", "pointer", "key", "key"]
    assert (events[0].comment, events[0].passages, events[0].highlights) == ("a comment", [[0, 4]], True)
    assert (events[0].active_ms, events[0].away_ms) == (1234, 56)
    assert (events[2].reason, events[2].comment) == ("other", "a poem")


def test_judging_page_sends_the_entries_of_the_previous_release(upgraded, assignments, live_server):
    topic = assignments[0].topic_id
    upgraded.goto(f"{live_server.url}/c/small/judge/{topic}/")
    settle(upgraded)
    saved(upgraded)
    check_ledger(assignments)
    eventually(upgraded, lambda: unsent(upgraded), [])
    expect(upgraded.locator("#messages")).to_be_hidden()
    expect(upgraded.locator("#doc-meta")).to_have_text(assignments[3].task.document.doc_id)
    press(upgraded, "u")  # the card of an old entry is shown again, with its judgement
    expect(upgraded.locator("#doc-meta")).to_have_text(assignments[2].task.document.doc_id)
    expect(upgraded.locator(".grades button[aria-pressed=true]")).to_have_text("0 none")
    expect(upgraded.locator("#comment")).to_have_value("a poem")
    saved(upgraded)


def test_entries_of_the_previous_release_survive_a_reload_without_a_connection(upgraded, assignments, live_server):
    upgraded.route("**/judge/task/*/", lambda route: route.abort())
    upgraded.goto(f"{live_server.url}/c/small/judge/{assignments[0].topic_id}/")
    expect(upgraded.locator("#save")).to_have_text("Waiting: 5 not sent yet, no connection")
    upgraded.reload()
    expect(upgraded.locator("#save")).to_have_text("Waiting: 5 not sent yet, no connection")
    assert ledger() == []
    upgraded.unroute("**/judge/task/*/")
    saved(upgraded)
    check_ledger(assignments)


def test_my_topics_sends_the_entries_of_the_previous_release(upgraded, assignments, live_server):
    upgraded.goto(f"{live_server.url}/c/small/judge/")
    expect(upgraded.locator("#waiting-judgements")).to_contain_text("are saved now")
    check_ledger(assignments)
    assert unsent(upgraded) == []


@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_a_request_of_the_previous_release_is_accepted(ada, assignments, client, accept):
    client.force_login(ada.user, backend="assess.people.backend.AccountBackend")
    response = client.post(
        f"/c/small/judge/task/{assignments[0].public_id}/",
        {
            "client_id": CLIENT_IDS[0],
            "member": str(ada.pk),
            "seen_version": "0",
            "input": "form",
            "relevance": "1",
            "comment": "from the plain form",
            "passage_text": "",
        },
        headers={"accept": accept},
    )
    assert response.status_code == (200 if accept == "application/json" else 302)
    if accept == "application/json":
        assert response.json()["state"] == "judged"
        assert {"relevance", "version", "overwrote", "last", "before", "topic"} <= response.json().keys()
    judgement = Judgement.objects.get()
    assert (judgement.relevance, judgement.comment, judgement.input) == (1, "from the plain form", "form")
