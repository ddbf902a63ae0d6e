"""The fast reader accepts nothing that the strict one refuses, and reads the same values."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from pooling._columns import qrels_by_columns, run_by_columns
from pooling._lines import qrels_by_lines, run_by_lines

IDS = st.sampled_from([b"1", b"a", b"b", b"c#", b'"d"', b"\xc3\xa9", b"Q0"])
SCORES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: repr(number).encode()),
    st.sampled_from([b"1.", b".5", b"1E5", b"-0", b"1e-999", b"0.1000000000000000055511151231257827"]),
)
GRADES = st.sampled_from([b"0", b"1", b"-1", b"+2", b"003"])
ODDITIES = st.one_of(
    st.sampled_from(
        [b"\t", b"  ", b"\r", b"\n", b"\r\n", b"\r\r\n", b" \n\n", b"\n \t\n", b"", b" x ", b"#", b"\n#", b"\n # "]
    ),
    st.sampled_from(
        [b"\0", b"\x0b", b"\x0c", b"\x7f", b"\xff", b"\xc2\x85", b"\xc2\xa0", b"\xef\xbb\xbf", b"x" * 513, b" " * 5000]
    ),
    st.sampled_from([b"nan", b"-inf", b"1e999", b"1e39", b"0x1F", b"1_0", b"2147483648", b"0" * 4090, b"+1", b"1d5"]),
    st.text("0123456789+-.eE_xXnNaAiIfF", max_size=8).map(str.encode),
    st.binary(max_size=4),
)


@st.composite
def nearly(draw, *columns):
    """The bytes of a good file, except that up to three fields, separators or line ends are odd."""
    pieces = []
    for row in draw(st.lists(st.tuples(*columns), max_size=5, unique_by=lambda row: row[2])):
        for field in row:
            pieces += [field, b" "]
        pieces[-1] = b"\n"
    for oddity in draw(st.lists(ODDITIES, max_size=3)):
        place = draw(st.integers(0, len(pieces)))
        pieces[place : place + draw(st.integers(0, 1))] = [oddity]
    return b"".join(pieces)


@settings(max_examples=800)
@given(nearly(IDS, IDS, IDS, IDS, SCORES, st.just(b"r")), st.booleans(), st.sampled_from(["float64", "float32"]))
@example(b"1 Q0 a 1 1 r\n" * 2, True, "float64")
@example(b"1 Q0 a 1 1 r\n1 Q0 b 1 1 s\n", True, "float64")
@example(b"1 Q0 a 1 1e39 r\n", True, "float32")
@example(b"\xef\xbb\xbf1 Q0 a 1 1 r\n", True, "float64")
def test_runs(data, one_tag, precision):
    fast = run_by_columns(data, one_tag, precision)
    if fast is not None:
        assert_frame_equal(fast, run_by_lines(data, "file", one_tag, precision), check_exact=True)


@settings(max_examples=800)
@given(nearly(IDS, IDS, IDS, GRADES))
@example(b"1 0 a 0x1\n")
@example(b"1 0 a 1\n1 0 a 2\n")
def test_qrels(data):
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
