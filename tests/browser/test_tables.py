"""Tables that sort by a click on a heading."""

import re

import pytest
from playwright.sync_api import Page, expect

from assess.models import Assignment, KnownGrade, Role, Task, Topic

pytestmark = pytest.mark.django_db(transaction=True)


def test_times_and_numbers_with_thousands_separators_are_sorted_by_value(page: Page, sign_in, collection, join):
    for system, lines in (("alpha", 2_000_000), ("beta", 900), ("gamma", 1_204)):
        collection.runs.filter(system=system).update(line_count=lines)
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/runs/")
    runs = page.locator("table", has=page.get_by_role("columnheader", name="imported (UTC)"))
    for number, run in enumerate(collection.runs.order_by("-system"), start=1):
        collection.runs.filter(pk=run.pk).update(imported_at=f"2026-05-0{number}T10:00Z")
    page.reload()
    runs.get_by_role("button", name="imported (UTC)").click()
    assert [name.strip() for name in runs.locator("tbody th").all_inner_texts()] == ["gamma", "beta", "alpha"]
    runs.get_by_role("button", name="lines").click()
    assert [name.strip() for name in runs.locator("tbody th").all_inner_texts()] == ["beta", "gamma", "alpha"]
    assert runs.locator("tbody tr > :nth-child(3)").all_inner_texts() == ["900", "1,204", "2,000,000"]


def test_a_column_of_buttons_does_not_sort(page: Page, sign_in, collection, join):
    task = Task.objects.first()
    KnownGrade.objects.create(task=task, use="practice", relevance=1)
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/work/calibration/")
    table = page.locator("table", has=page.get_by_role("button", name=f"Remove {task.document.doc_id}"))
    sorting = ["topic", "document", "grade", "explanation", "judged by"]
    assert table.locator("thead button").all_inner_texts() == sorting
    assert table.get_by_role("columnheader", name="remove").get_by_role("button").count() == 0


@pytest.fixture
def topics(page: Page, sign_in, collection, join) -> Page:
    """The page of 62 topics."""
    rows = [Topic(collection=collection, query_id=str(100 + n), title=f"tea {n}") for n in range(60)]
    Topic.objects.bulk_create(rows)
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/topics/")
    return page


def ids(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("#table-topics tbody th").all_inner_texts()]


def test_a_long_table_is_sorted_filtered_and_continued_in_place(topics: Page):
    topics.get_by_label("Ids of topics").fill("not lost")  # the rest of the page stays
    assert len(ids(topics)) == 25
    topics.get_by_role("columnheader", name="topic").get_by_role("link").click()
    topics.locator("thead [aria-sort=ascending]").get_by_role("link").click()
    expect(topics.locator("#table-topics tbody th").first).to_have_text("159")
    assert ids(topics) == [str(n) for n in range(159, 134, -1)]
    topics.get_by_role("link", name="Show all 62 rows").click()
    expect(topics.locator("#table-topics tbody tr")).to_have_count(62)
    box = topics.get_by_role("searchbox", name="Filter the rows")
    box.press_sequentially("tea 1")
    expect(topics.locator("#table-topics tbody tr")).to_have_count(11)
    expect(box).to_be_focused()
    expect(topics).to_have_url(re.compile(r"/topics/\?find-topics=tea\+1&sort-topics=-topic&rows-topics=all$"))
    expect(topics.get_by_label("Ids of topics")).to_have_value("not lost")
    shown = ids(topics)
    topics.reload()
    assert ids(topics) == shown


def test_one_box_checks_all_rows_of_the_page(topics: Page):
    topics.get_by_role("checkbox", name="All rows of the page").check()
    assert topics.locator("tbody input:checked").count() == 25
    topics.get_by_label("Set", exact=True).select_option("test")
    topics.get_by_role("button", name="Put them into this set").click()
    expect(topics.get_by_text("25 topics now belong to the test set.")).to_be_visible()


def test_two_tables_keep_each_others_choices(page: Page, sign_in, collection, join):
    members = [join(collection, f"judge{n}") for n in range(41)]
    work = Task.objects.first()
    for member in members:
        Assignment.objects.create(task=work, topic=work.topic, member=member, position=1)
    Topic.objects.bulk_create([Topic(collection=collection, query_id=str(100 + n), title="tea") for n in range(41)])
    page.goto(f"{sign_in(join(collection, 'olga', Role.OWNER))}/work/")
    page.locator("#tools-topics").get_by_role("searchbox").fill("tea")
    expect(page.get_by_text("25 of 41 rows with “tea”")).to_be_visible()
    page.locator("#tools-assessors").get_by_role("searchbox").fill("assessor-3")
    expect(page.get_by_text("11 rows with “assessor-3”")).to_be_visible()
    expect(page).to_have_url(re.compile(r"find-topics=tea&find-assessors=assessor-3$"))
