"""The speed of 100,000 mixed golds of 129 systems on 50 topics: draw, average, rank, and tau_b with every judge.

(a) with 3 judges: target 2 s of CPU and less than 400 MB; and with 40 judges
(b) scoring the runs under the judges, which is done once in advance
(c) the same with pytrec_eval: scoring every gold anew, on a few draws and extrapolated; and scoring each judge once,
    followed by a loop over the draws with numpy and scipy.stats.kendalltau
(d) growth: CPU seconds against draws, systems, topics and judges

The runs are 1,000 documents deep, and the judges judge the depth-100 pool; `benchmarks.synthetic` makes both once. In
(a) Assay runs in new processes that read the scores by judge from a file. Imports count for the peak memory but not
for the time.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

from agreement.effectiveness.judge_scores import JudgeScores, scores_by_judge
from agreement.mixing import MixedGolds, mixed_scores
from benchmarks import synthetic
from benchmarks.measuring import compare, compare_calls, extrapolated, table
from benchmarks.tiny import size

SEED, POOL_DEPTH, ROUNDS = 1, 100, size(5, 1)
DRAWS = size(100_000, 200)
N_JUDGES = size((3, 40), (3, 4))
NAIVE_DRAWS, PEER_DRAWS = 1, size(500, 10)
SIZES = {
    "draws": size((25_000, 50_000, 100_000, 200_000), (100, 200)),
    "systems": size((32, 65, 129, 258), (4, 8)),
    "topics": size((25, 50, 100, 200), (5, 10)),
    "judges": size((3, 10, 20, 40), (3, 6)),
}
DEFAULT_SIZES = {"draws": DRAWS, "systems": 129, "topics": 50, "judges": 3}


def judged(n_judges: int) -> pd.DataFrame:
    from pooling import pool

    return synthetic.judgements(pool(synthetic.run_frames(), "depth", depth=POOL_DEPTH), n_judges)


def scores_file(n_judges: int) -> Path:
    """Return the file of the scores by judge, and make it if it does not exist."""
    path = synthetic.RUNS / f"scores-by-{n_judges}-judges-seed{synthetic.SEED}.npz"
    if not path.exists():
        cube = scores_by_judge(synthetic.run_frames(), judged(n_judges), "AP")
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, scores=cube.scores)
    return path


def judge_scores(scores: np.ndarray) -> JudgeScores:
    """Return scores by judge, all judges having judged all topics."""
    kinds = zip(("system", "topic", "judge"), scores.shape, strict=True)
    names = [tuple(f"{kind}{number + 1:03}" for number in range(size)) for kind, size in kinds]
    return JudgeScores(scores, np.ones(scores.shape[1:], dtype=bool), *names, measure="AP")


def mix(n_judges: int) -> MixedGolds:
    return mixed_scores(judge_scores(np.load(scores_file(n_judges))["scores"]), draws=DRAWS, seed=SEED)


def headline() -> str:
    """Compare (a). Call it first: on Linux, a new process inherits the peak memory of its parent."""
    contestants = {f"Assay: {DRAWS:,} mixed golds, {number} judges": partial(mix, number) for number in N_JUDGES}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        list(executor.map(scores_file, N_JUDGES))
    return table("(a) draw, average, rank, tau_b", compare(contestants, ROUNDS)) + f"\n    {mix(N_JUDGES[0]).summary()}"


def scoring_and_peers() -> str:
    from agreement.effectiveness import prepare

    runs, judgements = list(synthetic.run_frames()), judged(N_JUDGES[0])
    prepared = prepare(runs)
    scoring = compare_calls(
        {
            "Assay: prepare(runs), from frames": lambda: prepare(runs),
            f"Assay: scores_by_judge, {N_JUDGES[0]} judges": lambda: scores_by_judge(prepared, judgements, "AP"),
        },
        ROUNDS,
    )
    return table("(b) scoring, once", scoring) + "\n\n" + peers(runs, judgements)


def peers(runs: list[pd.DataFrame], judgements: pd.DataFrame) -> str:
    from benchmarks.evaluate_speed import dictionary, run_dictionaries

    run_dicts = run_dictionaries(runs)
    gold_dicts = [dictionary(rows, "relevance") for _, rows in judgements.groupby("assessor")]
    scores = np.array([ap_scores(run_dicts, gold) for gold in gold_dicts]).transpose(1, 2, 0)
    naive = f"pytrec_eval naively, {NAIVE_DRAWS} draw x {DRAWS // NAIVE_DRAWS:,}"
    loop = f"pytrec_eval once, numpy, scipy, {PEER_DRAWS} x {DRAWS // PEER_DRAWS}"
    contestants = {
        "Assay: mixed_scores": lambda: mixed_scores(judge_scores(scores), draws=DRAWS, seed=SEED),
        loop: lambda: loop_over_draws(scores),
        naive: lambda: score_every_gold(run_dicts, gold_dicts, scores),
    }
    results = compare_calls(contestants, rounds=1)
    results[loop] = extrapolated(results[loop], DRAWS / PEER_DRAWS)
    results[naive] = extrapolated(results[naive], DRAWS / NAIVE_DRAWS)
    days = median(run.cpu for run in results[naive]) / 86_400
    title = f"(c) {DRAWS:,} mixed golds, {N_JUDGES[0]} judges; times of peers are extrapolated"
    return f"{table(title, results)}\n    pytrec_eval naively: {days:.1f} days"


def ap_scores(run_dicts: dict[str, dict], gold: dict[str, dict]) -> list[list[float]]:
    """Return AP of every system on every topic."""
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"map"})
    results = [evaluator.evaluate(run) for run in run_dicts.values()]
    return [[topics[query_id]["map"] for query_id in sorted(topics)] for topics in results]


def score_every_gold(run_dicts: dict[str, dict], gold_dicts: list[dict], scores: np.ndarray) -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(SEED)
    for _ in range(NAIVE_DRAWS):
        gold = {query_id: gold_dicts[rng.integers(len(gold_dicts))][query_id] for query_id in gold_dicts[0]}
        means = np.mean(ap_scores(run_dicts, gold), axis=1)
        for judge in range(len(gold_dicts)):
            kendalltau(scores[:, :, judge].mean(axis=1), means)


def loop_over_draws(scores: np.ndarray) -> None:
    from scipy.stats import kendalltau, rankdata

    rng = np.random.default_rng(SEED)
    topics = np.arange(scores.shape[1])
    references = [*scores.mean(axis=1).T, scores.mean(axis=(1, 2))]
    for _ in range(PEER_DRAWS):
        means = scores[:, topics, rng.integers(scores.shape[2], size=len(topics))].mean(axis=1)
        rankdata(-means, method="min")
        for reference in references:
            kendalltau(reference, means)


def growth() -> dict[str, list[tuple[int, float]]]:
    """Return sizes and median CPU seconds by axis (draws, systems, topics, judges); other sizes are the defaults."""
    return {
        axis: [(size, cpu_seconds(DEFAULT_SIZES | {axis: size})) for size in sizes] for axis, sizes in SIZES.items()
    }


def cpu_seconds(size: dict[str, int]) -> float:
    rng = np.random.default_rng(SEED)
    skill = rng.normal(0.25, 0.06, (size["systems"], 1, 1))
    on_topic = rng.normal(0, 0.15, (size["systems"], size["topics"], 1))
    by_judge = rng.normal(0, 0.05, (size["systems"], size["topics"], size["judges"]))
    cube = judge_scores(np.clip(skill + on_topic + by_judge, 0, 1))
    results = compare_calls({"": lambda: mixed_scores(cube, draws=size["draws"], seed=SEED)}, ROUNDS)
    return median(run.cpu for run in results[""])


def growth_table(results: dict[str, list[tuple[int, float]]]) -> str:
    defaults = ", ".join(f"{size:,} {axis}" for axis, size in DEFAULT_SIZES.items())
    lines = [f"(d) CPU s; by default {defaults}"]
    lines += [
        f"{axis:10}" + "".join(f"{size:>12,}: {cpu:6.2f}" for size, cpu in points) for axis, points in results.items()
    ]
    return "\n".join(lines)


def main() -> dict[str, list[tuple[int, float]]]:
    """Print all results, and return the growth for the figure."""
    print(headline(), "\n")
    print(scoring_and_peers(), "\n")
    results = growth()
    print(growth_table(results))
    return results


def figure(results: dict[str, list[tuple[int, float]]]) -> bytes:
    """Draw the growth, each size as a multiple of the smallest one."""
    from agreement.plots import growth as growth_chart

    points = [
        {"series": axis, "size": size / sizes[0][0], "cpu": cpu}
        for axis, sizes in results.items()
        for size, cpu in sizes
    ]
    return growth_chart(
        pd.DataFrame(points), "100,000 mixed golds: CPU time against size", x_label="times the smallest size"
    )


if __name__ == "__main__":
    results = main()
    if len(sys.argv) > 1:  # the file of the figure
        Path(sys.argv[1]).write_bytes(figure(results))
