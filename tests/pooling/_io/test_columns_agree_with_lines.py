"""The fast reader accepts nothing that the strict one refuses, and reads the same values."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from pooling._io.columns import labels_by_columns, qrels_by_columns, run_by_columns
from pooling._io.lines import labels_by_lines, qrels_by_lines, run_by_lines
from tests.examples import examples
from tests.pooling.odd_files import ODD_QRELS, ODD_RUNS


@examples(800)
@given(ODD_RUNS, st.booleans(), st.sampled_from(["float64", "float32"]), st.booleans())
@example(b"1 Q0 a 1 1 r\n" * 2, True, "float64", False)
@example(b"1 Q0 a 1 1 r\n1 Q0 b 1 1 s\n", True, "float64", False)
@example(b"1 Q0 a 1 1e39 r\n", True, "float32", False)
@example(b"\xef\xbb\xbf1 Q0 a 1 1 r\n", True, "float64", False)
@example(b"1 Q0 a 1 1 r x\n1 Q0 b 1 1\n", True, "float64", True)
def test_both_readers_agree_on_runs(data, one_tag, precision, ignore_extra):
    fast = run_by_columns(data, one_tag, precision, ignore_extra=ignore_extra)
    if fast is not None:
        strict = run_by_lines(data, "file", one_tag, precision, ignore_extra=ignore_extra)
        assert_frame_equal(fast, strict, check_exact=True)


@examples(800)
@given(ODD_QRELS)
@example(b"1 0 a 0x1\n")
@example(b"1 0 a 1\n1 0 a 2\n")
def test_both_readers_agree_on_qrels(data):
    fast = qrels_by_columns(data)
    if fast is not None:
        assert_frame_equal(fast, qrels_by_lines(data, "file"), check_exact=True)


@pytest.mark.parametrize(
    "data",
    [
        b"1 Q0 a 1 2.5 r\n1 Q0 b 2 -1e-3 r\n",
        b"1\tQ0\ta\t1\t2.5\tr\r\n1\tQ0\tb\t2\t1\tr",
        b"# comment\n\n 1  Q0 a x 2 r \n",
        "1 Q0 é\u00a0é 1 2 r\n".encode(),
    ],
)
def test_a_usual_file_is_read_fast(data):
    assert run_by_columns(data, True, "float64") is not None


@pytest.mark.parametrize(
    "data",
    [b"1 Q0 a 1 2 r x\n1 Q0 b 2 1 r\n", b"1\tQ0\ta\t1\t2\tr \t x y\r\n", b"1 Q0 a 1 2 r x y", b"# a b\n1 Q0 a 1 2 r x"],
)
def test_a_usual_file_with_ignored_extra_columns_is_read_fast(data):
    assert run_by_columns(data, True, "float64") is None
    assert run_by_columns(data, True, "float64", ignore_extra=True)["tag"].unique().tolist() == ["r"]


@examples(800)
@given(ODD_QRELS)
@example(b"1 0 a 1\n1 0 a 2\n")
@example(b"# x\n\n1 0 a x\r\n \n1  0 b 1.0")
def test_both_readers_agree_on_labels(data):
    fast = labels_by_columns(data)
    if fast is not None:
        assert_frame_equal(fast, labels_by_lines(data, "file"), check_exact=True)


def test_usual_labels_are_read_fast():
    labels = labels_by_columns(b"# comment\n1  0 a 1.0\n\n1 0 a x\n")
    assert labels.to_numpy().tolist() == [[2, "1", "a", "1.0"], [4, "1", "a", "x"]]
