"""Pairs with values from files: tables with a header, and qrels."""

import time

import pytest

from pooling import FormatError
from pooling.draws import draw_by_stratum
from pooling.draws.tables import pairs_text, read_gains, read_pairs
from tests.pooling.draws.pairs import drawn_set, pairs


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "pairs"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        "query_id\tdoc_id\tgrade\tpart\n1\ta\t0.5\tx\n01\tb c\t2\t\n",
        "query_id,doc_id,grade,part\r\n1,a,0.5,x\r\n01,b c,2,\r\n",
        "\ufeffpart;doc_id;query_id;grade\nx;a;1;0.5\n\n;b c;01;2\n",
        'query_id,doc_id,"grade",part\n"1","a",0.5,x\n01,"b c",2,""\n',
    ],
)
def test_tables_are_read(file, content):
    table = read_pairs(file(content))
    assert table["query_id"].tolist() == ["1", "01"]
    assert table["doc_id"].tolist() == ["a", "b c"]
    assert table["grade"].tolist() == [0.5, 2]
    assert table["part"].tolist() == ["x", ""]


def test_qrels_are_read(file):
    table = read_pairs(file("1 0 a 2\n1 0 b -1\n"))
    assert table.to_dict("list") == {"query_id": ["1", "1"], "doc_id": ["a", "b"], "grade": [2, -1]}


def test_gains_are_read(file):
    assert read_gains(file("query_id,doc_id,gain\n2,b,1\n1,a,0.5\n2,a,3\n")) == {"2": {"b": 1, "a": 3}, "1": {"a": 0.5}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file has no judgements"),
        ("query_id,doc_id\n", "the table has no row; each row below the header is a pair"),
        ("query_id,doc_id\n1\n", "pairs, line 2: 1 columns; the header has 2"),
        ("query_id,doc_id\n1,\n", "pairs, line 2: the doc_id is empty"),
        ("query_id,doc_id,doc_id\n1,a,b\n", "each column has another name"),
        (b"query_id,doc_id\n1,\xff\n", "this is not UTF-8"),
        ('query_id,doc_id\n1,"a\n', "cells are quoted by"),
        ("  {}", "this is JSON; pairs are qrels or a table; a pool is the option --pool"),
        ("1 a\n", "line 1"),
    ],
)
def test_other_files_are_refused(file, content, problem):
    with pytest.raises(FormatError) as refusal:
        read_pairs(file(content))
    assert problem in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_gains_need_their_column_and_each_pair_once(file):
    with pytest.raises(FormatError, match="there is no column gain"):
        read_gains(file("1 0 a 2\n"))
    with pytest.raises(FormatError, match="document 'a' of topic '1' occurs twice"):
        read_gains(file("query_id,doc_id,gain\n1,a,1\n1,a,2\n"))


@pytest.mark.parametrize("text", ["[", ",", '"', "<a ", "\0"])
def test_a_long_line_is_refused_quickly(file, text):
    path = file(("query_id,doc_id\n" + text * 1_000_000)[:1_000_000])
    start = time.process_time()
    with pytest.raises(FormatError):
        read_pairs(path)
    assert time.process_time() - start < 1


def test_the_list_of_pairs_has_only_the_pairs():
    draw = draw_by_stratum(pairs(**{"2": 4, "10": 4}), 3, seed=1)
    lines = pairs_text(draw).splitlines()
    assert lines[0] == "query_id\tdoc_id"
    assert {tuple(line.split("\t")) for line in lines[1:]} == drawn_set(draw)
    assert [line.split("\t")[0] for line in lines[1:]] == ["10"] * 3 + ["2"] * 3
