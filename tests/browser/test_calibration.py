"""Practice with explanations and a threshold, hidden checks that look like all others, and tables that scroll alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from assess.calibration.known_grades import KnownGradeRow, add_known_grades
from assess.calibration.overview import change_calibration
from assess.models import Admission, Collection, Document, Judgement, JudgementKind, Member
from assess.pools.assign import assign
from tests.browser.judging_page import eventually, press, saved, settle
from tests.factories import set_content, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PRACTICE = {"p1": 2, "p2": 0, "p3": 1}
CHECKS = ["c1", "c2", "c3"]
REGULAR = [f"doc{n}" for n in range(6)]
# What the page has of a document, without its own words and ids.
MARKUP = """() => {
  const copy = document.getElementById("card").cloneNode(true);
  for (const text of copy.querySelectorAll("#doc-title, #doc-meta, #doc-body, #highlight-count")) text.textContent = "";
  const buttons = [...document.querySelectorAll("footer button, footer summary")].map((each) => each.outerHTML);
  return [copy.outerHTML, ...buttons.filter((each) => !each.includes("undo") && !each.includes("redo"))];
}"""


@pytest.fixture
def collection(transactional_db) -> Collection:
    """Six pooled documents, and six that are in no pool. All have similar texts."""
    collection = small_collection({"alpha": {"1": REGULAR}}, grades=["0=none", "1=some", "2=much"], depth=6)
    for doc_id in (*PRACTICE, *CHECKS):
        Document.objects.create(collection=collection, doc_id=doc_id)
        set_content(collection.documents.filter(doc_id=doc_id), title=f"Title {doc_id}", text=f"Text of {doc_id}.")
    return collection


@pytest.fixture
def ada(collection, join) -> Member:
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


def add_practice(collection: Collection, threshold: float) -> None:
    rows = [KnownGradeRow("1", doc_id, str(grade), f"Because of {doc_id}.") for doc_id, grade in PRACTICE.items()]
    add_known_grades(collection, rows, "practice")
    change_calibration(collection, practice="admit", practice_measure="hits", practice_threshold=threshold)


def practise(page: Page, given: list[int]) -> list[str]:
    """Judge the practice documents by key, and return the heading and the explanation after each."""
    answers = []
    for grade in given:
        expect(page.get_by_role("heading", level=1)).to_have_text("Practice")
        page.keyboard.press(str(grade))
        page.wait_for_url("**/answer/")
        answers.append(page.get_by_role("heading", level=1).inner_text())
        expect(page.get_by_text(re.compile(r"^Because of p\d\.$"))).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("Next practice document|Continue"))).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url("**/practice/")
    return answers


def test_practice_explains_each_grade_and_admits_at_the_threshold(page, sign_in, ada):
    add_practice(ada.collection, 0.6)
    page.goto(f"{sign_in(ada)}/judge/")
    expect(page.get_by_text("First comes a practice")).to_be_visible()
    page.get_by_role("link", name="Practise").click()
    answers = practise(page, [2, 1, 1])  # 2, 0, 1 are known
    assert answers == ["Yes, that is the known grade", "The known grade differs", "Yes, that is the known grade"]
    expect(page.get_by_text("you gave 2 of 3 documents the known grade")).to_be_visible()
    page.get_by_role("link", name="Continue to your topics").click()
    page.get_by_role("link", name="Start judging").click()
    settle(page)
    press(page, "1")
    saved(page)
    assert Admission.objects.get(member=ada).below is False


def test_below_the_threshold_the_assessor_waits(page, sign_in, ada):
    add_practice(ada.collection, 0.7)
    page.goto(f"{sign_in(ada)}/judge/practice/")
    practise(page, [2, 1, 1])
    expect(page.get_by_text("That is below the threshold of this collection.")).to_be_visible()
    expect(page.get_by_role("link", name="Continue to your topics")).to_have_count(0)
    page.get_by_role("link", name="My topics").click()
    expect(page.get_by_role("link", name="Start judging")).to_have_count(0)
    topic = ada.collection.topics.get(query_id="1")
    page.goto(f"{page.url}{topic.pk}/")
    expect(page).to_have_url(re.compile("/practice/$"))
    assert not Admission.objects.exists()


def test_nothing_on_the_page_distinguishes_a_hidden_check(page, sign_in, ada):
    add_known_grades(ada.collection, [KnownGradeRow("1", doc_id, "1") for doc_id in CHECKS], "check")
    change_calibration(ada.collection, hidden_checks=True)
    cards: dict[str, dict] = {}

    def read_cards(response):
        if response.url.endswith("/next/") or "/next/?" in response.url:
            cards.update({card["doc_id"]: card for card in response.json()["cards"]})

    page.on("response", read_cards)
    page.goto(f"{sign_in(ada)}/judge/")
    page.get_by_role("link", name="Start judging").click()
    settle(page)
    loaded = page.evaluate("JSON.parse(document.getElementById('script-data').textContent).cards")
    cards.update({card["doc_id"]: card for card in loaded})
    seen, markups = [], []
    while page.locator("#card").is_visible():
        seen.append(page.locator("#doc-meta").inner_text())
        markups.append(page.evaluate(MARKUP))
        press(page, "1")
    saved(page)
    assert set(seen) == {*REGULAR, *CHECKS}
    assert len(seen) == 9
    assert all(markup == markups[0] for markup in markups)
    varying = {"task", "doc_id", "title", "text"}
    fields = [{name: value for name, value in card.items() if name not in varying} for card in cards.values()]
    assert len(fields) == 9
    assert all(each == fields[0] for each in fields)
    eventually(page, Judgement.objects.filter(repeat=JudgementKind.CHECK).count, 3)
    page.get_by_role("link", name="My judgements").click()
    rows = page.locator(".judgement-list li")
    shapes = {re.sub(r"doc\d|c\d", "", row.inner_text().split("active")[0]) for row in rows.all()}
    assert rows.count() == 9
    assert len({re.sub(r"\d", "", shape) for shape in shapes}) == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_wide_table_scrolls_on_its_own(page, sign_in, ada, width):
    row = "".join(f"<td>acolumnwithoutspaces{number}</td>" for number in range(40))
    set_content(ada.collection.documents.all(), text=f"<p>Before.</p><table><tr>{row}</table>", format="html")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{sign_in(ada)}/judge/")
    page.get_by_role("link", name="Start judging").click()
    settle(page)
    table = page.frame_locator("#doc-body iframe").locator("table")
    assert table.evaluate("(table) => { table.scrollLeft = 300; return table.scrollLeft; }") == 300
    root = "const root = table.ownerDocument.documentElement; return root.scrollWidth <= root.clientWidth;"
    assert table.evaluate(f"(table) => {{ {root} }}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
