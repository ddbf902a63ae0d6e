"""The document on the judging page: long texts, scripts, HTML frames, highlights, find bar, passages, snippets."""

import re

import pytest
from playwright.sync_api import Page, expect

from assess.judging.worklist import topics_with_progress
from assess.models import Judgement
from assess.pools.assign import assign
from tests.browser.axe import problems
from tests.browser.judging_page import eventually
from tests.factories import remove_content, set_content, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ONE_TOPIC = {"alpha": {"1": [f"doc{n}" for n in range(6)]}}  # the topic's title is "first need"
FILLER = "Nothing of interest stands in this line.\n"


@pytest.fixture
def ada(join):
    collection = small_collection(ONE_TOPIC, grades=["0=none", "1=some", "2=much"], depth=6)
    collection.order = "fixed"
    collection.passages = "optional"
    collection.save()
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def read(page: Page, sign_in, ada):
    """A function that sets the first document's text and opens the page."""

    def read(
        text: str | None = None, text_format: str = "text", rules: dict | None = None, wait=True, **fields
    ) -> Page:
        for name, value in (rules or {}).items():
            setattr(ada.collection, name, value)
        ada.collection.save()
        first = ada.collection.documents.filter(doc_id="doc0")
        if text is None:
            remove_content(first)
        else:
            set_content(first, text=text, format=text_format, **fields)
        topic, _ = topics_with_progress(ada)[0]
        page.goto(f"{sign_in(ada)}/judge/{topic.pk}/")
        if wait:
            judgeable(page)
        return page

    return read


def judgeable(page: Page):
    expect(page.locator("#document[data-judgeable]")).to_be_attached()


def painted(page: Page, layer: str) -> list[str]:
    """The words on a highlight layer, in the page or in the frame."""
    return page.evaluate(
        """layer => {
            const view = document.querySelector("#doc-body iframe")?.contentWindow ?? window;
            return [...(view.CSS.highlights.get(layer) ?? [])].map(span => {
                const range = span.startContainer.ownerDocument.createRange();
                range.setStart(span.startContainer, span.startOffset);
                range.setEnd(span.endContainer, span.endOffset);
                return range.toString();
            });
        }""",
        layer,
    )


def shows(page: Page, layer: str, words: list[str]):
    """Wait until the layer has these words: it is painted a moment after the last key."""
    eventually(page, lambda: painted(page, layer), words)


def select(page: Page, words: str):
    """Select these words in the document."""
    assert page.evaluate(
        """words => {
            const frame = document.querySelector("#doc-body iframe");
            const root = frame ? frame.contentDocument.body : document.getElementById("doc-body");
            const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf(words);
                if (at < 0) continue;
                const node = walker.currentNode;
                root.ownerDocument.getSelection().setBaseAndExtent(node, at, node, at + words.length);
                return true;
            }
        }""",
        words,
    )


def in_sight(page: Page, layer: str) -> bool | dict:
    place = page.evaluate(
        """layer => {
            const frame = document.querySelector("#doc-body iframe");
            const view = frame?.contentWindow ?? window;
            const [span] = view.CSS.highlights.get(layer);
            const range = span.startContainer.ownerDocument.createRange();
            range.setStart(span.startContainer, span.startOffset);
            range.setEnd(span.endContainer, span.endOffset);
            const box = range.getBoundingClientRect();
            const article = document.getElementById("document").getBoundingClientRect();
            const seen = frame ? { top: 0, bottom: view.innerHeight } : article;
            return { box: box.height, top: box.top - seen.top, below: seen.bottom - box.bottom };
        }""",
        layer,
    )
    return min(place.values()) >= 0 or place


# ---- what is shown


def test_title_id_and_metadata_are_shown(read):
    page = read("The text.", title="A title", metadata={"year": 1975, "authors": ["Ann", "Bo"], "none": None})
    expect(page.locator("#doc-title")).to_have_text("A title")
    expect(page.locator("#doc-meta")).to_have_text("doc0")
    expect(page.locator("#doc-facts")).to_have_text("year1975authorsAnn, Bo")
    expect(page.locator("#doc-body")).to_have_text("The text.")


def test_untitled_document_with_hidden_id_is_called_document(read):
    page = read("The text.", title="", rules={"hide_doc_ids": True})
    expect(page.locator("#doc-title")).to_be_hidden()
    expect(page.locator("#doc-meta")).to_have_text("Document")


def test_each_paragraph_has_its_own_direction(read):
    page = read("English first.\nשלום עולם, זה עברית.\nمرحبا بالعالم\n日本語の文章。😀 fin\n")
    lefts = page.evaluate(
        """() => {
            const node = document.querySelector("#doc-body .block").firstChild;
            const box = document.getElementById("doc-body").getBoundingClientRect();
            let at = 0;
            return node.data.trimEnd().split("\\n").map(line => {
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + line.length);
                at += line.length + 1;
                const place = range.getBoundingClientRect();
                return place.left - box.left < box.right - place.right;
            });
        }"""
    )
    assert lefts == [True, False, False, True]


def test_keys_work_in_an_html_frame(read):
    page = read("<h2>Heading</h2><p>A <b>need</b> in a paragraph.</p>", "html")
    frame = page.frame_locator("#doc-body iframe")
    expect(frame.locator("h2")).to_have_text("Heading")
    frame.locator("p").click()
    page.keyboard.press("2")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#save")).to_contain_text("saved")
    assert Judgement.objects.get().relevance == 2


def test_frame_scrolls_by_keys_and_the_next_document_starts_at_its_top(read, ada):
    set_content(ada.collection.documents.filter(doc_id="doc1"), text="<p>Another line.</p>" * 300, format="html")
    page = read("<p>A line.</p>" * 300, "html")
    page.locator("#document").focus()
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowDown")
    scrolled = "document.querySelector('#doc-body iframe').contentWindow.scrollY"
    assert page.evaluate(scrolled) > 100
    page.keyboard.press("End")
    assert page.evaluate(scrolled) > 2000
    page.keyboard.press("1")
    expect(page.frame_locator("#doc-body iframe").locator("p").first).to_have_text("Another line.")
    assert page.evaluate(scrolled) == 0


def test_both_formats_without_javascript(browser, live_server, ada, read, context):
    page = read("<p>A <b>paragraph</b> &amp; more</p><script>alert(1)</script>", "html")
    plain = browser.new_context(java_script_enabled=False, storage_state=context.storage_state()).new_page()
    plain.goto(page.url)
    expect(plain.frame_locator("#doc-body iframe").locator("p")).to_have_text("A paragraph & more")
    set_content(ada.collection.documents.filter(doc_id="doc0"), text="Plain <b> text", format="text")
    plain.reload()
    expect(plain.locator("#doc-body")).to_have_text("Plain <b> text")
    expect(plain.locator("#doc-tools")).to_be_hidden()
    plain.context.close()


# ---- long texts


@pytest.mark.soak
def test_five_megabytes_are_read_searched_and_judged(read):
    page = read(FILLER * 120_000 + "The last need.")
    expect(page.locator("#doc-body")).to_contain_text("Nothing of interest")
    expect(page.locator("#highlight-count")).to_have_text("1 highlight")
    assert page.evaluate("document.getElementById('doc-body').textContent.length") == len(FILLER) * 120_000 + 14
    page.keyboard.press("j")
    expect(page.locator("#highlight-count")).to_have_text("1 of 1 highlight")
    page.wait_for_function("() => document.getElementById('document').scrollTop > 100000")
    page.wait_for_function(
        """() => {
            const [range] = CSS.highlights.get("current");
            const box = range.getBoundingClientRect();
            const seen = document.getElementById("document").getBoundingClientRect();
            return box.height > 0 && box.top > seen.top && box.bottom < seen.bottom;
        }"""
    )
    page.keyboard.press("1")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    assert page.evaluate("document.getElementById('document').scrollTop") == 0


def test_blocks_contain_the_whole_text_unchanged(read):
    text = "".join(f"{n} 😀é\n" for n in range(4000)) + "x" * 40_000 + "😀" * 20_000
    page = read(text)
    expect(page.locator("#highlight-count")).to_have_text("0 highlights")
    assert page.evaluate("document.getElementById('doc-body').textContent") == text


# ---- highlights


def test_forms_of_query_words_are_highlighted(read):
    page = read("Needs and NEEDED: the first one. Needle, firsthand. Néed.")
    expect(page.locator("#highlight-count")).to_have_text("4 highlights")
    shows(page, "query", ["Needs", "NEEDED", "first", "Néed"])


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("C++ or C#", ["C++", "c#", "C++"]),
        ("what is .NET", [".NET", ".Net"]),
        ("learning C++", ["C++", "learn", "C++"]),
        ("the C", ["The", "the"]),
    ],
)
def test_names_with_signs_are_highlighted(read, ada, query, found):
    ada.collection.topics.update(title=query)
    page = read("The C++ and c# ways to learn the ASP.NET, not a net; C++11 or C, .Net. C+++")
    expect(page.locator("#highlight-count")).to_have_text(f"{len(found)} highlights")
    shows(page, "query", found)


def test_highlights_are_turned_off_and_on(read):
    page = read("The first need.")
    expect(page.locator("#highlight-count")).to_have_text("2 highlights")
    page.keyboard.press("h")
    expect(page.locator("#highlight-count")).to_have_text("highlights off")
    expect(page.locator("#highlight-toggle")).to_have_attribute("aria-pressed", "false")
    shows(page, "query", [])
    page.keyboard.press("1")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#highlight-count")).to_have_text("highlights off")
    expect(page.locator("#save")).to_contain_text("saved")
    assert Judgement.objects.get().highlights is False
    page.click("#highlight-toggle")
    expect(page.locator("#highlight-count")).to_have_text("0 highlights")


@pytest.mark.parametrize("text_format", ["text", "html"])
def test_next_and_previous_highlight(read, text_format):
    filler = "<p>Nothing here.</p>" * 100 if text_format == "html" else FILLER * 100
    page = read(f"need one {filler} need two {filler} need three", text_format)
    expect(page.locator("#highlight-count")).to_have_text("3 highlights")
    for place, key in (("1", "j"), ("2", "j"), ("3", "j"), ("1", "j"), ("3", "k"), ("2", "k")):
        page.keyboard.press(key)
        expect(page.locator("#highlight-count")).to_have_text(f"{place} of 3 highlights")
        shows(page, "current", ["need"])
        assert in_sight(page, "current") is True


def test_browser_without_highlight_api(page: Page, read):
    page.add_init_script(
        "delete CSS.highlights; delete window.Highlight; Object.defineProperty(CSS, 'highlights', {});"
    )
    page = read("The first need.")
    page.keyboard.press("h")
    expect(page.locator("#highlight-count")).to_have_text("This browser cannot show highlights.")
    page.keyboard.press("1")
    expect(page.locator("#doc-meta")).to_have_text("doc1")


def test_at_most_5000_highlights(read):
    page = read("need\n" * 6000)
    expect(page.locator("#highlight-count")).to_have_text("first 5,000 highlights")


# ---- find


@pytest.mark.parametrize("text_format", ["text", "html"])
def test_find_bar(read, text_format):
    filler = "<p>Nothing here.</p>" * 100 if text_format == "html" else FILLER * 100
    page = read(f"A Café, {filler} the CAFE {filler} and cafés.", text_format)
    page.keyboard.press("/")
    expect(page.locator("#find-phrase")).to_be_focused()
    page.keyboard.insert_text("cafe")  # at once: a search for "caf" would find as many
    for place, key in (("1", None), ("2", "Enter"), ("3", "Enter"), ("1", "Enter"), ("3", "Shift+Enter")):
        if key:
            page.keyboard.press(key)
        expect(page.locator("#find-count")).to_have_text(f"{place} of 3")
        assert painted(page, "current")[0].lower().startswith("caf")
        assert in_sight(page, "current") is True
    shows(page, "found", ["Café", "CAFE", "café"])
    page.keyboard.press("Escape")
    expect(page.locator("#find-bar")).to_be_hidden()
    expect(page.locator("#document")).to_be_focused()
    shows(page, "found", [])
    shows(page, "current", [])


def test_typing_in_the_find_bar_judges_nothing(read):
    page = read("Text of 2 and 1 words.")
    page.keyboard.press("/")
    page.keyboard.type("12 lux")
    expect(page.locator("#find-count")).to_have_text("not found")
    page.keyboard.press("Escape")
    assert not Judgement.objects.exists()
    page.keyboard.press("1")
    expect(page.locator("#save")).to_contain_text("saved")
    assert Judgement.objects.count() == 1


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("ONE two", ["one\n  two"]),
        ("(three)", ["(three)"]),
        ("istanbul", ["İstanbul"]),
        (".*", []),
        ("ΟΔΟΣ", ["ὁδός"]),
        ("οδοσ", ["ὁδός"]),
    ],
)
def test_phrases_across_lines_and_with_signs_are_found(read, phrase, found):
    page = read("one\n  two (three) İstanbul ß ὁδός\n")
    page.keyboard.press("/")
    page.keyboard.type(phrase)
    expect(page.locator("#find-count")).to_have_text("1 of 1" if found else "not found")
    shows(page, "found", found)


@pytest.mark.soak
def test_find_in_five_megabytes_of_japanese(read):
    page = read("天気はとても良いです。\n" * 150_000 + "日本経済の成長。")
    page.keyboard.press("/")
    page.keyboard.type("経済")
    expect(page.locator("#find-count")).to_have_text("1 of 1")
    shows(page, "found", ["経済"])


# ---- passages


def passages() -> list:
    return Judgement.objects.get().passages


@pytest.mark.parametrize("text_format", ["text", "html"])
def test_passage_is_marked_saved_and_shown_again(read, text_format):
    text = "😀 Here it is: the deciding words. And more."
    page = read(
        "<p>😀 Here it <b>is</b>: the deciding words.</p> And more." if text_format == "html" else text, text_format
    )
    plain = "😀 Here it is: the deciding words. And more."
    expect(page.locator("#highlight-count")).to_have_text("0 highlights")
    select(page, "deciding words")
    page.keyboard.press("m")
    shows(page, "passage", ["deciding words"])
    expect(page.locator("#marks li")).to_have_text("deciding words×")
    page.keyboard.press("2")
    expect(page.locator("#save")).to_contain_text("saved")
    [[start, end]] = passages()
    assert plain[start:end] == "deciding words"  # offsets are Python's, whatever stands before
    page.keyboard.press("u")
    expect(page.locator("#marks li")).to_have_text("deciding words×")
    shows(page, "passage", ["deciding words"])


def test_overlapping_passages_are_merged_and_m_removes_them(read):
    page = read("one two three four five")
    for words in ("two three", "three four", "one"):
        select(page, words)
        page.keyboard.press("m")
    shows(page, "passage", ["one", "two three four"])
    select(page, "three")
    page.keyboard.press("m")
    shows(page, "passage", ["one"])
    page.get_by_label("Remove passage 1").click()
    shows(page, "passage", [])
    expect(page.locator("#marks")).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("#save")).to_contain_text("saved")
    assert passages() == []


def test_marking_without_a_selection_shows_help(read):
    page = read("one two three")
    page.keyboard.press("m")
    expect(page.locator("body")).to_contain_text("Select the passage with the mouse, or with Shift and the arrow keys")
    select(page, "two")
    page.click("#mark")
    expect(page.locator("#marks li")).to_have_count(1)


def test_marking_help_names_the_key_or_button(read, ada):
    ada.user.keymap = {"mark": "w"}
    ada.user.save()
    page = read("one two three")
    page.keyboard.press("w")
    expect(page.locator("body")).to_contain_text("then press w.")
    ada.user.keys_on = False
    ada.user.save()
    page.reload()
    judgeable(page)
    page.click("#mark")
    expect(page.locator("#doc-notice")).to_contain_text("then press Mark.")
    page.locator(".grades button").first.click()
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#doc-notice")).to_be_empty()


@pytest.mark.parametrize("text_format", ["text", "html"])
@pytest.mark.parametrize("how", ["triple click", "select all"])
def test_selection_beyond_the_text_is_cut(read, text_format, how):
    page = read("<p>Only one paragraph.</p>" if text_format == "html" else "Only one paragraph.", text_format)
    framed = text_format == "html"
    text = page.frame_locator("#doc-body iframe").locator("p") if framed else page.locator("#doc-body .block")
    text.click(click_count=3 if how == "triple click" else 1, position={"x": 20, "y": 10})
    if how == "select all":
        page.keyboard.press("Control+a")
    page.keyboard.press("m")
    shows(page, "passage", ["Only one paragraph."])


def test_selection_outside_the_text_changes_no_passage(read):
    page = read("Only one paragraph.", title="A title")
    select(page, "Only")
    page.keyboard.press("m")
    page.locator("#doc-title").click(click_count=3)
    page.keyboard.press("m")
    shows(page, "passage", ["Only"])
    expect(page.locator("#notice")).to_contain_text("Select the passage")


def test_click_in_the_list_scrolls_to_the_passage(read):
    page = read(f"{FILLER * 200}here it is\n{FILLER * 200}")
    select(page, "here it is")
    page.keyboard.press("m")
    page.evaluate("document.getElementById('document').scrollTop = 0")
    page.click("#marks li button:first-child")
    page.wait_for_function("() => document.getElementById('document').scrollTop > 1000")
    assert in_sight(page, "passage") is True


def test_no_marking_if_passages_are_off(read):
    page = read("one two", rules={"passages": "off"})
    expect(page.locator("#mark")).to_have_count(0)
    select(page, "two")
    page.keyboard.press("m")
    shows(page, "passage", [])


# ---- the snippet first, and texts that come apart


def test_snippet_first_then_full_text(read):
    page = read(FILLER * 50 + "The need is here.\n" + FILLER * 50, rules={"snippet_first": True})
    expect(page.locator("#doc-body")).to_contain_text("… ")
    expect(page.locator("#doc-body")).to_contain_text("The need is here.")
    assert page.evaluate("document.getElementById('doc-body').textContent.length") < 320
    shows(page, "query", ["need"])
    page.keyboard.press("f")
    expect(page.locator("#doc-full")).to_be_hidden()
    page.wait_for_function(f"() => document.getElementById('doc-body').textContent.length > {len(FILLER) * 100}")
    judgeable(page)  # the full text is looked at before it is judged, like any other
    select(page, "need is")
    page.keyboard.press("m")
    page.keyboard.press("1")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#doc-full")).to_be_visible()
    expect(page.locator("#save")).to_contain_text("saved")
    start = len(FILLER) * 50 + 4
    assert passages() == [[start, start + len("need is")]]


def test_failed_text_is_requested_again(page: Page, read):
    page.route("**/document/", lambda route: route.abort())
    page = read("word " * 20_000, wait=False)
    expect(page.locator("#doc-failed")).to_be_visible()
    page.keyboard.press("1")
    page.unroute("**/document/")
    page.click("#doc-retry")
    judgeable(page)
    expect(page.locator("#doc-failed")).to_be_hidden()
    expect(page.locator("#doc-body")).to_contain_text("word word")
    assert not Judgement.objects.exists()


def test_document_with_failed_text_can_be_left_for_later(page: Page, read):
    page.route("**/document/", lambda route: route.abort())
    page = read("word " * 20_000, wait=False)
    expect(page.locator("#doc-failed")).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#save")).to_contain_text("saved")
    assert Judgement.objects.get().state == "later"


def test_missing_text_is_reported(read):
    page = read(None)
    expect(page.locator("#doc-missing")).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator("#doc-meta")).to_have_text("doc1")
    expect(page.locator("#doc-missing")).to_be_hidden()


# ---- no barriers


@pytest.mark.parametrize("text_format", ["text", "html"])
def test_tools_have_no_axe_violations(page, read, text_format):
    page = read("The first need: all the words. " * 200, text_format, metadata={"year": 1975})
    select(page, "all the words")
    page.keyboard.press("m")
    expect(page.locator("#marks li")).to_have_count(1)
    page.keyboard.press("/")
    page.keyboard.type("words")
    expect(page.locator("#find-count")).to_have_text(re.compile("1 of 200"))
    assert problems(page) == []
