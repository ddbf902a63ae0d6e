"""Lines that are comments are ignored, and every reader says how many."""

import warnings

import pandas as pd
import pytest

from agreement import check_files, ranking_shift, read_judgements
from pooling import CommentLinesWarning, read_qrels, read_run

RUN = b"# my run\n7 Q0 d1 1 2.5 r\n  ## tuned\n#7 Q0 d1 1 2.5 r\n#\n"
QRELS = b"7 0 d1 1\r\n#\tsecond pass\r\n#7 0 d1 0\r\n"


def test_a_run_says_how_many_lines_are_comments():
    notes = []
    run = read_run(RUN, name="r.run", notes=notes)
    assert run["query_id"].tolist() == ["7", "#7"]
    assert list(map(str, notes)) == ["r.run: 3 lines that begin with # and a blank were ignored as comments."]


def test_a_file_without_comments_says_nothing():
    notes = []
    read_run(b"#7 Q0 d#1 1 2.5 r\n", notes=notes)
    read_qrels(b"#7 0 d#1 1\n", notes=notes)
    assert notes == []


def test_qrels_say_how_many_lines_are_comments():
    notes = []
    qrels = read_qrels(QRELS, name="q.qrels", notes=notes)
    assert qrels["query_id"].tolist() == ["7", "#7"]
    assert notes == ["q.qrels: 1 line that begins with # and a blank was ignored as a comment."]


def test_judge_files_say_how_many_lines_are_comments():
    read = read_judgements({"ann": QRELS, "ben": b"7 0 d1 1\n"}, scale=(0, 1))
    assert read.comment_lines == {"ann": 1}
    assert read.notes() == ["ann: 1 line that begins with # and a blank was ignored as a comment."]


def test_the_check_of_files_says_how_many_lines_are_comments(tmp_path):
    (tmp_path / "r.run").write_bytes(RUN)
    (tmp_path / "q.qrels").write_bytes(QRELS)
    sentences = [found.sentence for found in check_files([tmp_path / "r.run", tmp_path / "q.qrels"]).findings]
    assert sum("ignored as" in sentence for sentence in sentences) == 2


def test_evaluation_of_files_says_how_many_lines_are_comments(tmp_path):
    (tmp_path / "r.run").write_bytes(RUN)
    gold = pd.DataFrame([("7", "d1", 1)], columns=["query_id", "doc_id", "relevance"])
    with pytest.warns(CommentLinesWarning, match="3 lines"), warnings.catch_warnings():
        ranking_shift([tmp_path / "r.run"], {"a": gold, "b": gold}, "AP")
