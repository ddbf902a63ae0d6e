"""A pool on disk: the same pool comes back, and the same runs make the same bytes."""

import json
import os

import pandas as pd
import pytest
from hypothesis import given, settings
from pandas.testing import assert_frame_equal

from pooling import FormatError, pool
from pooling.pool_files import FORMAT, pool_text, read_pool, write_pool
from tests.pooling.runs import COUNTS, ROWS, lists, run

RUNS = run([*lists(s="abc", t="bé"), *lists("é", s="xy")])
INPUTS = {"s.run": "ab" * 32, "t.run": "cd" * 32}


def sampled(runs=RUNS):
    return pool(runs, "stratified", seed=3, strata=[(1, 1.0), (3, 0.3)], inputs=INPUTS)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool.json"


def refusal(path, told):
    path.write_text(told if isinstance(told, str) else json.dumps(told), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_pool(path)
    return str(caught.value)


def test_a_pool_comes_back_as_it_was(path):
    added = sampled().with_documents(pd.DataFrame({"query_id": ["7"], "doc_id": ["found"]}), "search")
    write_pool(added, path)
    back = read_pool(path)
    assert_frame_equal(back.frame, added.frame)
    assert (back.strategy, back.parameters, back.seed) == ("stratified", {"strata": [[1, 1.0], [3, 0.3]]}, 3)
    assert back.inputs == INPUTS
    assert pool_text(back) == pool_text(added)


def test_the_same_pool_is_made_again_to_the_byte_from_what_the_file_says(path):
    write_pool(sampled(), path)
    told = read_pool(path)
    again = pool(RUNS.iloc[::-1], told.strategy, told.seed, inputs=dict(reversed(INPUTS.items())), **told.parameters)
    assert pool_text(again).encode() == path.read_bytes()


@settings(max_examples=40)
@given(ROWS, COUNTS)
def test_any_pool_comes_back_as_it_was(tmp_path_factory, rows, size):
    path = tmp_path_factory.mktemp("pools") / "pool.json"
    for made in (pool(run(rows), "rrf", size=size), pool(run(rows), "random", seed=size, size=size)):
        write_pool(made, path)
        assert_frame_equal(read_pool(path).frame, made.frame)
        assert pool_text(read_pool(path)) == pool_text(made)


def test_the_file_by_hand():
    told = json.loads(pool_text(pool(run(lists(s="ab", t="b")), depth=1, inputs={"s.run": "00"})))
    assert told == {
        "format": FORMAT,
        "strategy": "depth",
        "parameters": {"depth": 1},
        "seed": None,
        "inputs": {"s.run": "00"},
        "systems": ["s", "t"],
        "topics": {"1": [["a", [0], 1, "", 1.0, -1.0], ["b", [1], 1, "", 1.0, -1.0]]},
    }


def test_unions_and_empty_pools_are_written_too(path):
    first, second = pool(RUNS, depth=2), sampled()
    for made in (first.union(second), first.difference(first)):
        write_pool(made, path)
        back = read_pool(path)
        assert_frame_equal(back.frame, made.frame)
        assert back.describe() == made.describe()


def test_a_file_is_written_whole_or_not_at_all(path, monkeypatch):
    path.write_text("as it was")

    def no_room(*_):
        raise OSError("no room left")

    monkeypatch.setattr(os, "replace", no_room)
    with pytest.raises(OSError, match="no room left"):
        write_pool(sampled(), path)
    assert path.read_text() == "as it was"
    assert list(path.parent.iterdir()) == [path]


def test_what_is_no_pool_is_refused(path):
    assert "this is no pool" in refusal(path, "{")
    assert "this is no pool" in refusal(path, "[]")
    assert f"the format is None; {FORMAT!r} is read" in refusal(path, {})
    assert "the format is 'assay pool, version 9'" in refusal(path, {"format": "assay pool, version 9"})
    assert "this is no pool" in refusal(path, {"format": FORMAT})
    path.write_bytes(b"\xff")
    with pytest.raises(FormatError, match="this is no pool"):
        read_pool(path)


@pytest.mark.parametrize(
    "document",
    [
        ["a", [0], 1, "", 1.0],
        ["a", [-1], 1, "", 1.0, 0.0],
        ["a", [2], 1, "", 1.0, 0.0],
        ["a", [0], 0, "", 1.0, 0.0],
        ["a", [0], 1.5, "", 1.0, 0.0],
        ["a", [0], 1, "", 0.0, 0.0],
        ["a", [0], 1, "", 1.5, 0.0],
        ["a", [0], 1, "", "1", 0.0],
        ["a", [0], 1, 3, 1.0, 0.0],
        [3, [0], 1, "", 1.0, 0.0],
        "a",
    ],
)
def test_a_document_that_makes_no_sense_is_refused(path, document):
    told = json.loads(pool_text(pool(RUNS, depth=1)))
    told["topics"] = {"1": [document]}
    assert "this is no pool" in refusal(path, told)


def test_a_document_twice_in_a_topic_is_refused(path):
    told = json.loads(pool_text(pool(RUNS, depth=1)))
    told["topics"]["1"] *= 2
    assert "this is no pool (topic '1' has document 'a' twice)" in refusal(path, told)
