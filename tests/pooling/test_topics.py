"""Topics in three formats, and what is refused in each."""

import gzip

import pytest

from pooling import FormatError, read_topics
from tests.realdata import real_data

TREC = b"""
<top>
<num> Number: 301
<title> International
  Organized Crime
<desc> Description:
Identify organizations &amp; <b>people</b>.

<narr> Narrative:
A relevant document
names them.
</top>

<TOP><NUM>302</NUM>
<dom> Domain: ignored
<TITLE>Polio</TITLE>
"""


def topics(data, **options):
    return read_topics(data, name="f", **options).values.tolist()


def refusal(data):
    with pytest.raises(FormatError) as caught:
        read_topics(data, name="f")
    return caught.value


def test_tsv_has_two_columns_and_may_have_four():
    data = b"7\tblue whale\r\n08\tpolio\tHow many?\tAll of them.\n\n9\tx\ty"
    assert topics(data) == [
        ["7", "blue whale", "", ""],
        ["08", "polio", "How many?", "All of them."],
        ["9", "x", "y", ""],
    ]


def test_a_tsv_header_is_skipped():
    assert topics(b"query_id\ttitle\n1\ta\n") == [["1", "a", "", ""]]


def test_a_tsv_header_in_another_order_is_refused():
    assert "query_id title description narrative" in str(refusal(b"query_id\tnarrative\n1\ta\n"))


def test_quotes_in_tsv_are_text():
    assert topics(b'1\t"a\n2\tb"\n') == [["1", '"a', "", ""], ["2", 'b"', "", ""]]


@pytest.mark.parametrize("title_key", [b"title", b"text", b"query"])
def test_jsonl_names_its_fields(title_key):
    data = b'{"query_id": "a1", "%s": " t  u ", "description": "d", "narrative": null, "more": [1]}\n' % title_key
    assert topics(data) == [["a1", "t u", "d", ""]]


def test_an_integer_id_in_jsonl_is_converted():
    assert topics(b'{"query_id": 301, "title": "t"}') == [["301", "t", "", ""]]


def test_trec_topics_are_read_with_and_without_closing_tags():
    assert topics(TREC) == [
        [
            "301",
            "International Organized Crime",
            "Identify organizations &amp; <b>people</b>.",
            "A relevant document\nnames them.",
        ],
        ["302", "Polio", "", ""],
    ]


def test_topics_without_end_tags_end_at_the_next_topic():
    data = b"<top>\n<num> 1\n<title> a\n<top>\n<num> 2\n<title> b\n"
    assert topics(data) == [["1", "a", "", ""], ["2", "b", "", ""]]


def test_entities_are_text_and_are_never_expanded():
    bomb = b'<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">&b;'
    assert topics(b"<top><num>1<title>" + bomb + b"</top>")[0][1] == bomb.decode()


def test_columns_are_strings_even_where_all_are_empty():
    assert read_topics(b"1\ta\n").dtypes.astype(str).unique().tolist() == ["str"]


def test_byte_order_mark_and_gzip_are_accepted():
    assert topics(gzip.compress(b"\xef\xbb\xbf1\ta\n")) == [["1", "a", "", ""]]


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", None, "no topics"),
        (b"\n \n", None, "no topics"),
        (b"query_id\ttitle\n", None, "no topics"),
        (b"1\ta\n2\n", 2, "1 columns"),
        (b"1\ta\tb\tc\td\n", 1, "5 columns"),
        (b"1\ta\n\n1\tb\n", 3, "topic '1' is already on line 1"),
        (b"1\t \n", 1, "topic '1' has no title"),
        (b"a b\tx\n", 1, "query_id 'a b' contains white space"),
        (b"\tx\n", 1, "query_id '' is empty"),
        (b"1\ta\n2\t\xff\n", 2, "byte 0xFF, which is not UTF-8"),
        (b"1\ta\n2\t\0\n", 2, "a NUL character"),
        (b"1\t" + b"x" * 100_001, 1, "the title of topic '1' has 100,001 characters"),
        (b"1\ta\t" + b"x" * 100_001, 1, "the description of topic '1' has 100,001 characters"),
        (b'{"query_id": "1", "title": "a"}\n{', 2, "the JSON is invalid"),
        (b'{"query_id": "1"}', 1, "title is missing"),
        (b'{"query_id": "1", "title": "a", "text": "b"}', 1, "title and text are both present"),
        (b'{"title": "a"}', 1, "query_id is missing"),
        (b'{"query_id": true, "title": "a"}', 1, "query_id 'True' is not allowed"),
        (b'{"query_id": 1.5, "title": "a"}', 1, "query_id '1.5' is not allowed"),
        (b'{"query_id": "1", "title": ["a"]}', 1, "title is not a string"),
        (b'{"query_id": "1", "title": "a\\u0000"}', 1, "NUL"),
        (b"<top>\n<title> a\n</top>", 1, "query_id '' is empty"),
        (b"<top>\n<num> 1\n</top>", 1, "topic '1' has no title"),
        (b"<top>\n<num>1\n<title>a\n<title>b\n</top>", 4, "<title> occurs twice"),
        (b"<top>\n<num>1\n<title>a</title>\nmore\n</top>", 4, "text outside of a field"),
        (b"<top><num>1<title>a</top>\nmore", 2, "text outside of a field"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>\n<top><num>1<title>a</top>', 1, "text outside of a field"),
        (b"<top><num>1<title>a</top>\n<top><num>1<title>a</top>", 2, "topic '1' is already on line 1"),
        (b"<top><num>1<title>a</top><top><num>1<title>a</top>", 1, "topic '1' is already on line 1"),
    ],
)
def test_an_invalid_file_is_refused_with_the_line(data, line, words):
    error = refusal(data)
    assert error.line == line
    assert words in str(error)


@pytest.mark.parametrize("hostile", [b"<" * 2_000_000, b"<top><num" * 200_000, b"\n\t <a" * 500_000])
def test_a_hostile_file_is_refused_in_linear_time(hostile):
    with pytest.raises(FormatError):
        read_topics(b"<top>" + hostile)


def test_a_file_beyond_its_limit_is_refused():
    with pytest.raises(FormatError, match="more than 3 bytes"):
        read_topics(b"1\ta\n", max_bytes=3)


def test_the_real_topics_are_43():
    frame = read_topics(real_data("dl19", "topics.tsv"))
    assert len(frame) == 43
    assert frame.iloc[0].tolist() == ["19335", "anthropological definition of environment", "", ""]
