"""The file of a draw: what is written is read, the same draw has the same bytes, and hostile files are refused."""

import copy
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import FormatError
from pooling.draws import draw_by_stratum, draw_poisson, draw_two_stage, read_draw, write_draw
from pooling.draws.files import draw_text, parse_draw
from tests.examples import examples
from tests.pooling.draws.pairs import SIZES, pairs

GOOD = {
    "format": "assay draw, version 1",
    "seed": 3,
    "is_fixed": True,
    "drawn_topics": ["1"],
    "topics": {
        "1": [["a", "1", 0.25, True], ["b", "1", 0.25, False]],
        "2": [["a", "2", 0.5, False]],
    },
}


def read(content):
    text = content if isinstance(content, (str, bytes)) else json.dumps(content)
    return parse_draw(text if isinstance(text, bytes) else text.encode(), "d.json")


def changed(*path, value):
    content = copy.deepcopy(GOOD)
    part = content
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return content


def same(first, second):
    pd.testing.assert_frame_equal(first.frame, second.frame)
    assert (first.seed, first.is_fixed, first.drawn_topics) == (second.seed, second.is_fixed, second.drawn_topics)


@pytest.mark.slow
@examples(30)
@given(SIZES, st.integers(1, 4), st.integers(0, 99), st.booleans())
def test_what_is_written_is_read(sizes, size, seed, is_fixed):
    frame = pairs(**sizes).assign(probability=1 / (size + 2))
    draw = draw_by_stratum(frame, size, seed=seed) if is_fixed else draw_poisson(frame, seed=seed)
    same(read(draw_text(draw)), draw)
    two = draw_two_stage(frame, 1, size, seed=seed)
    same(read(draw_text(two)), two)
    assert draw_text(read(draw_text(two))) == draw_text(two)


def test_the_bytes_are_as_specified(tmp_path):
    draw = draw_two_stage(pairs(**{"1": 2, "é": 1}), 1, 1, seed=3)
    write_draw(draw, tmp_path / "draw.json")
    topics = {
        q: [[d, q, p, q in draw.drawn_topics and d == drawn(draw, q)] for d, p in docs]
        for q, docs in {"1": [("d0", 0.25), ("d1", 0.25)], "é": [("d0", 0.5)]}.items()
    }
    content = {"format": "assay draw, version 1", "seed": 3, "is_fixed": True}
    content |= {"drawn_topics": list(draw.drawn_topics), "topics": topics}
    expected = json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
    assert (tmp_path / "draw.json").read_bytes() == expected.encode()
    same(read_draw(tmp_path / "draw.json"), draw)


def drawn(draw, query_id):
    return draw.drawn.loc[draw.drawn["query_id"] == query_id, "doc_id"].iloc[0]


def test_rows_in_another_order_and_other_keys_are_read():
    content = changed("note", value="x") | {"topics": dict(reversed(GOOD["topics"].items()))}
    content["topics"]["1"] = content["topics"]["1"][::-1]
    same(read(content), read(GOOD))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "this is not a valid draw (Expecting value"),
        (b"\xff\xfe", "this is not a valid draw ("),
        ("[]", "it is not an object"),
        ("{}", "the format is None; it must be 'assay draw, version 1'"),
        ('{"format": 1, "format": 2}', "'format' occurs twice"),
        ("[" * 100_000, "this is not a valid draw ("),
        (changed("format", value="assay pool, version 1"), "the format is 'assay pool, version 1'"),
        ({name: value for name, value in GOOD.items() if name != "seed"}, "the key 'seed' is missing"),
        (changed("seed", value=-1), "the seed is not a whole number from 0"),
        (changed("seed", value=True), "the seed is not a whole number from 0"),
        (changed("is_fixed", value=1), "is_fixed is not true or false"),
        (changed("topics", value=[]), "topics is not an object"),
        (changed("topics", value={}), "it has no pair"),
        (changed("topics", "1", value={}), "topic '1' is not a list of pairs"),
        (changed("topics", "a b", value=[]), "query_id 'a b' "),
        (changed("topics", "1", 0, value=["a"]), "a pair of topic '1' is not a list of four values"),
        (changed("topics", "1", 0, 0, value="b"), "topic '1' has document 'b' twice"),
        (changed("topics", "1", 0, 0, value=7), "a doc_id is not a string"),
        (changed("topics", "1", 0, 1, value=7), "a stratum is not a string"),
        (changed("topics", "1", 0, 2, value=0), "an inclusion probability is not above 0 and at most 1"),
        (changed("topics", "1", 0, 2, value=1.01), "an inclusion probability is not above 0 and at most 1"),
        (changed("topics", "1", 0, 2, value="1"), "an inclusion probability is not above 0 and at most 1"),
        (json.dumps(GOOD).replace("0.25", "NaN"), "an inclusion probability is not above 0 and at most 1"),
        (changed("topics", "1", 0, 3, value=1), "drawn is not true or false"),
        (changed("topics", "2", 0, 2, value=1), "a pair with the inclusion probability 1 is not drawn"),
        (changed("topics", "2", 0, 3, value=True), "a pair outside the drawn topics is drawn"),
        (changed("drawn_topics", value=[]), "drawn_topics is not null or a list of topics"),
        (changed("drawn_topics", value="1"), "drawn_topics is not null or a list of topics"),
        (changed("drawn_topics", value=[1]), "a drawn topic is not a string"),
        (changed("drawn_topics", value=["1", "1"]), "a drawn topic occurs twice"),
        (changed("drawn_topics", value=["1", "3"]), "a drawn topic has no pairs"),
        (changed("drawn_topics", value=None), "the inclusion probability 0.25 of document 'a' of topic '1' is not"),
        (changed("topics", "1", 1, 3, value=True), "of topic '1' is not the 0.5 of the drawn pairs of its stratum"),
        (changed("topics", "2", 0, 1, value="1"), "with two stages, a stratum lies in several topics"),
    ],
)
def test_hostile_files_are_refused_with_one_sentence(content, problem):
    with pytest.raises(FormatError) as refusal:
        read(content)
    assert problem in str(refusal.value)
    assert str(refusal.value).startswith("d.json: ")
    assert "\n" not in str(refusal.value)


def test_other_values_are_refused(tmp_path):
    with pytest.raises(TypeError, match="draw must be a Draw, not None"):
        write_draw(None, tmp_path / "x")
    with pytest.raises(TypeError, match="path must be the path of a file, not None"):
        read_draw(None)
    with pytest.raises(OSError, match="absent"):
        read_draw(tmp_path / "absent")
