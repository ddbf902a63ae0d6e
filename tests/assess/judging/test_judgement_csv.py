"""Raw judgements as CSV: written rows are read back unchanged, and an invalid file is refused in one sentence."""

import csv
import io
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.judging import judgement_csv
from assess.judging.judgement_csv import COLUMNS, CsvError, Line
from assess.models import State
from pooling.formula_cells import harmless, plain

HEADER = "assessor,query_id,doc_id,relevance"
ALLOWED_HEADER = (
    "the header must contain assessor,query_id,doc_id,relevance and may contain "
    "state,repeat,judged_at,reason,comment,guidelines_version,active_ms,away_ms,confidence,passages,highlights,input,"
    "label_confidence,adjudicated,marginal,repeats,assisted,suggested,saw_runs, each once"
)
AT = datetime(2026, 11, 21, 10, 20, 30, 123456, tzinfo=UTC)

# Text without NUL and surrogates, with many characters that have a meaning in CSV files and spreadsheets.
texts = st.text(st.one_of(st.sampled_from("=+-@'\"\t\r\n, ;"), st.characters(exclude_characters="\0", codec="utf-8")))
names = texts.filter(bool)
numbers = st.integers(0, 999_999_999)
times = st.datetimes(timezones=st.just(UTC))
spans = st.lists(st.integers(0, 9_999_999_999), min_size=2, max_size=2)
rows = st.tuples(
    names,
    names,
    names,
    st.none() | numbers,
    st.sampled_from(State.values),
    numbers,
    times,
    texts,
    texts,
    st.none() | numbers,
    numbers,
    numbers,
    st.none() | numbers,
    st.just(()) | st.lists(spans, min_size=1, max_size=4),
    st.none() | st.booleans(),
    texts,
    st.none() | st.floats(0, 1),
    st.none() | st.booleans(),
    texts,
    st.just(()) | st.lists(names, min_size=1, max_size=4),
)


def written(judgements) -> str:
    stream = io.StringIO(newline="")
    judgement_csv.write(judgements, stream)
    return stream.getvalue()


def read(text: str) -> list[Line]:
    return list(judgement_csv.read(io.StringIO(text, newline="")))


def refused(text: str) -> str:
    with pytest.raises(CsvError) as refusal:
        read(text)
    return str(refusal.value)


@given(st.lists(rows, max_size=5))
def test_written_rows_are_read_back(judgements):
    assert [line[1:-3] for line in read(written(judgements))] == judgements


@given(st.lists(rows, max_size=5))
def test_rows_that_were_read_are_written_as_the_same_bytes(judgements):
    text = written(judgements)
    assert written(line[1:-3] for line in read(text)) == text


BEGINNINGS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


@given(st.lists(rows, max_size=5))
def test_no_cell_begins_like_a_formula(judgements):
    cells = [cell for row in csv.reader(io.StringIO(written(judgements), newline="")) for cell in row]
    assert [cell for cell in cells if cell.startswith(BEGINNINGS)] == []


@given(texts, texts)
def test_two_texts_never_become_the_same_cell(one, other):
    assert (harmless(one) == harmless(other)) == (one == other)


@pytest.mark.parametrize("start", [*BEGINNINGS, "'"])
def test_start_of_a_formula_is_escaped_and_unescaped(start):
    assert harmless(f"{start}1") == f"'{start}1"
    for text in (start, f"{start}1", f"'{start}1", f"''{start}1"):
        assert plain(harmless(text)) == text


def test_example_line():
    row = ("ada", "1", "=cmd()", None, "cannot_judge", 0, AT, "broken", 'half, "gone"\nreally', None)
    assert written([(*row, 4200, 70, 2, [[0, 12], [40, 61]], True, "key")]) == (
        f"{','.join(COLUMNS)}\n"
        'ada,1,\'=cmd(),,cannot_judge,0,2026-11-21T10:20:30.123456Z,broken,"half, ""gone""\nreally",,'
        '4200,70,2,"[[0,12],[40,61]]",true,key\n'
    )


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (AT, "2026-11-21T10:20:30.123456Z"),
        (AT.replace(microsecond=0), "2026-11-21T10:20:30.000000Z"),
        (AT.astimezone(timezone(timedelta(hours=-3))), "2026-11-21T10:20:30.123456Z"),
        (AT.replace(year=33), "0033-11-21T10:20:30.123456Z"),
    ],
)
def test_equal_times_are_equal_bytes(at, text):
    assert judgement_csv.instant(at) == text


def test_four_columns_are_enough_in_any_order():
    assert read("relevance,doc_id,query_id,assessor\n1,d,q,ada\n") == [Line(2, "ada", "q", "d", 1)]


def test_empty_optional_cells_equal_missing_columns():
    assert read(f"{','.join(COLUMNS)}\nada,q,d,1{',' * 16}\n") == [Line(2, "ada", "q", "d", 1)]


def test_files_without_confidence_and_passages_are_read():
    old = f"{HEADER},state,repeat,judged_at,reason,comment,guidelines_version,active_ms"
    assert read(f"{old}\nada,q,d,1,judged,0,{judgement_csv.instant(AT)},,sure,2,42\n") == [
        Line(2, "ada", "q", "d", 1, "judged", 0, AT, "", "sure", 2, 42)
    ]


def test_values_changed_by_a_spreadsheet_are_read():
    text = f'{HEADER},highlights,passages\nada,q,d1,1,TRUE,"[[0, 12], [40, 61]]"\nada,q,d2,1,False,"[[3 ,4]]"\n'
    assert [(line.highlights, line.passages) for line in read(text)] == [
        (True, [[0, 12], [40, 61]]),
        (False, [[3, 4]]),
    ]


@pytest.mark.parametrize(
    "passages",
    [
        "0-12",
        "[]",
        "[0,12]",
        "[[0,12]",
        "[[0,12],]",
        "[[-1,2]]",
        "[[0.5,2]]",
        "[[01,2]]",
        "[[1,2,3]]",
        "[[1]]",
        '[["0","1"]]',
        "[[0,99999999999]]",
        "[[0,1]] [[2,3]]",
        "[[٣,4]]",
        "null",
        "{}",
        "[" * 50_000,
    ],
    ids=lambda text: text[:20],
)
def test_invalid_passages_are_refused(passages):
    quoted = passages.replace('"', '""')
    assert refused(f'{HEADER},passages\nada,q,d,1,"{quoted}"\n') == (
        f"line 2: passages must be a list of [start,end] pairs such as [[0,12]], not {passages[:40]!r}"
    )


@pytest.mark.parametrize("highlights", ["1", "yes", "on", "tru", "none"])
def test_highlights_are_true_or_false(highlights):
    assert refused(f"{HEADER},highlights\nada,q,d,1,{highlights}\n") == (
        f"line 2: highlights must be true or false, not '{highlights}'"
    )


def test_other_apostrophes_are_kept():
    assert read(f"{HEADER}\nada,q,'quoted',1\n")[0].doc_id == "'quoted'"


def test_line_numbers_are_those_of_an_editor():
    text = f'{HEADER},comment\nada,q,d1,1,"one\ntwo"\n\nada,q,d2,1,\nada,q,d3,x,\n'
    assert refused(text).startswith("line 6: relevance must be a whole number of at most nine digits")
    assert [line.number for line in read(text.replace(",x,", ",1,"))] == [2, 5, 6]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", f"line 1: {ALLOWED_HEADER}; it is ''"),
        ("ada,q,d,1\n", f"line 1: {ALLOWED_HEADER}; it is 'ada,q,d,1'"),
        ("assessor,query_id,doc_id\n", f"line 1: {ALLOWED_HEADER}; it is 'assessor,query_id,doc_id'"),
        (f"{HEADER},rank\n", f"line 1: {ALLOWED_HEADER}; it is '{HEADER},rank'"),
        (f"{HEADER},doc_id\n", f"line 1: {ALLOWED_HEADER}; it is '{HEADER},doc_id'"),
        (f"{HEADER},\n", f"line 1: {ALLOWED_HEADER}; it is '{HEADER},'"),
        (f"{HEADER}\nada,q,d\n", "line 2: 3 columns, but the header has 4"),
        (f"{HEADER}\nada,q,d,1,\n", "line 2: 5 columns, but the header has 4"),
        (f"{HEADER}\nada;q;d;1\n", "line 2: 1 columns, but the header has 4"),
        (f"{HEADER}\n,q,d,1\n", "line 2: assessor is empty; it must be text without NUL characters"),
        (f"{HEADER}\nada,,d,1\n", "line 2: query_id is empty; it must be text without NUL characters"),
        (f"{HEADER}\nada,q,,1\n", "line 2: doc_id is empty; it must be text without NUL characters"),
        (f"{HEADER}\nada,q,d\0,1\n", "line 2: doc_id contains a NUL character; it must be text without NUL characters"),
        (f"{HEADER}\nada,q,d,-1\n", "line 2: relevance must be a whole number of at most nine digits, not '-1'"),
        (f"{HEADER}\nada,q,d,1.5\n", "line 2: relevance must be a whole number of at most nine digits, not '1.5'"),
        (f"{HEADER}\nada,q,d,٣\n", "line 2: relevance must be a whole number of at most nine digits, not '٣'"),
        (f"{HEADER}\nada,q,d,1\0\n", r"line 2: relevance must be a whole number of at most nine digits, not '1\x00'"),
        (f"{HEADER},repeat\nada,q,d,1,x\n", "line 2: repeat must be a whole number of at most nine digits, not 'x'"),
        (
            f"{HEADER},active_ms\nada,q,d,1,1234567890\n",
            "line 2: active_ms must be a whole number of at most nine digits, not '1234567890'",
        ),
        (
            f"{HEADER},confidence\nada,q,d,1,-1\n",
            "line 2: confidence must be a whole number of at most nine digits, not '-1'",
        ),
        (
            f"{HEADER},away_ms\nada,q,d,1,1e3\n",
            "line 2: away_ms must be a whole number of at most nine digits, not '1e3'",
        ),
        (
            f"{HEADER},input\nada,q,d,1,k\0\n",
            "line 2: input contains a NUL character; it must be text without NUL characters",
        ),
        (
            f'{HEADER}\nada,q,"d"x,1\n',
            "line 2: ',' expected after '\"'; cells are separated by commas, quoted by \"",
        ),
        (
            f'{HEADER}\nada,q,"d,1\nada,q,d2,1\n',
            'line 3: unexpected end of data; cells are separated by commas, quoted by "',
        ),
    ],
)
def test_invalid_file_is_refused_in_one_sentence(text, sentence):
    assert refused(text) == sentence


@pytest.mark.parametrize(
    "at",
    ["yesterday", "2026-11-21", "2026-11-21T10:20:30", "2026-02-30T10:20:30Z", "0001-01-01T00:00:00+14:00", "-1", "0"],
)
def test_invalid_time_or_time_without_zone_is_refused(at):
    assert refused(f"{HEADER},judged_at\nada,q,d,1,{at}\n") == (
        f"line 2: judged_at must be a time with a zone such as 2026-11-21T10:20:30Z, not '{at}'"
    )


def test_very_large_cell_is_refused(monkeypatch):
    monkeypatch.setattr("assess.judging.judgement_csv.LARGEST_CELL", 1_000_000)
    assert refused(f"{HEADER}\nada,q,{'d' * 1_000_001},1\n").startswith("line 2: field larger than field limit")
