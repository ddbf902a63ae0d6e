"""A release states the random samples of its topics, and later samples do not change it."""

import json

import pytest

from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.samples.draw import draw_sample
from assess.releases.state.pool_state import pool_state
from assess.releases.verify import verify_stored
from tests.assess.pools.samples.imported import drawn, import_all
from tests.assess.releases.conftest import release, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole(collection, tmp_path):
    """All of its 29 documents have a text, and 7 pairs of two topics are in the pool."""
    return import_all(collection, tmp_path)


def documents(stored) -> dict:
    rows = [json.loads(line) for line in text_of(stored, "pool.jsonl").splitlines()]
    return {(row["query_id"], row["doc_id"]): row for row in rows}


def state(collection):
    return pool_state(collection, list(collection.pool_buildings.values_list("pk", flat=True)), ["1", "2"])


@pytest.mark.slow
def test_earlier_releases_stay_valid(whole, judges, without_reports):
    before = release(whole)
    draw_sample(whole, 10, seed=4)
    build_pool(whole, depth=3)
    assert verify_stored(before).problems == []
    assert len(documents(before)) == 7
    assert not any("sample_place" in row for row in documents(before).values())


@pytest.mark.slow
def test_release_states_the_sample(whole, judges, without_reports):
    draw_sample(whole, 10, seed=4)
    stored = release(whole)
    assert verify_stored(stored).problems == []
    rows = documents(stored)
    for query_id in "12":
        order = drawn(whole, query_id)
        assert {doc_id: rows[query_id, doc_id]["sample_place"] for doc_id in order} == {
            doc_id: place for place, doc_id in enumerate(order, 1)
        }
    entered = {pair: row for pair, row in rows.items() if not row["systems"]}
    assert len(entered) == whole.pool_buildings.latest("pk").tasks_added
    assert {(row["stratum"], row["inclusion_probability"]) for row in entered.values()} == {
        ("collection_sample", 10 / 29)
    }
    assert {row["inclusion_probability"] for pair, row in rows.items() if pair not in entered} == {1.0}
    building = json.loads(text_of(stored, "pool.json"))["buildings"][-1]
    assert building["strategy"] == "collection_sample"
    assert building["parameters"] == {"size": 10, "seed": 4, "population_sizes": {"1": 29, "2": 29}}
    methods = text_of(stored, "paper/methods.md")
    assert "collection_sample: 10 documents per topic, seed 4" in methods
    assert "has the inclusion probability of that sample" in methods


@pytest.mark.slow
def test_release_stays_valid_when_the_sample_grows(whole, judges, without_reports):
    draw_sample(whole, 5, seed=4)
    stored = release(whole)
    draw_sample(whole, 12)
    build_pool(whole, "every_document")
    assert verify_stored(stored).problems == []
    undo_pool(whole)
    undo_pool(whole)
    assert verify_stored(stored).problems == []


def test_probabilities_of_an_enlarged_sample_are_those_of_the_whole(whole):
    draw_sample(whole, 5, seed=4)
    draw_sample(whole, 12)
    frame = state(whole).frame
    assert set(frame["inclusion_probability"]) == {1.0, 12 / 29}


def test_documents_become_certain_when_everything_is_pooled(whole):
    draw_sample(whole, 5, seed=4)
    build_pool(whole, "every_document")
    assert set(state(whole).frame["inclusion_probability"]) == {1.0}
    assert state(whole).notes == []


def test_documents_that_a_run_pools_later_become_certain(whole):
    draw_sample(whole, 29, query_ids=["1"])
    build_pool(whole, depth=3)
    frame = state(whole).frame.set_index(["query_id", "doc_id"])
    assert frame.loc[("1", "c"), "inclusion_probability"] == 1
    assert frame.loc[("1", "n00"), "stratum"] == "collection_sample"


def test_sample_of_the_pool_changes_no_probability(collection):
    before = state(collection).frame
    draw_sample(collection, 2, population="pool")
    after = state(collection)
    assert after.frame.equals(before)
    assert sorted(place.place for place in after.sampled.values()) == [1, 1, 2, 2]


def test_two_random_samples_have_no_known_probabilities(whole):
    build_pool(whole, "stratified", strata=[(1, 1.0), (3, 0.5)], seed=3)
    draw_sample(whole, 2, population="pool")
    assert state(whole).frame["inclusion_probability"].notna().all()
    undo_pool(whole)
    draw_sample(whole, 5)
    assert state(whole).notes == ["The inclusion probabilities are not known. The pool unites several random samples."]
