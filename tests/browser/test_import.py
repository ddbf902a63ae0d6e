"""Files are chosen or dropped, uploaded with progress, checked and imported; also by keyboard and after a lost line."""

import base64

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from assess.collections.create import create_collection
from assess.models import Role, Run, Topic, Upload, Worker
from tests.assess.transfer.uploads.uploaded import RUN, TOPICS
from tests.browser.axe import problems
from tests.classic import SMART

pytestmark = pytest.mark.django_db(transaction=True)
FILES = [
    {"name": "delta.run", "mimeType": "text/plain", "buffer": RUN},
    {"name": "topics.tsv", "mimeType": "text/plain", "buffer": TOPICS + b"2\tsecond need\n"},
]
DROP = """(zone, [name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def import_page(page: Page, sign_in, join):
    owner = join(create_collection("empty", "Empty"), "olga", Role.OWNER)
    Worker.objects.create(name="worker")
    page.goto(f"{sign_in(owner)}/import/")
    return page


@pytest.mark.soak
def test_chosen_files_are_uploaded_checked_and_imported(import_page):
    page = import_page
    assert problems(page) == []
    page.get_by_label("Choose files").set_input_files(FILES)
    expect(page.get_by_role("heading", name="Files to import")).to_be_visible()
    page.get_by_text("delta.run", exact=True).click()
    expect(page.get_by_role("cell", name="delta").first).to_be_visible()
    assert problems(page) == []
    page.get_by_role("button", name="Check the files").press("Enter")
    expect(page.get_by_text("TREC runs: 1 system, 2 topics, 0 unknown topics.")).to_be_visible()
    assert problems(page) == []
    page.get_by_role("button", name="Import", exact=True).press("Enter")
    expect(page.locator("#jobs-here")).to_contain_text("Import topics")
    call_command("worker", once=True, verbosity=0)
    expect(page.get_by_text("Imported 3 new topics.")).to_be_visible()
    expect(page.get_by_text("Imported 1 new run.")).to_be_visible()
    page.get_by_text("Undo", exact=True).first.click()
    assert problems(page) == []
    page.get_by_role("button", name="Undo this import").press("Enter")
    expect(page.locator("#jobs-here")).to_contain_text("Undo an import")
    call_command("worker", once=True, verbosity=0)
    expect(page.get_by_text("Removed runs: 1.")).to_be_visible()
    assert (Topic.objects.count(), Run.objects.count()) == (3, 0)


def test_data_set_is_added_by_keyboard(import_page):
    page = import_page
    page.locator("summary", has_text="Data set of ir-datasets").press("Enter")
    page.get_by_role("link", name="Choose a data set").press("Enter")
    assert problems(page) == []
    page.get_by_label("vaswani").check()
    page.get_by_role("button", name="Add to the files to import").press("Enter")
    expect(page.get_by_text("11,429 documents of ir-datasets")).to_be_visible()
    assert problems(page) == []


def test_dropped_file_is_uploaded(import_page):
    page = import_page
    page.locator("#drop").evaluate(DROP, ["delta.run", base64.b64encode(RUN).decode()])
    expect(page.get_by_role("heading", name="Files to import")).to_be_visible()
    assert Upload.objects.get().kind == "runs"


def test_upload_continues_after_a_lost_connection_and_a_reload(import_page, settings):
    page, content = import_page, RUN * 1_000
    settings.UPLOAD_CHUNK_BYTES = 20_000
    page.route("**/chunk/?offset=20000", lambda route: route.abort())
    chunks = []
    page.on("request", lambda request: chunks.append(request.url) if "chunk" in request.url else None)
    chosen = [{"name": "long.run", "mimeType": "text/plain", "buffer": content}]
    page.reload()
    page.get_by_label("Choose files").set_input_files(chosen)
    expect(page.get_by_text("no connection; trying again")).to_be_visible()
    assert Upload.objects.get().received == 20_000
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_role("heading", name="Unfinished uploads")).to_be_visible()
    page.unroute("**/chunk/?offset=20000")
    chunks.clear()
    page.get_by_label("Choose files").set_input_files(chosen)
    expect(page.get_by_role("heading", name="Files to import")).to_be_visible()
    assert not [url for url in chunks if url.endswith("offset=0")]
    assert Upload.objects.get().size == len(content)


def test_refused_file_is_named_and_others_arrive(import_page, settings):
    page = import_page
    settings.MAX_UPLOAD_BYTES = len(RUN)
    large = {"name": "large.run", "mimeType": "text/plain", "buffer": RUN * 2}
    page.get_by_label("Choose files").set_input_files([large, FILES[0]])
    expect(page.get_by_text("large.run has 102 bytes; a file has from 1 to 51 bytes.")).to_be_visible()
    page.get_by_role("link", name="Show the others").click()
    expect(page.get_by_role("heading", name="Files to import")).to_be_visible()
    assert Upload.objects.get().name == "delta.run"


@pytest.mark.slow
def test_questions_about_classic_collections_are_answered_on_the_page_of_the_check(page: Page, sign_in, join):
    grades = ["0=no", "1=least", "2=less", "3=more", "4=most"]
    owner = join(create_collection("classic", "Classic", grades), "olga", Role.OWNER)
    Worker.objects.create(name="worker")
    page.goto(f"{sign_in(owner)}/import/")
    page.get_by_label("Choose files").set_input_files([SMART / "cran.qry", SMART / "cran.rel"])
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_role("radio", name="1 is the best grade, as in the readme")).to_be_checked()
    assert problems(page) == []
    page.get_by_role("button", name="Check again").press("Enter")
    page.get_by_role("radio", name="By the order of the topics: 2 of 2 queries have a topic").check()
    assert problems(page) == []
    page.get_by_role("button", name="Check again").press("Enter")
    expect(page.get_by_text("cran.rel is read by order: 2 of 2 queries have a topic")).to_be_visible()
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible()
