"""Two texts side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.living.text_diff import CONTEXT, LONGEST, MOST_CHARACTERS, side_by_side

MEGABYTE = 1_000_000
texts = st.text(alphabet="ab <\n", max_size=120)


def changed(parts):
    return [part.text for part in parts if part.is_changed]


def test_by_hand():
    old, new = side_by_side("The old cat sat.", "The new cat sat down.")
    assert changed(old) == ["old"]
    assert changed(new) == ["new", " down"]


@pytest.mark.parametrize(("old", "new"), [("", ""), ("same", "same")])
def test_equal_texts_have_no_change(old, new):
    assert [changed(parts) for parts in side_by_side(old, new)] == [[], []]


def test_one_text_is_empty():
    assert [changed(parts) for parts in side_by_side("", "new words")] == [[], ["new words"]]


@given(texts, texts)
def test_the_parts_are_the_texts_and_agree_outside_the_changes(old, new):
    left, right = side_by_side(old, new)
    assert "".join(part.text for part in left) == old
    assert "".join(part.text for part in right) == new
    unchanged = ["".join(part.text for part in parts if not part.is_changed) for parts in (left, right)]
    assert unchanged[0] == unchanged[1]
    assert (old == new) == (not changed(left) and not changed(right))


def test_long_unchanged_parts_are_shortened():
    same = "word " * 1_000
    old, _ = side_by_side(f"{same}old {same}", f"{same}new {same}")
    assert changed(old) == ["old"]
    assert all(len(part.text) <= 2 * CONTEXT + 5 for part in old)
    assert [part.is_shortened for part in old] == [True, False, True]


@pytest.mark.parametrize("unit", ["<a ", "<!--", '<a b="', "[", "-", "\0", "a b "])
def test_long_texts_take_linear_time(unit):
    """Quadratic work on a megabyte would not end within the time limit of the tests."""
    text = unit * (MEGABYTE // len(unit))
    for new in (text[1:], f"x{text}y", text[::-1]):
        old_parts, new_parts = side_by_side(text, new)
        assert all(len(part.text) <= LONGEST for part in (*old_parts, *new_parts))
        assert sum(len(part.text) for part in old_parts) <= MOST_CHARACTERS
