"""A campaign over the API and in the browser at once, against a real server with its worker and two search engines.

An owner of an empty site makes a token in the browser. The client creates a collection, asks two engines for runs, and
invites. Of three assessors, one judges in the browser while two judge by API. The figures that the client gets are the
bytes of the pages, and the release has the gold that the client computes.
"""

import re
import threading
from collections.abc import Iterator

import pandas as pd
import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from agreement import make_gold
from assay.remote import Site
from assay.remote.collection import Collection
from tests.assess.management.test_serve import PROJECT, serve
from tests.browser.waiting import saved, settle
from tests.deploy.test_worker import run
from tests.pooling.live import servers
from tests.pooling.live.servers import Server
from tests.wheel.installed import free_port

pytestmark = pytest.mark.slow
PASSWORD = "right and long"
NAMES = ("ann", "bob", "cyd")
TOPICS = {"1": "rye bread", "2": "river bridge", "3": "flour"}


@pytest.fixture
def site(tmp_path) -> Iterator[str]:
    """The address of an empty site, followed by the link of its first owner."""
    port = free_port()
    with serve(tmp_path / "data", port) as (_, output):
        link = next(line.strip() for line in output.splitlines() if "/account/owner/" in line)
        yield link


@pytest.fixture
def engines():
    with Server(servers.elasticsearch) as elasticsearch, Server(servers.solr) as solr:
        yield {"elasticsearch": f"{elasticsearch.url}/news", "solr": f"{solr.url}/solr/news"}


def test_three_assessors_judge_by_api_and_in_the_browser_at_once(site, engines, browser, tmp_path):
    root = site.partition("/account/")[0]
    owner = account(browser, site, "olga", "Create the account and sign in")
    client = Site(root, token(owner, root, "manage"))
    for address in engines.values():
        allow(tmp_path, address)
    food = collection_with_runs(client, engines)
    link = food.invite(uses=3)
    people = [account(browser, link, name, "Create") for name in NAMES]
    food.assign(judges=3)
    judge_at_once(people, root, food.slug)
    compare_with_pages(food, owner, root)
    compare_release(food)


def account(browser: Browser, link: str, name: str, button: str) -> Page:
    """Open a link in a browser of its own, and create an account there."""
    page = browser.new_context().new_page()
    page.goto(link)
    for label, text in (("Name", name), ("Password", PASSWORD), ("Password confirmation", PASSWORD)):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("button", name=button).click()
    page.wait_for_url(lambda url: "/owner/" not in url and "/invitation/" not in url)
    return page


def token(page: Page, root: str, scope: str) -> str:
    """Make a token on the account page."""
    page.goto(f"{root}/account/tokens/")
    page.get_by_label("Name", exact=True).fill("script")
    page.get_by_label("Scope", exact=True).select_option(scope)
    page.get_by_role("button", name="Create the token").click()
    return page.locator("#new-token").inner_text()


def allow(tmp_path, address: str) -> None:
    """Allow the host of an engine by command, as the owner of the site does."""
    from tests.assess.management.test_serve import assay_environment

    environment = assay_environment() | {"PYTHONPATH": str(PROJECT)}
    host = address.removeprefix("http://").partition("/")[0]
    run(environment, "-m", "assay", "--data", str(tmp_path / "data"), "allow_host", host)


def collection_with_runs(client: Site, engines: dict[str, str]) -> Collection:
    food = client.create_collection("Food", scale=["0=no", "1=yes"])
    topics = pd.DataFrame({"query_id": list(TOPICS), "title": list(TOPICS.values())})
    food.upload_topics(topics).wait(progress=False)
    for kind, address in engines.items():
        food.save_engine(kind, kind, address)
        result = food.ask_engine(kind, system=kind, depth=3).wait(progress=False).result
        assert (result["failed"], result["topics"]) == ({}, len(TOPICS))
    assert food.runs().to_pandas()["system"].tolist() == list(engines)
    pooled = food.pool("depth", depth=3).wait(progress=False).result["pooled"]
    assert pooled == len({(topic, doc) for topic, title in TOPICS.items() for doc, _ in servers.search(title, 3)})
    assert food.documents().to_pandas()["has_text"].all()
    return food


def judge_at_once(people: list[Page], root: str, slug: str) -> None:
    """Two judge by API in threads while the first presses keys."""
    tokens = [token(page, root, "judge") for page in people[1:]]
    failures: list[BaseException] = []

    def by_api(text: str, period: int) -> None:
        try:
            judge_by_api(Site(root, text).collection(slug), period)
        except BaseException as error:  # noqa: BLE001, RUF100 - the test reports it
            failures.append(error)

    threads = [threading.Thread(target=by_api, args=(text, n)) for n, text in enumerate(tokens, 2)]
    for thread in threads:
        thread.start()
    judge_in_browser(people[0], f"{root}/c/{slug}/judge/")
    for thread in threads:
        thread.join()
    assert failures == []


def judge_by_api(mine: Collection, period: int) -> None:
    number = 0
    for topic in mine.judging_topics():
        while tasks := mine.tasks(topic["query_id"]):
            for task in tasks:
                mine.judge(task, int(number % period > 0))
                number += 1


def judge_in_browser(page: Page, address: str) -> None:
    """Judge all documents of each topic by key."""
    for title in TOPICS.values():
        page.goto(address)
        page.get_by_role("link", name=re.compile("(Start|Continue) judging")).click()
        settle(page)
        for number in range(len(servers.search(title, 3))):
            page.keyboard.press(str(number % 2))
            settle(page)
        saved(page)
    page.goto(address)
    expect(page.get_by_text("documents are judged.")).to_be_visible()


def compare_with_pages(food: Collection, owner: Page, root: str) -> None:
    """The client's figures are the bytes of the pages' downloads."""
    for page, figure in (("agreement", "pairs"), ("shift", "slope")):
        of_client = food.figure(page, figure)  # first, because it waits for the job that computes it
        address = reverse(f"research:{page}_chart", kwargs={"slug": food.slug, "figure": figure, "kind": "svg"})
        assert of_client == owner.request.get(f"{root}{address}").body(), page
    judgements = food.judgements()
    assert judgements.groupby("assessor").size().nunique() == 1
    assert judgements["assessor"].nunique() == len(NAMES)
    downloaded = owner.request.get(f"{root}/c/{food.slug}/judgements.csv").body()
    assert food.judgements_csv() == downloaded


def compare_release(food: Collection) -> None:
    job = food.create_release("majority", "first").wait(progress=False)
    (release,) = food.releases()
    assert job.result
    name = next(name for name in food.release_files(release["id"]) if name.startswith("qrels"))
    released = food.release_file(release["id"], name).decode().split("\n")
    gold = make_gold(food.judgements(), "majority", scale=food.scale)
    assert {tuple(line.split()[::2]) for line in released if line} == {
        (row.query_id, row.doc_id) for row in gold.itertuples(index=False)
    }
