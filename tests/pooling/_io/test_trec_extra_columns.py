"""Run lines with more than six columns: an error, or, on request, their first six."""

import pytest

from pooling import TrecFormatError, read_run, read_runs
from tests.realdata import real_data

EXTRA = b"1 Q0 a 1 2.0 r and more\n1 Q0 b 2 1.0 r\n"


def test_extra_columns_are_an_error_that_shows_the_line():
    with pytest.raises(TrecFormatError, match="line 1: 8 columns; a run line has 6") as caught:
        read_run(EXTRA)
    assert caught.value.value == "1 Q0 a 1 2.0 r and more"


def test_extra_columns_are_ignored_on_request():
    run = read_run(EXTRA, extra_columns="ignore")

    assert run.to_numpy().tolist() == [["r", "1", "a", 2.0], ["r", "1", "b", 1.0]]
    assert run.equals(read_runs([EXTRA], extra_columns="ignore"))


def test_ignored_columns_may_contain_anything():
    run = read_run(b"1 Q0 a 1 2.0 r \xff\x00 #\t\x0b\n1 Q0 b 2 1.0 r\n", extra_columns="ignore")
    assert run["doc_id"].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"1 Q0 b 2 1.0\n", "5 columns"),
        (b"1 Q0 b 2 x r more\n", "score 'x'"),
        (b"1 Q0 a 2 1.0 r more\n", "is already on line 1"),
        (b"1 Q0 b 2 1.0 s more\n", "tag 's' differs"),
        (b"1 Q0 b 2 1.0 r " + b"x" * 4096 + b"\n", "the line has 4,111 bytes"),
    ],
)
def test_the_first_six_columns_are_still_checked(line, words):
    with pytest.raises(TrecFormatError, match=f"line 2: .*{words}"):
        read_run(b"1 Q0 a 1 2.0 r more\n" + line, extra_columns="ignore")


def test_an_unknown_extra_columns_option_is_refused():
    with pytest.raises(ValueError, match="extra_columns 'keep' is unknown; choose from: error, ignore"):
        read_run(EXTRA, extra_columns="keep")


def test_the_example_of_trec_eval_with_five_longer_lines_is_read():
    path = real_data("trec_eval", "results.trunc")
    lines = [line.split() for line in path.read_text().splitlines()]
    _, report = read_run(path, on_error="report")
    run = read_run(path, extra_columns="ignore")

    assert [len(lines[line - 1]) for line in report["line"]] == [9, 9, 8, 7, 7]
    assert len(run) == len(lines) == 584
    assert run["score"].tolist() == [float(line[4]) for line in lines]
    assert run["system"].unique().tolist() == ["STANDARD"]
