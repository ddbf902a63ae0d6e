"""What assessors see in place of images."""

import pytest

from assess.documents import markup
from assess.documents.display import displayed, is_empty, passage_text
from assess.documents.sanitiser import VERSION, sanitise
from assess.documents.sanitiser_process import render_markdown

DOT = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("html", "label"),
    [
        (f"<img src='{DOT}' alt='A dot'>", "Image: A dot"),
        ("<img src='https://example.org/a.png' alt='a &gt; b &quot;c&quot; <i>'>", "Image: a > b &quot;c&quot; <i>"),
        (f"<img src='{DOT}'>", "Image without a description"),
        ("<img alt=' '>", "Image without a description"),
    ],
)
def test_image_becomes_a_label_that_adds_no_words(html, label):
    stored = sanitise(f"<p>before {html} after</p>")
    shown = displayed(stored, "html", VERSION)
    assert "<img" not in shown
    assert "data:" not in shown
    assert f'<span class="image" role="img" aria-label="{label}"></span>' in shown.replace("&lt;", "<").replace(
        "&gt;", ">"
    )
    assert passage_text(shown, "html") == passage_text(stored, "html") == "before  after"


def test_document_of_an_image_alone_is_not_empty():
    assert not is_empty(sanitise(f"<p><img src='{DOT}' alt='A dot'></p>"), "html")
    assert is_empty(sanitise("<p><br></p>"), "html")


def test_markdown_with_images_code_and_a_table():
    image = f"![a plot](data:image/svg+xml;base64,{'A' * 50})"
    source = f"{image}\n\n```\nfirst\n  second\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    shown = displayed(sanitise(render_markdown(source)), "html", VERSION)
    assert 'aria-label="Image: a plot"' in shown
    assert "AAAA" not in shown
    assert "<pre><code>first\n  second\n</code></pre>" in shown
    assert "<td>2</td>" in shown


@pytest.mark.parametrize("piece", ["<img ", '<img alt="', "<a ", "<!--", "[", "-", "\0"])
def test_hostile_text_keeps_its_length_within_bounds(piece):
    text = piece * (1_000_000 // len(piece))
    assert len(markup.with_placeholders(text)) <= 20 * len(text)


def test_html_that_was_not_sanitised_is_displayed_without_markup():
    assert displayed("<p onclick=x>Green <b>tea</b>.", "html", None) == "<p>Green tea.</p>"
