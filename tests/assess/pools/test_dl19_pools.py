"""Every strategy pools the runs of TREC 2019 Deep Learning as the library does."""

import pytest

import pooling
from assess.collections.create import create_collection
from assess.models import Provenance
from assess.pools.building.build import build_pool
from assess.pools.building.preview import preview_pool
from assess.pools.building.undo import undo_pool
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from pooling.strategies import NEED_SCORES
from tests.realdata import dl19_run_paths, real_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
N_RUNS = 4
RECIPES = {
    **{name: {"depth": 5} for name in ("depth", "ntcir")},
    **{name: {"budget": 300, "seed": 3} for name in ("take", "fair_take")},
    **{name: {"size": 10, "depth": 50, "seed": 3} for name in NEED_SCORES},
    **{name: {"size": 10, "seed": 3} for name in ("borda", "condorcet", "dcg", "random", "stat_ap", "ask_people")},
    "rrf": {"size": 10, "k": 30},
    "rbp": {"size": 10, "p": 0.95},
    "stratified": {"strata": [(5, 1.0), (50, 0.1)], "seed": 3},
}


@pytest.fixture
def collection(db):
    collection = create_collection("dl19", "DL 2019")
    import_topics(collection, real_data("dl19", "topics.tsv"))
    import_runs(collection, dl19_run_paths()[:N_RUNS])
    return collection


def test_every_strategy_is_tested():
    assert RECIPES.keys() == pooling.STRATEGIES.keys()


@pytest.mark.soak
def test_collections_and_library_make_the_same_pools(collection):
    runs = pooling.prepare(map(pooling.read_run, dl19_run_paths()[:N_RUNS]), keep_scores=True)
    for strategy, parameters in RECIPES.items():
        expected = pooling.pool(runs, strategy, **parameters)
        preview = preview_pool(collection, strategy, **parameters)
        assert {topic.query_id: topic.size for topic in preview.topics} == expected.size_by_topic.to_dict(), strategy
        build_pool(collection, strategy, **parameters)
        rows = Provenance.objects.values_list("task__topic__query_id", "task__document__doc_id", "systems", "best_rank")
        stored = {(query_id, doc_id): (tuple(systems), rank) for query_id, doc_id, systems, rank in rows}
        frame = expected.frame
        pairs = zip(frame["query_id"], frame["doc_id"], strict=True)
        assert stored == dict(zip(pairs, zip(frame["systems"], frame["best_rank"], strict=True), strict=True)), strategy
        undo_pool(collection)
        assert not Provenance.objects.exists()
