"""A worksheet: fields are checked when left, by keyboard, on a phone, and offline."""

import pytest
from playwright.sync_api import Page, expect

from assess.models import WorksheetAnswer
from assess.teaching import clock, worksheet_answers
from tests.assess.exercise_factories import assignments_of, join_all, make_instructor, pasted_exercise, record_grade
from tests.browser.axe import problems

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TABLE = "kappa-table-8.2"


@pytest.fixture
def exercise(db):
    made = pasted_exercise(make_instructor(), worksheets=[TABLE, "exercise-8.9", "generated", "pair"])
    clock.open_worksheets(made, True)
    return made


@pytest.fixture
def ann(exercise):
    ann, ben = join_all(exercise, "Ann", "Ben")
    clock.start(exercise)
    for seat, grades in ((ann, (1, 0, 1)), (ben, (1, 1, 0))):
        for assignment, grade in zip(assignments_of(seat), grades, strict=False):
            record_grade(seat, assignment, grade)
    clock.end(exercise)
    return ann


@pytest.fixture
def sheet(page: Page, live_server, sign_in_user, ann):
    sign_in_user(ann.member.user, page.context)
    page.goto(f"{live_server.url}/x/{ann.exercise.code}/sheet/{TABLE}/")
    return page


def question(page: Page, name: str):
    return page.locator(f"#{name}")


def field(page: Page, name: str):
    return page.locator(f"#text-{name}")


def kept(seat) -> dict[str, tuple]:
    rows = WorksheetAnswer.objects.filter(seat=seat)
    return {row.field: (row.text, row.right, row.shown) for row in rows}


def test_field_is_checked_when_left_by_keyboard(sheet, ann):
    field(sheet, "rows_0").fill("320")
    sheet.keyboard.press("Enter")
    expect(question(sheet, "rows_0").get_by_role("status")).to_have_text("✓ Correct.")
    expect(field(sheet, "rows_1")).to_be_focused()
    sheet.keyboard.type("90")
    sheet.keyboard.press("Tab")
    expect(question(sheet, "rows_1").get_by_role("status")).to_contain_text("✗ Not yet.")
    expect(field(sheet, "rows_1")).to_have_attribute("aria-invalid", "true")
    expect(sheet.locator("#total")).to_have_text("1")
    assert kept(ann) == {"rows_0": ("320", True, False), "rows_1": ("90", False, False)}
    sheet.reload()
    expect(question(sheet, "rows_1").get_by_role("status")).to_contain_text("✗ Not yet.")
    expect(sheet.locator("#total")).to_have_text("1")


def test_answers_before_the_script_loads_are_checked(page, live_server, sign_in_user, ann):
    sign_in_user(ann.member.user, page.context)
    on_its_way = []
    page.route("**/worksheet*.js", lambda route: on_its_way.append(route))
    page.goto(f"{live_server.url}/x/{ann.exercise.code}/sheet/{TABLE}/", wait_until="commit")
    field(page, "n").fill("400")
    field(page, "n").press("Tab")
    page.evaluate("document.activeElement.blur()")
    question(page, "band").get_by_label("fair").check()
    assert kept(ann) == {}
    on_its_way.pop().continue_()
    for name in ("n", "band"):
        expect(question(page, name).get_by_role("status")).to_have_text("✓ Correct.")
    assert set(kept(ann)) == {"n", "band"}


def test_choice_is_checked_at_once(sheet, ann):
    question(sheet, "band").get_by_label("fair").check()
    expect(question(sheet, "band").get_by_role("status")).to_have_text("✓ Correct.")
    assert kept(ann) == {"band": ("fair", True, False)}


def test_step_is_shown_and_enter_never_shows_one(sheet, ann):
    field(sheet, "n").fill("1")
    field(sheet, "n").press("Enter")
    expect(question(sheet, "n").get_by_role("status")).to_contain_text("✗ Not yet.")
    question(sheet, "n").get_by_role("button", name="Show me this step").click()
    expect(question(sheet, "n").locator(".how")).to_have_text("320 + 80 = 400")
    expect(question(sheet, "n").locator(".how")).to_be_focused()
    expect(question(sheet, "n").get_by_role("button")).to_have_count(0)
    assert kept(ann) == {"n": ("1", False, True)}


def test_offline_answers_are_checked_when_the_connection_returns(sheet, context, ann):
    context.set_offline(True)
    field(sheet, "n").fill("400")
    field(sheet, "n").press("Tab")
    expect(question(sheet, "n").get_by_role("status")).to_contain_text("There is no connection")
    context.set_offline(False)
    expect(question(sheet, "n").get_by_role("status")).to_have_text("✓ Correct.")
    assert kept(ann) == {"n": ("400", True, False)}


def test_closed_worksheet_is_reported(sheet, ann):
    clock.open_worksheets(ann.exercise, False)
    field(sheet, "n").fill("400")
    field(sheet, "n").press("Tab")
    expect(question(sheet, "n").get_by_role("status")).to_contain_text("The worksheets are closed.")
    assert kept(ann) == {}


def test_page_is_a_form_without_javascript(browser, live_server, ann, sign_in_user):
    plain = browser.new_context(java_script_enabled=False)
    sign_in_user(ann.member.user, plain)
    page = plain.new_page()
    page.goto(f"{live_server.url}/x/{ann.exercise.code}/sheet/{TABLE}/")
    field(page, "n").fill("400")
    field(page, "rows_0").fill("310")
    field(page, "rows_0").press("Enter")
    page.wait_for_url("**/#rows_0")
    expect(question(page, "n").get_by_role("status")).to_have_text("✓ Correct.")
    expect(question(page, "rows_0").get_by_role("status")).to_contain_text("✗ Not yet.")
    field(page, "rows_0").fill("320")
    question(page, "observed").get_by_role("button", name="Show me this step").click()
    page.wait_for_url("**/#observed")
    plain.close()
    assert kept(ann) == {"n": ("400", True, False), "rows_0": ("320", True, False), "observed": ("", False, True)}


def test_worksheet_pages_have_no_axe_violations(page, live_server, sign_in_user, ann):
    worksheet_answers.save_answers(ann, TABLE, {"n": "400", "rows_0": "310", "band": "good"})
    worksheet_answers.show_step(ann, TABLE, "observed")
    student, teacher = f"/x/{ann.exercise.code}/sheet", f"/teach/{ann.exercise.code}"
    keys = [f"{teacher}/key/{key}/" for key in ann.exercise.worksheets]
    own = [f"{teacher}/key/{key}/{ann.pk}/" for key in (TABLE, "pair")]
    errors, found = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for user, paths in (
        (ann.member.user, [f"{student}/{key}/" for key in ann.exercise.worksheets]),
        (ann.exercise.instructor, [f"{teacher}/marks/", *keys, *own]),
    ):
        sign_in_user(user, page.context)
        for path in paths:
            assert page.goto(f"{live_server.url}{path}").status == 200
            for details in page.locator("details").all():
                details.evaluate("element => { element.open = true; }")
            found += problems(page)
    assert found == []
    assert errors == []
