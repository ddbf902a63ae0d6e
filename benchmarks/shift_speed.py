"""The speed of `ranking_shift` on runs of which few topics were judged, as in TREC Deep Learning 2021.

63 systems rank 100 documents for each of 477 topics, and two judges judged 53 of the topics. Everything starts from
one frame of runs and ends with Kendall's tau_b of the rankings of the systems under the two golds: target 3 times
faster than pytrec_eval with scipy. pytrec_eval takes dictionaries, so its time includes making them; a second
contestant removes the topics without judgements from the frame first, as a careful user would.

The values agree to 1e-12; the largest difference is printed.
"""

import pandas as pd

from benchmarks import synthetic
from benchmarks.evaluate_speed import dictionary, gold_dictionaries
from benchmarks.measuring import compare_calls, table
from benchmarks.tiny import size

SYSTEMS, TOPICS, DEPTH, JUDGED_TOPICS, POOL_DEPTH = size((63, 477, 100, 53, 10), (6, 12, 20, 6, 5))
MEASURE, PYTREC_MEASURE = "nDCG@10", "ndcg_cut_10"


def make_data() -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Return all runs in one frame, and the golds of two judges."""
    from agreement import make_gold
    from pooling import pool

    runs = pd.concat(synthetic.run_frames(SYSTEMS, TOPICS, DEPTH), ignore_index=True)
    pooled = pool(
        in_topics(runs, sorted(runs["query_id"].unique())[:: TOPICS // JUDGED_TOPICS][:JUDGED_TOPICS]),
        "depth",
        depth=POOL_DEPTH,
    )
    judged = synthetic.judgements(pooled, 2)
    return runs, {f"judge:{name}": make_gold(judged, f"judge:{name}") for name in ("judge1", "judge2")}


def in_topics(runs: pd.DataFrame, topics) -> pd.DataFrame:
    return runs[runs["query_id"].isin(topics)]


def assay(runs: pd.DataFrame, golds: dict[str, pd.DataFrame]):
    from agreement import ranking_shift

    return ranking_shift(runs, golds, MEASURE)


def pytrec_eval(runs: pd.DataFrame, golds: dict[str, pd.DataFrame]) -> tuple[dict[str, dict[str, float]], float]:
    """Return the mean score of every system under every gold, and tau_b."""
    import pytrec_eval
    from scipy.stats import kendalltau

    run_dicts = {system: dictionary(rows, "score") for system, rows in runs.groupby("system", sort=False)}
    means = {}
    for name, gold in gold_dictionaries(golds).items():
        evaluator = pytrec_eval.RelevanceEvaluator(gold, {"ndcg_cut.10"})
        scores = {system: evaluator.evaluate(run) for system, run in run_dicts.items()}
        means[name] = {
            system: sum(topic[PYTREC_MEASURE] for topic in topics.values()) / len(gold)
            for system, topics in scores.items()
        }
    first, second = ([scores[system] for system in run_dicts] for scores in means.values())
    return means, kendalltau(first, second).statistic


def careful_pytrec_eval(runs: pd.DataFrame, golds: dict[str, pd.DataFrame]):
    return pytrec_eval(in_topics(runs, pd.concat(golds.values())["query_id"].unique()), golds)


def main() -> None:
    runs, golds = make_data()
    contestants = {
        "Assay: ranking_shift": lambda: assay(runs, golds),
        "pytrec_eval and scipy": lambda: pytrec_eval(runs, golds),
        "pytrec_eval and scipy, judged topics only": lambda: careful_pytrec_eval(runs, golds),
    }
    title = f"{SYSTEMS} systems x {TOPICS} topics x {DEPTH} documents, {JUDGED_TOPICS} judged topics, two golds"
    print(table(title, compare_calls(contestants)))
    shift, (means, tau) = assay(runs, golds), pytrec_eval(runs, golds)
    scores = zip(shift.ranks["gold"], shift.ranks["system"], shift.ranks["score"], strict=True)
    difference = max(abs(score - means[gold][system]) for gold, system, score in scores)
    print(f"    largest difference of a score: {difference:.2g}, of tau_b: {abs(shift.pairs[0].tau_b.value - tau):.2g}")


if __name__ == "__main__":
    main()
