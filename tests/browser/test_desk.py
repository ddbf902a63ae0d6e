"""The frame of researchers' pages and the slope chart in a real browser: keys, pointer, phone, and no script."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from assess.adjudication.adjudicate import candidates, create_adjudication
from assess.models import Collection, Role, Task
from assess.transfer.judgements import import_judgements
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(page: Page, sign_in, join) -> str:
    """The address of a collection that two judges have judged."""
    collection = small_collection(SMALL_RUNS)
    import_judgements(collection, b"1 0 a 1\n1 0 b 1\n2 0 x 0\n", "north")
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 1\n", "south")
    return sign_in(join(collection, "olga", Role.OWNER))


def test_keys_lead_to_pages_and_to_the_search_box(page: Page, home):
    page.goto(f"{home}/")
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page.get_by_role("heading", level=1)).to_have_text("Does the ranking change with the judge?")
    page.keyboard.press("?")
    expect(page.get_by_text("these keys")).to_be_in_viewport()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search this collection")).to_be_focused()
    page.keyboard.type("gs alpha?")  # keys in a field are text
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("“gs alpha?” in this collection")


def test_figures_of_the_overview_arrive(page: Page, home):
    page.goto(f"{home}/")
    expect(page.get_by_role("heading", name="Ranking of the systems under two golds")).to_be_visible()
    expect(page.locator(".on-desk .slope .line")).to_have_count(3)
    expect(page.locator(".on-desk .slope")).to_be_visible()  # at 1280 px
    assert problems(page) == []


@pytest.mark.parametrize("way", ["pointer", "keyboard"])
def test_a_system_is_marked_in_figure_and_tables(page: Page, home, way):
    page.goto(f"{home}/shift/")
    line = page.locator('.on-desk .slope .line[data-system="beta"]')
    if way == "pointer":
        page.get_by_role("rowheader", name="beta").first.hover()
    else:
        line.focus()
    expect(line).to_have_class(re.compile("chosen"))
    expect(page.locator("tr.chosen").first).to_contain_text("beta")
    expect(page.locator('.on-desk .slope .line[data-system="alpha"]')).to_have_css("opacity", "0.18")
    page.get_by_role("heading", level=1).hover()
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("tr.chosen")).to_have_count(0)


def test_a_mark_shows_its_numbers_to_pointer_keyboard_and_touch(browser: Browser, page: Page, home):
    page.goto(f"{home}/shift/")
    numbers = page.locator(".tooltip")
    page.locator('.chart-ranges .on-desk .mark[data-system="beta"]').hover()
    expect(numbers).to_have_text(re.compile("^beta: rank "))
    expect(page.locator('.on-desk .slope .line[data-system="beta"]')).to_have_class(re.compile("chosen"))
    page.keyboard.press("Escape")
    expect(numbers).to_be_hidden()

    page.locator(".chart-ranges .scrolled").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".chart-ranges .on-desk .mark:focus")).to_have_attribute("data-system", "alpha")
    expect(numbers).to_have_text(re.compile("^alpha: rank "))
    page.keyboard.press("Enter")  # a mark without a source stays marked
    page.keyboard.press("ArrowDown")
    expect(page.locator(".chart-ranges .on-desk .mark.chosen")).to_have_count(2)

    context = browser.new_context(
        has_touch=True, viewport={"width": 390, "height": 800}, storage_state=page.context.storage_state()
    )
    phone = context.new_page()
    phone.goto(f"{home}/shift/")
    line = phone.locator('.on-phone .slope .line[data-system="beta"]')
    line.scroll_into_view_if_needed()
    line.locator("circle").first.tap()
    expect(phone.locator(".tooltip")).to_have_text(re.compile("^beta: rank "))
    line.locator("circle").first.tap()  # the second one opens where the system swaps
    expect(phone).to_have_url(re.compile("/shift/swaps/"))
    context.close()


NARROW = """figure => {
  const box = figure.parentElement, scale = figure.getBoundingClientRect().width / figure.viewBox.baseVal.width;
  const sizes = [...figure.querySelectorAll("text")].map(text => scale * parseFloat(getComputedStyle(text).fontSize));
  return {scrolls: box.scrollWidth > box.clientWidth, smallest: Math.min(...sizes)};
}"""


@pytest.mark.parametrize("path", ["", "leaderboard/", "mixed/", "intervals/"])
def test_a_phone_shows_intervals_without_scrolling_and_with_readable_text(page: Page, home, path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{home}/shift/{path}")
    figures = page.locator(".on-phone .figure")
    for figure in figures.all():
        found = figure.evaluate(NARROW)
        assert not found["scrolls"]
        assert found["smallest"] >= 12
    assert figures.count() == (2 if path == "intervals/" else 1)
    expect(page.locator(".on-desk .figure").first).to_be_hidden()


def test_a_phone_shows_all_of_a_row_of_imports_and_ids_in_one_line(page: Page, home):
    collection = Collection.objects.get()
    import_judgements(collection, b"1 0 a 1\n", "a-judge-whose-name-is-long")
    task = Task.objects.filter(document__doc_id="a").first()
    task.document.doc_id = "doc:" + "long.name." * 9
    task.document.save()
    create_adjudication(collection, [task], [candidates(collection)[0].name], "by hand")
    page.set_viewport_size({"width": 390, "height": 844})

    page.goto(f"{home}/import/")
    for link in page.get_by_role("link", name="Withdraw").all():
        box = link.bounding_box()
        assert box["x"] + box["width"] <= 390
    page.goto(f"{home}/documents/")
    expect(page.locator(".selected")).to_have_css("position", "static")
    page.goto(f"{home}/adjudication/")
    shown = page.locator(".doc-id")
    expect(shown).to_have_attribute("title", task.document.doc_id)
    assert shown.bounding_box()["height"] < 30
    assert shown.bounding_box()["width"] < 200


def test_a_choice_applies_at_once_and_stays_in_the_address(page: Page, home):
    page.goto(f"{home}/shift/")
    page.get_by_label("Compare it with").focus()
    page.get_by_label("Compare it with").select_option("union")
    expect(page.get_by_role("heading", name="judge:north and union")).to_be_visible()
    assert "against=union" in page.url
    expect(page.get_by_label("Compare it with")).to_be_focused()


def test_menu_of_a_phone_needs_no_script(browser: Browser, page: Page, home):
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 320, "height": 640}, storage_state=page.context.storage_state()
    )
    phone = context.new_page()
    phone.goto(f"{home}/")
    expect(phone.get_by_role("link", name="Agreement", exact=True)).to_be_hidden()
    phone.get_by_text("Menu", exact=True).click()
    phone.get_by_role("link", name="Agreement", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("How far do the judges agree?")
    phone.goto(f"{home}/")
    expect(phone.get_by_role("link", name="See the agreement").first).to_be_visible()
    context.close()


def test_only_the_fields_of_a_policy_are_shown(page: Page, home):
    page.goto(f"{home}/work/assign/")
    expect(page.get_by_label("Share with several assessors")).to_be_hidden()
    page.get_by_label("A share to several").check()
    expect(page.get_by_label("Share with several assessors")).to_be_visible()
    page.get_by_label("Some to everyone").check()
    expect(page.get_by_label("Documents for everyone")).to_be_visible()
    expect(page.locator(".by-policy").get_by_label("Assessors for each document")).to_be_hidden()
