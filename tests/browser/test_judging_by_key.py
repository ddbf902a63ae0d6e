"""Judging by keyboard: one key judges, saves and shows the next document."""

import re

import pytest
from playwright.sync_api import expect

from assess.models import Judgement, JudgementEvent, Passages, TopicFeedback
from assess.pools.assign import assign
from tests.browser.judging_page import grades, press, queue, saved, settle
from tests.factories import set_content, small_collection

pytestmark = pytest.mark.django_db(transaction=True)


def test_three_documents_judged_by_key_and_one_undone(judging_page, ada):
    first, second, third, fourth, *_ = queue(ada)
    expect(judging_page.locator("#doc-meta")).to_have_text(first)
    press(judging_page, "2", "0", "1")
    expect(judging_page.locator("#doc-meta")).to_have_text(fourth)
    press(judging_page, "u")
    expect(judging_page.locator("#doc-meta")).to_have_text(third)
    expect(judging_page.locator(".grades button[aria-pressed=true]")).to_have_text("1 some")
    saved(judging_page)
    assert grades() == {first: 2, second: 0, third: None}
    assert Judgement.objects.get(task__document__doc_id=third).state == "undone"
    press(judging_page, "2")
    saved(judging_page)
    assert grades() == {first: 2, second: 0, third: 2}
    events = JudgementEvent.objects.filter(judgement__task__document__doc_id=third).order_by("pk")
    assert [(event.state, event.relevance) for event in events] == [("judged", 1), ("undone", None), ("judged", 2)]
    assert all(event.client_id and event.active_ms >= 0 for event in events)
    expect(judging_page.locator("#progress-topic")).to_have_text("3 of 18 in this topic, 0 postponed")


def test_undo_reaches_judgements_before_this_page(judging_page, ada):
    first, second, third, *_ = queue(ada)
    press(judging_page, "0", "1", "2")
    saved(judging_page)
    judging_page.reload()
    settle(judging_page)
    for doc_id in (third, second, first):
        press(judging_page, "u")
        expect(judging_page.locator("#doc-meta")).to_have_text(doc_id)
        saved(judging_page)
    assert set(Judgement.objects.values_list("state", flat=True)) == {"undone"}
    expect(judging_page.locator("#undo-button")).to_be_disabled()


def test_twelve_keys_within_a_second_judge_only_visible_documents(page, sign_in, ada):
    """A listener that runs before the page's own records the current document and whether it was visible."""
    ada.collection.painted_ms = 300
    ada.collection.save()
    order = queue(ada)
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    page.evaluate("""() => {
      window.pressed = [];
      const seen = () => document.querySelector("[data-judgeable]") !== null;
      const at = () => [document.getElementById("doc-meta").textContent, seen()];
      window.notices = [];
      window.addEventListener("keydown", () => window.pressed.push(at()), true);
      window.addEventListener("keyup", () => window.notices.push(document.getElementById("notice").textContent));
    }""")
    for _ in range(12):
        page.keyboard.press("1")
        page.wait_for_timeout(60)
    pressed = page.evaluate("window.pressed")
    judged = [doc_id for doc_id, could_be_seen in pressed if could_be_seen]
    assert len(pressed) == 12
    assert 0 < len(judged) < 12
    notices = page.evaluate("window.notices")
    assert [notice.startswith("Too early") for notice in notices] == [not could_be_seen for _, could_be_seen in pressed]
    saved(page)
    assert judged == order[: len(judged)]
    events = JudgementEvent.objects.order_by("pk").values_list("judgement__task__document__doc_id", "input")
    assert list(events) == [(doc_id, "key") for doc_id in judged]
    settle(page)
    press(page, "0")
    expect(page.locator("#notice")).to_be_empty()


def test_digit_that_is_no_grade_judges_nothing_and_says_so(judging_page, ada):
    settle(judging_page)
    judging_page.keyboard.press("7")
    expect(judging_page.get_by_text("7 is not on the scale; the grades are 0, 1")).to_be_visible()
    assert not ada.judgements.exists()


def test_held_key_judges_once(judging_page, ada):
    first = queue(ada)[0]
    for _ in range(6):
        judging_page.keyboard.down("1")  # from the second time on it repeats
        settle(judging_page)
    judging_page.keyboard.up("1")
    saved(judging_page)
    assert grades() == {first: 1}


def test_no_key_judges_in_the_comment_with_ctrl_or_in_the_panel(judging_page, ada):
    press(judging_page, "c")
    judging_page.keyboard.type("12 see")
    press(judging_page, "Escape")
    press(judging_page, "Control+1", "Alt+2", "7")
    press(judging_page, "x", "1", "Escape")
    judging_page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', repeat: true, bubbles: true}))"
    )
    settle(judging_page)
    assert not Judgement.objects.exists()
    press(judging_page, "2")
    saved(judging_page)
    assert Judgement.objects.get().comment == "12 see"


def test_later_returns_at_the_end_and_cannot_judge_needs_a_reason(judging_page, ada):
    first, second, *others = queue(ada)
    press(judging_page, "l", "x")
    judging_page.click("text=I cannot read the language")
    settle(judging_page)
    press(judging_page, *"1" * len(others))
    expect(judging_page.locator("#doc-meta")).to_have_text(first)
    press(judging_page, "1")
    expect(judging_page.locator("#finished")).to_be_visible()
    saved(judging_page)
    assert grades() == dict.fromkeys([first, *others], 1) | {second: None}
    assert Judgement.objects.get(task__document__doc_id=second).reason == "language"


def test_late_documents_are_not_judged_twice(judging_page, ada):
    held = []

    def hold_the_first_answer(route):
        if held:
            return route.continue_()
        held.append((route, route.fetch()))
        return None

    judging_page.route("**/next/**", hold_the_first_answer)
    press(judging_page, *"1" * 11)
    route, answer = held[0]
    route.fulfill(response=answer)
    saved(judging_page)
    settle(judging_page)
    press(judging_page, *"2" * 7)
    expect(judging_page.locator("#finished")).to_be_visible()
    saved(judging_page)
    assert JudgementEvent.objects.count() == 18
    assert sorted(grades().values()) == [1] * 11 + [2] * 7


def test_page_retries_until_the_next_document_arrives(judging_page, ada):
    judging_page.route("**/next/**", lambda route: route.abort())
    press(judging_page, *"1" * 16)
    saved(judging_page)
    expect(judging_page.locator("#waiting")).to_be_visible()
    expect(judging_page.locator("#finished")).to_be_hidden()
    judging_page.unroute("**/next/**")
    expect(judging_page.locator("#card")).to_be_visible()


def test_enter_held_on_a_grade_judges_once(judging_page, ada):
    judging_page.locator("button:has-text('some')").focus()
    judging_page.keyboard.down("Enter")
    for _ in range(5):
        settle(judging_page)
        judging_page.keyboard.down("Enter")  # repeats, because the key is already down
    judging_page.keyboard.up("Enter")
    saved(judging_page)
    assert Judgement.objects.count() == 1


def test_comment_stays_with_its_document(judging_page, ada):
    first, second, *_ = queue(ada)
    press(judging_page, "1", "c")
    judging_page.keyboard.type("about the second")
    press(judging_page, "Escape", "u", "2")
    expect(judging_page.locator("#comment")).to_have_value("about the second")
    press(judging_page, "0")
    saved(judging_page)
    assert dict(Judgement.objects.values_list("task__document__doc_id", "comment")) == {
        first: "",
        second: "about the second",
    }


def test_refused_judgement_shows_its_document_again(judging_page, ada):
    first = queue(ada)[0]
    ada.collection.grades.filter(value=2).delete()  # the page still shows its button
    press(judging_page, "2")
    expect(judging_page.locator("#save")).to_contain_text("Not saved: Grade 2 is not on the scale")
    expect(judging_page.locator("#doc-meta")).to_have_text(first)
    press(judging_page, "1")
    saved(judging_page)
    assert grades() == {first: 1}


def test_click_judges(judging_page, ada):
    first = queue(ada)[0]
    judging_page.click("button:has-text('some')")
    saved(judging_page)
    assert grades() == {first: 1}


def test_legend_and_guidelines_open_by_key(judging_page, ada):
    press(judging_page, "?")
    expect(judging_page.locator("#legend dl")).to_be_visible()
    press(judging_page, "?")
    expect(judging_page.locator("#legend dl")).to_be_hidden()


def test_other_reason_needs_a_comment(judging_page, ada):
    first = queue(ada)[0]
    press(judging_page, "x")
    judging_page.click("text=Another reason")
    expect(judging_page.locator("#notice")).to_contain_text("Explain in the comment")
    expect(judging_page.locator("#comment")).to_be_focused()
    assert not Judgement.objects.exists()
    judging_page.keyboard.type("a poem")
    judging_page.click("text=Another reason")
    saved(judging_page)
    judgement = Judgement.objects.get()
    assert (judgement.task.document.doc_id, judgement.reason, judgement.comment) == (first, "other", "a poem")


def test_confidence_cycles_by_key_and_is_saved_only_with_a_grade(page, sign_in, ada):
    ada.collection.ask_confidence = True
    ada.collection.save()
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    press(page, "v", "v", "1")
    page.click("label:has-text('fairly sure')")
    press(page, "2")  # keys work on a radio button
    press(page, *"vvvv", "0")
    press(page, "v", "l")
    saved(page)
    events = JudgementEvent.objects.order_by("pk").values_list("state", "relevance", "confidence")
    assert list(events) == [("judged", 1, 2), ("judged", 2, 2), ("judged", 0, None), ("later", None, None)]


def test_custom_keys(page, sign_in, ada):
    first, second, *_ = queue(ada)
    ada.user.keymap = {"undo": "z", "later": "w"}
    ada.user.save()
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    press(page, "1", "u", "l")
    expect(page.locator("#doc-meta")).to_have_text(second)
    press(page, "z")
    expect(page.locator("#doc-meta")).to_have_text(first)
    press(page, "?")
    expect(page.locator("#legend")).to_contain_text(re.compile(r"z\s+undo: go back to the last document"))
    expect(page.locator("#undo-button")).to_have_text("Undo z")


def test_only_buttons_judge_when_keys_are_off(page, sign_in, ada):
    ada.user.keys_on = False
    ada.user.save()
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    press(page, *"12lux")
    page.click("button:has-text('much')")
    saved(page)
    assert list(grades().values()) == [2]
    assert Judgement.objects.get().input == "pointer"
    expect(page.locator("footer kbd")).to_have_count(0)


def test_relevant_document_needs_a_passage_if_required(page, sign_in, ada):
    ada.collection.passages = Passages.REQUIRED
    ada.collection.save()
    first = queue(ada)[0]
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    press(page, "1")
    expect(page.locator("#notice")).to_contain_text("Mark the passage that decided your judgement first")
    press(page, "0")
    saved(page)
    assert grades() == {first: 0}


def test_break_is_suggested_every_fifty_judgements(judging_page, ada):
    judging_page.evaluate("id => sessionStorage.setItem('assay judged', JSON.stringify([id, 49]))", ada.user.pk)
    press(judging_page, "1")
    expect(judging_page.locator("#notice")).to_have_text(
        "You have judged 50 documents. This is a good moment for a break."
    )
    press(judging_page, "2")
    expect(judging_page.locator("#notice")).to_be_empty()
    saved(judging_page)
    assert sorted(grades().values()) == [1, 2]


def test_timer_separates_active_from_away_time(judging_page):
    """With a fake clock: 10 s of work, 90 s without activity, 5 s hidden, then another document."""
    read = judging_page.evaluate("""async () => {
      const { ActivityTimer } = await import("/static/assess/judging/activity-timer.js");
      let now = 0;
      const timer = new ActivityTimer(() => now);
      timer.start();
      now = 10_000; timer.touch();
      now = 100_000; timer.setHidden(true);
      now = 105_000; timer.setHidden(false);
      now = 106_000; const first = timer.read();
      timer.start(); now = 107_000; const second = timer.read();
      timer.start(first); now = 108_000;
      return [first, second, timer.read()];
    }""")
    assert read == [
        {"active": 71_000, "away": 35_000},
        {"active": 1_000, "away": 0},
        {"active": 72_000, "away": 35_000},
    ]


def test_enter_on_confidence_judges_nothing(page, sign_in, ada):
    ada.collection.ask_confidence = True
    ada.collection.save()
    first = queue(ada)[0]
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    page.focus("input[name=confidence][value='2']")
    press(page, "Enter")
    expect(page.locator("#doc-meta")).to_have_text(first)
    press(page, "2")
    saved(page)
    assert grades() == {first: 2}


def test_enter_on_confidence_judges_nothing_without_javascript(browser, context, sign_in, ada, live_server):
    ada.collection.ask_confidence = True
    ada.collection.save()
    root = sign_in(ada)
    plain = browser.new_context(java_script_enabled=False, storage_state=context.storage_state())
    page = plain.new_page()
    page.goto(f"{root}/judge/")
    page.click("text=Start judging")
    page.check("input[name=confidence][value='2']")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The grade is missing; it must be one of 0, 1, 2.")
    expect(page.locator("input[name=confidence][value='2']")).to_be_checked()
    page.click("button:has-text('much')")
    expect(page.get_by_role("alert")).to_have_count(0)
    plain.close()
    assert list(grades().values()) == [2]


def test_nothing_is_judged_while_the_full_text_loads(page, sign_in, ada):
    ada.collection.snippet_first = True
    ada.collection.save()
    set_content(ada.collection.documents.all(), text="the first need " * 10_000)
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    held = []
    page.route("**/document/", lambda route: held.append(route))
    page.keyboard.press("f")
    expect(page.locator("#doc-loading")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator("#notice")).to_contain_text("Too early")
    held[0].continue_()
    settle(page)
    expect(page.locator("#doc-body")).to_contain_text("need the first need")
    press(page, "2")
    saved(page)
    assert list(grades().values()) == [2]


def test_second_click_of_a_double_click_judges_nothing(judging_page, ada):
    first, second, *_ = queue(ada)
    place = judging_page.locator("button:has-text('some')").bounding_box()
    judging_page.mouse.move(place["x"] + 9, place["y"] + 9)
    for count in (1, 2):
        judging_page.mouse.down(click_count=count)
        judging_page.mouse.up(click_count=count)
        settle(judging_page)
    expect(judging_page.locator("#notice")).to_contain_text("A double click judges only one document")
    expect(judging_page.locator("#doc-meta")).to_have_text(second)
    saved(judging_page)
    assert grades() == {first: 1}


def test_keys_work_after_the_panel_is_closed_by_a_click(judging_page, ada):
    first = queue(ada)[0]
    judging_page.click("#cannot summary")
    press(judging_page, "1")
    assert not Judgement.objects.exists()  # the open panel gets the keys
    judging_page.click("#cannot summary")
    expect(judging_page.locator("#document")).to_be_focused()
    press(judging_page, "1")
    saved(judging_page)
    assert grades() == {first: 1}


def test_document_is_focused_after_a_key_in_an_html_frame(page, sign_in, ada):
    set_content(ada.collection.documents.all(), format="html", text="<p>" + "the first need<br>" * 300)
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    page.frame_locator("#doc-body iframe").locator("body").click()
    press(page, "1")
    expect(page.locator("#document")).to_be_focused()


def test_rejudged_document_is_not_first_after_a_reload(judging_page, ada):
    first, second, *_ = queue(ada)
    press(judging_page, "1")
    saved(judging_page)
    judging_page.goto(f"{judging_page.url}?task={Judgement.objects.get().task.assignments.get().public_id}")
    settle(judging_page)
    expect(judging_page.locator("#doc-meta")).to_have_text(first)
    press(judging_page, "2")
    saved(judging_page)
    judging_page.reload()
    settle(judging_page)
    expect(judging_page.locator("#doc-meta")).to_have_text(second)


def test_undo_waits_for_the_servers_answer(judging_page, ada):
    first, _, third, *_ = queue(ada)
    press(judging_page, "0", "1", "2")
    saved(judging_page)
    judging_page.reload()
    settle(judging_page)
    held = []
    judging_page.route("**/judge/task/*/", lambda route: held.append(route), times=1)
    press(judging_page, "u", "u", "u")
    expect(judging_page.locator("#doc-meta")).to_have_text(third)
    held[0].continue_()
    expect(judging_page.locator("#doc-meta")).to_have_text(first)
    saved(judging_page)
    assert set(Judgement.objects.values_list("state", flat=True)) == {"undone"}


def test_undo_links_to_the_previous_topic(page, sign_in, join):
    collection = small_collection({"alpha": {"1": ["a"], "2": ["x", "y"]}})
    bob = join(collection, "bob")
    assign(collection, judges=1)
    root = sign_in(bob)
    page.goto(f"{root}/judge/")
    page.click("text=first need")
    settle(page)
    expect(page.locator("#undo-elsewhere")).to_be_hidden()
    press(page, "1")
    saved(page)
    page.goto(f"{root}/judge/")
    page.click("text=second need")
    settle(page)
    press(page, "0")
    expect(page.locator("#undo-elsewhere")).to_be_hidden()
    press(page, "u")
    expect(page.locator("#undo-elsewhere")).to_have_text("Go to your previous judgement, in topic “first need”")
    saved(page)
    press(page, "u")
    expect(page.locator("#undo-elsewhere")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h2#doc-title")).to_have_text("Title a")
    expect(page.locator(".grades button[aria-pressed=true]")).to_contain_text("1")


def test_unsaved_comment_asks_before_leaving(judging_page, ada):
    press(judging_page, "c")
    judging_page.keyboard.type("begun")
    press(judging_page, "Escape")
    judging_page.once("dialog", lambda dialog: dialog.dismiss())
    with judging_page.expect_event("dialog") as asked:
        judging_page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    expect(judging_page.locator("#comment")).to_have_value("begun")
    press(judging_page, "1")
    saved(judging_page)
    judging_page.reload()  # the comment is saved, so the page does not ask
    settle(judging_page)
    assert Judgement.objects.get().comment == "begun"


def test_unsaved_feedback_survives_an_undo(judging_page, ada):
    press(judging_page, *"1" * 18)
    judging_page.fill("#feedback-comment", "a hard one")
    judging_page.focus("#document")
    press(judging_page, "u", "2")
    expect(judging_page.locator("#finished")).to_be_visible()
    saved(judging_page)
    judging_page.click("#finished label:has-text('3')")
    expect(judging_page.locator("#feedback-comment")).to_have_value("a hard one")
    judging_page.click("form.topic-feedback button")
    judging_page.wait_for_url("**/?end=1")
    assert TopicFeedback.objects.get().comment == "a hard one"


def test_feedback_keeps_the_focus_when_the_end_is_refreshed(judging_page):
    press(judging_page, *"1" * 18)
    difficulty = judging_page.locator("#finished input[value='3']")
    difficulty.check()
    judging_page.evaluate("async () => (await import('/static/assess/judging/end.js')).refreshEnd(location.pathname)")
    expect(difficulty).to_be_focused()
    expect(difficulty).to_be_checked()
    expect(judging_page.locator("#finished form.topic-feedback")).to_have_count(1)
    expect(judging_page.locator("#finished h2")).to_have_count(1)


def test_accessible_names_of_buttons_exclude_keys(judging_page):
    expect(judging_page.get_by_role("button", name="0 none", exact=True)).to_have_attribute("aria-keyshortcuts", "0")
    expect(judging_page.get_by_role("button", name="Undo", exact=True)).to_have_attribute("aria-keyshortcuts", "u")
    expect(judging_page.get_by_role("button", name="Later", exact=True)).to_be_enabled()


def test_claims_are_renewed_during_work_and_fetched_again_after_expiry(judging_page):
    """With a fake clock and claims of 20 minutes: activity at 1, 6, 9, 12 and 60 minutes."""
    calls = judging_page.evaluate("""async () => {
      const { ClaimKeeper } = await import("/static/assess/judging/claim-keeper.js");
      let minute = 0;
      const calls = [];
      const renew = (mayHaveExpired) => calls.push([minute, mayHaveExpired]);
      const claims = new ClaimKeeper({ minutes: 20, renew, now: () => minute * 60_000 });
      const none = new ClaimKeeper({ minutes: null, renew, now: () => minute * 60_000 });
      for (minute of [1, 6, 9, 12, 60]) { claims.touch(); none.touch(); }
      return calls;
    }""")
    assert calls == [[6, False], [12, False], [60, True]]
