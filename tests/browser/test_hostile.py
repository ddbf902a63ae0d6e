"""Hostile documents: they run no script, fetch nothing from other sites, and do not cover the page."""

import pytest
from playwright.sync_api import Error, Page, expect

from assess.judging.worklist import topics_with_progress
from assess.models import Judgement
from assess.pools.assign import assign
from tests.factories import set_content, small_collection

pytestmark = pytest.mark.django_db(transaction=True)

HOSTILE = """
<title>A page</title><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<link rel="stylesheet" href="https://evil.example/a.css"><style>* { position: fixed; inset: 0; background: red }</style>
<script>alert("script"); top.document.title = "taken"</script><script src="https://evil.example/a.js"></script>
<img src="x" onerror="alert('onerror')"><img src="https://evil.example/pixel.png"><svg onload="alert('svg')"></svg>
<iframe src="https://evil.example/"></iframe><object data="https://evil.example/"></object>
<form action="/account/sign-out/" method="post"><button id="trap">Grade 2</button></form>
<a id="script" href="javascript:alert('link')">script link</a> <a id="out" href="https://evil.example/out">outside</a>
<div style="position:fixed;inset:0;z-index:9999;background:red;width:9999px" onclick="alert(1)">cover</div>
<table background="https://evil.example/bg.png"><tr><td>cell</td></tr></table>
<video poster="https://evil.example/p"></video>
<p>\u202eThe end of it.</p>
"""
TITLE = "<script>alert('title')</script><img src=x onerror=alert('title')>\u202eevil"
DOC_ID = '=cmd()|"<img/src=x/onerror=alert(1)>'


@pytest.fixture
def ada(join):
    collection = small_collection({"alpha": {"1": [f"doc{n}" for n in range(4)]}}, depth=4)
    collection.order = "fixed"
    collection.save()
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def judging_page(page: Page, sign_in, ada, live_server):
    """A function that opens the page with a hostile text. Violations are collected in `page.harm`."""
    page.harm = []
    page.on("dialog", lambda dialog: (page.harm.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("pageerror", lambda error: page.harm.append(f"error {error}"))
    page.on("popup", lambda _: page.harm.append("popup"))
    # Requests that the policy forbids never reach a route.
    page.context.route(
        lambda url: not url.startswith(live_server.url),
        lambda route: (page.harm.append(route.request.url), route.abort()),
    )

    def judging_page(text: str, text_format: str) -> Page:
        metadata = {TITLE: TITLE, "list": [TITLE]}
        first = ada.collection.documents.filter(doc_id="doc0")
        set_content(first, text=text, format=text_format, title=TITLE, metadata=metadata)
        first.update(doc_id=DOC_ID)
        topic, _ = topics_with_progress(ada)[0]
        page.goto(f"{sign_in(ada)}/judge/{topic.pk}/")
        expect(page.locator("#document[data-judgeable]")).to_be_attached()
        return page

    return judging_page


def on_top(page: Page, selector: str) -> bool:
    """Whether a click in the middle of the element reaches it."""
    return page.evaluate(
        """selector => {
            const element = document.querySelector(selector);
            const box = element.getBoundingClientRect();
            return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
        }""",
        selector,
    )


@pytest.mark.parametrize("text_format", ["text", "html"])
def test_document_runs_fetches_and_covers_nothing(judging_page, text_format):
    page = judging_page(HOSTILE, text_format)
    expect(page.locator("#doc-title")).to_have_text(TITLE)
    expect(page.locator("#doc-meta")).to_have_text(DOC_ID)
    expect(page.locator("#doc-facts")).to_contain_text(TITLE)
    for button in page.locator("#judgement .grades button").all():
        assert on_top(page, f"#judgement .grades button[value='{button.get_attribute('value')}']")
    assert on_top(page, "#doc-title")
    assert page.title() != "taken"
    page.keyboard.press("1")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#save")).to_contain_text("saved")
    assert Judgement.objects.get().relevance == 1
    assert page.harm == []


def test_links_do_not_leave_the_page(judging_page):
    page = judging_page(HOSTILE, "html")
    frame = page.frame_locator("#doc-body iframe")
    address = page.url
    for words in ("script link", "outside"):
        frame.get_by_text(words).click()
        frame.get_by_text(words).click(modifiers=["ControlOrMeta"])
    expect(frame.get_by_text("The end of it.")).to_be_visible()
    assert (page.url, len(page.context.pages), page.harm) == (address, 1, [])
    assert frame.locator("form, button, script, style:not(head style), svg, iframe, object, video").count() == 0


def test_frame_blocks_what_the_sanitiser_misses(judging_page, monkeypatch):
    """The frame's sandbox and policy are a second defence if the sanitiser fails."""
    monkeypatch.setattr("tests.factories.sanitise", lambda text: text)
    page = judging_page(HOSTILE, "html")
    expect(page.frame_locator("#doc-body iframe").get_by_text("The end of it.")).to_be_attached()
    for button in page.locator("#judgement .grades button").all():
        assert on_top(page, f"#judgement .grades button[value='{button.get_attribute('value')}']")
    assert page.title() != "taken"
    assert page.harm == []
    page.evaluate("fetch('https://evil.example/').catch(() => {})")
    page.evaluate("new Image().src = 'https://evil.example/'")
    assert page.harm == []  # the page itself cannot fetch from there either
    with pytest.raises(Error):
        page.goto("https://evil.example/")
    assert page.harm == ["https://evil.example/"]  # the check does detect such requests


@pytest.mark.soak
@pytest.mark.parametrize("text_format", ["text", "html"])
def test_five_megabytes_are_judged_by_key(judging_page, text_format):
    line = "<p>A line of <b>no</b> interest.</p>\n" if text_format == "html" else "A line of no interest.\n"
    page = judging_page(line * (5_000_000 // len(line)), text_format)
    page.keyboard.press("j")
    page.keyboard.press("1")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#document[data-judgeable]")).to_be_attached()
    page.keyboard.press("0")
    expect(page.locator("#doc-meta")).to_have_text("doc2")
    expect(page.locator("#save")).to_contain_text("saved")
    assert sorted(Judgement.objects.values_list("relevance", flat=True)) == [0, 1]
    assert page.harm == []
