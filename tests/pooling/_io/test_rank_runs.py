"""Runs of MS MARCO: topic, document and rank."""

import gzip
import os
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from pooling import (
    ScoresFromRanksWarning,
    TrecFormatError,
    cache_runs,
    prepare,
    problems,
    ranked,
    read_run,
    read_runs,
    recognise,
)
from pooling._io.rank_runs import MAX_RANK, is_rank_run, rank_run_by_lines, rank_run_columns
from tests.examples import examples

RUN = Path(__file__).parents[2] / "data" / "tables" / "msmarco_run.tsv"
NOTE = "the file has ranks and no scores, so the score is 1/rank, and the system is named 'msmarco_run' after the file."


def quiet(data, **options):
    return read_run(data, notes=[], **options)


def test_the_order_is_that_of_the_ranks():
    with pytest.warns(ScoresFromRanksWarning) as caught:
        run = read_run(RUN)
    assert [str(each.message) for each in caught] == [f"{RUN}: {NOTE}"]
    assert Path(caught[0].filename) == Path(__file__)
    # 1/1 and 1/2
    assert run.to_numpy().tolist() == [["msmarco_run", "q1", "d1", 1.0], ["msmarco_run", "q1", "d2", 0.5]]
    assert (recognise(RUN).kind, recognise(RUN).format) == ("runs", "msmarco_run")


@examples(50)
@given(st.permutations(range(1, 9)), st.sampled_from(["float64", "float32"]))
def test_ranks_in_any_order_and_with_gaps(ranks, precision):
    lines = "".join(f"q\td{rank}\t{rank * rank}\n" for rank in ranks)
    run = quiet(lines.encode(), name="a.tsv", score_precision=precision)
    assert ranked(run)["doc_id"].tolist() == [f"d{rank}" for rank in range(1, 9)]


def test_all_ranks_differ_in_single_precision():
    lines = f"q\ta\t{MAX_RANK - 1}\nq\tb\t{MAX_RANK}\n"
    scores = quiet(lines.encode(), name="a.tsv", score_precision="float32")["score"]
    assert scores[0] > scores[1]


@pytest.mark.parametrize("name", ["bm25.tsv", "bm25.run.gz", "folder/bm25.tsv.gz", "bm25"])
def test_the_system_is_named_after_the_file(tmp_path, name):
    assert set(quiet(b"1\td\t1\n", name=name)["system"]) == {"bm25"}


def test_the_caller_names_the_system():
    notes = []
    assert set(read_run(b"1\td\t1\n", "lsa", name="my run.tsv", notes=notes)["system"]) == {"lsa"}
    assert [note.sentence for note in notes] == ["the file has ranks and no scores, so the score is 1/rank."]
    with pytest.raises(TrecFormatError, match=r"named after the file, but 'my run' contains white space; rename the"):
        quiet(b"1\td\t1\n", name="my run.tsv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\t0\n", "^x.tsv, line 1: rank '0' is not allowed; a rank is a whole number from 1 to 1,000,000$"),
        ("1\ta\t-1\n", "rank '-1' is not allowed"),
        ("1\ta\t1\n1\tb\t1.5\n", "line 2: rank '1.5' is not allowed"),
        ("1\ta\t1\n1\tb\tx\n", "line 2: rank 'x' is not allowed"),
        ("1\ta\t1000001\n", "rank '1000001' is not allowed"),
        ("1\ta\t" + "9" * 4000 + "\n", "rank '999"),
        (
            "1\ta\t2\n\n1\tb\t2\n",
            "^x.tsv, line 3: rank 2 of topic '1' is already on line 1; a rank occurs once in a topic$",
        ),
        ("1\ta\t1\n1\ta\t2\n", "line 2: document 'a' of topic '1' is already on line 1"),
        ("1\ta\t1\n1\tb\t2\t0.5\n", "line 2: 4 columns; an MS MARCO run line has 3: query_id doc_id rank"),
        ("qid\tpid\trank\n1\ta\t1\n", "the line 'qid\\\\tpid\\\\trank' is a header; runs and qrels have no header"),
    ],
)
def test_an_invalid_line_is_named(text, message):
    with pytest.raises(TrecFormatError, match=message):
        quiet(text.encode(), name="x.tsv")


def test_all_invalid_lines_are_reported():
    data = b"1\ta\t1\n1\tb\t0\n1\tc\t1\n1\td\t2\n"
    run, report = read_run(data, name="x.tsv", on_error="report", notes=[])
    assert run["doc_id"].tolist() == ["a", "d"]
    assert report["line"].tolist() == [2, 3]
    assert [problem.line for problem in problems(data, "runs", name="x.tsv")] == [2, 3]


FIELDS = st.sampled_from(["1", "2", "a", "é", "", "#", "0", "1000001", "1.0", "+3", "01"])
LINES = st.lists(st.tuples(FIELDS, FIELDS, FIELDS, st.sampled_from(["\n", "\r\n", " \n", "\t\n"])), max_size=5)


@examples(300)
@given(LINES)
def test_the_fast_reader_agrees_with_the_strict_one(lines):
    data = "".join("\t".join(fields) + end for *fields, end in lines).encode()
    fast = rank_run_columns(data, "r")
    if fast is not None:
        assert_frame_equal(fast.frame(), rank_run_by_lines(data, "file", "r"), check_exact=True)


def test_a_usual_file_is_read_fast():
    assert rank_run_columns(b"1\ta\t1\r\n1\tb\t2\r\n", "r") is not None


@pytest.mark.parametrize(
    "data", [b"1 Q0 a 1 2.5 r\n", b"1\tQ0\ta\t1\t2\tr\n", b"1\ta b\t1\n", b"1\ta\ttea\n", b"1 a 1\n", b""]
)
def test_other_files_are_no_such_runs(data):
    assert not is_rank_run(data)


def test_comments_and_blank_lines_are_ignored():
    assert len(quiet(b"# made by hand\n\n1\ta\t1\n# end\n1\tb\t2", name="x")) == 2


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b"1\ta\t1\n1\tb\t2\n", "msmarco_run"),
        (b"1\ta\t1\n2\tb\t1\n", "msmarco_run"),
        (b"1\ttea\t3\n2\tcoffee\t4\n", "tsv_topics"),
        (b"1\tgreen tea\t1\n1\tblack tea\t2\n", "tsv_topics"),
        (b"1\ttea\tabout tea\n", "tsv_topics"),
    ],
)
def test_runs_and_topics_are_told_apart(data, form):
    assert recognise(data).format == form


def test_all_readers_of_files_give_the_same_ranking(tmp_path):
    path = tmp_path / "lsa.tsv"
    path.write_bytes(b"1\tb\t2\n1\ta\t1\n2\ta\t1\n")
    other = tmp_path / "bm25.run.gz"
    other.write_bytes(gzip.compress(b"1 Q0 a 1 2.5 bm25\n"))
    notes = []
    frame = read_runs([path, other], notes=notes)
    assert [note.file for note in notes] == [str(path)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        expected = prepare(frame)
        for runs in (prepare([str(path), str(other)]), cache_runs([path, other], tmp_path / "cache").ranked_runs()):
            assert runs.systems.tolist() == expected.systems.tolist() == ["bm25", "lsa"]
            assert runs.items.tolist() == expected.items.tolist()
    assert len([each for each in caught if each.category is ScoresFromRanksWarning]) == 2


@pytest.mark.filterwarnings("ignore::pooling.ScoresFromRanksWarning")
def test_a_renamed_file_has_another_system_in_a_cache(tmp_path):
    path = tmp_path / "lsa.tsv"
    path.write_bytes(b"1\ta\t1\n")
    assert cache_runs(path, tmp_path / "cache").blocks[0].systems == ("lsa",)
    os.rename(path, tmp_path / "lda.tsv")
    assert cache_runs(tmp_path / "lda.tsv", tmp_path / "cache").blocks[0].systems == ("lda",)
