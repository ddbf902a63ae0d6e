"""Scores of blocks: the same bytes from memory, from a cache, and from every executor."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import distributed
import numpy as np
import pandas as pd
import pytest

from agreement import evaluate, mixed_golds, prepare, ranking_shift, score_table
from agreement.effectiveness import blockwise
from pooling import cache_runs, read_runs
from pooling.run_cache import blocks
from tests.pooling.run_cache.test_cached_runs import write_runs

MEASURES = ["AP", "nDCG@10", "P@5", "RR", "Bpref", "RBP(rel=1)"]


@pytest.fixture
def paths(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2_500)
    monkeypatch.setattr(blockwise, "BLOCK_CELLS", 150)
    return write_runs(tmp_path, n_systems=9, n_topics=5)


@pytest.fixture
def cached(paths, tmp_path):
    return cache_runs(paths, tmp_path / "cache")


def gold(seed: int = 3) -> pd.DataFrame:
    """Grades of some documents; topic 9 is in no run, and topic 5 of the runs is not judged."""
    rng = np.random.default_rng(seed)
    pairs = [(str(topic), f"d{doc:02}") for topic in (1, 2, 3, 4, 9) for doc in rng.permutation(40)[:20]]
    frame = pd.DataFrame(pairs, columns=["query_id", "doc_id"])
    return frame.assign(relevance=rng.integers(-1, 4, len(frame)))


GOLDS = {"a": gold(3), "b": gold(4)}


def same(first: pd.DataFrame, second: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(first, second, check_exact=True)
    assert first["value"].to_numpy().tobytes() == second["value"].to_numpy().tobytes()


@pytest.mark.parametrize("per_query", [True, False])
@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_a_cache_has_the_scores_of_the_files(paths, cached, per_query, missing):
    options = {"per_query": per_query, "missing": missing}

    same(evaluate(cached, GOLDS, MEASURES, **options), evaluate(read_runs(paths), GOLDS, MEASURES, **options))


@pytest.mark.slow
def test_threads_and_processes_give_the_same_bytes(paths, cached):
    runs = prepare(read_runs(paths))
    expected = evaluate(runs, GOLDS, MEASURES)
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2) as processes:
        for executor in (threads, processes):
            same(evaluate(cached, GOLDS, MEASURES, executor=executor), expected)
            same(evaluate(runs, GOLDS, MEASURES, executor=executor), expected)
            same(
                evaluate(read_runs(paths), GOLDS, MEASURES, executor=executor),
                evaluate(read_runs(paths), GOLDS, MEASURES),
            )


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes(paths, tmp_path):
    expected = evaluate(read_runs(paths), GOLDS, MEASURES)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        cached = cache_runs(paths, tmp_path / "by_cluster", executor=executor)
        same(evaluate(cached, GOLDS, MEASURES, executor=executor), expected)
        same(evaluate(prepare(read_runs(paths)), GOLDS, MEASURES, executor=executor), expected)


def test_files_are_read_by_an_executor(paths, cached, tmp_path):
    with ProcessPoolExecutor(2) as processes:
        by_processes = cache_runs(paths, tmp_path / "other", executor=processes)

    assert by_processes.checksum == cached.checksum
    same(evaluate(by_processes, GOLDS, MEASURES), evaluate(cached, GOLDS, MEASURES))


@pytest.mark.in_ci
def test_options_of_the_gold_hold_for_blocks(paths, cached):
    known = gold()[["query_id", "doc_id"]].iloc[::3]
    for measures, options in (
        ("ERR@10", {"scale": (0, 1, 2, 3)}),
        ("SetAccuracy", {"collection_size": 1000}),
        (["Coverage", "Novelty"], {"known": known}),
        ("AP", {"judged_only": True}),
    ):
        same(evaluate(cached, GOLDS, measures, **options), evaluate(read_runs(paths), GOLDS, measures, **options))


def test_errors_are_those_of_files(cached):
    with pytest.raises(ValueError, match="collection_size must be at least"):
        evaluate(cached, GOLDS, "SetAccuracy", collection_size=2)
    with pytest.raises(ValueError, match="no topic in common"):
        evaluate(cached, gold().assign(query_id="other " + gold()["query_id"]), "AP")
    with pytest.raises(ValueError, match="must have a judged document"):
        evaluate(cached, gold().assign(relevance=-1), "AP")


@pytest.mark.parametrize("executor", ["threads", 2, ThreadPoolExecutor])
def test_what_is_no_executor_is_refused(paths, cached, tmp_path, executor):
    message = "executor must be an executor of concurrent.futures, .* or None, not "
    with pytest.raises(ValueError, match=message):
        evaluate(cached, GOLDS, "AP", executor=executor)
    with pytest.raises(ValueError, match=message):
        evaluate(read_runs(paths), GOLDS, "AP", executor=executor)
    with pytest.raises(ValueError, match=message):
        cache_runs(paths, tmp_path / "never", executor=executor)
    assert not (tmp_path / "never").exists()


def test_other_functions_load_the_cache(paths, cached):
    files = read_runs(paths)

    pd.testing.assert_frame_equal(score_table(cached, gold(), "AP"), score_table(files, gold(), "AP"))
    assert ranking_shift(cached, GOLDS, "AP").summary() == ranking_shift(files, GOLDS, "AP").summary()


@pytest.mark.slow
def test_mixed_golds_are_the_same_from_blocks(paths, cached):
    judgements = pd.concat([gold(seed).assign(assessor=f"judge{seed}") for seed in (3, 4, 5)])
    judgements = judgements[judgements["relevance"] >= 0]
    options = {"draws": 50, "seed": 2, "references": GOLDS}
    expected = mixed_golds(read_runs(paths), judgements, "AP", **options)
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for runs, executor in ((cached, None), (cached, threads), (prepare(read_runs(paths)), processes)):
            mixed = mixed_golds(runs, judgements, "AP", executor=executor, **options)
            assert mixed.summary() == expected.summary()
            pd.testing.assert_frame_equal(mixed.taus, expected.taus, check_exact=True)


def test_a_block_is_one_task(cached, monkeypatch):
    calls = []
    real = blockwise.score_block
    monkeypatch.setattr(blockwise, "score_block", lambda *args, **options: calls.append(1) or real(*args, **options))

    evaluate(cached, GOLDS, MEASURES)

    assert len(calls) == len(GOLDS) * len(cached.blocks)


@pytest.mark.slow
def test_many_topics_with_one_judged_document():
    # the case of MS MARCO: a topic has one judged document
    topics = [str(number) for number in range(3_000)]
    order = {"a": (1, 2, 3), "b": (3, 1, 2)}
    rows = [
        (system, topic, f"d{topic}-{doc}", -rank)
        for system, docs in order.items()
        for topic in topics
        for rank, doc in enumerate(docs)
    ]
    runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    judged = pd.DataFrame({"query_id": topics, "doc_id": [f"d{topic}-2" for topic in range(3_000)], "relevance": 1})

    means = evaluate(runs, judged, "RR", per_query=False).set_index("system")["value"]

    assert means.to_dict() == pytest.approx({"a": 1 / 2, "b": 1 / 3})
