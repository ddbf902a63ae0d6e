"""A researcher draws a random sample, an assessor judges it without notice, and the page states recall."""

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from assess.collections.topic_sets import set_topics
from assess.models import Role
from assess.pools.claims import open_to_claims
from tests.assess.pools.samples.imported import drawn, grade, import_all
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_sample_is_drawn_judged_and_read(page: Page, sign_in, join, tmp_path):
    collection = import_all(small_collection(SMALL_RUNS), tmp_path)
    open_to_claims(collection, 1)
    set_topics(collection, ["2"], "test")
    ada = join(collection, "ada")
    url = sign_in(join(collection, "olga", Role.OWNER))

    page.goto(f"{url}/work/stopping/")
    page.get_by_role("link", name="1", exact=True).press("Enter")
    assert problems(page) == []
    page.get_by_role("link", name="Include a sample").press("Enter")
    page.get_by_label("Documents for each topic").fill("12")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    expect(page.get_by_label("Topics", exact=True)).to_have_value("1")
    assert problems(page) == []
    page.get_by_role("button", name="Draw this sample").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Draw the sample")
    call_command("worker", once=True, verbosity=0)
    assert len(drawn(collection)) == 12

    grade(ada, drawn(collection), {"a", "d", "n03", "n04", "n11", "n12", "n17"})
    page.goto(f"{url}/work/stopping/?recall=0.5&confidence=0.7&target=2")
    expect(page.get_by_role("cell", name="12 of 12")).to_be_visible()
    assert problems(page) == []
    page.get_by_role("link", name="1", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Rules with a guarantee")).to_be_visible()
    expect(page.get_by_text("12 are judged")).to_be_visible()
    assert problems(page) == []
    page.goto(f"{url}/work/stopping/?set=test")
    assert problems(page) == []
    page.goto(f"{url}/work/stopping/sample/")
    expect(page.get_by_role("cell", name="all 29 documents of the collection that had a text")).to_be_visible()
    assert problems(page) == []
    page.goto(f"{url}/work/?set=test")
    assert problems(page) == []
