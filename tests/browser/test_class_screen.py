"""The lesson's pages in a browser: join from the start page, practice, the poll, and the class screen."""

import pytest
from playwright.sync_api import Page, expect

from assess.teaching import clock
from assess.teaching.lesson.practice import AGREED, PracticeSpec
from assess.teaching.lesson.predictions import predict
from assess.teaching.reveal.steps import STEPS
from tests.assess.exercise_factories import join_all
from tests.assess.judged_exercises import CLASS, class_of_three, create_exercise, seat_of
from tests.browser.axe import problems
from tests.browser.test_classroom import polling_every

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
VIEWPORTS = ({"width": 390, "height": 844}, {"width": 1280, "height": 720}, {"width": 640, "height": 360})


@pytest.fixture(autouse=True)
def impatient(page):
    page.context.add_init_script(polling_every(200))


def check_layout(page: Page) -> None:
    """Assert that nothing is cut off at any size, and that axe finds no problem in light and dark."""
    for viewport in VIEWPORTS:
        page.set_viewport_size(viewport)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), viewport
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert problems(page) == []
    page.emulate_media(color_scheme="light")


def test_student_joins_from_the_start_page_practises_and_predicts(page: Page, live_server):
    exercise = create_exercise(shared=6, practice=PracticeSpec(AGREED, explanation="It helps."))
    page.goto(live_server.url)
    check_layout(page)
    page.get_by_label("Exercise code").fill(exercise.code)
    page.get_by_role("button", name="Join an exercise").click()
    page.get_by_label("Your nickname").fill("Ann")
    page.get_by_role("button", name="Join").click()
    check_layout(page)
    page.get_by_role("button", name="0 Not relevant").click()
    expect(page.get_by_text("Expected is 1 Relevant.")).to_be_visible()
    expect(page.get_by_text("All 3 earlier judges agree on it. It helps.")).to_be_visible()
    clock.start(exercise)
    expect(page.get_by_role("heading", name="Practice")).to_be_hidden()
    page.get_by_label("Kappa, from −1 to 1").fill("0,4")
    page.get_by_role("button", name="Predict").click()
    expect(page.get_by_label("Kappa, from −1 to 1")).to_have_value("0.4")
    check_layout(page)


def test_projector_follows_the_controls(page: Page, sign_in, live_server):
    exercise = class_of_three()
    for name, kappa in (("Ann", "0.9"), ("Ben", "0.3")):
        predict(seat_of(exercise, name), kappa)
    sign_in(exercise.collection.members.get(user=exercise.instructor))
    projector = page.context.new_page()
    projector.goto(f"{live_server.url}/teach/{exercise.code}/screen/")
    expect(projector.get_by_text("2 predictions of kappa.")).to_be_visible()
    page.goto(f"{live_server.url}/teach/{exercise.code}/reveal/")
    page.locator("form[data-keys=on]").wait_for()
    for number, step in enumerate(STEPS, start=1):
        page.keyboard.press("ArrowRight")
        for shown in (page, projector):
            expect(shown.get_by_role("heading", level=1, name=step.title)).to_be_visible()
        if number == CLASS:
            expect(projector.get_by_text("What the class expected: 2 predictions")).to_be_visible()
            page.get_by_label("Chance agreement").select_option("unpooled")
            page.get_by_role("button", name="Show").click()
            expect(projector.get_by_text("Unpooled kappa of every pair.")).to_be_visible()
        check_layout(projector)
        page.locator("form[data-keys=on]").wait_for()
    projector.keyboard.press("ArrowLeft")  # the keys belong to the controls
    projector.get_by_text("Documents in full").click()
    projector.locator(".documents a").first.click()
    expect(projector.locator(".full-text")).to_be_visible()
    exercise.refresh_from_db()
    assert exercise.reveal_step == len(STEPS)


def test_waiting_class_screen_and_form_have_no_problems(page: Page, sign_in, live_server):
    exercise = create_exercise(shared=6, worksheets=["dcg"], practice=PracticeSpec(AGREED))
    join_all(exercise, "Ann", "Ben")
    sign_in(exercise.collection.members.get(user=exercise.instructor))
    page.context.add_init_script(polling_every(600_000))
    for path in (f"{exercise.code}/screen/", f"{exercise.code}/", "new/"):
        page.goto(f"{live_server.url}/teach/{path}")
        check_layout(page)
    page.goto(f"{live_server.url}/teach/{exercise.code}/screen/")
    expect(page.get_by_text("Other devices cannot connect to this address")).to_be_visible()
    clock.open_worksheets(exercise, True)
    page.reload()
    expect(page.get_by_text("worksheet steps").first).to_be_visible()
