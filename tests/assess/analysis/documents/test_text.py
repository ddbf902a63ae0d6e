"""Passages of judges in the text of a document."""

from assess.analysis.documents.page import Passage, marked_parts


def test_text_is_cut_where_passages_begin_and_end():
    parts = marked_parts("abcdefgh", [Passage(1, 4, "ann"), Passage(3, 6, "bob"), Passage(3, 4, "bob")])
    assert parts == [("a", ""), ("bc", "ann"), ("d", "ann, bob"), ("ef", "bob"), ("gh", "")]


def test_passages_outside_the_text_are_cut_or_left_out():
    parts = marked_parts("abc", [Passage(2, 9, "ann"), Passage(7, 9, "bob"), Passage(1, 1, "cy")])
    assert parts == [("ab", ""), ("c", "ann")]


def test_text_without_passages_is_one_part():
    assert marked_parts("abc", []) == [("abc", "")]
    assert marked_parts("", [Passage(0, 3, "ann")]) == []
