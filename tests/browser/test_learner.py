"""An assessor judges what a learner proposes, and finds relevant documents that no run retrieved."""

import pytest
from playwright.sync_api import expect

from assess.analysis.data import collection_gold
from assess.jobs.run import run
from assess.models import Job, JobState, LearnerModel
from assess.pools.building.build import build_pool
from tests.assess.pools.adaptive import pooled
from tests.assess.pools.learning.whole import begin, relevant, whole_collection
from tests.browser.judging_page import press, saved, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

RETRIEVED = ["d000", "d001", "d006", "d007", "d012"]
JUDGED = 30


def test_assessor_finds_relevant_documents_that_no_run_retrieved(page, sign_in, join):
    whole = whole_collection(runs={"only": {"1": RETRIEVED, "2": ["d001"]}})
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    build_pool(whole, depth=5)
    assert pooled(topic) == RETRIEVED
    begin(whole)
    page.goto(f"{sign_in(ada)}/judge/{topic.pk}/")
    settle(page)
    for number in range(JUDGED):
        doc_id = page.locator("#doc-meta").inner_text()
        press(page, str(relevant(topic, doc_id)))
        if number % 10 == 9:
            saved(page)
            train_what_is_due()
    saved(page)
    expect(page.locator("#document")).to_be_visible()  # there is more
    gold = collection_gold(whole, "union", 1)
    found = set(gold.loc[gold["relevance"] > 0, "doc_id"])
    assert len(found) > 8  # of 15
    assert len(found - set(RETRIEVED)) > 5
    assert set(pooled(topic)) > {*RETRIEVED, *gold["doc_id"]}
    assert LearnerModel.objects.filter(topic=topic).count() > 2


def train_what_is_due() -> None:
    """Let a worker run the jobs that wait."""
    for job in Job.objects.filter(state=JobState.WAITING):
        run(job.pk, 1)
        job.refresh_from_db()
        assert job.state == JobState.DONE
