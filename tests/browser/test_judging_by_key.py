"""An assessor at the keyboard: one key judges, saves and shows the next document."""

import pytest
from playwright.sync_api import Page, expect

from assess import pools, worklist
from assess.models import Judgement, JudgementEvent
from tests.world import small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ONE_TOPIC = {"alpha": {"1": [f"doc{n}" for n in range(12)]}}


@pytest.fixture
def ada(join):
    """Twelve documents of one topic to judge on a graded scale."""
    collection = small_collection(ONE_TOPIC, grades=["0=none", "1=some", "2=much"], depth=12)
    ada = join(collection, "ada")
    pools.assign(collection, judges=1)
    return ada


@pytest.fixture
def desk(page: Page, sign_in, ada):
    """The judging page, its first document painted."""
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    return page


def settle(page: Page):
    """Wait until the document on the screen may be judged."""
    page.wait_for_timeout(250)


def press(page: Page, *keys: str):
    for key in keys:
        page.keyboard.press(key)
        settle(page)


def queue(ada) -> list[str]:
    topic, _ = worklist.topics(ada)[0]
    return [card.doc_id for card in worklist.upcoming(ada, topic, limit=100)]


def grades() -> dict[str, int | None]:
    return dict(Judgement.objects.values_list("task__document__doc_id", "relevance"))


def saved(page: Page):
    expect(page.locator("#save")).to_have_text("✓ all saved")


def test_three_documents_by_key_one_undone_and_the_database_is_right(desk, ada):
    first, second, third, fourth, *_ = queue(ada)
    expect(desk.locator("#doc-meta")).to_have_text(first)
    press(desk, "2", "0", "1")
    expect(desk.locator("#doc-meta")).to_have_text(fourth)
    press(desk, "u")
    expect(desk.locator("#doc-meta")).to_have_text(third)
    expect(desk.locator("button[aria-pressed=true]")).to_have_text("1some")
    saved(desk)
    assert grades() == {first: 2, second: 0, third: None}
    assert Judgement.objects.get(task__document__doc_id=third).state == "undone"
    press(desk, "2")
    saved(desk)
    assert grades() == {first: 2, second: 0, third: 2}
    said = JudgementEvent.objects.filter(judgement__task__document__doc_id=third).order_by("pk")
    assert [(event.state, event.relevance) for event in said] == [("judged", 1), ("undone", None), ("judged", 2)]
    assert all(event.client_id and event.active_ms >= 0 for event in said)
    expect(desk.locator("#progress-topic")).to_have_text("3 of 12 in this topic, 0 for later")


def test_undo_goes_back_beyond_what_this_page_has_seen(desk, ada):
    first, second, third, *_ = queue(ada)
    press(desk, "0", "1", "2")
    saved(desk)
    desk.reload()
    settle(desk)
    for doc_id in (third, second, first):
        press(desk, "u")
        expect(desk.locator("#doc-meta")).to_have_text(doc_id)
        saved(desk)
    assert set(Judgement.objects.values_list("state", flat=True)) == {"undone"}
    expect(desk.locator("#undo button")).to_be_disabled()


def test_keys_too_quick_for_the_eye_judge_nothing(desk, ada):
    first = queue(ada)[0]
    for _ in range(5):
        desk.keyboard.press("1")
    expect(desk.locator("#notice")).to_contain_text("Too early")
    saved(desk)
    assert grades() == {first: 1}
    settle(desk)
    press(desk, "0")
    expect(desk.locator("#notice")).to_be_empty()


def test_no_key_judges_in_the_comment_with_ctrl_held_down_or_in_the_panel(desk, ada):
    press(desk, "c")
    desk.keyboard.type("12 see")
    press(desk, "Escape")
    press(desk, "Control+1", "Alt+2", "7")
    press(desk, "x", "1", "Escape")
    desk.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', repeat: true, bubbles: true}))")
    settle(desk)
    assert not Judgement.objects.exists()
    press(desk, "2")
    saved(desk)
    assert Judgement.objects.get().comment == "12 see"


def test_later_comes_back_at_the_end_and_cannot_judge_asks_why(desk, ada):
    first, second, *others = queue(ada)
    press(desk, "l", "x")
    desk.click("text=A language I do not read")
    settle(desk)
    press(desk, *"1" * len(others))
    expect(desk.locator("#doc-meta")).to_have_text(first)
    press(desk, "1")
    expect(desk.locator("#finished")).to_be_visible()
    saved(desk)
    assert grades() == dict.fromkeys([first, *others], 1) | {second: None}
    assert Judgement.objects.get(task__document__doc_id=second).reason == "language"


def test_what_was_judged_without_a_connection_is_sent_when_it_is_back(desk, ada, context):
    first, second, third, *_ = queue(ada)
    context.set_offline(True)
    press(desk, "1", "2", "u", "0")
    expect(desk.locator("#save")).to_contain_text("No connection")
    assert not Judgement.objects.exists()
    context.set_offline(False)
    expect(desk.locator("#save")).to_have_text("✓ all saved", timeout=10_000)
    assert grades() == {first: 1, second: 0}
    expect(desk.locator("#doc-meta")).to_have_text(third)


def test_an_answer_that_was_lost_does_not_double_a_judgement(desk, ada):
    lost = []

    def lose_the_first_answer(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    desk.route("**/judge/task/**", lose_the_first_answer)
    press(desk, "2")
    expect(desk.locator("#save")).to_have_text("✓ all saved", timeout=10_000)
    assert JudgementEvent.objects.count() == 1


def test_signed_out_in_another_tab_the_page_keeps_what_was_said(desk, ada, context):
    cookies = context.cookies()
    context.clear_cookies(name="sessionid")
    press(desk, "2")
    expect(desk.locator("#save")).to_contain_text("You are signed out")
    assert not Judgement.objects.exists()
    context.add_cookies(cookies)
    expect(desk.locator("#save")).to_have_text("✓ all saved", timeout=10_000)
    assert Judgement.objects.get().relevance == 2


def test_what_one_person_judged_is_never_saved_under_another(desk, ada, context, join, live_server):
    """Signed out in another tab, and somebody else signs in there: the judgement waits for the one who made it."""
    zoe = join(ada.collection, "zoe")
    pools.assign(ada.collection, judges=2)
    ada_cookies = context.cookies()
    zoe.user.set_password("zoe's password")
    zoe.user.save()
    context.clear_cookies()
    other_tab = context.new_page()
    other_tab.goto(f"{live_server.url}/account/sign-in/")
    other_tab.fill("#id_username", "zoe")
    other_tab.fill("#id_password", "zoe's password")
    other_tab.click("main button")
    desk.bring_to_front()
    press(desk, "2")
    expect(desk.locator("#save")).to_contain_text("opened by somebody else")
    assert not Judgement.objects.exists()
    context.clear_cookies()
    context.add_cookies(ada_cookies)
    expect(desk.locator("#save")).to_have_text("✓ all saved", timeout=10_000)
    assert Judgement.objects.get().member == ada


def test_documents_that_arrive_late_are_not_judged_twice(desk, ada):
    held = []

    def hold_the_first_answer(route):
        if held:
            return route.continue_()
        held.append((route, route.fetch()))
        return None

    desk.route("**/next/**", hold_the_first_answer)
    press(desk, *"111111")
    route, answer = held[0]
    route.fulfill(response=answer)
    saved(desk)
    settle(desk)
    press(desk, *"222222")
    expect(desk.locator("#finished")).to_be_visible()
    saved(desk)
    assert JudgementEvent.objects.count() == 12
    assert sorted(grades().values()) == [1] * 6 + [2] * 6


def test_without_a_next_document_the_page_goes_on_asking(desk, ada):
    desk.route("**/next/**", lambda route: route.abort())
    press(desk, *"111111")
    saved(desk)
    expect(desk.locator("#waiting")).to_be_visible()
    expect(desk.locator("#finished")).to_be_hidden()
    desk.unroute("**/next/**")
    expect(desk.locator("#card")).to_be_visible(timeout=10_000)


def test_enter_held_down_on_a_grade_judges_once(desk, ada):
    desk.locator("button:has-text('some')").focus()
    desk.keyboard.down("Enter")
    for _ in range(5):
        settle(desk)
        desk.keyboard.down("Enter")  # a key that is down already repeats
    desk.keyboard.up("Enter")
    saved(desk)
    assert Judgement.objects.count() == 1


def test_a_comment_stays_with_its_document(desk, ada):
    first, second, *_ = queue(ada)
    press(desk, "1", "c")
    desk.keyboard.type("about the second")
    press(desk, "Escape", "u", "2")
    expect(desk.locator("#comment")).to_have_value("about the second")
    press(desk, "0")
    saved(desk)
    assert dict(Judgement.objects.values_list("task__document__doc_id", "comment")) == {
        first: "",
        second: "about the second",
    }


def test_what_the_server_refuses_comes_back_to_the_screen(desk, ada):
    first = queue(ada)[0]
    ada.collection.grades.filter(value=2).delete()  # the page still offers it
    press(desk, "2")
    expect(desk.locator("#save")).to_contain_text("Not saved: Grade 2 is not on the scale")
    expect(desk.locator("#doc-meta")).to_have_text(first)
    press(desk, "1")
    saved(desk)
    assert grades() == {first: 1}


def test_a_touch_judges_as_a_key_does(desk, ada):
    first = queue(ada)[0]
    desk.click("button:has-text('some')")
    saved(desk)
    assert grades() == {first: 1}


def test_legend_and_guidelines_open_by_key(desk, ada):
    press(desk, "?")
    expect(desk.locator("#legend dl")).to_be_visible()
    press(desk, "?")
    expect(desk.locator("#legend dl")).to_be_hidden()
