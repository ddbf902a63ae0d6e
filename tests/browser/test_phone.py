"""The judging page on a phone: the grades stay where they are, and what opens leaves the document visible."""

import re

import pytest
from playwright.sync_api import Page, expect

from assess.models import Collection, Judgement
from assess.pools.assign import assign
from tests.browser.judging_page import press, queue, saved, settle
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DISTANCES = "() => [...document.querySelectorAll('.grades button')].map((each) => each.getBoundingClientRect().top)"
STYLES = """() => [...document.querySelectorAll(".grades button")].map((each) => {
  const style = getComputedStyle(each);
  const names = ["color", "backgroundColor", "fontWeight", "borderTopColor", "borderTopWidth", "outlineStyle",
    "boxShadow", "opacity", "height"];
  return names.map((name) => style[name]).join();
})"""


@pytest.fixture
def open_phone(browser, live_server, sign_in_user):
    """A function that opens the judging page of a member on a phone."""
    contexts = []

    def open_phone(member) -> Page:
        contexts.append(browser.new_context(**PHONE))
        sign_in_user(member.user, contexts[-1])
        page = contexts[-1].new_page()
        page.goto(f"{live_server.url}/c/{member.collection.slug}/judge/")
        page.get_by_role("link", name=re.compile("(Start|Continue) judging")).tap()
        settle(page)
        return page

    yield open_phone
    for context in contexts:
        context.close()


def tap(page: Page, name: str):
    page.get_by_role("button", name=name, exact=True).or_(page.locator("summary", has_text=name)).tap()


def test_grades_keep_their_place_through_undo_redo_and_cannot_judge(open_phone, ada):
    page = open_phone(ada)
    before = page.evaluate(DISTANCES)
    page.locator(".grades button").nth(1).tap()
    settle(page)
    assert page.evaluate(DISTANCES) == before
    for action in ("Undo", "Redo", "Later"):
        tap(page, action)
        settle(page)
        assert page.evaluate(DISTANCES) == before
    tap(page, "Cannot judge")
    assert page.evaluate(DISTANCES) == before
    reasons = page.locator("#cannot > div button")
    for reason in reasons.all():
        expect(reason).to_be_in_viewport(ratio=1)
        assert reason.bounding_box()["height"] >= 44
    covered = page.locator("#cannot").bounding_box()
    visible = covered["y"] - page.locator("#document").bounding_box()["y"]
    assert visible > PHONE["viewport"]["height"] * 0.4
    page.locator("#cannot summary").tap()
    expect(reasons.first).to_be_hidden()
    tap(page, "Cannot judge")
    reasons.first.tap()
    settle(page)
    assert page.evaluate(DISTANCES) == before
    saved(page)
    assert Judgement.objects.filter(state="cannot_judge").count() == 1


def test_no_grade_looks_like_the_default_action(open_phone, ada):
    page = open_phone(ada)
    styles = page.evaluate(STYLES)
    assert len(styles) == 3
    assert len(set(styles)) == 1


def test_end_of_a_topic_has_nothing_to_grade_and_its_feedback_is_free(open_phone, ada):
    assignments = ada.assignments.order_by("position")
    assignments.exclude(pk__in=list(assignments.values_list("pk", flat=True)[:2])).delete()
    Collection.objects.update(ask_at_topic_end=True)
    page = open_phone(ada)
    press(page, "1", "2")
    expect(page.locator("#finished h2")).to_have_text("This topic is done")
    for name in ("0 none", "Later"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    for panel in ("#cannot", "#comment-panel"):
        expect(page.locator(panel)).to_be_hidden()
    for key in "xc":
        page.keyboard.press(key)
    expect(page.locator(".panel[open]")).to_have_count(0)
    save = page.locator(".topic-feedback").get_by_role("button", name="Save")
    page.get_by_label("3 medium").tap()
    save.scroll_into_view_if_needed()
    assert save.evaluate("""(save) => {
      const { x, y, width, height } = save.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === save; }""")
    tap(page, "Undo")
    settle(page)
    expect(page.get_by_role("button", name="0 none")).to_be_enabled()
    tap(page, "Redo")
    settle(page)
    saved(page)


def test_settings_are_one_tap_away(open_phone, ada):
    page = open_phone(ada)
    page.get_by_role("link", name="Settings", exact=True).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your settings")


def test_link_to_the_previous_judgement_does_not_move_the_grades(open_phone, join, transactional_db):
    ada = join(small_collection(SMALL_RUNS, grades=["0=none", "1=some"]), "ada")
    assign(ada.collection, judges=1)
    ada.collection.topics.filter(query_id="1").update(title="A title that needs several lines on a phone. " * 3)
    page = open_phone(ada)
    before = page.evaluate(DISTANCES)
    while page.locator("#card").is_visible():
        press(page, "1")
    saved(page)
    expect(page.locator("[data-continue]")).to_be_focused()
    page.locator("[data-continue]").tap()
    page.wait_for_url(f"**/{ada.collection.topics.get(query_id='2').pk}/")
    settle(page)
    expect(page.get_by_role("link", name="Go to your previous judgement")).to_be_visible()
    assert page.evaluate(DISTANCES) == before


def test_early_answer_about_marginal_relevance_is_refused_with_a_message(open_phone, ada):
    first, second, *_ = queue(ada)
    Collection.objects.update(ask_marginal=True)
    page = open_phone(ada)
    press(page, "1")
    Collection.objects.update(min_visible_ms=5_000)
    page.reload()
    settle(page)
    page.keyboard.press("1")
    page.keyboard.press("n")
    expect(page.locator("#notice")).to_have_text(
        "Too early: this question had only just appeared. Nothing was answered."
    )
    page.locator("#marginal[data-ready]").wait_for()
    page.keyboard.press("n")
    saved(page)
    expect(page.locator("#doc-meta")).not_to_have_text(second)
    assert dict(Judgement.objects.values_list("task__document__doc_id", "relevance")) == {first: 1, second: 1}
