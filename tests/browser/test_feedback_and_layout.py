"""What the judging page reports: the last judgement, redo, offline work, pace; and how it uses small screens."""

import re

import pytest
from playwright.sync_api import expect

from assess.models import Judgement, JudgementEvent
from tests.browser.judging_page import eventually, grades, press, queue, saved, settle, unsent
from tests.factories import set_content

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

OVERLAPS = """() => {
  const cut = [...document.querySelectorAll("#topic-title, .grades span, .grades b, footer button, footer summary")]
    .filter((one) => one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0));
  return cut.map((one) => one.textContent.trim());
}"""


def test_last_judgement_is_shown_and_redone_after_undo(judging_page, ada):
    first, second, third, *_ = queue(ada)
    press(judging_page, "2")
    expect(judging_page.locator("#last")).to_have_text("Last: 2 much, u undoes")
    expect(judging_page.locator("#announce")).to_have_text(f"Last: 2 much. Next document: Title {second}")
    press(judging_page, "0", "u", "u")
    expect(judging_page.locator("#last")).to_be_empty()
    expect(judging_page.get_by_role("button", name="Redo", exact=True)).to_be_visible()
    press(judging_page, "y", "y")
    expect(judging_page.locator("#doc-meta")).to_have_text(third)
    expect(judging_page.get_by_role("button", name="Redo", exact=True)).to_be_hidden()
    press(judging_page, "y")
    expect(judging_page.locator("#notice")).to_have_text("There is nothing to redo.")
    saved(judging_page)
    assert grades() == {first: 2, second: 0}
    judging_page.reload()
    expect(judging_page.locator("#last")).to_have_text("Last: 0 none, u undoes")


def test_judging_again_returns_to_the_list_and_keep_changes_nothing(judging_page, ada):
    press(judging_page, "2", "1")
    saved(judging_page)
    events = JudgementEvent.objects.count()
    judging_page.get_by_role("link", name="My judgements").click()
    judging_page.select_option("select[name=grade]", "2")
    judging_page.get_by_role("button", name="Show").click()
    address = judging_page.url
    for keep in (True, False):
        judging_page.get_by_role("link", name="Judge again").click()
        settle(judging_page)
        if keep:
            judging_page.get_by_role("link", name="Keep it").click()
        else:
            press(judging_page, "0")
        judging_page.wait_for_url(address)
        assert JudgementEvent.objects.count() == events + (not keep)


def test_offline_the_page_counts_on_and_names_what_is_loaded(judging_page, context, ada):
    context.set_offline(True)
    loaded = "{} documents are loaded. No more will come until the connection returns.".format
    expect(judging_page.locator("#offline")).to_have_text(loaded(16))
    press(judging_page, "1", "l")
    expect(judging_page.locator("#offline")).to_have_text(loaded(14))
    expect(judging_page.locator("#progress-topic")).to_have_text("1 of 18 in this topic, 1 postponed")
    expect(judging_page.locator("#progress-all")).to_have_text("1 of 18 in total")
    press(judging_page, *"1" * 14)
    expect(judging_page.locator("#waiting")).to_have_text(
        "You have judged all loaded documents. No more will come until the connection returns."
    )
    assert len(unsent(judging_page)) == 16
    context.set_offline(False)
    saved(judging_page)
    expect(judging_page.locator("#offline")).to_be_empty()
    expect(judging_page.locator("#progress-topic")).to_have_text("15 of 18 in this topic, 1 postponed")
    settle(judging_page)
    expect(judging_page.locator("#card")).to_be_visible()


def test_waiting_judgement_is_sent_soon_after_a_pause(judging_page, ada):
    type(ada.collection).objects.update(judging_open=False)
    press(judging_page, "1")
    expect(judging_page.locator("#save")).to_have_text("Judging is paused: 1 not sent yet")
    type(ada.collection).objects.update(judging_open=True)
    judging_page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    eventually(judging_page, Judgement.objects.count, 1)


def test_pace_and_estimate_can_be_switched_off(judging_page, ada):
    press(judging_page, *"12121")
    expect(judging_page.locator("#pace")).to_have_text(re.compile(r"^\d+\xa0s a document, about 1\xa0minute left$"))
    saved(judging_page)
    ada.user.pace_on = False
    ada.user.save()
    judging_page.reload()
    settle(judging_page)
    expect(judging_page.locator("#pace")).to_be_hidden()


@pytest.mark.parametrize("screen", [(390, 844), (640, 360)])
def test_topic_collapses_to_its_title_and_opens_over_the_document(judging_page, ada, screen):
    judging_page.set_viewport_size({"width": screen[0], "height": screen[1]})
    description = judging_page.locator("#topic-description")
    expect(judging_page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
    expect(description).to_be_hidden()
    assert judging_page.evaluate(OVERLAPS) == []
    judging_page.get_by_role("button", name="Details").click()
    expect(description).to_be_in_viewport(ratio=1)
    assert judging_page.evaluate("document.querySelectorAll('h1').length") == 1
    press(judging_page, "1")  # the next document is not hidden
    expect(description).to_be_hidden()
    judging_page.keyboard.press("?")
    expect(judging_page.locator("#legend")).to_contain_text("redo")
    judging_page.keyboard.press("Escape")
    expect(description).to_be_hidden()


def test_title_description_and_meanings_are_visible_on_a_laptop(judging_page, ada):
    ada.collection.grades.update(meaning="A sentence of twelve words that says when this grade is to be used.")
    ada.collection.topics.update(description="A long description. " * 60)
    judging_page.set_viewport_size({"width": 1280, "height": 720})
    judging_page.reload()
    settle(judging_page)
    expect(judging_page.locator("#topic-title")).to_be_in_viewport(ratio=1)
    expect(judging_page.locator("#topic-description")).to_be_in_viewport(ratio=1)
    for meaning in judging_page.locator("#topic-body dd").all()[:3]:
        expect(meaning).to_be_in_viewport(ratio=1)


def test_titles(judging_page, ada):
    first, second, *_ = queue(ada)
    set_content(ada.collection.documents.filter(doc_id=first), title="")
    set_content(ada.collection.documents.filter(doc_id=second), title="כותרת")
    judging_page.reload()
    settle(judging_page)
    expect(judging_page.get_by_text(first, exact=True)).to_have_count(1)
    expect(judging_page.locator("#doc-title")).to_be_hidden()
    press(judging_page, "1")
    title = judging_page.locator("#doc-title")
    right = title.evaluate("""(title) => {
      const range = document.createRange(); range.selectNodeContents(title);
      return title.getBoundingClientRect().right - range.getBoundingClientRect().right; }""")
    assert right < 2
    assert title.bounding_box()["width"] > 300


def test_tab_order_in_the_form_is_the_visual_order(judging_page):
    boxes = judging_page.evaluate("""() => [...document.querySelectorAll("footer button, footer summary, footer a")]
      .filter((one) => one.checkVisibility() && !one.disabled)
      .map((one) => { const { top, left } = one.getBoundingClientRect(); return [Math.round(top / 20), left]; })""")
    assert boxes == sorted(boxes)
    assert len(boxes) >= 6


def test_times_are_in_the_zone_of_the_reader(browser, judging_page, ada, live_server, context):
    press(judging_page, "1")
    saved(judging_page)
    event = JudgementEvent.objects.get()
    zone = browser.new_context(timezone_id="Asia/Kathmandu")  # 5 h 45 min ahead
    zone.add_cookies(context.cookies())
    page = zone.new_page()
    page.goto(f"{live_server.url}/c/small/judge/judgements/")
    minutes = (event.at.hour * 60 + event.at.minute + 345) % 1440
    time = page.locator("time")
    expect(time).to_contain_text(f"{minutes // 60:02}:{minutes % 60:02}")
    expect(time).to_have_attribute("title", re.compile("UTC$"))
    zone.close()
