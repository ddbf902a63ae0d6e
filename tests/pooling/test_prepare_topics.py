"""Runs prepared for some topics only: a reference implementation, systems without these topics, and refused input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.ranking import prepare, prepare_topics
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, run


def content(ranked):
    """Each ranking by system and topic, and the names."""
    doc_ids = np.append(np.asarray(ranked.doc_ids_of_items, dtype=object), None)
    rankings = {
        (system, query_id): [doc_id for doc_id in doc_ids[ranked.items[i, j]] if doc_id is not None]
        for i, system in enumerate(ranked.systems)
        for j, query_id in enumerate(ranked.query_ids)
    }
    return ranked.systems.tolist(), ranked.query_ids.tolist(), rankings


@examples(60)
@given(ROWS, st.sets(st.sampled_from(["9", "10", "11"])), st.booleans(), st.sampled_from(["str", "object", "category"]))
def test_the_rankings_are_those_of_the_rows_of_the_topics(rows, topics, in_parts, kind):
    frame = run(rows).astype(dict.fromkeys(["system", "query_id", "doc_id"], kind))
    parts = (part for _, part in frame.groupby("system", observed=True)) if in_parts else frame

    systems, query_ids, rankings = content(prepare_topics(parts, topics))

    _, all_topics, expected = content(prepare(frame))
    assert systems == sorted({row[0] for row in rows})
    assert [one for one in query_ids if one in topics] == [one for one in all_topics if one in topics]
    kept = {key: ranking for key, ranking in rankings.items() if key[1] in topics}
    assert kept == {key: ranking for key, ranking in expected.items() if key[1] in topics}


def test_categories_may_be_unused_or_equal_as_strings():
    frame = run([("s", 1, "a", 1.0), ("s", "1", "b", 2.0), ("t", "2", "a", 1.0)])
    categories = pd.CategoricalDtype(["3", "1", 1, "2"])
    frame = frame.astype({"query_id": categories, "system": pd.CategoricalDtype(["u", "t", "s"])})

    for prepared in (prepare(frame), prepare_topics(frame, ["1", "2", "3"])):
        assert content(prepared)[0] == ["s", "t"]
        assert content(prepared)[2][("s", "1")] == ["b", "a"]
        assert content(prepared)[1] == ["1", "2"]


def test_without_a_common_topic_an_example_stays_for_the_error():
    ranked = prepare_topics(run([*lists(s="ab"), *lists(t="c"), *lists("2", t="c")]), ["7"])

    assert (ranked.systems.tolist(), ranked.query_ids.tolist()) == (["s", "t"], ["1"])


@pytest.mark.parametrize("change", [{"score": [1.0, 1.0, np.nan]}, {"doc_id": ["a", "b", None]}])
def test_ids_and_scores_of_other_topics_are_checked(change):
    frame = run([*lists(s="ab"), *lists("2", s="a")]).assign(**change)

    with pytest.raises(ValueError, match=r"every (score|row) of a run"):
        prepare_topics(frame, ["1"])


def test_documents_that_occur_twice_are_refused_only_in_the_topics():
    frame = run([*lists(s="ab"), *lists("2", s="aa")])

    assert prepare_topics(frame, ["1"]).retrieved[0, 0] == 2
    with pytest.raises(ValueError, match="system 's', topic '2': document 'a' occurs twice"):
        prepare_topics(frame, ["2"])


def test_a_system_in_two_frames_is_refused_also_without_the_topics():
    with pytest.raises(ValueError, match="system 's' occurs twice"):
        prepare_topics([run(lists("2", s="a")), run(lists("3", s="b"))], ["1"])
    with pytest.raises(ValueError, match="there are no runs"):
        prepare_topics([run([])], ["1"])
