"""The question after a relevant grade: by keyboard, by touch on a phone, without a connection, and with undo."""

import re

import pytest
from playwright.sync_api import expect

from assess.marginal import own_relevant
from assess.models import Collection, MarginalAnswer
from tests.browser.axe import problems
from tests.browser.judging_page import grades, press, queue, saved, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def asking_page(page, sign_in, ada):
    """The judging page of a collection that asks what is new."""
    Collection.objects.update(ask_marginal=True)
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    return page


def asked(page):
    """Wait until the question can be answered."""
    page.locator("#marginal[data-ready]").wait_for()


def answers():
    rows = MarginalAnswer.objects.order_by("pk")
    return list(rows.values_list("event__judgement__task__document__doc_id", "answer", "repeats"))


def test_keyboard_alone_answers_and_the_first_is_not_asked(asking_page, ada):
    first, second, third, fourth, fifth, sixth, *_ = queue(ada)
    page = asking_page
    press(page, "1", "0")  # the first relevant document is new, and the second document is not relevant
    page.keyboard.press("2")
    asked(page)
    expect(page.locator("#marginal")).to_contain_text("Does it add to the relevant documents")
    expect(page.locator("#doc-meta")).to_have_text(third)
    press(page, "o")  # the only document of the list is chosen
    page.keyboard.press("1")
    asked(page)
    page.keyboard.press("p")
    expect(page.locator("#marginal-hint")).to_contain_text("Partly new: choose")
    page.keyboard.press("ArrowDown")  # the latest is first
    page.keyboard.press("Space")
    press(page, "Enter")
    expect(page.locator("#doc-meta")).to_have_text(fifth)
    page.keyboard.press("1")
    asked(page)
    page.keyboard.press("Escape")
    expect(page.locator("#marginal")).to_be_hidden()
    press(page, "0")
    page.keyboard.press("1")
    asked(page)
    press(page, "n")
    saved(page)
    assert grades() == {first: 1, second: 0, third: 2, fourth: 1, fifth: 0, sixth: 1}
    expected = [(first, "new", []), (third, "nothing", [first]), (fourth, "partly", [first]), (sixth, "new", [])]
    assert answers() == expected


def test_key_before_the_question_was_visible_is_no_answer(asking_page, ada):
    Collection.objects.update(min_visible_ms=1_000)
    asking_page.reload()
    settle(asking_page)
    press(asking_page, "1")
    asking_page.keyboard.press("1")
    expect(asking_page.locator("#marginal")).to_be_visible()
    asking_page.keyboard.press("n")
    expect(asking_page.locator("#marginal")).to_be_visible()
    asked(asking_page)
    press(asking_page, "n")
    saved(asking_page)
    assert len(answers()) == 2


def test_undo_takes_the_document_off_the_list_and_redo_keeps_the_answer(asking_page, ada):
    first, second, *_ = queue(ada)
    page = asking_page
    press(page, "1")
    page.keyboard.press("2")
    asked(page)
    press(page, "o", "u", "y", "u", "u")
    expect(page.locator("#doc-meta")).to_have_text(first)
    press(page, "0", "1")  # no relevant document is left, so nothing is asked
    saved(page)
    assert grades() == {first: 0, second: 1}
    assert answers() == [
        (first, "new", []),
        (second, "nothing", [first]),
        (second, "nothing", [first]),
        (second, "new", []),
    ]


def test_answers_wait_without_a_connection_and_survive_a_reload(asking_page, ada, context):
    first, second, third, *_ = queue(ada)
    page = asking_page
    context.route(re.compile("/task/"), lambda route: route.abort())
    press(page, "1")
    page.keyboard.press("1")
    asked(page)
    press(page, "o")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    settle(page)
    expect(page.locator("#doc-meta")).to_have_text(third)
    page.keyboard.press("1")
    asked(page)
    expect(page.locator("#marginal-list li")).to_have_count(2)
    context.unroute_all()
    press(page, "n")
    saved(page)
    assert answers() == [(first, "new", []), (second, "nothing", [first]), (third, "new", [])]


def test_question_by_touch_on_a_phone_and_without_axe_violations(asking_page, ada):
    first, second, *_ = queue(ada)
    page = asking_page
    page.set_viewport_size({"width": 390, "height": 800})
    press(page, "1")
    page.click(".grades button[value='2']")
    asked(page)
    assert problems(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    page.click("#marginal-list label")  # takes the choice away
    page.click("#marginal button[value=nothing]")
    expect(page.locator("#marginal-hint")).to_contain_text("Nothing new: choose")
    page.click("#marginal-list label")
    page.click("#marginal button[value=nothing]")
    settle(page)
    saved(page)
    assert answers() == [(first, "new", []), (second, "nothing", [first])]


def test_filter_finds_listed_documents_and_older_ones(asking_page, ada, monkeypatch):
    monkeypatch.setattr(own_relevant, "LISTED", 1)
    first, second, third, *_ = queue(ada)
    page = asking_page
    press(page, "1")
    page.keyboard.press("1")
    asked(page)
    press(page, "n")
    saved(page)
    page.reload()
    settle(page)
    page.keyboard.press("1")
    asked(page)
    expect(page.locator("#marginal-list")).to_contain_text(second)
    expect(page.locator("#marginal-count")).to_contain_text("The latest are listed")
    assert problems(page) == []
    page.locator("#marginal-list input").check()
    page.locator("#marginal-words").press_sequentially(first)  # no letter of a doc_id is an answer here
    expect(page.locator("#marginal-list li")).to_have_text([re.compile(second), re.compile(first)])
    expect(page.locator("#marginal-count")).to_have_text("Documents with these words: 1.")
    page.keyboard.press("ArrowDown")  # to the first document, which is chosen
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("p")
    settle(page)
    saved(page)
    assert answers()[-1] == (third, "partly", sorted([first, second]))
