"""Shingles and their Jaccard similarity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import jaccard, shingles

words = st.lists(st.sampled_from(["rose", "is", "a", "red"]), max_size=12)


def test_shingles_by_hand():
    # a rose is, rose is a, is a rose: the third word on, they repeat.
    assert len(shingles("a rose is a rose is a rose", size=3)) == 3
    assert len(shingles("a rose is a rose is a rose", size=1)) == 3


def test_similarity_by_hand():
    # Shared: the cat sat. Either: the cat sat, cat sat on, on it only in a; cat sat down only in b.
    a, b = shingles("The cat sat on"), shingles("the cat sat down!")
    assert jaccard(a, b) == 1 / 3


@pytest.mark.parametrize(
    ("a", "b"),
    [("The Cat, sat.", "the cat sat"), ("one\n\ttwo", "one two"), ("STRASSE", "straße"), ("one two", "One two!")],
)
def test_case_punctuation_and_white_space_do_not_count(a, b):
    assert np.array_equal(shingles(a), shingles(b))


def test_each_character_of_chinese_is_a_word():
    assert len(shingles("我们喜欢信息检索", size=3)) == 6
    assert jaccard(shingles("我们喜欢信息检索"), shingles("我们喜欢信息")) == 4 / 6


@pytest.mark.parametrize("text", ["", " \n", "...", "!?", "\0"])
def test_text_without_words_has_no_shingle_and_resembles_nothing(text):
    assert len(shingles(text)) == 0
    assert jaccard(shingles(text), shingles(text)) == 0


def test_text_with_fewer_words_than_a_shingle_has_one():
    assert len(shingles("two words", size=5)) == 1


def test_lone_surrogate_is_accepted():
    assert len(shingles("a \ud800 b c d")) == len(shingles("a b c d"))


@pytest.mark.parametrize("size", [0, -1, 1.5, "3"])
def test_other_sizes_are_refused(size):
    with pytest.raises(ValueError, match="size"):
        shingles("a b c", size=size)


@given(words, st.integers(1, 4))
def test_shingles_equal_those_of_an_enumeration(text, size):
    expected = {tuple(text[at : at + size]) for at in range(max(len(text) - size, 0) + 1)} if text else set()
    assert len(shingles(" ".join(text), size)) == len(expected)


@given(words, words)
def test_similarity_is_symmetric_and_that_of_python_sets(a, b):
    one, other = shingles(" ".join(a), 2), shingles(" ".join(b), 2)
    either = set(one.tolist()) | set(other.tolist())
    expected = len(set(one.tolist()) & set(other.tolist())) / len(either) if either else 0
    assert jaccard(one, other) == jaccard(other, one) == expected
