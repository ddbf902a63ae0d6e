"""Pool files: reading returns the written pool, and the same runs give the same bytes."""

import json
import os
import re

import pandas as pd
import pytest
from hypothesis import given
from pandas.testing import assert_frame_equal

from pooling import FormatError, pool
from pooling.pools.files import FORMAT, pool_text, read_pool, write_pool
from tests.examples import examples
from tests.pooling.runs import COUNTS, ROWS, lists, run

RUNS = run([*lists(s="abc", t="bé"), *lists("é", s="xy")])
INPUTS = {"s.run": "ab" * 32, "t.run": "cd" * 32}


def sampled(runs=RUNS):
    return pool(runs, "stratified", seed=3, strata=[(1, 1.0), (3, 0.3)], inputs=INPUTS)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool.json"


def refusal(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_pool(path)
    return str(caught.value)


def test_a_pool_is_read_back_unchanged(path):
    added = sampled().with_documents(pd.DataFrame({"query_id": ["7"], "doc_id": ["added"]}), "search")
    write_pool(added, path)
    back = read_pool(path)
    assert_frame_equal(back.frame, added.frame)
    assert (back.strategy, back.seed) == ("stratified", 3)
    assert back.parameters == {"strata": [[1, 1.0], [3, 0.3]], "added": {"search": 1}}
    assert back.inputs == INPUTS
    assert pool_text(back) == pool_text(added)


def test_the_provenance_in_a_file_reproduces_its_bytes(path):
    write_pool(sampled(), path)
    read = read_pool(path)
    inputs = dict(reversed(INPUTS.items()))
    again = pool(RUNS.iloc[::-1], read.strategy, seed=read.seed, inputs=inputs, **read.parameters)
    assert pool_text(again).encode() == path.read_bytes()


@pytest.mark.slow
@examples(40)
@given(ROWS, COUNTS)
def test_any_pool_is_read_back_unchanged(tmp_path_factory, rows, size):
    path = tmp_path_factory.mktemp("pools") / "pool.json"
    for made in (pool(run(rows), "rrf", size=size), pool(run(rows), "random", seed=size, size=size)):
        write_pool(made, path)
        assert_frame_equal(read_pool(path).frame, made.frame)
        assert pool_text(read_pool(path)) == pool_text(made)


def test_the_file_by_hand():
    content = json.loads(pool_text(pool(run(lists(s="ab", t="b")), depth=1, inputs={"s.run": "00"})))
    assert content == {
        "format": FORMAT,
        "strategy": "depth",
        "parameters": {"depth": 1},
        "seed": None,
        "inputs": {"s.run": "00"},
        "score_precision": None,
        "systems": ["s", "t"],
        "topics": {"1": [["a", [0], 1, "", 1.0, -1.0], ["b", [1], 1, "", 1.0, -1.0]]},
    }


def test_unions_and_empty_pools_are_read_back(path):
    first, second = pool(RUNS, depth=2), sampled()
    for made in (first.union(second), first.difference(first)):
        write_pool(made, path)
        back = read_pool(path)
        assert_frame_equal(back.frame, made.frame)
        assert back.describe() == made.describe()


def test_a_file_is_written_whole_or_not_at_all(path, monkeypatch):
    path.write_text("unchanged")

    def disk_full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", disk_full)
    with pytest.raises(OSError, match="no space left"):
        write_pool(sampled(), path)
    assert path.read_text() == "unchanged"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_is_not_a_pool_is_refused(path):
    assert "this is not a valid pool" in refusal(path, "{")
    assert "this is not a valid pool" in refusal(path, "[]")
    assert f"the format is None; it must be {FORMAT!r}" in refusal(path, {})
    assert "the format is 'assay pool, version 9'" in refusal(path, {"format": "assay pool, version 9"})
    assert "this is not a valid pool" in refusal(path, {"format": FORMAT})
    path.write_bytes(b"\xff")
    with pytest.raises(FormatError, match="this is not a valid pool"):
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
def test_an_invalid_document_is_refused(path, document):
    content = json.loads(pool_text(pool(RUNS, depth=1)))
    content["topics"] = {"1": [document]}
    assert "this is not a valid pool" in refusal(path, content)


def test_a_document_twice_in_a_topic_is_refused(path):
    content = json.loads(pool_text(pool(RUNS, depth=1)))
    content["topics"]["1"] *= 2
    assert "this is not a valid pool (topic '1' has document 'a' twice)" in refusal(path, content)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"strategy": 3}, "the strategy is not a name"),
        ({"strategy": ""}, "the strategy is not a name"),
        ({"parameters": [1]}, "the parameters are not an object"),
        ({"parameters": {"added": 3}}, "the counts of added documents are invalid"),
        ({"strategy": "union"}, "this is not a valid pool ('first')"),
        ({"strategy": "union", "parameters": {"first": {}, "second": {}}}, "this is not a valid pool ('strategy')"),
        ({"seed": "3"}, "the seed is not a whole number from 0"),
        ({"seed": True}, "the seed is not a whole number from 0"),
        ({"seed": -1}, "the seed is not a whole number from 0"),
        ({"inputs": {"a.run": 1}}, "inputs has no checksums"),
        ({"inputs": [["a.run", "00"]]}, "inputs has no checksums"),
        ({"score_precision": "half"}, "the score_precision is unknown"),
        ({"systems": "st"}, "systems is not a list"),
        ({"systems": ["s", "s"]}, "a system occurs twice in systems"),
        ({"systems": ["s", "t u"]}, "system 't u' contains white space"),
        ({"systems": ["s", 4]}, "a system is not a string"),
        ({"topics": []}, "topics is not an object"),
        ({"topics": {"1": {}}}, "topic '1' is not a list of documents"),
        ({"topics": {"1 2": []}}, "query_id '1 2' contains white space"),
    ],
)
def test_an_invalid_pool_is_refused_with_the_reason(path, changed, sentence):
    assert sentence in refusal(path, json.loads(pool_text(pool(RUNS, depth=1))) | changed)


def test_a_duplicate_key_is_refused(path):
    text = pool_text(pool(run(lists(s="a")), depth=1))
    assert "this is not a valid pool ('1' occurs twice)" in refusal(path, text.replace('{"1":', '{"1":[],"1":'))
    assert "this is not a valid pool ('seed' occurs twice)" in refusal(
        path, text.replace('"seed":', '"seed":1,"seed":')
    )


def test_rows_are_sorted_when_read(path):
    content = json.loads(pool_text(sampled()))
    topics = {query_id: documents[::-1] for query_id, documents in reversed(content["topics"].items())}
    path.write_text(json.dumps(content | {"topics": topics}))
    assert_frame_equal(read_pool(path).frame, sampled().frame)


def test_a_file_without_score_precision_is_read(path):
    content = json.loads(pool_text(pool(RUNS, depth=1, score_precision="float32")))
    assert content.pop("score_precision") == "float32"
    path.write_text(json.dumps(content))
    assert read_pool(path).score_precision is None


def test_systems_without_a_document_are_stored_and_older_files_may_lack_them(path):
    judged = pd.DataFrame({"query_id": ["é", "é"], "doc_id": ["x", "y"]})
    only_one = run([*lists(s="abc"), *lists("é", t="xy")])
    made = pool(only_one, depth=2, judged=judged)
    assert made.describe().startswith(
        "depth (depth 2) over 2 systems: 2 tasks in 1 topic, 2 each; 2 documents left out"
    )
    write_pool(made, path)
    assert read_pool(path).describe() == made.describe()
    older = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(older | {"systems": ["s"]}), encoding="utf-8")
    assert read_pool(path).systems == ["s"]
    path.write_text(json.dumps(older | {"systems": [], "topics": {}}), encoding="utf-8")
    assert read_pool(path).describe().startswith("depth (depth 2): no document is left to judge; 2 documents")


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "missing" / "pool.json"):
        with pytest.raises(OSError, match=re.escape(f"{str(path)!r}")):
            write_pool(sampled(), path)
    assert list(tmp_path.parent.glob(f".{tmp_path.name}*")) == []
