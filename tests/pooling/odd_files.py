"""Hypothesis strategies for run and qrels files that are valid except for a few places."""

from hypothesis import strategies as st

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
    st.sampled_from([b" x\n", b" x y\n", b" x y z\n", b" \xff\n"]),
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


ODD_RUNS = nearly(IDS, IDS, IDS, IDS, SCORES, st.just(b"r"))
ODD_QRELS = nearly(IDS, IDS, IDS, GRADES)
