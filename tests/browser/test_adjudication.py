"""Adjudication and norming in a real browser: chosen on a page, decided by keys, compared on the page."""

import os

import pytest
from playwright.sync_api import Page, expect

from assess.models import Judgement, JudgementKind
from assess.norming.rounds import begin_norming, move_on
from tests.assess.adjudication.conftest import disputed, people  # noqa: F401
from tests.assess.claiming import judge, upcoming
from tests.browser.axe import problems
from tests.browser.judging_page import settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def collection(db):
    from tests.factories import SMALL_RUNS, small_collection

    return small_collection(SMALL_RUNS)


def shoot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        for scheme, width, height in (("light", 1280, 720), ("dark", 1280, 720), ("light", 360, 740)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{scheme}-{width}.png", full_page=True)


@pytest.mark.soak
def test_a_researcher_adjudicates_by_keys(page: Page, sign_in_user, live_server, disputed, people):  # noqa: F811
    sign_in_user(people["rita"].user, page.context)
    page.goto(f"{live_server.url}/c/small/adjudication/")
    assert problems(page) == []
    shoot(page, "adjudication-empty")
    page.get_by_label("Documents", exact=True).select_option("distance")
    page.get_by_label("rita").check()
    page.get_by_label("Show the grades of the judges").check()
    page.get_by_role("button", name="Assign the documents").click()
    expect(page.get_by_text("0 of 3 disputed documents decided.")).to_be_visible()
    page.get_by_role("link", name="Decide your 3 documents").click()
    page.get_by_role("link", name="Start judging").click()
    expect(page.get_by_text("They gave 0, 1.")).to_be_visible()
    settle(page)
    shoot(page, "adjudication-judging")
    page.keyboard.press("1")
    expect(page.get_by_text("This topic is done")).to_be_visible()
    page.goto(f"{live_server.url}/c/small/adjudication/")
    expect(page.get_by_text("1 of 3 disputed documents decided.")).to_be_visible()
    assert Judgement.objects.get(repeat=JudgementKind.DECISION).relevance == 1
    assert problems(page) == []
    shoot(page, "adjudication")


def test_norming_pages(page: Page, sign_in_user, live_server, disputed, people):  # noqa: F811
    begin_norming(disputed, 3, ["cleo", "dan"], "1")
    for name, grades in (("cleo", (1, 1, 0)), ("dan", (1, 0, 0))):
        for task, grade in zip(upcoming(people[name]), grades, strict=True):
            judge(people[name], task, **({"comment": "not hot"} if grade else {}))
    move_on(disputed, 1, "before")
    sign_in_user(people["cleo"].user, page.context)
    page.goto(f"{live_server.url}/c/small/judge/norming/")
    assert problems(page) == []
    shoot(page, "norming-votes")
    sign_in_user(people["rita"].user, page.context)
    page.goto(f"{live_server.url}/c/small/norming/")
    page.get_by_role("button", name="Let the group judge again").click()
    expect(page.get_by_text("Round 1: judging after the discussion")).to_be_visible()
    assert problems(page) == []
    shoot(page, "norming")
