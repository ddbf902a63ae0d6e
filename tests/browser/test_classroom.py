"""A lesson with an instructor and three students, each in their own browser."""

import csv
import io
import re

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

import agreement
from assess.models import Judgement
from assess.teaching import clock
from tests.assess.classroom import add_instructor, create_exercise, judge_all
from tests.browser.axe import problems
from tests.browser.judging_page import saved, settle
from tests.factories import small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

RUNS = {
    "alpha": {"1": ["a", "b", "c", "d", "e", "f"]},
    "beta": {"1": ["f", "e", "d", "c", "b", "a"]},
}
GRADES = {"Ada": "110010", "Bob": "101010", "Cyd": "110011"}  # by place in the order of the documents' ids


@pytest.fixture
def prof(db):
    return add_instructor(small_collection(RUNS, depth=6))


def polling_every(ms: int) -> str:
    """A script that changes the interval at which a page requests the state of the exercise."""
    return f"""addEventListener("DOMContentLoaded", () => {{
      for (const live of document.querySelectorAll("[data-interval]")) live.dataset.interval = {ms};
    }})"""


@pytest.fixture(autouse=True)
def impatient(page):
    page.context.add_init_script(polling_every(300))


@pytest.fixture
def new_student(browser: Browser, live_server):
    """A function that opens another browser and joins the exercise with its code."""
    contexts, errors = [], []

    def new_student(nickname: str, code: str, **options) -> Page:
        contexts.append(browser.new_context(**options))
        contexts[-1].add_init_script(polling_every(300))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{live_server.url}/join/")
        page.get_by_label("Exercise code").fill(f"{code[:3]} {code[3:]}".lower())
        page.get_by_role("button", name="Continue").click()
        page.get_by_label("Your nickname").fill(nickname)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text(f"You have joined as {nickname}.")).to_be_visible()
        return page

    yield new_student
    for context in contexts:
        context.close()
    assert errors == []


def make_exercise(page: Page, live_server) -> str:
    """Create an exercise with the form. Return the code on its screen."""
    page.goto(f"{live_server.url}/teach/")
    page.locator("#main").get_by_role("link", name="New exercise").click()
    page.get_by_label("Title (students can see it)").fill("Do we agree?")
    page.get_by_label("Documents that all students judge").fill("6")
    expect(page.get_by_label("Kappa by hand: you and your partner")).to_be_checked()
    page.get_by_role("button", name="Create exercise").click()
    expect(page.get_by_text("practice document", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Create it anyway").click()  # the warning: no document is left for practice
    return page.locator(".big-code").inner_text()


def grade_of(page: Page, nickname: str) -> str:
    return GRADES[nickname]["abcdef".index(page.locator("#doc-meta").inner_text())]


def judge_by_key(page: Page, nickname: str, documents: int):
    for done in range(documents):
        settle(page)
        page.keyboard.press(grade_of(page, nickname))
        expect(page.locator("#progress-topic")).to_contain_text(f"{done + 1} of {documents}")
    settle(page)
    saved(page)


def judge_by_touch(page: Page, nickname: str, documents: int):
    for done in range(documents):
        settle(page)
        page.wait_for_timeout(700)  # two quick taps in one place are a double click
        page.locator(f'.grades button[value="{grade_of(page, nickname)}"]').tap()
        expect(page.locator("#progress-topic")).to_contain_text(f"{done + 1} of {documents}")
    settle(page)
    saved(page)


def test_lesson_from_creation_to_reveal(page: Page, sign_in, prof, live_server, new_student):
    sign_in(prof)
    code = make_exercise(page, live_server)
    phone = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 800}}
    students = {name: new_student(name, code, **(phone if name == "Cyd" else {})) for name in GRADES}
    expect(page.locator(".seats li")).to_have_count(3)  # the page updates automatically
    page.get_by_role("button", name="Start").click()
    for name, student in students.items():
        student.get_by_role("link", name="Judge", exact=True).click()  # the page updates automatically
        (judge_by_touch if name == "Cyd" else judge_by_key)(student, name, documents=6)
    expect(page.get_by_text("3 students, 18 of 18 judgements, 3 finished.")).to_be_visible()
    assert not re.search(r"relevant", page.locator("[data-live-rows]").inner_text(), re.IGNORECASE)
    students["Ada"].get_by_role("link", name="Back to the exercise").first.click()
    expect(students["Ada"].get_by_text("All 6 documents are judged.")).to_be_visible()
    page.get_by_role("button", name="End").click()
    expect(students["Ada"].get_by_text("Judging has ended.")).to_be_visible()
    work_by_hand(page, students["Ada"])
    judgements = exported(page, "Judgements as CSV")
    assert grades_in(judgements) == GRADES
    marks = [row for row in exported(page, "Marks as CSV") if row["tries"] != "0"]
    assert [(row["seat"], row["step"], row["marks"], row["tries"]) for row in marks] == [("Ada", "n", "1", "2")]
    shown = reveal_two_steps(page, students["Ada"])
    kappa = agreement.pooled_kappa(of_two(judgements, "Ada", "Bob"))
    # 110010 and 101010: (4/6 - 1/2) / (1 - 1/2) = 1/3
    assert kappa.value == pytest.approx(1 / 3, abs=1e-12)
    assert shown == f"Bob and Ada: {kappa.value:.2f}, n = 6, P(A) 0.67"


def work_by_hand(page: Page, student: Page):
    """The instructor opens the worksheets. A wrong number shows a hint, a correct one earns its mark."""
    page.get_by_role("button", name="Open the worksheets").click()
    student.get_by_role("link", name="Kappa by hand: you and your partner").click()  # the page updates automatically
    documents = student.locator("#n")
    hint = "Not yet. These are only the documents on which the judges agree."
    for written, feedback in (("4", hint), ("6", "Correct.")):
        documents.get_by_role("textbox").fill(written)
        documents.get_by_role("textbox").press("Tab")
        expect(documents.get_by_role("status")).to_contain_text(feedback)
    expect(student.locator("#total")).to_have_text("1")
    student.get_by_role("link", name="Back to the exercise").click()
    expect(student.get_by_text(re.compile(r"^1 of \d+ marks$"))).to_be_visible()


def exported(page: Page, name: str) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.get_by_role("link", name=name).click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_text())))


def grades_in(judgements: list[dict[str, str]]) -> dict[str, str]:
    """By nickname, in the order of the documents' ids."""
    grades = dict.fromkeys(GRADES, "")
    for row in sorted(judgements, key=lambda row: row["doc_id"]):
        grades[row["assessor"]] += row["relevance"]
    return grades


def of_two(judgements: list[dict[str, str]], *names: str):
    """The judgements of two students as Ratings."""
    frame = pd.DataFrame([row for row in judgements if row["assessor"] in names])
    return agreement.Ratings.from_judgements(frame.astype({"relevance": int}), scale=(0, 1))


def reveal_two_steps(page: Page, student: Page) -> str:
    """A student sees their own figures of a step only when the instructor has reached it. Return the title of Ada and
    Bob's cell in the matrix of the class."""
    own = student.locator(".own-results")
    page.get_by_role("link", name="Start the reveal").click()
    expect(page.get_by_role("heading", name="The results")).to_be_visible()
    student.reload()
    expect(own).to_have_count(0)
    page.get_by_role("button", name="Start").click()
    expect(own.get_by_role("heading", level=2)).to_have_text(["1 You and your partner"])  # updated automatically
    page.get_by_role("button", name="Next").click()
    expect(own.get_by_role("heading", level=2)).to_have_text(["2 Every pair in the class", "1 You and your partner"])
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Bob"))
    return row.locator("td[title^='Bob and Ada']").get_attribute("title")


def test_open_pages_follow_the_exercise(page: Page, sign_in, prof, live_server, new_student):
    exercise = create_exercise(prof.collection, prof)
    student = new_student("Ada", exercise.code)
    sign_in(prof)
    page.goto(f"{live_server.url}/teach/{exercise.code}/")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"^1[45]:[0-5][0-9] left$"))
    expect(student.locator("[data-clock]")).to_have_text(re.compile(r"^1[45]:[0-5][0-9] left$"))
    page.get_by_role("button", name="Pause").click()
    expect(student.get_by_text("Paused. You cannot judge now")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    student.get_by_role("link", name="Judge", exact=True).click()
    settle(student)
    page.get_by_role("button", name="End").click()
    expect(page.get_by_role("link", name="Start the reveal")).to_be_visible()
    student.keyboard.press("1")
    expect(student.get_by_text("Judging ended at").first).to_be_visible()
    assert not Judgement.objects.exists()


def test_page_reports_a_lost_connection_and_recovers(page: Page, sign_in, prof, live_server):
    exercise = create_exercise(prof.collection, prof)
    sign_in(prof)
    page.goto(f"{live_server.url}/teach/{exercise.code}/")
    expect(page.locator("[data-clock]")).to_have_text("Not started yet")
    page.context.set_offline(True)
    expect(page.locator("[data-offline]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[data-offline]")).to_be_hidden()


def test_leave_and_return_with_the_reentry_code(prof, new_student):
    exercise = create_exercise(prof.collection, prof)
    student = new_student("Ada", exercise.code)
    reentry = student.locator(".reentry").inner_text()
    student.get_by_role("link", name="Leave").click()
    expect(student.locator(".reentry")).to_have_text(reentry)
    student.get_by_role("button", name="Leave").click()
    expect(student.get_by_role("heading", name="Join an exercise")).to_be_visible()
    student.get_by_label("Exercise code").fill(exercise.code)
    student.get_by_role("button", name="Continue").click()
    student.get_by_role("link", name="Return with your re-entry code").click()
    student.get_by_label("Your re-entry code").fill(reentry.lower())
    student.get_by_role("button", name="Return").click()
    expect(student.get_by_text("You have joined as Ada.")).to_be_visible()


def test_lesson_pages_have_no_axe_violations(page: Page, sign_in, prof, live_server, new_student):
    exercise = create_exercise(prof.collection, prof, worksheets=["pair", "dcg"])
    student = new_student("Ada", exercise.code)
    new_student("Wolfeschlegelsteinhausen", exercise.code)
    for visited in (page, student):
        visited.context.add_init_script(polling_every(600_000))  # no reload during the check
    sign_in(prof)
    join = f"/join/{exercise.code}/"
    found = look(page, live_server, ["/join/", join, f"{join}back/", "/join/AAAAAA/"])
    for phase in (None, clock.start, clock.pause, clock.end):
        if phase:
            phase(exercise)
        if phase is clock.start:
            judge_all(exercise.seats.first())
        screen = f"/teach/{exercise.code}/"
        found += look(page, live_server, [screen])
        found += look(student, live_server, [f"/x/{exercise.code}/"])
        found += look(student, live_server, [f"/c/{exercise.collection.slug}/judge/"])
    found += look(student, live_server, [f"/x/{exercise.code}/leave/"])
    found += look(
        page,
        live_server,
        [
            "/teach/new/",
            "/teach/new/?source=",
            "/teach/",
            f"/teach/{exercise.code}/seats/",
            f"/teach/{exercise.code}/erase/",
        ],
    )
    assert found == []


def look(page: Page, live_server, paths: list[str]) -> list[str]:
    found = []
    for path in paths:
        page.goto(f"{live_server.url}{path}")
        found += problems(page)
    return found
