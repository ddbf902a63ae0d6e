"""Ids that match nothing on the other side: found, explained and repaired, and two of them never become one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.choices import REPAIRS
from pooling.unmatched import NORMAL_FORMS, lookalikes, pairs_of, unmatched

OPTION = "--repair-ids leading-zeros"


def test_the_choices_are_the_repairs():
    assert (*NORMAL_FORMS, "prefix") == REPAIRS


@pytest.mark.parametrize(
    ("mine", "theirs", "repair"),
    [
        ("90", "090", "leading-zeros"),
        ("090", "90", "leading-zeros"),
        ("301.0", "301", "decimals"),
        ('"301"', "301", "quotes"),
        ("a\u00a0b", "ab", "blanks"),
        ("FT911-3", "ft911-3", "case"),
        ("\ufeff301", "301", "byte-order-mark"),
        ("FT\ufeff911", "FT911", "byte-order-mark"),
        ("'301'", "301", "quotes"),
        ("a\u2003b", "ab", "blanks"),
        ("301", "301.0", "decimals"),
        ("doc_12", "12", "prefix"),
        ("12", "MSMARCO_12", "prefix"),
        ("D1555982", "1555982", "prefix"),
    ],
)
def test_each_change_is_recognised(mine, theirs, repair):
    found = unmatched([mine, "same"], [theirs, "same"])
    assert (found.ids, found.total, found.repair, found.pairs) == ((mine,), 2, repair, {mine: theirs})


def test_the_repair_that_makes_most_match_is_named():
    found = unmatched(["1.0", "02", "03"], ["1", "2", "3"])
    assert (found.repair, found.pairs) == ("leading-zeros", {"02": "2", "03": "3"})


def test_a_prefix_is_that_of_all_ids_without_a_match():
    own = {f"doc_1{number}" for number in range(500)} | {"same", "doc_x"}
    pairs = pairs_of(own, {f"1{number}" for number in range(300)} | {"same", "25"}, "prefix")
    assert pairs == {f"doc_1{number}": f"1{number}" for number in range(300)}
    assert pairs_of({"doc_12", "other"}, {"12"}, "prefix") == {}


def test_numbers_are_no_prefix_of_numbers():
    assert unmatched(["712"], ["12"]).repair is None
    assert unmatched(["12"], ["712"]).repair is None


def test_two_ids_never_become_one():
    assert pairs_of({"7", "07"}, {"007"}, "leading-zeros") == {}  # both would be 007
    assert pairs_of({"7"}, {"07", "007"}, "leading-zeros") == {}  # nobody knows which one it is
    assert pairs_of({"07", "7"}, {"7"}, "leading-zeros") == {}  # 7 is there already
    assert pairs_of({"d_7", "7"}, {"7"}, "prefix") == {}


def test_sentences():
    some = unmatched([str(number) for number in range(90, 115)], [f"{number:03}" for number in range(90, 115)])
    assert some.sentence("topic", "bob", "ada", OPTION) == (
        "10 of 25 topics of bob match nothing in ada: '90' may be '090' (leading zeros); "
        "--repair-ids leading-zeros reads 10 so."
    )
    assert unmatched(["x"], ["y"]).sentence("topic", "bob", "ada", OPTION) == (
        "1 of 1 topic of bob matches nothing in ada, such as 'x'."
    )
    assert unmatched(["x"], ["x"]).sentence("topic", "bob", "ada", OPTION) == ""
    assert unmatched([], []).share == 0


@given(st.sets(st.text('0127aB"\ufeff .', max_size=4)), st.sets(st.text('0127aB"\ufeff .', max_size=4)))
def test_repaired_ids_are_different_ids_of_the_other_side(own, known):
    for repair in REPAIRS:
        pairs = pairs_of(own, known, repair)
        assert set(pairs) <= own - known
        assert set(pairs.values()) <= known - (own - set(pairs))
        assert len(set(pairs.values())) == len(pairs)


@pytest.mark.parametrize(
    ("ids", "others", "how"),
    [
        (["90", "090"], ["090"], "'90' is not '090' (leading zeros)"),
        (["090.0", "090"], ["090"], "'090.0' is not '090' (decimals)"),
        (["d1", "D1"], ["D1"], "'d1' is not 'D1' (case)"),
        (['"D1"', "D1"], ["D1"], "'\"D1\"' is not 'D1' (quotes)"),
        (["q090", "q091", "090"], ["090", "091"], "'q090' is not '090' (prefix)"),
    ],
)
def test_ids_that_look_like_ids_of_the_other_side(ids, others, how):
    sentence = lookalikes(ids, others, "topic", "the runs", "the golds")
    assert sentence.endswith(f"one of them: {how}.")
    assert sentence.startswith(("1 topic of the runs matches", "2 topics of the runs match"))


def test_other_ids_look_like_none():
    assert lookalikes(["301", "302"], ["301", "401"], "topic", "the runs", "the golds") == ""
