"""The speed of scoring 129 systems on 50 topics, 1,000 documents deep, under three judges, and of 10,000 tau_b.

(a) AP, nDCG@10 and P@10 of all runs under three judges, including preparation: target a tenth of pytrec_eval's CPU time
(b) each additional judge: target 0.05 s of CPU
(c) 10,000 tau_b of 129 systems, compared with a loop of scipy.stats.kendalltau
The values agree to 1e-12; the largest difference is printed.

Runs and golds are frames in memory, made by `benchmarks.synthetic`. Assay prepares the runs once for all judges.
pytrec_eval takes dictionaries, so it is shown with and without the time to make them.
"""

import numpy as np
import pandas as pd

from benchmarks import synthetic
from benchmarks.measuring import compare_calls, extrapolated, table
from benchmarks.tiny import size

MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@10": "P_10"}
PYTREC_MEASURES = {"map", "ndcg_cut.10", "P.10"}
N_JUDGES, POOL_DEPTH = 3, 100
N_RANKINGS, PEER_RANKINGS = size((10_000, 1_000), (100, 10))


def make_data() -> tuple[list[pd.DataFrame], dict[str, pd.DataFrame]]:
    """Return the runs, and a gold for each judge."""
    from agreement import make_gold
    from pooling import pool

    runs = list(synthetic.run_frames())
    judged = synthetic.judgements(pool(runs, "depth", depth=POOL_DEPTH), N_JUDGES)
    rules = [f"judge:{name}" for name in judged["assessor"].unique()]
    return runs, {rule: make_gold(judged, rule) for rule in rules}


def assay(runs, golds: dict[str, pd.DataFrame]) -> pd.DataFrame:
    from agreement.effectiveness import evaluate

    return evaluate(runs, golds, MEASURES)


def run_dictionaries(runs: list[pd.DataFrame]) -> dict[str, dict]:
    return {run["system"].iloc[0]: dictionary(run, "score") for run in runs}


def gold_dictionaries(golds: dict[str, pd.DataFrame]) -> dict[str, dict]:
    return {name: dictionary(gold, "relevance") for name, gold in golds.items()}


def dictionary(frame: pd.DataFrame, value: str) -> dict[str, dict]:
    """Return the nested dictionary that pytrec_eval takes: query_id -> doc_id -> value."""
    return {
        query_id: dict(zip(rows["doc_id"].tolist(), rows[value].tolist(), strict=True))
        for query_id, rows in frame.groupby("query_id", sort=False)
    }


def pytrec_eval(runs: dict[str, dict], golds: dict[str, dict]) -> dict:
    import pytrec_eval

    scores = {}
    for name, gold in golds.items():
        evaluator = pytrec_eval.RelevanceEvaluator(gold, PYTREC_MEASURES)
        scores |= {(name, system): evaluator.evaluate(run) for system, run in runs.items()}
    return scores


def largest_difference(ours: pd.DataFrame, theirs: dict) -> float:
    rows = zip(ours["gold"], ours["system"], ours["query_id"], ours["measure"], ours["value"], strict=True)
    return max(
        abs(value - theirs[gold, system][topic][MEASURES[measure]]) for gold, system, topic, measure, value in rows
    )


def scoring() -> str:
    from agreement.effectiveness import prepare

    runs, golds = make_data()
    run_dicts, gold_dicts = run_dictionaries(runs), gold_dictionaries(golds)
    prepared = prepare(runs)
    name, gold = next(iter(golds.items()))
    all_judges = {
        "Assay: evaluate(runs, golds), from frames": lambda: assay(runs, golds),
        "Assay: evaluate(prepared, golds)": lambda: assay(prepared, golds),
        "pytrec_eval, from frames": lambda: pytrec_eval(run_dictionaries(runs), gold_dictionaries(golds)),
        "pytrec_eval, dictionaries made in advance": lambda: pytrec_eval(run_dicts, gold_dicts),
    }
    one_more = {
        "Assay: evaluate(prepared, gold)": lambda: assay(prepared, {name: gold}),
        "pytrec_eval, gold from a frame, runs made in advance": lambda: pytrec_eval(
            run_dicts, gold_dictionaries({name: gold})
        ),
        "pytrec_eval, dictionaries made in advance": lambda: pytrec_eval(run_dicts, {name: gold_dicts[name]}),
    }
    difference = largest_difference(assay(prepared, golds), pytrec_eval(run_dicts, gold_dicts))
    return "\n\n".join(
        [
            table(f"(a) AP, nDCG@10, P@10 under {N_JUDGES} judges", compare_calls(all_judges)),
            table("(b) one additional judge", compare_calls(one_more)),
            f"    largest difference of any of the {len(MEASURES)} measures of any system and topic: {difference:.2g}",
        ]
    )


def taus() -> str:
    from scipy.stats import kendalltau

    from agreement.rank_correlation import tau_b_batch

    rng = np.random.default_rng(synthetic.SEED)
    reference = np.round(rng.random(synthetic.N_SYSTEMS), 3)
    rankings = np.round(reference + rng.normal(0, 0.1, (N_RANKINGS, synthetic.N_SYSTEMS)), 3)  # some ties

    def scipy() -> list[float]:
        return [kendalltau(reference, ranking).statistic for ranking in rankings[:PEER_RANKINGS]]

    factor = N_RANKINGS // PEER_RANKINGS
    peer = f"scipy.stats.kendalltau, {PEER_RANKINGS:,} x {factor}"
    results = compare_calls({"Assay: tau_b_batch": lambda: tau_b_batch(reference, rankings), peer: scipy})
    results[peer] = extrapolated(results[peer], factor)
    ours = np.asarray(tau_b_batch(reference, rankings[:PEER_RANKINGS]).values)
    difference = np.abs(ours - scipy()).max()
    return f"{table(f'(c) {N_RANKINGS:,} tau_b of 129 systems', results)}\n    largest difference: {difference:.2g}"


def main() -> None:
    print(scoring(), "\n")
    print(taus())


if __name__ == "__main__":
    main()
