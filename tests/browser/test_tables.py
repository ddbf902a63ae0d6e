"""Tables that sort by a click on a heading."""

import pytest
from playwright.sync_api import Page

from assess.models import KnownGrade, Role, Task

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
