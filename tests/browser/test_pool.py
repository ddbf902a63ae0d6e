"""The pool in the browser: choose a strategy, preview it, build it, and undo it."""

import re

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from assess.models import Provenance, Role, Task
from assess.pools.building.undo import undo_pool
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pool_page(page: Page, sign_in, join):
    """The page of a collection without a pool."""
    collection = small_collection(SMALL_RUNS)
    undo_pool(collection)
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/pool/")
    return page


@pytest.mark.soak
def test_rrf_is_previewed_built_and_undone(pool_page: Page):
    expect(pool_page.get_by_label("Ranks of each run")).to_have_value("10")
    expect(pool_page.get_by_role("img", name="Documents per topic by depth")).to_be_visible()
    pool_page.get_by_label("By rank fusion").check()
    expect(pool_page.get_by_label("k", exact=True)).to_have_value("60")
    pool_page.get_by_text("More", exact=True).click()
    pool_page.get_by_label("Assessors for each document").fill("2")
    pool_page.get_by_label("Documents per topic", exact=True).fill("2")
    expect(pool_page.get_by_text("The pool has 4 documents in 2 topics.")).to_be_visible()
    expect(pool_page.get_by_text("8 judgements of 30 s")).to_be_visible()
    expect(pool_page.get_by_label("Documents per topic", exact=True)).to_be_focused()
    expect(pool_page).to_have_url(re.compile("size=2&"))
    assert problems(pool_page) == []
    pool_page.get_by_role("button", name="Build this pool").click()
    call_command("worker", once=True, verbosity=0)
    expect(pool_page.get_by_text("The pool has 4 tasks, 4 of them new.")).to_be_visible()
    assert Provenance.objects.count() == 4
    pool_page.get_by_text("Undo the last one").click()
    pool_page.get_by_role("button", name="Undo the last building").click()
    expect(pool_page.get_by_text("Removed 4 tasks and 0 assignments.")).to_be_visible()
    expect(pool_page.get_by_text("No pool has been built yet.")).to_be_visible()
    assert not Task.objects.exists()
    assert problems(pool_page) == []


def test_strategy_is_chosen_by_keyboard(pool_page: Page):
    pool_page.get_by_role("radio", name="By depth").focus()
    pool_page.keyboard.press("ArrowDown")
    pool_page.keyboard.press("ArrowDown")
    expect(pool_page.get_by_label("k", exact=True)).to_have_value("60")
    pool_page.get_by_label("Strategy", exact=True).focus()
    pool_page.keyboard.type("rbp")
    expect(pool_page.get_by_label("p", exact=True)).to_have_value("0.8")
    expect(pool_page.get_by_label("Strategy", exact=True)).to_be_focused()
    pool_page.get_by_label("Documents per topic", exact=True).fill("2")
    pool_page.keyboard.press("Enter")
    pool_page.wait_for_url("**preview=1**")
    expect(pool_page.get_by_text("The pool has 4 documents in 2 topics.")).to_be_visible()


def test_page_works_without_script(browser, pool_page: Page):
    """The button brings the fields of the chosen kind, and then the preview."""
    state = pool_page.context.storage_state()
    plain = browser.new_context(java_script_enabled=False, storage_state=state).new_page()
    plain.goto(pool_page.url)
    plain.get_by_label("By rank fusion").check()
    plain.get_by_role("button", name="Preview", exact=True).click()
    expect(plain.get_by_label("k", exact=True)).to_have_value("60")
    plain.get_by_label("Documents per topic", exact=True).fill("2")
    plain.get_by_role("button", name="Preview", exact=True).click()
    expect(plain.get_by_text("The pool has 4 documents in 2 topics.")).to_be_visible()


@pytest.mark.parametrize("width", [360, 640])
def test_preview_fits_a_phone(pool_page: Page, width):
    pool_page.set_viewport_size({"width": width, "height": 700})
    pool_page.goto(f"{pool_page.url}?strategy=stratified&strata=1:1+3:0.5&seed=1&preview=1")
    expect(pool_page.get_by_role("heading", name="Preview")).to_be_visible()
    assert pool_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
