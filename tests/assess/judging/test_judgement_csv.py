"""Raw judgements as CSV: whatever was said comes back the same, and a hostile file gets one clear sentence."""

import csv
import io
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.judging import judgement_csv
from assess.judging.judgement_csv import COLUMNS, CsvError, Line
from assess.models import State

HEADER = "assessor,query_id,doc_id,relevance"
ALLOWED_HEADER = (
    "the header must contain assessor,query_id,doc_id,relevance and may contain "
    "state,repeat,judged_at,reason,comment,guidelines_version,active_ms,away_ms,confidence,passages,highlights,input, "
    "each once"
)
AT = datetime(2026, 11, 21, 10, 20, 30, 123456, tzinfo=UTC)

# Text without NUL and without halves of surrogate pairs, rich in what CSV and spreadsheets take for their own.
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
)


def written(found) -> str:
    stream = io.StringIO(newline="")
    judgement_csv.write(found, stream)
    return stream.getvalue()


def read(text: str) -> list[Line]:
    return list(judgement_csv.read(io.StringIO(text, newline="")))


def refused(text: str) -> str:
    with pytest.raises(CsvError) as refusal:
        read(text)
    return str(refusal.value)


@given(st.lists(rows, max_size=5))
def test_what_is_written_is_read_back(found):
    assert [line[1:] for line in read(written(found))] == found


@given(st.lists(rows, max_size=5))
def test_what_was_read_is_written_as_the_same_bytes(found):
    text = written(found)
    assert written(line[1:] for line in read(text)) == text


BEGINNINGS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


@given(st.lists(rows, max_size=5))
def test_no_cell_begins_like_a_formula(found):
    cells = [cell for row in csv.reader(io.StringIO(written(found), newline="")) for cell in row]
    assert [cell for cell in cells if cell.startswith(BEGINNINGS)] == []


@given(texts, texts)
def test_two_texts_never_become_the_same_cell(one, other):
    assert (judgement_csv.harmless(one) == judgement_csv.harmless(other)) == (one == other)


@pytest.mark.parametrize("start", [*BEGINNINGS, "'"])
def test_each_beginning_of_a_formula_is_made_harmless_and_plain_again(start):
    assert judgement_csv.harmless(f"{start}1") == f"'{start}1"
    for text in (start, f"{start}1", f"'{start}1", f"''{start}1"):
        assert judgement_csv.plain(judgement_csv.harmless(text)) == text


def test_a_line_by_hand():
    said = ("ada", "1", "=cmd()", None, "cannot_judge", 0, AT, "broken", 'half, "gone"\nreally', None)
    assert written([(*said, 4200, 70, 2, [[0, 12], [40, 61]], True, "key")]) == (
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


def test_what_is_left_empty_is_as_if_it_lacked():
    assert read(f"{','.join(COLUMNS)}\nada,q,d,1{',' * 12}\n") == [Line(2, "ada", "q", "d", 1)]


def test_files_from_before_confidence_and_passages_are_read():
    old = f"{HEADER},state,repeat,judged_at,reason,comment,guidelines_version,active_ms"
    assert read(f"{old}\nada,q,d,1,judged,0,{judgement_csv.instant(AT)},,sure,2,42\n") == [
        Line(2, "ada", "q", "d", 1, "judged", 0, AT, "", "sure", 2, 42)
    ]


def test_what_a_spreadsheet_makes_of_truths_and_passages():
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
def test_passages_that_are_no_spans_are_refused(passages):
    quoted = passages.replace('"', '""')
    assert refused(f'{HEADER},passages\nada,q,d,1,"{quoted}"\n') == (
        f"line 2: passages must be a list of [start,end] pairs such as [[0,12]], not {passages[:40]!r}"
    )


@pytest.mark.parametrize("highlights", ["1", "yes", "on", "tru", "none"])
def test_highlights_are_true_or_false(highlights):
    assert refused(f"{HEADER},highlights\nada,q,d,1,{highlights}\n") == (
        f"line 2: highlights '{highlights}' is not one of true, false"
    )


def test_an_apostrophe_of_another_program_stays():
    assert read(f"{HEADER}\nada,q,'quoted',1\n")[0].doc_id == "'quoted'"


def test_lines_are_counted_as_an_editor_does():
    text = f'{HEADER},comment\nada,q,d1,1,"one\ntwo"\n\nada,q,d2,1,\nada,q,d3,x,\n'
    assert refused(text).startswith("line 6: relevance 'x'")
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
def test_a_hostile_file_gets_one_sentence(text, sentence):
    assert refused(text) == sentence


@pytest.mark.parametrize(
    "at",
    ["yesterday", "2026-11-21", "2026-11-21T10:20:30", "2026-02-30T10:20:30Z", "0001-01-01T00:00:00+14:00", "-1", "0"],
)
def test_a_time_that_is_none_or_lacks_its_zone_is_refused(at):
    assert refused(f"{HEADER},judged_at\nada,q,d,1,{at}\n") == (
        f"line 2: judged_at must be a time with a zone such as 2026-11-21T10:20:30Z, not '{at}'"
    )


def test_a_cell_larger_than_any_comment_is_refused():
    assert refused(f"{HEADER}\nada,q,{'d' * 1_000_001},1\n").startswith("line 2: field larger than field limit")
