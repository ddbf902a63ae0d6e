"""Ranks that contradict the order of the documents are named once for each run."""

import warnings
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import RankOrderWarning, prepare, read_run, read_runs
from pooling._io import rank_check
from tests.examples import examples

ORDER = " The order is by score, and equal scores by doc_id descending, as in trec_eval."


def run_of(rows, tag="r"):
    return "".join(f"{query} Q0 {doc} {rank} {score} {tag}\n" for query, doc, rank, score in rows).encode()


def sentences(data, **options):
    notes = []
    read_run(data, name="r.run", notes=notes, **options)
    return [note.sentence for note in notes]


CONTRADICTED = run_of([("7", "a", 1, 9), ("7", "b", 2, 3.5), ("7", "c", 3, 4), ("8", "a", 1, 2), ("8", "b", 2, 1)])


def test_ranks_against_scores_are_counted_with_an_example():
    with pytest.warns(RankOrderWarning) as caught:
        run = read_run(CONTRADICTED, name="r.run")
    assert [str(each.message) for each in caught] == [
        "r.run: the rank column contradicts the scores in 1 of 2 topics checked (1 pair of neighbours); for example, "
        "in topic '7', 'b' has rank 2 and score 3.5, and 'c' has rank 3 and score 4.0." + ORDER
    ]
    assert Path(caught[0].filename) == Path(__file__)
    assert run["doc_id"].tolist() == ["a", "b", "c", "a", "b"]


def test_equal_scores_against_ranks_are_counted():
    # trec_eval orders c, b, a
    (sentence,) = sentences(run_of([("7", "a", 1, 2), ("7", "b", 2, 2), ("7", "c", 3, 2)]))
    assert sentence == (
        "equal scores are ordered otherwise than by rank in 1 of 1 topic checked (2 pairs of neighbours); for example, "
        "in topic '7', 'a' has rank 1 and score 2.0, and 'b' has rank 2 and score 2.0." + ORDER
    )


def test_both_are_reported_in_one_sentence():
    (sentence,) = sentences(run_of([("7", "b", 1, 2), ("7", "c", 2, 2), ("8", "a", 0, 1), ("8", "b", 1, 3)]))
    assert sentence.startswith(
        "the rank column contradicts the scores in 1 of 2 topics checked (1 pair of neighbours), and equal scores are "
        "ordered otherwise than by rank in 1 of 2 topics checked (1 pair of neighbours); for example, in topic '8', 'a'"
    )


@pytest.mark.parametrize(
    "rows",
    [
        [("7", "a", 0, 9), ("7", "b", 1, 3)],  # from 0
        [("7", "a", 1, 3), ("7", "b", 1, 9)],  # constant
        [("7", "a", 0, 3), ("7", "b", 0, 9), ("8", "c", 0, 9)],
        [("7", "c", 1, 2), ("7", "b", 2, 2), ("7", "a", 3, 2)],
        [("7", "b", 2, 3), ("7", "a", 1, 9)],
        [("7", "a", "x", 3), ("7", "b", 2, 9)],
        [("7", "a", 1.5, 3), ("7", "b", 2, 9)],
        [("7", "a", 10**30, 3), ("7", "b", 2, 9)],
        [("7", "a", 1, 1), ("8", "b", 2, 9)],
        [("7", "a", 1, 9), ("8", "a", 1, 5), ("7", "b", 2, 3), ("8", "b", 2, 4)],
    ],
)
def test_nothing_is_reported_about_ranks_that_contradict_nothing(rows):
    assert sentences(run_of(rows)) == []


def test_topics_that_alternate_are_checked():
    assert len(sentences(run_of([("7", "a", 1, 1), ("8", "a", 1, 5), ("7", "b", 2, 3), ("8", "b", 2, 4)]))) == 1


def test_single_precision_ties_more():
    data = run_of([("7", "a", 1, 1.00000001), ("7", "b", 2, 1.0)])
    assert sentences(data) == []
    assert sentences(data, score_precision="float32")[0].startswith("equal scores are ordered otherwise")


@pytest.mark.parametrize("end", [b"", "8 Q0 \u00e9\u00a0x 1 2 r\n".encode(), b"8 Q0 " + b"x" * 513 + b" 1 2 r\n"])
def test_both_readers_check(end):
    notes = []
    read_run(CONTRADICTED + end, name="r.run", on_error="report", notes=notes)
    assert [type(note) for note in notes] == [RankOrderWarning]


def wrong_pairs(rows):
    """The pairs of neighbours by rank that are in another order, from the definition."""
    wrong = set()
    for query in {row[0] for row in rows}:
        by_rank = sorted((row for row in rows if row[0] == query), key=lambda row: row[2])
        for (_, doc, _, score), (_, other, _, other_score) in pairwise(by_rank):
            if (score, doc.encode()) < (other_score, other.encode()):
                wrong.add((query, doc, other))
    return wrong


@examples(200)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("78"), st.sampled_from(["a", "b", "é", "ab", "B"]), st.integers(0, 9), st.integers(0, 3)
        ),
        unique_by=((lambda row: row[:2]), (lambda row: (row[0], row[2]))),
        min_size=1,
    )
)
def test_what_is_reported_agrees_with_the_definition(rows):
    found, wrong = sentences(run_of(rows)), wrong_pairs(rows)
    assert bool(found) == bool(wrong)
    if wrong:
        one, other = (part.split("'")[1] for part in found[0].split("in topic ")[1].split(" has rank")[0].split(", "))
        assert any((one, other) == pair[:2] for pair in wrong)


def test_a_long_run_is_checked_in_a_sample(monkeypatch):
    monkeypatch.setattr(rank_check, "LEAST_BYTES", 400)
    rows = [(str(topic), f"d{rank:02}", rank + 10, 99 - rank) for topic in range(10) for rank in range(20)]
    # A line has 17 bytes. The last part of 50 bytes ends with the file, and has its last two lines.
    rows[-1] = ("9", "d19", 29, 99)
    (sentence,) = sentences(run_of(rows))
    assert "(1 pair of neighbours)" in sentence
    assert "'d18' has rank 28 and score 81.0, and 'd19' has rank 29 and score 99.0" in sentence
    rows[-1], rows[15] = ("9", "d19", 29, 80), ("0", "d15", 25, 99)  # after the first 200 bytes
    assert sentences(run_of(rows)) == []
    rows[5] = ("0", "d05", 15, 99)
    assert len(sentences(run_of(rows))) == 1


def test_comments_and_additional_columns_do_not_shift_the_ranks():
    data = b"# 1 Q0 a 1 5 r\n" + CONTRADICTED.replace(b" r\n", b" r and more\n\n")
    of_comments, *of_ranks = sentences(data, extra_columns="ignore")
    assert "1 line that begins with #" in of_comments
    assert of_ranks == sentences(CONTRADICTED)


def test_once_for_each_run_by_every_reader(tmp_path):
    for name in ("a", "b"):
        tmp_path.joinpath(f"{name}.run").write_bytes(CONTRADICTED.replace(b" r\n", f" {name}\n".encode()))
    paths = sorted(map(str, tmp_path.glob("*.run")))
    for read in (read_runs, prepare):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read(paths)
        assert [each.message.file for each in caught] == paths
