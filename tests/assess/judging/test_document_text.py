"""The text of a document on the page: sanitised HTML, and the snippet that matches the query best."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from assess.judging.document_text import SNIPPET, STOP_WORDS, passage_text, sanitised_text, snippet


def html(text: str) -> str:
    return sanitised_text(text, "html")


def test_plain_text_is_unchanged():
    text = " <b>not bold</b> & \r\n\t= שלום 日本\u202e"
    assert sanitised_text(text, "text") == text


def test_nul_is_replaced_by_one_character():
    assert sanitised_text("a\0b", "text") == "a\ufffdb"
    assert "\0" not in html("a\0<p title='\0'>b</p>")


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
        "<img src=x onerror=alert(1)>",
        "<img src='https://evil.example/pixel.png' srcset='https://evil.example/2x.png 2x'>",
        "<img src=//evil.example/pixel.png>",
        "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
        "<a href='javascript:alert(1)'>link</a>",
        "<a href=' java\nscript:alert(1)'>link</a>",
        "<a href='data:text/html,<script>alert(1)</script>'>link</a>",
        "<a href='vbscript:x' onclick='alert(1)'>link</a>",
        "<style>*{position:fixed;inset:0}</style>",
        "<div style='position:fixed;inset:0' class=x id=grades>cover</div>",
        "<link rel=stylesheet href=https://evil.example/x.css>",
        "<base href=https://evil.example/>",
        "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
        "<form action=https://evil.example/><button>Grade 2</button><input name=relevance></form>",
        "<iframe src=https://evil.example/></iframe><iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data=https://evil.example/></object><embed src=https://evil.example/>",
        "<svg onload=alert(1)><script>alert(1)</script><image href=https://evil.example/></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<video poster=https://evil.example/ autoplay><source src=https://evil.example/></video>",
        "<body onload=alert(1) background=https://evil.example/>",
        "<table background=https://evil.example/><tr><td>cell</table>",
        "<blockquote cite=https://evil.example/>quoted</blockquote>",
        "<!--><script>alert(1)</script>-->",
        "</body></html><script>alert(1)</script>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<template><img src=x onerror=alert(1)></template>",
    ],
)
def test_hostile_html_runs_loads_and_covers_nothing(hostile):
    clean = html(f"before {hostile} <p>after</p>")
    tags = re.findall(r"<[^>]*>", clean)
    forbidden = (
        r"(?i)\bon\w+=|evil|script:|style|class|<(script|svg|math|form|input|button|iframe|meta|base|link|object)"
    )
    assert not [tag for tag in tags if re.search(forbidden, tag)]
    assert "alert" not in "".join(tags)
    assert clean.startswith("before")


def test_meaningful_markup_is_kept():
    kept = '<h2 lang="de">Titel</h2><ul><li>a</li></ul><pre><code>x &lt; y</code></pre><p dir="rtl">שלום</p>'
    assert html(kept) == kept
    assert html("<table><tr><th scope=row>a<td colspan=2>b</table>") == (
        '<table><tbody><tr><th scope="row">a</th><td colspan="2">b</td></tr></tbody></table>'
    )


def test_text_of_removed_elements_is_kept():
    assert html("<form><label>Name</label> <button>Send</button></form>") == "Name Send"


def test_only_links_to_other_sites_are_kept():
    assert html("<a href='https://example.org/?a=b'>out</a>") == (
        '<a href="https://example.org/?a=b" target="_blank" rel="noopener noreferrer nofollow">out</a>'
    )
    for nowhere in ("/account/", "page.html", "#here", "ftp://example.org/", "data:text/plain,x"):
        assert "href" not in html(f"<a href='{nowhere}'>x</a>")


def test_only_embedded_pictures_are_shown():
    picture = "data:image/png;base64,iVBORw0KGgo="
    assert html(f"<img src='{picture}' alt='A dot'>") == f'<img src="{picture}" alt="A dot">'
    assert html("<img src='https://example.org/a.png' alt='A dot'>") == '<img alt="A dot">'


@pytest.mark.parametrize("tag", ["div", "b", "x"])
def test_very_deep_html_is_shown_as_text(tag):
    """Cleaning 100,000 levels would take the server minutes, so the text is shown without markup."""
    assert html(f"<{tag}>" * 100_000 + "down &amp; here<script>").split() == ["<p>", "down", "&amp;", "here", "</p>"]


def test_stray_end_tags_do_not_hide_the_depth():
    assert html("<div></x><!-- </div> -->" * 50_000 + "here").startswith("<p> ")


def test_long_flat_pages_keep_their_markup():
    clean = html("<p>One paragraph <b>after</b> the other<br>" * 20_000)
    assert clean.count("<b>after</b>") == 20_000


# ---- the snippet

FILLER = "Nothing of interest stands in this sentence at all. "


def test_short_text_is_its_own_snippet():
    assert snippet("A short\n\n text.", "text", "anything") == "A short text."
    assert snippet("", "text", "anything") == ""


def test_snippet_has_most_words_of_the_query():
    text = FILLER * 20 + "Wind. " + FILLER * 20 + "Wind turbines harm migrating birds. " + FILLER * 20 + "Birds."
    found = snippet(text, "text", "how do wind turbines harm birds")
    assert "Wind turbines harm migrating birds." in found
    assert found.startswith("… ")
    assert found.endswith(" …")
    assert len(found) <= SNIPPET + 4


def test_inflected_words_match_and_parts_of_words_do_not():
    text = FILLER * 20 + "The rewinding began. " + FILLER * 20 + "The windy shores. " + FILLER * 20
    assert "windy shores" in snippet(text, "text", "winds")


def test_first_of_equal_passages_or_the_beginning_is_returned():
    text = FILLER * 10 + "First turbine. " + FILLER * 10 + "Second turbine. " + FILLER * 10
    assert "First turbine" in snippet(text, "text", "turbine")
    for query in ("zebra", "", "..."):
        assert snippet(text, "text", query).startswith(FILLER.strip())


def test_query_of_stop_words_alone_uses_them():
    text = FILLER * 20 + "To be or not to be. " + FILLER * 20
    assert "not to be" in snippet(text, "text", "to be or not")


def test_no_word_is_cut():
    text = " ".join(f"word{n:04}" for n in range(2000))
    assert re.fullmatch(r"… (word\d{4} )+…", snippet(text, "text", "word1000"))


def test_script_without_spaces():
    text = "天気はとても良いです。" * 60 + "日本経済の成長が続いている。" + "天気はとても良いです。" * 60
    assert "日本経済の成長" in snippet(text, "text", "日本経済")


def test_snippet_of_html_is_plain_text():
    unseen = "<style>turbine</style><script>turbine()</script>"
    table = "<table><td>Wind&nbsp;&amp;<td>tur<b>bine</b></table>"
    found = snippet(f"{unseen}{FILLER * 10}{table}", "html", "turbine")
    assert "Wind & turbine" in found
    assert "<" not in found


def test_cut_tag_at_the_end_is_not_shown():
    page = f"{'x' * 99_990} <img alt='{'y' * 100}'>"
    assert "img" not in snippet(page, "html", "img")


@pytest.mark.parametrize("name", ["C++", "c#", ".NET"])
def test_name_with_symbols_is_searched_with_its_symbols(name):
    text = FILLER * 20 + "Vitamin C and a net. " + FILLER * 20 + "The languages C++, C# and ASP.NET. " + FILLER * 20
    assert "The languages" in snippet(text, "text", name)
    assert "The languages" in snippet(text, "text", f"what is {name}")


def test_passages_count_the_characters_of_text_nodes():
    page = html("<p>A &amp; <b>b</b>&nbsp;c</p>\n<ul><li>d<li>&lt;e&gt;</ul><!-- f -->")
    assert passage_text(page, "html") == "A & b\xa0c\nd<e>"
    assert passage_text("A & <b>", "text") == "A & <b>"


def test_only_the_beginning_of_a_long_text_is_searched():
    assert "turbine" not in snippet(FILLER * 4000 + "turbine", "text", "turbine")


def test_page_and_server_have_the_same_stop_words():
    script = Path(finders.find("assess/reading/query-terms.js")).read_text(encoding="utf-8")
    quoted = re.findall(r'"([a-z ]+)"', script.split("STOP_WORDS = new Set(")[1].split(");")[0])
    assert set("".join(quoted).split()) == STOP_WORDS
