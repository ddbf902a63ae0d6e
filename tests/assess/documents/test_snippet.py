"""The snippet of a document that matches the query best."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from assess.documents.snippet import SNIPPET, STOP_WORDS, snippet_for

FILLER = "Nothing of interest stands in this sentence at all. "


def test_short_text_is_its_own_snippet():
    assert snippet_for("A short\n\n text.", "text", "anything") == "A short text."
    assert snippet_for("", "text", "anything") == ""


def test_snippet_has_most_words_of_the_query():
    text = FILLER * 20 + "Wind. " + FILLER * 20 + "Wind turbines harm migrating birds. " + FILLER * 20 + "Birds."
    found = snippet_for(text, "text", "how do wind turbines harm birds")
    assert "Wind turbines harm migrating birds." in found
    assert found.startswith("… ")
    assert found.endswith(" …")
    assert len(found) <= SNIPPET + 4


def test_inflected_words_match_and_parts_of_words_do_not():
    text = FILLER * 20 + "The rewinding began. " + FILLER * 20 + "The windy shores. " + FILLER * 20
    assert "windy shores" in snippet_for(text, "text", "winds")


def test_first_of_equal_passages_or_the_beginning_is_returned():
    text = FILLER * 10 + "First turbine. " + FILLER * 10 + "Second turbine. " + FILLER * 10
    assert "First turbine" in snippet_for(text, "text", "turbine")
    for query in ("zebra", "", "..."):
        assert snippet_for(text, "text", query).startswith(FILLER.strip())


def test_query_of_stop_words_alone_uses_them():
    text = FILLER * 20 + "To be or not to be. " + FILLER * 20
    assert "not to be" in snippet_for(text, "text", "to be or not")


def test_no_word_is_cut():
    text = " ".join(f"word{n:04}" for n in range(2000))
    assert re.fullmatch(r"… (word\d{4} )+…", snippet_for(text, "text", "word1000"))


def test_script_without_spaces():
    text = "天気はとても良いです。" * 60 + "日本経済の成長が続いている。" + "天気はとても良いです。" * 60
    assert "日本経済の成長" in snippet_for(text, "text", "日本経済")


def test_snippet_of_html_is_plain_text():
    unseen = "<style>turbine</style><script>turbine()</script>"
    table = "<table><td>Wind&nbsp;&amp;<td>tur<b>bine</b></table>"
    found = snippet_for(f"{unseen}{FILLER * 10}{table}", "html", "turbine")
    assert "Wind & turbine" in found
    assert "<" not in found


def test_cut_tag_at_the_end_is_not_shown():
    page = f"{'x' * 99_990} <img alt='{'y' * 100}'>"
    assert "img" not in snippet_for(page, "html", "img")


@pytest.mark.parametrize("name", ["C++", "c#", ".NET"])
def test_name_with_symbols_is_searched_with_its_symbols(name):
    text = FILLER * 20 + "Vitamin C and a net. " + FILLER * 20 + "The languages C++, C# and ASP.NET. " + FILLER * 20
    assert "The languages" in snippet_for(text, "text", name)
    assert "The languages" in snippet_for(text, "text", f"what is {name}")


def test_only_the_beginning_of_a_long_text_is_searched():
    assert "turbine" not in snippet_for(FILLER * 4000 + "turbine", "text", "turbine")


def test_page_and_server_have_the_same_stop_words():
    script = Path(finders.find("assess/reading/query-terms.js")).read_text(encoding="utf-8")
    quoted = re.findall(r'"([a-z ]+)"', script.split("STOP_WORDS = new Set(")[1].split(");")[0])
    assert set("".join(quoted).split()) == STOP_WORDS
