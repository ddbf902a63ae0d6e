"""The query language: what a query means, what is refused, and hostile input."""

import sqlite3
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.models.search import MAX_QUERY_LENGTH
from assess.search import postgresql, sqlite
from assess.search.grammar import AllOf, AnyOf, InvalidQuery, Phrase, parse, phrases_in

pytestmark = pytest.mark.database(slow=True)


def word(text: str, field: str = "") -> Phrase:
    return Phrase((text,), field)


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("mill", word("mill")),
        ("Mill!", word("mill")),
        ("mill brook", AllOf((word("mill"), word("brook")))),
        ("mill AND brook", AllOf((word("mill"), word("brook")))),
        ("mill and brook", AllOf((word("mill"), word("and"), word("brook")))),
        ("mill OR brook", AnyOf((word("mill"), word("brook")))),
        ("a b OR c d", AnyOf((AllOf((word("a"), word("b"))), AllOf((word("c"), word("d")))))),
        ("mill NOT brook", AllOf((word("mill"),), (word("brook"),))),
        ("-brook mill", AllOf((word("mill"),), (word("brook"),))),
        ('mill -"dry brook"', AllOf((word("mill"),), (Phrase(("dry", "brook")),))),
        ("mill -(a OR b)", AllOf((word("mill"),), (AnyOf((word("a"), word("b"))),))),
        ('"water mill"', Phrase(("water", "mill"))),
        ("“water mill”", Phrase(("water", "mill"))),
        ('"AND" "OR"', AllOf((word("and"), word("or")))),
        ("state-of-the-art", Phrase(("state", "of", "the", "art"))),
        ("mill*", Phrase(("mill",), is_prefix=True)),
        ('"water mil*"', Phrase(("water", "mil"), is_prefix=True)),
        ("title:mill", word("mill", "title")),
        ("TITLE:mill", word("mill", "title")),
        ('text:"water mill"', Phrase(("water", "mill"), "text")),
        ("title:(a OR b)", AnyOf((word("a", "title"), word("b", "title")))),
        ("title:(a text:b)", AllOf((word("a", "title"), word("b", "text")))),
        ("-title:mill brook", AllOf((word("brook"),), (word("mill", "title"),))),
        ("mill – !!! brook", AllOf((word("mill"), word("brook")))),
        ("() mill", word("mill")),
        ("12:30", Phrase(("12", "30"))),
        ("東京", Phrase(("東", "京"))),
        ("Müller café", AllOf((word("muller"), word("cafe")))),
    ],
)
def test_meaning_of_a_query(query, tree):
    assert parse(query) == tree


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "Type a word to search for"),
        ("!!! ()", "Type a word to search for"),
        ("NOT mill", "NOT at character 1 needs a word beside it"),
        ("brook OR -mill", "NOT at character 10 needs a word beside it"),
        ("brook NOT", "NOT at character 7 needs a word after it"),
        ("OR mill", "OR at character 1 needs a word before and after it"),
        ("mill OR", "OR at character 6 needs a word before and after it"),
        ("mill AND", "AND at character 6 needs"),
        ("AND mill", "AND at character 1 needs"),
        ("mill AND OR brook", "AND at character 6 needs"),
        ("(mill", "The parenthesis at character 1 is not closed"),
        ("mill) brook", "The parenthesis at character 5 closes nothing"),
        ('water "mill', "The quotation mark at character 7 has no second one"),
        ("author:mill", "There is no field author: (character 1)"),
        ("title: mill", "title: at character 1 needs a word directly after it"),
        ("m*", "A * needs at least 2 letters before it (character 1)"),
        ("brook *", "A * needs at least 2 letters before it (character 7)"),
        ("m*ll", "A * is allowed at the end of a word only (character 1)"),
        ("x" * (MAX_QUERY_LENGTH + 1), "A search has at most 500 characters, not 501"),
        ("a " * 51, "A search has at most 50 words"),
        ("(" * 11 + "a" + ")" * 11, "nested deeper than 10"),
    ],
)
def test_refusals_name_the_position(query, sentence):
    with pytest.raises(InvalidQuery) as refusal:
        parse(query)
    assert sentence in str(refusal.value)


def test_words_after_not_are_not_highlighted():
    assert list(phrases_in(parse('mill OR ("dry brook" -sea)'))) == [word("mill"), Phrase(("dry", "brook"))]


@pytest.mark.parametrize(
    ("query", "fts5", "tsquery"),
    [
        ("mill", '("mill")', "('mill')"),
        ("mil*", '("mil" *)', "('mil':*)"),
        ('title:"water mil*"', '{title} : ("water" + "mil" *)', "('water':A <-> 'mil':*A)"),
        ("a OR text:b", '(("a") OR {text} : ("b"))', "(('a') | ('b':D))"),
        ("a b -c", '((("a") AND ("b")) NOT (("c")))', "((('a') & ('b')) & !(('c')))"),
    ],
)
def test_translation(query, fts5, tsquery):
    tree = parse(query)
    assert sqlite.expression(tree) == fts5
    assert postgresql.expression(tree) == tsquery


HOSTILE = [*("()\"'*:-^{}+.,!&|<>\\\0\u202e\ud800%_", "NOT", "NEAR", "AND", "OR", "title:", "text:", "mill", "é", "東")]


@given(st.lists(st.sampled_from(HOSTILE), max_size=40).map("".join) | st.text(max_size=60))
def test_any_text_is_a_query_that_both_engines_can_read_or_is_refused(query):
    try:
        tree = parse(query)
    except InvalidQuery:
        return
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(title, text, tokenize='ascii')")
        database.execute("SELECT count(*) FROM t WHERE t MATCH ?", [sqlite.expression(tree)]).fetchone()
    quoted = postgresql.expression(tree).split("'")[1::2]
    assert all(text.isalnum() or not text.isascii() for text in quoted)


@pytest.mark.parametrize("text", ["(", '"', "-", "NOT ", "title:", "a OR ", "*", "\0", "(a", "a:"])
def test_long_hostile_queries_are_refused_before_they_are_read(text):
    started = time.process_time()
    with pytest.raises(InvalidQuery):
        parse(text * (1_000_000 // len(text)))
    assert time.process_time() - started < 1
