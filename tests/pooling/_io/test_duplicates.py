"""Duplicate documents are detected by hashes and confirmed by their ids."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import TrecFormatError, read_run
from pooling._io import duplicates
from pooling._io.columns import BLOCK_BYTES, WINDOW_BYTES, run_by_columns
from pooling._io.duplicates import has_duplicate_pairs

IDS = st.one_of(st.sampled_from(["a", "b", "ab", "ba", "\0", "a\0", "é", "x" * 8, "x" * 9]), st.text(max_size=20))


def strings(values):
    return pa.array(values, pa.large_string())


@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=30))
def test_duplicates_match_a_set(pairs):
    topics, documents = zip(*pairs, strict=True)

    assert has_duplicate_pairs(strings(topics), strings(documents)) == (len(set(pairs)) < len(pairs))


def test_pairs_with_equal_concatenations_differ():
    # 1 + 11 and 11 + 1; and what is a prefix of the other, at and around the eight bytes of a word
    assert not has_duplicate_pairs(strings(["1", "11"]), strings(["11", "1"]))
    lengths = range(1, 40)
    assert not has_duplicate_pairs(strings(["q"] * len(lengths)), strings(["d" * n for n in lengths]))


@pytest.mark.parametrize(("documents", "repeated"), [(["a", "b", "c"], False), (["a", "b", "a"], True)])
def test_rows_with_the_same_hash_are_compared_by_their_ids(documents, repeated, monkeypatch):
    monkeypatch.setattr(duplicates, "FACTOR", np.uint64(0))

    assert has_duplicate_pairs(strings(["q"] * 3), strings(documents)) is repeated


def test_a_slice_of_an_array_is_read_from_its_offset():
    documents = strings(["a", "a", "b", "c"])

    assert not has_duplicate_pairs(strings(["q"] * 3), documents[1:])
    assert has_duplicate_pairs(strings(["q"] * 3), documents[:3])


def lines(n, begin=0):
    return b"".join(b"401 Q0 document%07d 1 %d.5 tag\n" % (number, number % 1000) for number in range(begin, begin + n))


def test_a_file_of_several_blocks_is_read_fast_and_whole():
    data = lines(BLOCK_BYTES // 36 + 20_000)
    run = run_by_columns(data, True, "float64")

    assert len(run) == data.count(b"\n")
    assert run["doc_id"].iloc[-1] == f"document{len(run) - 1:07}"
    again = data + data[: data.index(b"\n") + 1]
    assert run_by_columns(again, True, "float64") is None


@pytest.mark.parametrize("shift", range(-2, 3))
def test_unusual_bytes_at_a_window_edge_are_detected(shift):
    before = lines(WINDOW_BYTES // 30)[: WINDOW_BYTES - 100]
    before = before[: before.rindex(b"\n") + 1]
    query_id = b"4" * (WINDOW_BYTES + shift - len(before))  # the double space comes after it

    run = read_run(before + query_id + b"  Q0 d 1 1 tag\n")

    assert run["query_id"].iloc[-1] == query_id.decode()
    assert run["doc_id"].iloc[-1] == "d"


@pytest.mark.parametrize("start", [0, 1, 2047, 2048, 131_000])
def test_a_line_that_is_too_long_is_refused_at_any_offset(start):
    before = lines(start // 36 + 1)[:start]
    before = before[: before.rfind(b"\n") + 1]
    long = b"1 Q0 d 1 " + b"0" * 4090 + b"1 tag\n"

    with pytest.raises(TrecFormatError, match=r"the line has 4,10\d bytes; at most 4,096"):
        read_run(before + long + lines(200, begin=100_000))
