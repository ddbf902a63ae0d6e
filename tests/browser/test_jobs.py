"""A pool that is built in the background, while its page updates itself."""

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, Route, expect

from assess.models import Job, JobState, Role, Task, Worker
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_pool_is_built_while_the_page_is_open(page: Page, sign_in, join):
    page.goto(f"{sign_in(join(small_collection(SMALL_RUNS), 'olga', Role.OWNER))}/pool/")
    page.get_by_label("Ranks of each run").fill("3")
    page.get_by_label("Ranks of each run").press("Enter")
    page.get_by_role("button", name="Add these documents to the pool").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Build the pool")
    expect(page.get_by_text("No worker is running")).to_be_visible()
    assert problems(page) == []
    Worker.objects.create(name="worker")
    Job.objects.update(state=JobState.RUNNING, stage="Reading runs", progress_done=1, progress_total=2)
    expect(page.get_by_text("Reading runs")).to_be_visible()
    expect(page.get_by_text("No worker is running")).to_be_hidden()
    assert problems(page) == []
    Job.objects.update(state=JobState.WAITING)
    before = Task.objects.count()
    call_command("worker", once=True, verbosity=0)
    added = Task.objects.count() - before
    expect(page.get_by_text(f"{added} of them new")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    assert problems(page) == []


def test_job_is_cancelled_by_keyboard(page: Page, sign_in, join):
    page.goto(f"{sign_in(join(small_collection(SMALL_RUNS), 'olga', Role.OWNER))}/pool/")
    page.get_by_role("button", name="Preview").press("Enter")
    page.get_by_role("button", name="Add these documents to the pool").press("Enter")
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible()


def test_a_page_that_loads_itself_again_asks_for_nothing_more(page: Page, sign_in, join):
    """The page arrives later than the next question would be asked."""
    address = f"{sign_in(join(small_collection(SMALL_RUNS), 'olga', Role.OWNER))}/pool/"
    page.goto(address)
    page.get_by_role("button", name="Preview").press("Enter")
    page.get_by_role("button", name="Add these documents to the pool").press("Enter")
    expect(page.get_by_text("No worker is running")).to_be_visible()
    page.route("**/pool/**", lambda route: _late(page, route))
    call_command("worker", once=True, verbosity=0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.resource_type))
    page.wait_for_event("load", timeout=20_000)
    assert asked.count("document") == 1
    assert "xhr" not in asked[asked.index("document") :]


def _late(page: Page, route: Route) -> None:
    if route.request.resource_type == "document":
        page.wait_for_timeout(5000)
    route.continue_()
