"""Guidelines: versions, and Markdown that is rendered as safe HTML."""

import re

import pytest
from django.urls import reverse

from assess.collections.guidelines import guidelines_html, publish_guidelines
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Guidelines, Judgement
from assess.pools.assign import assign
from tests.assess.web.judge.test_judging_page import form_of


def test_new_text_makes_a_new_version_and_keeps_the_old_ones(collection):
    first = publish_guidelines(collection, "Read the narrative.")
    second = publish_guidelines(collection, "Read it twice.")
    assert (first.version, second.version) == (1, 2)
    assert list(collection.guidelines.values_list("version", "text")) == [
        (1, "Read the narrative."),
        (2, "Read it twice."),
    ]


def test_same_text_with_other_line_ends_is_not_a_new_version(collection):
    first = publish_guidelines(collection, "One\nTwo")
    assert publish_guidelines(collection, "One\r\nTwo\r\n") == first
    publish_guidelines(collection, "Three")
    assert publish_guidelines(collection, "One\nTwo").version == 3  # the text of version 1 again, but not the latest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" \n", "The guidelines are empty"),
        ("a\0b", "contain a NUL character"),
        ("x" * 20_001, "have 20,001 characters without embedded images; at most 20,000"),
        ("x" * 500_001, "have 500,001 characters; at most 500,000"),
    ],
)
def test_invalid_guidelines_are_refused(collection, text, words):
    with pytest.raises(Refused, match=words):
        publish_guidelines(collection, text)
    assert not Guidelines.objects.exists()


def test_headings_start_below_those_of_the_page():
    html = guidelines_html("# Grades\n## Doubt\n###### Fine\n\n- **3**: all\n- *2*: much\n\n|a|b|\n|-|-|\n|1|2|\n")
    assert "<h3>Grades</h3>\n<h4>Doubt</h4>\n<h6>Fine</h6>" in html
    assert "<li><strong>3</strong>: all</li>" in html
    assert "<td>1</td>" in html
    assert not re.search("<h[12]", html)


@pytest.mark.parametrize(
    "bad",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<div style="position:fixed;inset:0">',
        "<style>body{display:none}</style>",
        '<a href="javascript:alert(1)">x</a>',
    ],
)
def test_html_in_the_text_is_escaped(bad):
    html = guidelines_html(f"before\n\n{bad}\n\nafter {bad}")
    assert set(re.findall(r"<(\w+)", html)) == {"p"}
    assert "&lt;" in html


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc"]
)
def test_links_to_scripts_and_files_are_removed(address):
    assert "href" not in guidelines_html(f"[x]({address})").replace(f"[x]({address})", "")
    assert "<a " not in guidelines_html(f"<{address}>") or "href" not in guidelines_html(f"<{address}>")


def test_links_open_in_a_new_tab_without_referrer():
    html = guidelines_html("[NIST](https://trec.nist.gov)")
    assert html == ('<p><a href="https://trec.nist.gov" target="_blank" rel="noopener noreferrer">NIST</a></p>\n')


def test_only_embedded_images_are_kept():
    assert "src" not in guidelines_html("![a scale](https://elsewhere.example/scale.png)")
    assert 'alt="a scale"' in guidelines_html("![a scale](https://elsewhere.example/scale.png)")
    assert 'src="data:image/png;base64,AAAA"' in guidelines_html("![](data:image/png;base64,AAAA)")
    assert "<img" not in guidelines_html("![](data:image/svg+xml;base64,AAAA)")


@pytest.mark.slow
def test_embedded_images_do_not_count_towards_the_length(collection):
    image = f"![](data:image/png;base64,{'A' * 100_000})"
    assert "<img" in guidelines_html(publish_guidelines(collection, f"Read this. {image}").text)


def test_too_long_text_of_an_earlier_version_is_shown_without_formatting():
    assert guidelines_html("*[" * 10_001) == f"<pre>{'*[' * 10_001}</pre>"


def test_page_shows_the_latest_version_and_the_judgement_records_it(collection, join, signed_in):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    publish_guidelines(collection, "Old words")
    publish_guidelines(collection, "# Two rules\n\nRead *slowly*.")
    topic, _ = topics_with_progress(ada)[0]
    http = signed_in(ada)
    html = http.get(reverse("judge:topic", args=[collection.slug, topic.pk])).content.decode()
    assert "<h3>Two rules</h3>\n<p>Read <em>slowly</em>.</p>" in html
    assert "Old words" not in html
    action, hidden = form_of(html)
    http.post(action, hidden | {"relevance": "1"})
    publish_guidelines(collection, "Newer still")
    assert Judgement.objects.get().guidelines_version == 2


def test_judgement_with_unknown_guidelines_version_is_refused(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    publish_guidelines(collection, "Words")
    topic, _ = topics_with_progress(ada)[0]
    task = worklist.upcoming(ada, topic)[0].task
    with pytest.raises(Refused, match="There is no version 2 of the guidelines"):
        record_judgement(ada, task, JudgementInput("judged", 1, guidelines_version=2), None)
