"""A pool on disk: the same pool comes back, and the same runs make the same bytes."""

import json
import os

import pandas as pd
import pytest
from hypothesis import given, settings
from pandas.testing import assert_frame_equal

from pooling import FormatError, pool
from pooling.pools.files import FORMAT, pool_text, read_pool, write_pool
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
    assert (back.strategy, back.seed) == ("stratified", 3)
    assert back.parameters == {"strata": [[1, 1.0], [3, 0.3]], "added": {"search": 1}}
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
        "score_precision": None,
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
        ["a", [0, 0], 1, "", 1.0, 0.0],
        ["a", [True], 1, "", 1.0, 0.0],
        ["a", ["s"], 1, "", 1.0, 0.0],
        ["a", "s", 1, "", 1.0, 0.0],
        ["a", [0], True, "", 1.0, 0.0],
        ["a", [0], 1.0, "", 1.0, 0.0],
        ["a", [0], 2**80, "", 1.0, 0.0],
        ["a", [0], 1, "", float("nan"), 0.0],
        ["a", [0], 1, "", -0.5, 0.0],
        ["a", [0], 1, "", True, 0.0],
        ["a", [0], 1, "", 1.0, float("nan")],
        ["a", [0], 1, "", 1.0, float("inf")],
        ["a", [0], 1, "", 1.0, 10**400],
        ["a", [0], 1, "", 1.0, None],
        ["a b", [0], 1, "", 1.0, 0.0],
        ["", [0], 1, "", 1.0, 0.0],
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


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"strategy": 3}, "the strategy is no name"),
        ({"strategy": ""}, "the strategy is no name"),
        ({"parameters": [1]}, "the parameters are no object"),
        ({"parameters": {"added": 3}}, "the numbers of added documents are none"),
        ({"strategy": "union"}, "this is no pool ('first')"),
        ({"strategy": "union", "parameters": {"first": {}, "second": {}}}, "this is no pool ('strategy')"),
        ({"seed": "3"}, "the seed is no whole number from 0"),
        ({"seed": True}, "the seed is no whole number from 0"),
        ({"seed": -1}, "the seed is no whole number from 0"),
        ({"inputs": {"a.run": 1}}, "the inputs are no checksums"),
        ({"inputs": [["a.run", "00"]]}, "the inputs are no checksums"),
        ({"score_precision": "half"}, "the score_precision is unknown"),
        ({"systems": "st"}, "the systems are no list"),
        ({"systems": ["s", "s"]}, "a system comes twice in systems"),
        ({"systems": ["s", "t u"]}, "system 't u' holds white space"),
        ({"systems": ["s", 4]}, "a system is no text"),
        ({"topics": []}, "the topics are no object"),
        ({"topics": {"1": {}}}, "topic '1' is no list of documents"),
        ({"topics": {"1 2": []}}, "query_id '1 2' holds white space"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused_with_the_reason(path, changed, sentence):
    assert sentence in refusal(path, json.loads(pool_text(pool(RUNS, depth=1))) | changed)


def test_a_name_that_comes_twice_is_refused_and_not_overwritten(path):
    text = pool_text(pool(run(lists(s="a")), depth=1))
    assert "this is no pool ('1' comes twice)" in refusal(path, text.replace('{"1":', '{"1":[],"1":'))
    assert "this is no pool ('seed' comes twice)" in refusal(path, text.replace('"seed":', '"seed":1,"seed":'))


def test_rows_in_any_order_are_brought_into_the_order_of_a_pool(path):
    told = json.loads(pool_text(sampled()))
    topics = {query_id: documents[::-1] for query_id, documents in reversed(told["topics"].items())}
    path.write_text(json.dumps(told | {"topics": topics}))
    assert_frame_equal(read_pool(path).frame, sampled().frame)


def test_a_file_that_does_not_say_how_scores_were_read_is_read(path):
    told = json.loads(pool_text(pool(RUNS, depth=1, score_precision="float32")))
    assert told.pop("score_precision") == "float32"
    path.write_text(json.dumps(told))
    assert read_pool(path).score_precision is None
