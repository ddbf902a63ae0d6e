"""The screenshots of the documentation: `make pictures` renews docs/images. They show the demo collection."""

from pathlib import Path
from random import Random

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from assess.demo import loading
from assess.judging import worklist
from assess.models import Collection, Exercise, Judgement, Member, Seat, User
from assess.teaching import clock, exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.lesson.default_topics import DOCUMENTS, default_topics
from assess.teaching.lesson.predictions import predict
from tests.assess.exercise_factories import assignments_of, join_all, record_grade
from tests.assess.judged_exercises import CLASS, RANKING, reload
from tests.browser.judging_page import press, settle
from tests.browser.waiting import saved
from tests.factories import set_content

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
CLASSROOM = "https://assay.example.org"
CODE, SEED = "KAPPAEXAM7", 18
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 800}
STUDENTS = ("Ann", "Ben", "Cem", "Dina", "Eva", "Femi", "Gül", "Hugo", "Ines", "Jan", "Kim", "Lea")
LONG_PAGE = "<h1>Lists</h1>" + "".join(
    f"<h2>Section {n}</h2><p>Delete an item of a <b>list</b> by its index with <code>del</code>.</p>"
    "<ul><li>By position, with an index</li><li>By value, with <code>remove</code></li></ul>"
    "<table><tr><th>call</th><th>result</th></tr><tr><td><code>pop(0)</code></td><td>the first item</td></tr></table>"
    for n in range(1, 9)
)


@pytest.fixture(scope="session", autouse=True)
def few_colours():
    """Store the pictures with 256 colours, which nobody sees and which makes the wheel smaller by a megabyte."""
    yield
    for path in IMAGES.glob("*.png"):
        with Image.open(path) as picture:
            if picture.mode != "P":
                picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


@pytest.fixture
def demo(transactional_db) -> Collection:
    loading.load()
    return Collection.objects.get(slug=loading.SLUG)


@pytest.fixture
def member(demo, sign_in, page):
    """A function that signs in a member of the demo and returns the address of the collection."""

    def member(name: str, size: dict[str, int] = DESKTOP) -> str:
        page.set_viewport_size(size)
        return sign_in(demo.members.get(user__username=name))

    return member


def save(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=IMAGES / f"{name}.png")


def save_until(page: Page, heading: str, name: str) -> None:
    """Save the page from its beginning to the end of the section with this heading."""
    section = page.locator("section", has=page.locator(heading)).bounding_box()
    size = {"width": page.viewport_size["width"], "height": section["y"] + section["height"] + 16}
    page.screenshot(path=IMAGES / f"{name}.png", full_page=True, clip={"x": 0, "y": 0, **size})


def start_judging(page: Page, address: str) -> None:
    page.goto(f"{address}/judge/")
    page.get_by_role("button", name="Start judging").or_(page.get_by_role("link", name="Start judging")).first.click()
    settle(page)


def test_judging_page(page: Page, member):
    start_judging(page, member("assessor"))
    press(page, "0", "2", "3")
    saved(page)
    save(page, "judging-light")
    page.emulate_media(color_scheme="dark")
    save(page, "judging-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    save(page, "judging-phone")


def test_html_document(page: Page, demo, member):
    assessor = Member.objects.get(collection=demo, user__username="assessor")
    topic, _ = worklist.topics_with_progress(assessor)[0]
    first = worklist.upcoming(assessor, topic, limit=1)[0]
    set_content(demo.documents.filter(doc_id=first.doc_id), title="Lists", text=LONG_PAGE, format="html")
    start_judging(page, member("assessor"))
    save(page, "judging-html")


def test_without_a_connection(page: Page, member):
    start_judging(page, member("assessor"))
    press(page, "0")
    saved(page)
    page.context.set_offline(True)
    press(page, "2", "3")
    expect(page.get_by_text("waiting").first).to_be_visible()
    page.screenshot(path=IMAGES / "judging-offline.png")


def test_shift(page: Page, member):
    page.goto(f"{member('researcher', {'width': 1280, 'height': 860})}/shift/")
    save(page, "shift")


def test_overview(page: Page, member):
    page.goto(f"{member('researcher', {'width': 1280, 'height': 960})}/")
    expect(page.locator(".slope:visible").first).to_be_visible()
    save(page, "overview")


@pytest.fixture
def exercise(demo, monkeypatch) -> Exercise:
    """The exercise of all pictures, with a code that is the same in all of them."""
    monkeypatch.setattr(exercises, "new_code", lambda: CODE)
    return class_of_twelve(demo)


def class_of_twelve(demo: Collection) -> Exercise:
    """Twelve students of different severity, in the middle of the judging."""
    instructor = demo.members.get(user__username="instructor").user
    spec = ExerciseSpec(
        "How far do we agree?",
        demo.slug,
        query_ids=default_topics(demo).query_ids,
        shared=DOCUMENTS,
        binary=True,
        worksheets=["generated", "pair"],
    )
    exercise = exercises.make(instructor, spec, SEED)
    clock.start(exercise)
    for place, seat in enumerate(join_all(exercise, *STUDENTS)):
        Seat.objects.filter(pk=seat.pk).update(seed=SEED + place)
        judge(seat, 0.5 + place % 5 / 10)
    return reload(exercise)


def judge(seat: Seat, share: float) -> None:
    """Judge a share of the documents, mostly like one of the imported judges."""
    assignments = assignments_of(seat)
    for assignment in assignments[: round(share * len(assignments))]:
        # the grade must not depend on the order of the documents, which is another one in each exercise
        random = Random(f"{seat.nickname} {assignment.task.topic.query_id} {assignment.task.document.doc_id}")
        given = Judgement.objects.filter(
            task__topic__query_id=assignment.task.topic.query_id,
            task__document__doc_id=assignment.task.document.doc_id,
            task__topic__collection__slug=loading.SLUG,
            relevance__isnull=False,
        ).order_by("member__name")
        grades = [judgement.relevance for judgement in given]
        relevant = bool(grades) and random.choice(grades) > 0
        record_grade(seat, assignment, int(relevant != (random.random() < 0.1)))


def finish(exercise: Exercise) -> None:
    for place, seat in enumerate(exercise.seats.all()):
        judge(seat, 1.0)
        predict(seat, str(round(0.2 + place % 7 / 10, 1)))
    clock.end(exercise)


@pytest.fixture
def visit(page: Page, live_server, settings, sign_in_user):
    """A function that opens a page of the class as a user. The class screen shows the address of a site with a name."""
    settings.CLASSROOM_ORIGIN = CLASSROOM

    def visit(user: User, path: str) -> None:
        sign_in_user(user, page.context)
        page.goto(f"{live_server.url}{path}")

    return visit


def test_class_screen(page: Page, exercise, visit):
    screen = f"/teach/{exercise.code}/screen/"
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(exercise.instructor, screen)
    expect(page.get_by_text("Ann", exact=True)).to_be_visible()
    page.screenshot(path=IMAGES / "teaching-live.png")
    finish(exercise)
    for step, name in ((CLASS, "teaching-class"), (RANKING, "teaching-ranking")):
        page.goto("about:blank")  # an open screen would load itself again, which ends the visit
        clock.reveal(reload(exercise), step)
        visit(exercise.instructor, screen)
        page.screenshot(path=IMAGES / f"{name}.png", full_page=True)


def test_student(page: Page, exercise, visit):
    finish(exercise)
    clock.reveal(reload(exercise), CLASS)
    ann = exercise.seats.get(nickname="Ann").member.user
    page.set_viewport_size({"width": 390, "height": 1100})
    visit(ann, f"/x/{exercise.code}/")
    save_until(page, "#own-2", "teaching-own")
    page.goto("about:blank")
    clock.open_worksheets(reload(exercise), True)
    visit(ann, f"/x/{exercise.code}/sheet/generated/")
    first = page.locator("input[name^='text-']").first
    first.fill("1")
    first.press("Tab")
    expect(page.locator(".feedback").first).not_to_be_empty()
    page.screenshot(path=IMAGES / "teaching-worksheet.png")
