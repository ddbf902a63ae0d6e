"""The cost of evaluation by runs, topics, depth and judges; docs/studies/scale.md is written from these figures.

(a) AP, nDCG@10 and P@10 of 129 runs x 50 topics x 1,000 documents under three judges from files, next to
    pytrec_eval.parse_run and evaluation (benchmarks.evaluate_speed measures the same from DataFrames)
(b) 10,000 runs x 50 topics x 100 documents: to cache them, to score them under a first and under a further judge,
    with threads, processes and a Dask LocalCluster of as many workers as processors; with peak memory
(c) 100,000 topics with one judged document each, 10 runs x 10 documents, in memory

    python -m benchmarks.scale [files] [runs] [topics]

Each part runs in a process of its own, so that its peak memory is known; with an executor, it is that of the main
process, and the peak of the largest worker is printed below. (b) needs 2 GB of disk space in var/bench.
"""

import multiprocessing
import os
import resource
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import synthetic
from benchmarks.evaluate_speed import MEASURES, PYTREC_MEASURES, gold_dictionaries
from benchmarks.measuring import RSS_UNIT, compare, table
from benchmarks.tiny import size

N_RUNS, RUN_DEPTH, N_TOPICS = size((10_000, 100, 50), (4, 10, 3))
MANY_TOPICS, FEW_RUNS, MARCO_DEPTH = size((100_000, 10, 10), (100, 2, 5))
ROUNDS = size(3, 1)
FOLDER = synthetic.RUNS / "scale"
WORKERS = os.cpu_count() or 1


# ---- (a) from files


def write_files() -> None:
    """Write the runs and the golds of (a) unless they exist."""
    from agreement import make_gold
    from pooling import pool, write_run

    folder = FOLDER / "trec8"
    if (folder / "golds.parquet").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    runs = list(synthetic.run_frames())
    for run in runs:
        write_run(run, folder / f"{run['system'].iloc[0]}.run")
    judged = synthetic.judgements(pool(runs, "depth", depth=100), 3)
    golds = [make_gold(judged, f"judge:{name}").assign(gold=name) for name in judged["assessor"].unique()]
    pd.concat(golds).to_parquet(folder / "golds.parquet")


def golds_of(folder: Path) -> dict[str, pd.DataFrame]:
    frame = pd.read_parquet(folder / "golds.parquet")
    return {name: gold.drop(columns="gold") for name, gold in frame.groupby("gold")}


def assay_from_files() -> None:
    from agreement import evaluate

    evaluate(f"{FOLDER}/trec8/*.run", golds_of(FOLDER / "trec8"), MEASURES)


def pytrec_eval_from_files() -> None:
    import pytrec_eval

    golds = gold_dictionaries(golds_of(FOLDER / "trec8"))
    runs = {}
    for path in sorted((FOLDER / "trec8").glob("*.run")):
        with open(path) as file:
            runs[path.stem] = pytrec_eval.parse_run(file)
    for gold in golds.values():
        evaluator = pytrec_eval.RelevanceEvaluator(gold, PYTREC_MEASURES)
        for run in runs.values():
            evaluator.evaluate(run)


# ---- (b) many runs


def write_many_runs() -> None:
    """Write the runs and three golds of (b) unless they exist."""
    from pooling import write_run

    folder = FOLDER / "many"
    if (folder / "golds.parquet").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    first = []
    for run in synthetic.run_frames(N_RUNS, N_TOPICS, RUN_DEPTH):
        write_run(run, folder / f"{run['system'].iloc[0]}.run")
        if len(first) < 100:
            first.append(run)
    pairs = pd.concat(first)[["query_id", "doc_id"]].drop_duplicates()
    rng = np.random.default_rng(synthetic.SEED)
    golds = [pairs.assign(relevance=rng.integers(0, 4, len(pairs)), gold=f"judge{number}") for number in (1, 2, 3)]
    pd.concat(golds).to_parquet(folder / "golds.parquet")


@contextmanager
def executor_named(name: str):
    if name == "threads":
        with ThreadPoolExecutor(WORKERS) as executor:
            yield executor
    elif name == "processes":
        with ProcessPoolExecutor(WORKERS) as executor:
            yield executor
    elif name == "cluster":
        from distributed import Client, LocalCluster

        with (
            LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
            client.get_executor() as executor,
        ):
            yield executor
    else:
        yield None


def cache(executor: str = "") -> None:
    """Read all runs into a new cache."""
    import shutil

    from pooling import cache_runs

    folder = FOLDER / "cache"
    shutil.rmtree(folder, ignore_errors=True)
    with executor_named(executor) as used:
        cache_runs(f"{FOLDER}/many/*.run", folder, executor=used)


def score(n_judges: int, executor: str = "") -> bytes:
    """Score the cached runs by three measures under some judges; the bytes of the means."""
    from agreement import evaluate
    from pooling import CachedRuns

    golds = dict(list(golds_of(FOLDER / "many").items())[:n_judges])
    with executor_named(executor) as used:
        runs = CachedRuns.open(FOLDER / "cache")
        means = evaluate(runs, golds, list(MEASURES), per_query=False, executor=used)
    return means["value"].to_numpy().tobytes()


# Functions of a module can be sent to a new process, unlike lambdas.
def open_cache() -> None:
    from pooling import CachedRuns

    golds_of(FOLDER / "many")
    CachedRuns.open(FOLDER / "cache").catalogue()


def cache_by_processes() -> None:
    cache("processes")


def cache_by_cluster() -> None:
    cache("cluster")


def score_one() -> None:
    score(1)


def score_two() -> None:
    score(2)


def score_two_by_threads() -> None:
    score(2, "threads")


def score_two_by_processes() -> None:
    score(2, "processes")


def score_two_by_cluster() -> None:
    score(2, "cluster")


def largest_worker(function) -> float:
    """Call a function in a new process; the peak memory in MB of the largest process that it started."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_peak_of_workers, args=(function, sender))
    process.start()
    sender.close()
    peak = receiver.recv()
    process.join()
    return peak


def _send_peak_of_workers(function, sender) -> None:
    function()
    sender.send(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * RSS_UNIT / 1e6)


def print_workers() -> None:
    """Print the peak memory of the largest worker that reads, and of the largest one that scores."""
    both = {
        f"{WORKERS} processes": (cache_by_processes, score_two_by_processes),
        f"Dask, {WORKERS} workers": (cache_by_cluster, score_two_by_cluster),
    }
    for name, functions in both.items():
        read, scored = (largest_worker(function) for function in functions)
        print(f"    largest worker of {name}: reads {read:,.0f} MB, scores {scored:,.0f} MB", flush=True)


# ---- (c) many topics


def many_topics() -> None:
    """Score runs with one judged document in each of very many topics."""
    from agreement import evaluate

    rng = np.random.default_rng(synthetic.SEED)
    topics = np.array([f"q{number}" for number in range(MANY_TOPICS)], dtype=object)
    frames = [_run_of_topics(f"system{number}", topics, rng) for number in range(FEW_RUNS)]
    gold = pd.DataFrame({"query_id": topics, "doc_id": [f"D{n}" for n in rng.integers(0, 10**6, MANY_TOPICS)]})
    evaluate(frames, gold.assign(relevance=1), ["RR@10", "nDCG@10", "AP"], per_query=False)


def _run_of_topics(system: str, topics: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    names = np.array([f"D{number}" for number in range(10**6)], dtype=object)
    first = rng.integers(0, 10**6, len(topics))
    documents = (first[:, None] + np.arange(MARCO_DEPTH) * 7919) % 10**6
    scores = np.tile(np.arange(MARCO_DEPTH, 0, -1, dtype=np.float64), len(topics))
    ids = {"query_id": np.repeat(topics, MARCO_DEPTH), "doc_id": names[documents.reshape(-1)]}
    return pd.DataFrame({"system": system, **ids, "score": scores}).astype({"query_id": "str", "doc_id": "str"})


def many_topics_without_scores() -> None:
    """Make the runs of (c) only, to be subtracted."""
    rng = np.random.default_rng(synthetic.SEED)
    topics = np.array([f"q{number}" for number in range(MANY_TOPICS)], dtype=object)
    for number in range(FEW_RUNS):
        _run_of_topics(f"system{number}", topics, rng)


def main() -> None:
    parts = sys.argv[1:] or ["files", "runs", "topics"]
    if "files" in parts:
        write_files()
        peers = {
            "Assay: evaluate(files, golds)": assay_from_files,
            "pytrec_eval: parse_run, evaluate": pytrec_eval_from_files,
        }
        print(table("(a) 129 x 50 x 1,000 from files, three judges", compare(peers)), "\n", flush=True)
    if "runs" in parts:
        write_many_runs()
        reading = {
            "cache_runs": cache,
            f"{WORKERS} processes": cache_by_processes,
            f"Dask, {WORKERS} workers": cache_by_cluster,
        }
        print(table(f"(b) {N_RUNS:,} runs x {N_TOPICS} x {MARCO_DEPTH}: read", compare(reading, 1)), "\n", flush=True)
        scoring = {
            "open the cache": open_cache,
            "one judge": score_one,
            "two judges": score_two,
            f"two judges, {WORKERS} threads": score_two_by_threads,
            f"two judges, {WORKERS} processes": score_two_by_processes,
            f"two judges, Dask, {WORKERS} workers": score_two_by_cluster,
        }
        print(table("(b) score by three measures", compare(scoring, ROUNDS)), flush=True)
        same = len({score(2, name) for name in ("", "threads", "processes", "cluster")}) == 1
        print(f"    the same bytes from all executors: {same}", flush=True)
        print_workers()
    if "topics" in parts:
        both = {"make the runs": many_topics_without_scores, "make and score them": many_topics}
        print(table(f"(c) {MANY_TOPICS:,} topics, one judged document each", compare(both, ROUNDS)), flush=True)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    print(f"largest process: {largest:,.0f} MB")


if __name__ == "__main__":
    main()
