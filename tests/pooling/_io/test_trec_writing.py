"""Written files: the same content gives the same bytes, and everything written can be read back."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import id_problem, read_qrels, read_run, write_qrels, write_run

IDS = st.text(min_size=1, max_size=8).filter(
    lambda text: not id_problem(text) and text.strip("#") and text[0] not in '\ufeff"'
)


def written(write, frame):
    stream = io.BytesIO()
    write(frame, stream)
    return stream.getvalue()


def qrels(*rows):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def run(*rows, system="s"):
    return pd.DataFrame([(system, *row) for row in rows], columns=["system", "query_id", "doc_id", "score"])


def test_qrels_are_sorted_by_bytes_with_iteration_0():
    frame = qrels(("9", "b", 1), ("10", "é", 0), ("10", "z", 2), ("10", "Z", -1))
    assert written(write_qrels, frame) == "10 0 Z -1\n10 0 z 2\n10 0 é 0\n9 0 b 1\n".encode()


def test_whole_numbers_in_a_float_column_are_written_as_integers():
    assert written(write_qrels, qrels(("1", "a", 2.0))) == b"1 0 a 2\n"


@pytest.mark.parametrize("relevance", [0.5, np.nan, np.inf, 2.0**31])
def test_a_fractional_relevance_is_refused(relevance):
    with pytest.raises(ValueError, match="document 'b' of topic '1' is not a whole number of 32 bits; to round"):
        written(write_qrels, qrels(("1", "a", 1.0), ("1", "b", relevance)))


@pytest.mark.parametrize(
    ("rounding", "rounded"),
    [
        ("half_up", {"a": 1, "b": 2, "c": 2, "d": 2, "e": 0, "f": 0}),
        ("up", {"a": 2, "b": 2, "c": 2, "d": 2, "e": 1, "f": 0}),
        ("down", {"a": 1, "b": 1, "c": 1, "d": 2, "e": 0, "f": -2}),
    ],
)
def test_fractions_are_rounded_on_request(rounding, rounded):
    # e is the greatest number below a half, which a careless half_up would raise; f is negative
    f = -1.5 if rounding == "down" else -0.5
    fractions = {"a": 4 / 3, "b": 1.5, "c": 5 / 3, "d": 2.0, "e": np.nextafter(0.5, 0), "f": f}
    stream = io.BytesIO()

    write_qrels(qrels(*(("1", doc, grade) for doc, grade in fractions.items())), stream, rounding=rounding)

    back = read_qrels(stream.getvalue())
    assert dict(zip(back["doc_id"], back["relevance"].tolist(), strict=True)) == rounded


@pytest.mark.parametrize("rounding", ["half_up", "up", "down"])
@pytest.mark.parametrize("relevance", [np.nan, np.inf, 2.0**31 + 0.5])
def test_a_missing_or_too_large_relevance_is_refused_with_any_rounding(rounding, relevance):
    with pytest.raises(ValueError, match="document 'a' of topic '1' is not a whole number of 32 bits"):
        write_qrels(qrels(("1", "a", relevance)), io.BytesIO(), rounding=rounding)


def test_rounding_to_not_judged_is_refused():
    for relevance, rounding in ((-0.5, "down"), (-1.5, "up"), (-0.75, "half_up")):
        with pytest.raises(ValueError, match="document 'a' of topic '1' would be rounded to -1"):
            write_qrels(qrels(("1", "a", relevance)), io.BytesIO(), rounding=rounding)


def test_an_unknown_rounding_is_refused():
    with pytest.raises(ValueError, match="rounding 'nearest' is unknown; choose from: half_up, up, down"):
        write_qrels(qrels(("1", "a", 1)), io.BytesIO(), rounding="nearest")


def test_a_duplicate_document_is_not_written():
    with pytest.raises(ValueError, match="document 'a' of topic '1' occurs twice"):
        written(write_qrels, qrels(("1", "a", 1), ("1", "a", 1)))


@pytest.mark.parametrize(
    ("query_id", "words"), [("a b", "white space"), ("", "is empty"), ("#", "comments"), ("##", "comments")]
)
def test_an_id_that_would_not_be_read_back_is_not_written(query_id, words):
    with pytest.raises(ValueError, match=words):
        written(write_qrels, qrels((query_id, "a", 1)))


def test_a_run_is_written_in_document_order_with_ranks():
    frame = run(("2", "a", 1.0), ("1", "a", 0.5), ("1", "b", 0.5), ("1", "c", 2.0))
    assert written(write_run, frame) == b"1 Q0 c 1 2.0 s\n1 Q0 b 2 0.5 s\n1 Q0 a 3 0.5 s\n2 Q0 a 1 1.0 s\n"


def test_runs_of_two_systems_are_refused():
    both = pd.concat([run(("1", "a", 1.0)), run(("1", "a", 1.0), system="t")])
    with pytest.raises(ValueError, match="one system; the DataFrame has 2"):
        written(write_run, both)


def test_a_score_that_is_not_finite_is_not_written():
    with pytest.raises(ValueError, match="must be finite"):
        written(write_run, run(("1", "a", np.nan)))


@pytest.mark.parametrize(("ending", "magic"), [("gz", b"\x1f\x8b"), ("bz2", b"BZh"), ("xz", b"\xfd7zXZ\0")])
def test_compressed_files_are_reproducible(tmp_path, ending, magic):
    frame = run(("1", "a", 1.0))
    one, two = (tmp_path / f"{name}.run.{ending}" for name in ("one", "two"))
    for path in (one, two):
        write_run(frame, path)
    assert one.read_bytes().startswith(magic)
    assert one.read_bytes() == two.read_bytes()
    assert read_run(one).equals(read_run(written(write_run, frame)))


def test_any_other_ending_is_written_plain(tmp_path):
    write_qrels(qrels(("1", "a", 1)), tmp_path / "gz.qrels")
    assert (tmp_path / "gz.qrels").read_bytes() == b"1 0 a 1\n"


@given(st.dictionaries(st.tuples(IDS, IDS), st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=20))
def test_qrels_that_are_written_are_read_back(judgements):
    frame = qrels(*((*pair, grade) for pair, grade in judgements.items()))
    data = written(write_qrels, frame)
    back = read_qrels(data)
    assert {(row.query_id, row.doc_id): row.relevance for row in back.itertuples()} == judgements
    assert written(write_qrels, back.sample(frac=1, random_state=1)) == data


@given(st.dictionaries(st.tuples(IDS, IDS), st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_a_run_that_is_written_is_read_back_to_the_last_bit(scores):
    frame = run(*((*pair, score) for pair, score in scores.items()))
    back = read_run(written(write_run, frame))
    assert {(row.query_id, row.doc_id): row.score for row in back.itertuples()} == scores
