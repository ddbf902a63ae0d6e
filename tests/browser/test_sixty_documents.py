"""Sixty documents on a phone in the dark theme: the first topic is judged by touch, the second by keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from assess.models import Judgement, JudgementEvent, Member, Reason
from assess.pools.assign import assign
from tests.browser.judging_page import eventually, saved, settle
from tests.browser.sixty_documents import GRADES, PER_TOPIC, WITHOUT_TEXT, make_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
NAMES = [re.match("[^:]+", grade)[0].replace("=", " ") for grade in GRADES]
REASON = Reason.BROKEN
# The widths of what must not scroll sideways, and the places of the grades.
LAYOUT = """() => {
  const article = document.getElementById("document");
  const frame = document.querySelector("#doc-body iframe");
  const roots = [document.documentElement, article, frame?.contentDocument?.documentElement].filter(Boolean);
  const places = [...document.querySelectorAll(".grades button")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  });
  const isInside = places.every(([x, y, width, height]) =>
    x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight);
  return {
    sideways: roots.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.tagName),
    places,
    isInside,
    height: article.clientHeight,
  };
}"""


class Tapping:
    """Somebody who touches the buttons."""

    def grade(self, page: Page, grade: int):
        page.locator(f"button[name=relevance][value='{grade}']").tap()

    def cannot_judge(self, page: Page):
        page.locator("#cannot summary").tap()
        page.locator(f"button[name=reason][value={REASON}]").tap()

    def next_topic(self, page: Page):
        page.locator("[data-continue]").tap()


class Typing:
    """Somebody who presses keys."""

    def grade(self, page: Page, grade: int):
        page.keyboard.press(str(grade))

    def cannot_judge(self, page: Page):
        page.keyboard.press("x")
        expect(page.locator(f"button[name=reason][value={REASON}]")).to_be_focused()
        page.keyboard.press("Enter")

    def next_topic(self, page: Page):
        page.keyboard.press("Enter")


@pytest.fixture
def ada(transactional_db, join, tmp_path) -> Member:
    collection = make_collection(tmp_path)
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def phone(browser, live_server, ada, sign_in_user):
    context = browser.new_context(**PHONE)
    sign_in_user(ada.user, context)
    page = context.new_page()
    page.goto(f"{live_server.url}/c/sixty/judge/")
    yield page
    context.close()


def intended(doc_id: str) -> int | None:
    """Return the grade that a document gets; None if it cannot be judged."""
    kind, _, number = doc_id.partition("-")
    return None if kind in WITHOUT_TEXT else int(number) % len(GRADES)


def judge_topic(page: Page, hand: Tapping | Typing) -> list[dict]:
    """Judge the documents of a topic, and return the layout at each."""
    layouts = []
    for _ in range(PER_TOPIC):
        settle(page)
        doc_id = page.locator("#doc-meta").inner_text()
        grade = intended(doc_id)
        layouts.append({"doc_id": doc_id} | page.evaluate(LAYOUT))
        if grade is None:
            expect(page.locator("button[name=relevance]").first).to_be_disabled()
            hand.cannot_judge(page)
        else:
            hand.grade(page, grade)
        expect(page.locator("#doc-meta")).not_to_have_text(doc_id)
        words = "cannot judge" if grade is None else NAMES[grade]
        expect(page.locator("#last")).to_have_text(f"Last: {words}", use_inner_text=True)
        if page.locator("#card").is_visible():
            expect(page.locator("#announce")).to_contain_text(f"Last: {words}. ")
    expect(page.locator("#finished h2")).to_have_text("This topic is done")
    return layouts


def test_sixty_documents_by_touch_and_by_keys(phone, ada):
    problems = []
    phone.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    phone.on("pageerror", lambda error: problems.append(str(error)))
    phone.get_by_role("link", name="Start judging").tap()
    layouts = judge_topic(phone, Tapping())
    expect(phone.locator("[data-continue]")).to_be_focused()
    Tapping().next_topic(phone)
    layouts += judge_topic(phone, Typing())
    saved(phone)
    eventually(phone, Judgement.objects.count, 2 * PER_TOPIC)

    assert problems == []
    assert [layout["doc_id"] for layout in layouts if layout["sideways"] or not layout["isInside"]] == []
    assert {str(layout["places"]) for layout in layouts} == {str(layouts[0]["places"])}
    assert min(layout["height"] for layout in layouts if intended(layout["doc_id"])) > PHONE["viewport"]["height"] / 2
    rows = Judgement.objects.values_list("task__document__doc_id", "state", "relevance")
    expected = {layout["doc_id"]: intended(layout["doc_id"]) for layout in layouts}
    assert len(expected) == 2 * PER_TOPIC
    assert {doc_id: relevance for doc_id, _, relevance in rows} == expected
    assert {state for _, state, relevance in rows if relevance is None} == {"cannot_judge"}
    assert JudgementEvent.objects.count() == 2 * PER_TOPIC  # nothing was judged twice
