"""Creating a collection, changing its settings and deleting it in a real browser."""

import os

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from assess.collections.scale import GradeSpec, grades_of
from assess.models import Collection, Job, Role
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def root(page: Page, sign_in_user, django_user_model, live_server):
    sign_in_user(django_user_model.objects.create_superuser("root"), page.context)
    page.goto(f"{live_server.url}/collections/new/")
    return page


def shoot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        for scheme, width, height in (("light", 1280, 720), ("dark", 1280, 720), ("light", 360, 740)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{scheme}-{width}.png", full_page=True)


def test_collection_is_created_with_an_edited_template(root: Page):
    assert problems(root) == []
    root.get_by_label("Name", exact=True).press_sequentially("Hot Drinks: é")
    expect(root.get_by_label("Name in addresses")).to_have_value("hot-drinks-e")
    root.get_by_label("Start from").select_option("dl")
    preview = root.get_by_role("region", name="Preview")
    expect(preview.get_by_text("Perfectly relevant")).to_be_visible()
    expect(root.get_by_label("Name of grade 4")).to_have_value("Perfectly relevant")
    root.get_by_label("Name of grade 4").fill("Perfect")
    root.get_by_label("Name of grade 4").press("Tab")
    expect(preview.get_by_text("Perfect", exact=True)).to_be_visible()
    expect(root.get_by_label("Colour of grade 4")).to_be_focused()
    root.get_by_label("Value of grade 4").fill("0")
    root.get_by_label("Value of grade 4").press("Tab")
    expect(preview.get_by_text("A scale needs 2 to 10 grades")).to_be_visible()
    assert problems(root) == []
    root.get_by_label("Value of grade 4").fill("3")
    root.get_by_label("Value of grade 4").press("Tab")
    expect(preview.get_by_text("Perfect", exact=True)).to_be_visible()
    shoot(root, "create")
    root.get_by_role("button", name="Create the collection").click()
    expect(root.get_by_role("heading", level=1)).to_have_text("Hot Drinks: é")
    collection = Collection.objects.get(slug="hot-drinks-e")
    assert grades_of(collection)[3] == GradeSpec(3, "Perfect", "is about the query and has the exact answer", "#22663b")


def test_enter_in_the_name_creates_the_collection(root: Page):
    root.get_by_label("Name", exact=True).fill("Drinks")
    root.get_by_label("Name", exact=True).press("Enter")
    expect(root.get_by_role("heading", level=1)).to_have_text("Drinks")


@pytest.mark.soak
def test_settings_are_changed_and_the_collection_deleted(page: Page, sign_in, join):
    root = sign_in(join(small_collection(SMALL_RUNS), "olga", Role.OWNER))
    page.goto(f"{root}/settings/")
    assert problems(page) == []
    page.get_by_label("Name of grade 2").fill("Hot")
    page.get_by_label("Name of grade 2").press("Tab")
    expect(page.get_by_role("region", name="Preview").get_by_text("Hot")).to_be_visible()
    page.get_by_label("Colour of grade 2").select_option("red")
    page.get_by_role("button", name="Save the scale").click()
    expect(page.get_by_text("The scale is saved.")).to_be_visible()
    shoot(page, "settings")
    page.get_by_role("link", name="See what will be lost, and delete").click()
    assert problems(page) == []
    shoot(page, "delete")
    page.get_by_label("to delete it").fill("small")
    page.get_by_label("to delete it").press("Enter")
    expect(page.get_by_text("The job waits for the worker.")).to_be_visible()
    assert problems(page) == []
    call_command("worker", once=True, verbosity=0)
    expect(page.get_by_text("Deleted Small with 2 topics")).to_be_visible()
    assert not Collection.objects.exists()
    assert Job.objects.get().state == "done"


def test_baselines_page(page: Page, sign_in, join):
    page.goto(f"{sign_in(join(small_collection(SMALL_RUNS), 'olga', Role.OWNER))}/baselines/")
    assert problems(page) == []
    shoot(page, "baselines")
    page.get_by_role("button", name="Make the runs").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Baseline runs")
