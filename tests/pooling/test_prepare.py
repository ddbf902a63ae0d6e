"""Prepared runs: a reference implementation, and refused input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.ranking import prepare
from tests.examples import examples
from tests.pooling.runs import DEPTHS, ROWS, lists, rankings_of, run


def rankings_in(ranked):
    """The rankings that the integers represent: (doc_id, score), by topic and system."""
    doc_ids = ranked.doc_ids_of_items
    found = {}
    for topic, query_id in enumerate(ranked.query_ids):
        for place, system in enumerate(ranked.systems):
            items = ranked.items[place, topic, : ranked.retrieved[place, topic]]
            assert (ranked.topics_of_items[items] == topic).all()
            if len(items):
                scores = ranked.scores[place, topic, : len(items)]
                found.setdefault(query_id, {})[system] = list(zip(doc_ids[items], scores, strict=True))
    return found


@examples(60)
@given(ROWS, DEPTHS, st.randoms(use_true_random=False))
def test_prepared_runs_match_a_reference_implementation(rows, depth, random):
    parts = [part for _, part in run(random.sample(rows, len(rows))).groupby("system")]
    random.shuffle(parts)
    expected = {
        query_id: {system: ranking[:depth] for system, ranking in rankings.items()}
        for query_id, rankings in rankings_of(rows).items()
    }
    assert rankings_in(prepare(iter(parts), keep_scores=True, depth=depth)) == expected


@examples(30)
@given(ROWS)
def test_items_are_numbered_by_topic_and_the_last_topic_is_empty(rows):
    ranked = prepare(run(rows))
    assert (np.diff(ranked.keys) > 0).all()
    assert len(ranked.keys) == len({row[1:3] for row in rows})
    assert (ranked.items[:, -1] == len(ranked.keys)).all()
    assert (ranked.retrieved[:, -1] == 0).all()
    assert ranked.items.dtype == np.int32
    assert ranked.scores is None


def test_prepared_runs_are_returned_unchanged():
    ranked = prepare(run(lists(s="abc")), depth=2)
    assert (prepare(ranked, depth=2) is ranked, prepare(ranked, depth=1) is ranked) == (True, True)
    assert ranked.depth == 2


@pytest.mark.parametrize("kind", ["str", "object", "category"])
def test_ids_may_be_in_any_string_column(kind):
    ids = dict.fromkeys(["system", "query_id", "doc_id"], kind)
    rows = [*lists(s="abc"), *lists("é", s="bé"), *lists(t="ca")]
    assert rankings_in(prepare(run(rows).astype(ids), keep_scores=True)) == rankings_of(rows)


def test_integer_ids_are_converted():
    frame = pd.DataFrame({"system": ["s", "s"], "query_id": [301, 301], "doc_id": [9, 10], "score": [1, 1]})
    assert rankings_in(prepare(frame, keep_scores=True)) == {"301": {"s": [("9", 1.0), ("10", 1.0)]}}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"score": [1.0, np.nan]}, "every score of a run must be a finite number"),
        ({"score": [1.0, np.inf]}, "every score of a run must be a finite number"),
        ({"doc_id": ["a", None]}, "every row of a run needs a doc_id"),
        ({"query_id": [None, "1"]}, "every row of a run needs a query_id"),
        ({"doc_id": ["a", "a"]}, "system 's', topic '1': document 'a' occurs twice"),
    ],
)
def test_invalid_runs_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(run(lists(s="ab")).assign(**change))


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="runs need the columns system, query_id, doc_id, score; missing: score"):
        prepare(run(lists(s="ab")).drop(columns="score"))


@pytest.mark.parametrize("depth", [0, 1.5, True])
def test_depth_must_be_a_positive_whole_number(depth):
    with pytest.raises(ValueError, match="depth must be a whole number from 1, not"):
        prepare(run(lists(s="ab")), depth=depth)
