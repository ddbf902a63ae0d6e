"""Judgements wait in the browser until the server has saved them: offline, across reloads, and in two tabs."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from assess.models import Collection, Judgement, JudgementEvent, Member
from assess.pools.assign import assign
from assess.work.state import set_judging_state
from tests.assess.claiming import judge_all, open_pool, pass_time
from tests.browser.judging_page import eventually, grades, ledger, press, queue, saved, settle, unsent
from tests.factories import small_collection

pytestmark = pytest.mark.django_db(transaction=True)

TASKS = "**/judge/task/*/"
SHORT_PAUSES = """const wait = window.setTimeout;
window.setTimeout = (action, ms, ...rest) => wait(action, ms === 30_000 ? 1_000 : ms, ...rest);"""


def no_posts(page):
    """Let the page load, but block sending judgements."""
    page.route(TASKS, lambda route: route.abort())


def posts_again(page):
    """Allow sending again, and tell the page that the connection is back: alone, it would wait before it retries."""
    page.unroute(TASKS)
    page.evaluate("window.dispatchEvent(new Event('online'))")


def test_offline_judgements_are_sent_when_the_connection_returns(judging_page, ada, context):
    first, second, third, *_ = queue(ada)
    context.set_offline(True)
    press(judging_page, "1", "2", "u", "0")
    expect(judging_page.locator("#save")).to_have_text("Waiting: 4 not sent yet, no connection")
    assert ledger() == []
    context.set_offline(False)
    saved(judging_page)
    assert ledger() == [(first, "judged", 1), (second, "judged", 2), (second, "undone", None), (second, "judged", 0)]
    assert not JudgementEvent.objects.filter(seen_version=None).exists()
    expect(judging_page.locator("#messages")).to_be_hidden()  # no judgement was stale
    expect(judging_page.locator("#doc-meta")).to_have_text(third)


def test_offline_judgements_survive_a_reload(judging_page, ada):
    order = queue(ada)
    press(judging_page, "1", "2", "0")
    saved(judging_page)
    no_posts(judging_page)
    press(judging_page, *"1201201")
    expect(judging_page.locator("#save")).to_have_text("Waiting: 7 not sent yet, no connection")
    judging_page.reload()
    settle(judging_page)
    expect(judging_page.locator("#save")).to_have_text("Waiting: 7 not sent yet, no connection")
    expect(judging_page.locator("#doc-meta")).to_have_text(order[10])  # waiting judgements are not shown again
    assert len(ledger()) == 3
    judging_page.unroute(TASKS)  # the page retries on its own
    saved(judging_page)
    assert ledger() == [
        (doc_id, "judged", grade) for doc_id, grade in zip(order[:10], [1, 2, 0, 1, 2, 0, 1, 2, 0, 1], strict=True)
    ]
    assert unsent(judging_page) == []


def test_undo_reaches_unsent_judgements_of_an_earlier_page(judging_page, ada):
    first, second, third, *_ = queue(ada)
    no_posts(judging_page)
    press(judging_page, "1", "2", "0", "u")
    judging_page.reload()
    settle(judging_page)
    expect(judging_page.locator("#doc-meta")).to_have_text(third)
    press(judging_page, "u")
    expect(judging_page.locator("#doc-meta")).to_have_text(second)
    expect(judging_page.locator(".grades button[aria-pressed=true]")).to_have_text("2 much")
    press(judging_page, "1", "2")
    posts_again(judging_page)
    saved(judging_page)
    assert grades() == {first: 1, second: 1, third: 2}
    expect(judging_page.locator("#messages")).to_be_hidden()


def test_my_topics_sends_judgements_of_an_earlier_page(judging_page, ada, context, live_server):
    first = queue(ada)[0]
    no_posts(judging_page)
    press(judging_page, "2")
    expect(judging_page.locator("#save")).to_contain_text("1 not sent yet")
    judging_page.close()
    topics = context.new_page()
    topics.goto(f"{live_server.url}/c/small/judge/")
    expect(topics.locator("#waiting-judgements")).to_contain_text("are saved now")
    assert grades() == {first: 2}


def test_lost_answer_does_not_duplicate_a_judgement(judging_page):
    lost = []

    def lose_the_first_answer(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    judging_page.route(TASKS, lose_the_first_answer)
    press(judging_page, "2")
    expect(judging_page.locator("#save")).to_contain_text("no connection")
    saved(judging_page)
    assert JudgementEvent.objects.count() == 1


def test_conflicting_grades_in_two_tabs_are_reported(judging_page, ada, context):
    first, second, *_ = queue(ada)
    other = context.new_page()
    other.goto(judging_page.url)
    settle(other)
    press(other, "2")
    saved(other)
    judging_page.bring_to_front()
    press(judging_page, "1", "0")
    saved(judging_page)
    expect(judging_page.locator("#messages p")).to_have_count(1)
    expect(judging_page.locator("#messages")).to_contain_text(
        "you graded this document 2 on another page. Now its grade is 1. Both are recorded."
    )
    assert ledger() == [(first, "judged", 2), (first, "judged", 1), (second, "judged", 0)]
    judging_page.click("text=Dismiss")
    expect(judging_page.locator("#messages")).to_be_hidden()


def test_only_the_first_of_several_judgements_is_stale(judging_page, ada, context):
    """Judged, undone and judged again offline, while another tab gave another grade."""
    first = queue(ada)[0]
    no_posts(judging_page)
    press(judging_page, "1", "u", "0")
    other = context.browser.new_context(storage_state=context.storage_state()).new_page()
    other.goto(judging_page.url)
    settle(other)
    press(other, "2")
    saved(other)
    other.context.close()
    posts_again(judging_page)
    saved(judging_page)
    assert ledger() == [(first, "judged", 2), (first, "judged", 1), (first, "undone", None), (first, "judged", 0)]
    expect(judging_page.locator("#messages p")).to_have_count(1)
    press(judging_page, "u", "2")  # the versions are correct again
    saved(judging_page)
    expect(judging_page.locator("#messages p")).to_have_count(1)


def test_unsent_judgements_of_two_tabs_are_sent_once_in_order(judging_page, ada, context):
    order = queue(ada)
    context.route(TASKS, lambda route: route.abort())
    press(judging_page, "1", "2")
    other = context.new_page()
    other.goto(judging_page.url)
    settle(other)
    expect(other.locator("#doc-meta")).to_have_text(order[2])
    press(other, "0")
    context.unroute(TASKS)
    saved(other)
    saved(judging_page)
    assert ledger() == [(order[0], "judged", 1), (order[1], "judged", 2), (order[2], "judged", 0)]
    expect(other.locator("#progress-topic")).to_have_text("3 of 18 in this topic, 0 postponed")


@pytest.mark.soak
def test_unsent_judgements_belong_to_their_user(judging_page, ada, join, sign_in, context):
    zoe = join(ada.collection, "zoe")
    assign(ada.collection, judges=2)
    first = queue(ada)[0]
    no_posts(judging_page)
    press(judging_page, "2")
    expect(judging_page.locator("#save")).to_contain_text("1 not sent yet")
    address = judging_page.url
    judging_page.unroute(TASKS)
    context.clear_cookies()
    sign_in(zoe)
    judging_page.goto(address)
    settle(judging_page)
    saved(judging_page)  # zoe sees nothing of ada's
    press(judging_page, "0")
    saved(judging_page)
    assert {event.member for event in JudgementEvent.objects.all()} == {zoe}
    assert [user for user, _ in unsent(judging_page)] == [ada.user.pk]
    context.clear_cookies()
    sign_in(ada)
    judging_page.goto(address)
    saved(judging_page)
    assert JudgementEvent.objects.get(member=ada).judgement.task.document.doc_id == first
    assert unsent(judging_page) == []


def test_sign_out_warns_about_unsent_judgements(judging_page, ada, live_server):
    no_posts(judging_page)
    press(judging_page, "2", "1")
    expect(judging_page.locator("#save")).to_contain_text("2 not sent yet")
    judging_page.click("text=Sign out")
    expect(judging_page.locator("#sign-out-warning")).to_contain_text(
        "2 judgements are not sent yet. If you sign out, they are kept in this browser"
    )
    judging_page.click("text=Stay signed in")
    posts_again(judging_page)
    saved(judging_page)
    judging_page.click("text=Sign out")
    judging_page.wait_for_url("**/account/sign-in/")
    assert unsent(judging_page) == []
    assert judging_page.evaluate("sessionStorage.length + localStorage.length") == 0
    assert len(ledger()) == 2


def test_without_indexeddb_judgements_wait_in_memory(page, sign_in, ada):
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { get() { throw new Error('private'); } })")
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    expect(page.locator("#messages")).to_contain_text("cannot store judgements")
    no_posts(page)
    press(page, "1", "2")
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    posts_again(page)
    saved(page)
    assert sorted(grades().values()) == [1, 2]


def test_complete_document_is_reported_and_dropped(judging_page, ada):
    first, second, third, *_ = queue(ada)
    answer = {"error": "This document has all its judgements by now.", "wait": False, "drop": True}
    judging_page.route(TASKS, lambda route: route.fulfill(status=409, json=answer), times=1)
    press(judging_page, "1", "2")
    expect(judging_page.locator("#messages")).to_contain_text(
        f"“Title {first}”: This document has all its judgements by now."
    )
    saved(judging_page)
    expect(judging_page.locator("#doc-meta")).to_have_text(third)
    assert grades() == {second: 2}
    press(judging_page, "u")
    expect(judging_page.locator("#doc-meta")).to_have_text(second)
    expect(judging_page.locator("#undo-button")).to_be_disabled()


def test_judgements_wait_during_a_pause(judging_page, ada):
    judging_page.add_init_script(SHORT_PAUSES)
    judging_page.reload()
    settle(judging_page)
    first, second, third, *_ = queue(ada)
    no_posts(judging_page)
    press(judging_page, "1", "2")
    expect(judging_page.locator("#save")).to_contain_text("2 not sent yet, no connection")
    Collection.objects.update(judging_open=False)
    posts_again(judging_page)
    expect(judging_page.locator("#save")).to_have_text("Judging is paused: 2 not sent yet")
    press(judging_page, "0")
    expect(judging_page.locator("#save")).to_have_text("Judging is paused: 3 not sent yet")
    assert ledger() == []
    assert len(unsent(judging_page)) == 3
    Collection.objects.update(judging_open=True)
    saved(judging_page)
    assert ledger() == [(first, "judged", 1), (second, "judged", 2), (third, "judged", 0)]
    expect(judging_page.locator("#messages")).to_be_hidden()


def test_judgements_wait_while_judging_is_closed(judging_page):
    no_posts(judging_page)
    press(judging_page, "1")
    expect(judging_page.locator("#save")).to_contain_text("1 not sent yet, no connection")
    set_judging_state(Collection.objects.get(), "closed")
    posts_again(judging_page)
    expect(judging_page.locator("#save")).to_have_text("Judging is closed: 1 not sent yet")
    assert not Judgement.objects.exists()
    set_judging_state(Collection.objects.get(), "open")
    judging_page.reload()
    saved(judging_page)
    settle(judging_page)
    assert Judgement.objects.get().relevance == 1


@pytest.mark.soak
def test_waiting_judgements_survive_a_reload_during_a_pause(judging_page, ada):
    judging_page.add_init_script(SHORT_PAUSES)
    first, second, *_ = queue(ada)
    Collection.objects.update(judging_open=False)
    press(judging_page, "1")
    expect(judging_page.locator("#save")).to_have_text("Judging is paused: 1 not sent yet")
    judging_page.reload()
    expect(judging_page.locator("#save")).to_have_text("Judging is paused: 1 not sent yet")
    Collection.objects.update(judging_open=True)
    saved(judging_page)
    assert ledger() == [(first, "judged", 1)]
    settle(judging_page)
    expect(judging_page.locator("#doc-meta")).to_have_text(second)


def test_my_topics_reports_judgements_waiting_for_a_pause(judging_page, context, live_server):
    no_posts(judging_page)
    press(judging_page, "2")
    expect(judging_page.locator("#save")).to_contain_text("1 not sent yet")
    Collection.objects.update(judging_open=False)
    judging_page.close()
    topics = context.new_page()
    topics.goto(f"{live_server.url}/c/small/judge/")
    expect(topics.locator("#waiting-judgements")).to_contain_text(
        "1 judgement from an earlier page is not sent yet. Judging is paused. Sending continues when it resumes."
    )
    Collection.objects.update(judging_open=True)
    topics.reload()
    expect(topics.locator("#waiting-judgements")).to_contain_text("are saved now")
    assert len(ledger()) == 1


def test_pause_of_one_collection_does_not_block_another(judging_page, ada, context, live_server):
    other = small_collection({"alpha": {"1": ["x", "y"]}}, slug="other", grades=["0=none", "1=some"], depth=2)
    Member.objects.create(collection=other, user=ada.user, role=ada.role, name="ada")
    assign(other, judges=1)
    Collection.objects.filter(slug="small").update(judging_open=False)
    press(judging_page, "1")
    expect(judging_page.locator("#save")).to_contain_text("Judging is paused")
    page = context.new_page()
    page.goto(f"{live_server.url}/c/other/judge/")
    page.click("text=Start judging")
    settle(page)
    press(page, "1", "1")
    expect(page.locator("#finished h2")).to_be_visible()
    expect(page.locator("#save")).to_have_text("Judging is paused: 1 not sent yet")
    eventually(page, lambda: (len(ledger()), len(unsent(page))), (2, 1))


def test_judgement_after_the_end_is_refused_and_reported(judging_page):
    no_posts(judging_page)
    press(judging_page, "1")
    expect(judging_page.locator("#save")).to_contain_text("no connection")
    Collection.objects.update(judging_ends_at=timezone.now() - timedelta(minutes=1))
    posts_again(judging_page)
    expect(judging_page.locator("#save")).to_contain_text("Not saved: Judging ended at")
    assert unsent(judging_page) == []
    assert ledger() == []


def test_refusals_with_one_cause_share_a_message_and_cards_are_fetched_again(page, sign_in, join):
    """Claims expired and somebody else judged the documents: only the current document is judged in vain."""
    collection = open_pool(1, sizes=(20,))
    ada, bob = join(collection, "ada"), join(collection, "bob")
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    pass_time(minutes=1_000)
    judge_all(bob)
    no_posts(page)
    press(page, "1", "1", "0")
    posts_again(page)
    saved(page)
    expect(page.locator("#messages p")).to_have_count(1)
    expect(page.locator("#messages p")).to_contain_text("Not saved: 3 documents (“Title")
    expect(page.locator("#progress-topic")).to_contain_text("0 of 0 in this topic")
    press(page, "1")  # only the current document
    expect(page.locator("#finished")).to_contain_text("You have no documents left to judge in this topic.")
    expect(page.locator("#messages p")).to_contain_text(
        "and 1 more). For each: This document already has all the judgements it needs. Your claim had expired"
    )
    assert not JudgementEvent.objects.filter(member=ada).exists()


def test_documents_judged_in_another_tab_are_skipped(judging_page, ada, context):
    first, second, third, fourth, *_ = queue(ada)
    other = context.new_page()
    other.goto(judging_page.url)
    settle(other)
    press(other, "2", "0", "1")
    saved(other)
    judging_page.bring_to_front()
    expect(judging_page.locator("#progress-topic")).to_contain_text("3 of 18")
    press(judging_page, "1")
    expect(judging_page.locator("#doc-meta")).to_have_text(fourth)
    saved(judging_page)
    assert grades() == {first: 1, second: 0, third: 1}
