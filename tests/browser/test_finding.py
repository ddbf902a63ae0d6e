"""A searcher and a learner find relevant documents that no run retrieved: pool, gold and ranking before and after."""

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from agreement import evaluate
from assess.analysis.data import collection_gold
from assess.collections import runfiles
from assess.models import Collection, OpenedResult, Proposal, Provenance
from assess.pools.building.build import build_pool
from assess.search.index import index_documents
from tests.assess.pools.adaptive import pooled
from tests.assess.pools.learning.whole import begin, doc_ids, judge_cards, relevant, whole_collection
from tests.assess.search.found import add_searcher
from tests.browser.judging_page import press, saved, settle
from tests.browser.test_learner import train_what_is_due

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# Documents 0, 6, 12, ... are about topic 1, and 1, 7, 13, ... about topic 2. "first" is better in topic 1 and "second"
# in topic 2. The runs have two of the fifteen relevant documents of topic 1.
RUNS = {
    "first": {"1": ["d000", "d006", "d002", "d003"], "2": ["d001", "d002", "d003", "d007"]},
    "second": {"1": ["d002", "d000", "d003", "d006"], "2": ["d001", "d007", "d002", "d003"]},
}
SEARCHED, PROPOSED = 2, 20


def ranking(collection: Collection) -> list[str]:
    """The systems by mean AP under the union of all judgements, best first."""
    gold = collection_gold(collection, "union", 1)
    runs = pd.concat(map(runfiles.load, collection.runs.all()))
    return evaluate(runs, gold, "AP", per_query=False).sort_values("value", ascending=False)["system"].tolist()


def relevant_in_gold(collection: Collection) -> set[str]:
    gold = collection_gold(collection, "union", 1)
    return set(gold.loc[(gold["query_id"] == "1") & (gold["relevance"] > 0), "doc_id"])


def test_what_searching_and_learning_find_changes_the_ranking(page: Page, sign_in, join):
    whole = whole_collection(runs=RUNS)
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    eve = add_searcher(whole, "eve")
    index_documents(whole)
    build_pool(whole, depth=4)
    for judged in whole.topics.all():
        judge_cards(ada, judged, doc_ids(ada, judged, limit=20))
    retrieved = set(pooled(topic))
    assert relevant_in_gold(whole) == {"d000", "d006"}
    assert ranking(whole) == ["first", "second"]

    by_search = search_and_judge(page, sign_in(eve), topic)
    begin(whole)
    by_learner = judge_proposals(page, sign_in(ada), topic)

    found = relevant_in_gold(whole) - retrieved
    assert len(by_search & found) == SEARCHED
    assert len(by_learner & found) > 5
    assert by_search.isdisjoint(by_learner)
    assert set(pooled(topic)) >= retrieved | by_search | by_learner
    assert ranking(whole) == ["second", "first"]
    # each document knows how it came into the pool
    new = Provenance.objects.filter(task__topic=topic, task__document__doc_id__in=by_search | by_learner)
    assert {(tuple(each.systems), each.best_rank) for each in new} == {((), 0)}
    assert set(OpenedResult.objects.values_list("document__doc_id", flat=True)) == by_search
    proposals = Proposal.objects.filter(model__topic=topic, document__doc_id__in=by_learner)
    assert proposals.values("document").distinct().count() == PROPOSED


def search_and_judge(page: Page, home: str, topic) -> set[str]:
    """Judge the first results of a search that no run retrieved. Returns their doc_ids."""
    page.goto(f"{home}/judge/search/{topic.pk}/")
    page.fill("#query", "ship AND harbour")
    page.keyboard.press("Enter")
    expect(page.locator(".results li").first).to_be_visible()
    found: set[str] = set()
    number = 1
    while len(found) < SEARCHED:
        page.click(f"#result-{number} button")
        settle(page)
        doc_id = page.locator("#doc-meta").inner_text()
        if doc_id in {"d000", "d006"}:
            page.click("#keep")
        else:
            assert relevant(topic, doc_id)
            page.keyboard.press("1")
            found.add(doc_id)
            expect(page.locator(f"#result-{number}")).to_contain_text("You judged: 1")
        number += 1
    return found


def judge_proposals(page: Page, home: str, topic) -> set[str]:
    page.goto(f"{home}/judge/{topic.pk}/")
    settle(page)
    judged = set()
    for number in range(PROPOSED):
        doc_id = page.locator("#doc-meta").inner_text()
        press(page, str(relevant(topic, doc_id)))
        judged.add(doc_id)
        if number % 5 == 4:
            saved(page)
            train_what_is_due()
    saved(page)
    return judged
