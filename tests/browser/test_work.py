"""The work of a campaign in the browser: preview, assign, and a monitor that updates itself."""

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from assess.models import Assignment, Role
from assess.pools.assign import assign
from tests.assess.claiming import judge, upcoming
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.django_db(transaction=True)

# Pixels of each text that a figure shows: its font size, times how far the figure is enlarged.
TEXT_SIZES = """() => {
  const shown = [...document.querySelectorAll("svg text")].filter((text) => text.checkVisibility());
  return shown.map((text) => {
    const { b, d } = text.getScreenCTM();
    return Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(b, d);
  });
}"""


@pytest.mark.soak
def test_preview_assign_and_monitor(page: Page, sign_in, join):
    collection = small_collection(SMALL_RUNS)
    ada, _ = join(collection, "ada"), join(collection, "ben")
    page.clock.install()
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/work/assign/")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.get_by_text("14 new assignments of 7 documents")).to_be_visible()
    assert problems(page) == []
    page.get_by_role("button", name="Assign as shown").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Assign the tasks")
    call_command("worker", once=True, verbosity=0)
    assert Assignment.objects.count() == 14

    page.goto(page.url.partition("/jobs/")[0] + "/work/")
    expect(page.get_by_text("0 judgements by people are recorded and 14 are open")).to_be_visible()
    assert problems(page) == []
    judge(ada, upcoming(ada)[0])
    page.clock.run_for(16_000)
    expect(page.get_by_text("1 judgement by people is recorded and 13 are open")).to_be_visible()
    page.get_by_role("button", name="Pause judging").press("Enter")
    expect(page.get_by_text("Judging is not open.")).to_be_visible()
    assert problems(page) == []


def test_pages_of_the_work_have_no_axe_problems(page: Page, sign_in, join):
    collection = small_collection(SMALL_RUNS)
    ada, _ = join(collection, "ada"), join(collection, "ben")
    url = sign_in(join(collection, "olga", Role.OWNER))
    page.goto(f"{url}/work/pilot/")
    assert problems(page) == []
    page.get_by_label("Documents").fill("3")
    page.get_by_role("button", name="Assign the pilot").press("Enter")
    expect(page.get_by_role("heading", name="Pilot 1")).to_be_visible()
    assert problems(page) == []
    page.goto(f"{url}/work/people/?giver={ada.pk}")
    for details in page.locator("details").all():
        details.evaluate("element => { element.open = true; }")
    assert problems(page) == []


@pytest.mark.parametrize("width", [390, 640, 1280])
def test_text_of_the_judgements_per_hour_is_readable_on_every_screen(page: Page, sign_in, join, width):
    collection = small_collection(SMALL_RUNS)
    ada = join(collection, "ada")
    assign(collection, 1)
    judge(ada, upcoming(ada)[0])
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/work/")
    expect(page.locator(".chart-activity svg:visible")).to_have_count(1)
    assert min(page.evaluate(TEXT_SIZES)) >= 12
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_when_to_stop_has_no_axe_problems(page: Page, sign_in, join):
    collection = small_collection(SMALL_RUNS)
    ada = join(collection, "ada")
    assign(collection, 1)
    for task in upcoming(ada)[:3]:
        judge(ada, task)
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/work/")
    page.get_by_role("link", name="When to stop").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Does judging still find relevant documents?")
    assert problems(page) == []
    page.get_by_role("link", name="1", exact=True).press("Enter")
    expect(page.get_by_role("img", name="3 relevant found in 3 documents judged.")).to_be_visible()
    assert problems(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert problems(page) == []
