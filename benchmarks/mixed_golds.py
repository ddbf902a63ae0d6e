"""100,000 mixed golds of 129 systems on 50 topics: drawn, averaged, ranked, compared by tau_b with every judge.

(a) with 3 judges: to reach, 2 s of CPU and under 400 MB; and with 40 judges
(b) scoring the runs under the judges, which comes before and is done once
(c) the same by pytrec_eval: naively, every gold scored anew, on a few draws and multiplied (days: extrapolated, as its
    name says); and with each judge scored once, then one draw after the other by numpy and scipy.stats.kendalltau
(d) growth: CPU seconds against draws, systems, topics and judges

The runs are 1,000 documents deep, and the judges judge the depth-100 pool; `benchmarks.synthetic` makes both, once.
Assay's contestants of (a) are processes of their own, which read the scores by judge from a file; imports are not in
the time, and are in the peak memory.
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

SEED, DRAWS, POOL_DEPTH, ROUNDS = 1, 100_000, 100, 5
N_JUDGES = (3, 40)
NAIVE_DRAWS, DRAWS_OF_A_PEER = 1, 500
SIZES = {
    "draws": (25_000, 50_000, 100_000, 200_000),
    "systems": (32, 65, 129, 258),
    "topics": (25, 50, 100, 200),
    "judges": (3, 10, 20, 40),
}
USUAL = {"draws": DRAWS, "systems": 129, "topics": 50, "judges": 3}


def judged(n_judges: int) -> pd.DataFrame:
    from pooling import pool

    return synthetic.judgements(pool(synthetic.run_frames(), "depth", depth=POOL_DEPTH), n_judges)


def scores_file(n_judges: int) -> Path:
    """The scores by judge, made where they are not there yet."""
    path = synthetic.RUNS / f"scores-by-{n_judges}-judges-seed{synthetic.SEED}.npz"
    if not path.exists():
        cube = scores_by_judge(synthetic.run_frames(), judged(n_judges), "AP")
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, scores=cube.scores)
    return path


def cube_of(scores: np.ndarray) -> JudgeScores:
    """Scores by judge as if every judge had judged every topic."""
    kinds = zip(("system", "topic", "judge"), scores.shape, strict=True)
    names = [tuple(f"{kind}{number + 1:03}" for number in range(size)) for kind, size in kinds]
    return JudgeScores(scores, np.ones(scores.shape[1:], dtype=bool), *names, measure="AP")


def mix(n_judges: int) -> MixedGolds:
    return mixed_scores(cube_of(np.load(scores_file(n_judges))["scores"]), draws=DRAWS, seed=SEED)


def headline() -> str:
    """Called first: a process that is started by a large one is told a peak that large (Linux)."""
    contestants = {f"Assay: {DRAWS:,} mixed golds, {number} judges": partial(mix, number) for number in N_JUDGES}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        list(elsewhere.map(scores_file, N_JUDGES))
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
    scores = np.array([scored(run_dicts, gold) for gold in gold_dicts]).transpose(1, 2, 0)
    naive = f"pytrec_eval naively, {NAIVE_DRAWS} draw x {DRAWS // NAIVE_DRAWS:,}"
    loop = f"pytrec_eval once, numpy, scipy, {DRAWS_OF_A_PEER} x {DRAWS // DRAWS_OF_A_PEER}"
    contestants = {
        "Assay: mixed_scores": lambda: mixed_scores(cube_of(scores), draws=DRAWS, seed=SEED),
        loop: lambda: one_draw_after_the_other(scores),
        naive: lambda: every_gold_anew(run_dicts, gold_dicts, scores),
    }
    results = compare_calls(contestants, rounds=1)
    results[loop] = extrapolated(results[loop], DRAWS / DRAWS_OF_A_PEER)
    results[naive] = extrapolated(results[naive], DRAWS / NAIVE_DRAWS)
    days = median(run.cpu for run in results[naive]) / 86_400
    title = f"(c) {DRAWS:,} mixed golds, {N_JUDGES[0]} judges; times of peers are extrapolated"
    return f"{table(title, results)}\n    pytrec_eval naively: {days:.1f} days"


def scored(run_dicts: dict[str, dict], gold: dict[str, dict]) -> list[list[float]]:
    """AP of every system on every topic."""
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"map"})
    found = [evaluator.evaluate(run) for run in run_dicts.values()]
    return [[topics[query_id]["map"] for query_id in sorted(topics)] for topics in found]


def every_gold_anew(run_dicts: dict[str, dict], gold_dicts: list[dict], scores: np.ndarray) -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(SEED)
    for _ in range(NAIVE_DRAWS):
        gold = {query_id: gold_dicts[rng.integers(len(gold_dicts))][query_id] for query_id in gold_dicts[0]}
        means = np.mean(scored(run_dicts, gold), axis=1)
        for judge in range(len(gold_dicts)):
            kendalltau(scores[:, :, judge].mean(axis=1), means)


def one_draw_after_the_other(scores: np.ndarray) -> None:
    from scipy.stats import kendalltau, rankdata

    rng = np.random.default_rng(SEED)
    topics = np.arange(scores.shape[1])
    references = [*scores.mean(axis=1).T, scores.mean(axis=(1, 2))]
    for _ in range(DRAWS_OF_A_PEER):
        means = scores[:, topics, rng.integers(scores.shape[2], size=len(topics))].mean(axis=1)
        rankdata(-means, method="min")
        for reference in references:
            kendalltau(reference, means)


def growth() -> dict[str, list[tuple[int, float]]]:
    """For each of draws, systems, topics and judges: its sizes, and the median CPU seconds; the others as usual."""
    return {axis: [(size, cpu_of(USUAL | {axis: size})) for size in sizes] for axis, sizes in SIZES.items()}


def cpu_of(size: dict[str, int]) -> float:
    rng = np.random.default_rng(SEED)
    skill = rng.normal(0.25, 0.06, (size["systems"], 1, 1))
    on_topic = rng.normal(0, 0.15, (size["systems"], size["topics"], 1))
    by_judge = rng.normal(0, 0.05, (size["systems"], size["topics"], size["judges"]))
    cube = cube_of(np.clip(skill + on_topic + by_judge, 0, 1))
    found = compare_calls({"": lambda: mixed_scores(cube, draws=size["draws"], seed=SEED)}, ROUNDS)
    return median(run.cpu for run in found[""])


def growth_table(found: dict[str, list[tuple[int, float]]]) -> str:
    usual = ", ".join(f"{size:,} {axis}" for axis, size in USUAL.items())
    lines = [f"(d) CPU s; where not said otherwise {usual}"]
    lines += [
        f"{axis:10}" + "".join(f"{size:>12,}: {cpu:6.2f}" for size, cpu in points) for axis, points in found.items()
    ]
    return "\n".join(lines)


def main() -> dict[str, list[tuple[int, float]]]:
    """Print everything; the growth is returned, to be drawn."""
    print(headline(), "\n")
    print(scoring_and_peers(), "\n")
    found = growth()
    print(growth_table(found))
    return found


def figure(found: dict[str, list[tuple[int, float]]]) -> bytes:
    """The growth as lines, each size as a multiple of its smallest."""
    from agreement.plots import growth as growth_chart

    points = [
        {"series": axis, "size": size / sizes[0][0], "cpu": cpu} for axis, sizes in found.items() for size, cpu in sizes
    ]
    return growth_chart(
        pd.DataFrame(points), "100,000 mixed golds: CPU time against size", x_label="times the smallest size"
    )


if __name__ == "__main__":
    grown = main()
    if len(sys.argv) > 1:  # a file for the figure
        Path(sys.argv[1]).write_bytes(figure(grown))
