"""From a kappa to a release: the table of a pair, its documents, an adjudication, the ranking, a verified release."""

import pytest
from django.core.management import call_command
from playwright.sync_api import BrowserContext, Page, expect

from assess.models import Release
from tests.assess.adjudication.conftest import disputed, people  # noqa: F401
from tests.assess.command_output import output_of
from tests.browser.judging_page import press, saved, settle
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS)


@pytest.fixture
def researcher(page: Page, sign_in_user, people, live_server):  # noqa: F811
    sign_in_user(people["rita"].user, page.context)
    return page


def test_from_a_kappa_to_a_verified_release(
    researcher: Page,
    live_server,
    people,  # noqa: F811
    disputed,  # noqa: F811
    browser,
    sign_in_user,
):
    page, home = researcher, f"{live_server.url}/c/small"
    # The kappa of a pair opens its table, a cell of it opens its documents, and a document opens with every grade.
    page.goto(f"{home}/agreement/")
    page.get_by_role("link", name="ann and bob").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ann and bob agree on 57.1% of 7 documents")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="relevant", exact=True)).first
    row.get_by_role("link").first.click()  # ann says 1, bob says 0
    expect(page.get_by_text("3 documents", exact=False).first).to_be_visible()
    documents = page.url
    page.locator("table.documents tbody a").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for name in ("ann", "bob", "alpha", "beta"):
        expect(page.get_by_text(name, exact=False).first).to_be_visible()
    # Three documents are adjudicated by somebody who judged none of them.
    page.goto(documents)
    for box in page.get_by_role("checkbox", name="Select").all():
        box.check()
    page.get_by_role("button", name="Adjudicate the selected documents").click()
    page.get_by_label("cleo").check()
    page.get_by_role("button", name="Assign the documents").click()
    expect(page.get_by_text("0 of 3 disputed documents decided.")).to_be_visible()
    decide_all(browser.new_context(), sign_in_user, people["cleo"], home)
    sign_in_user(people["rita"].user, page.context)  # the sign-in of another user ended the session
    page.goto(f"{home}/adjudication/")
    expect(page.get_by_text("3 of 3 disputed documents decided.")).to_be_visible()
    # The ranking before and after: under both judges, and under the decisions.
    page.get_by_role("link", name="Does the ranking change with the decisions?").click()
    for gold in ("adjudicated", "majority"):
        expect(page.get_by_role("columnheader", name=gold).first).to_be_visible()
    # The gold is released, and the release is verified against the database.
    page.goto(f"{home}/releases/")
    page.get_by_label("Name", exact=True).fill("main")
    page.get_by_label("Gold", exact=True).select_option("adjudicated")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Release this gold").click()
    call_command("worker", once=True, verbosity=0)
    expect(page.get_by_text("Released main, version 1", exact=False)).to_be_visible()
    assert Release.objects.get().spec["rule"] == "adjudicated"
    assert output_of("verify_release", "--collection", "small", "--name", "main")[-1].endswith(": no differences.")


def decide_all(context: BrowserContext, sign_in_user, adjudicator, home: str) -> None:
    """Decide every document by key: 1 in the first topic, 0 in the second."""
    sign_in_user(adjudicator.user, context)
    page = context.new_page()
    for key in ("1", "0"):
        page.goto(f"{home}/judge/")
        page.get_by_role("link", name="judging").first.click()
        settle(page)
        while page.locator("#card").is_visible():
            press(page, key)
        saved(page)
    context.close()
