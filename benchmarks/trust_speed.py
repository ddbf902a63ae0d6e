"""The speed of `trust_report`, without a plan: target 20 s of CPU for 37 runs x 43 topics x 28 judges.

The second collection is synthetic: 129 runs x 50 topics x 33 judges, target 60 s. Runs are prepared before, because a
reader of `assay trust` waits for this once, and other commands too. No other program makes this report.
"""

import time

import numpy as np
import pandas as pd

from agreement import prepare
from agreement.trust import trust_report
from benchmarks import synthetic
from benchmarks.dl19_shift import DATA
from benchmarks.dl19_trust import models_of_dl19
from benchmarks.tiny import size
from pooling import pool, read_qrels, read_run

SYSTEMS, TOPICS, MODELS, DEPTH = size((129, 50, 33, 100), (6, 3, 2, 20))
ROUNDS = size(3, 1)
SEED = 1


def main() -> None:
    _measure("DL 2019", *_dl19())
    _measure("synthetic", *_synthetic())


def _dl19():
    runs = prepare(read_run(path) for path in sorted(DATA.glob("runs/*.run.gz")))
    people = {"nist": read_qrels(DATA / "judges" / "nist.qrels")}
    people |= {f"judge{number}": read_qrels(DATA / "judges" / f"judge{number}.qrels") for number in range(1, 9)}
    return runs, people, models_of_dl19()


def _synthetic():
    runs = pd.concat(synthetic.run_frames(SYSTEMS, TOPICS, DEPTH), ignore_index=True)
    judged = synthetic.judgements(pool(runs, "depth", depth=10), 3)
    people = {name: gold.drop(columns="assessor") for name, gold in judged.groupby("assessor")}
    rng, first = np.random.default_rng(SEED), next(iter(people.values()))
    models = {}
    for number in range(MODELS):
        errs = rng.random(len(first)) < 0.1 + 0.02 * number
        models[f"model{number}"] = first.assign(
            relevance=np.where(errs, rng.integers(0, 4, len(first)), first["relevance"])
        )
    return prepare(runs), people, models


def _measure(name: str, runs, people, models) -> None:
    times = []
    for _ in range(ROUNDS):
        wall, cpu = time.perf_counter(), time.process_time()
        trust_report(runs, people, models, "nDCG@10", seed=SEED)
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    cpu, wall = zip(*times, strict=True)
    judged = f"{len(runs.systems)} runs, {len(runs.query_ids)} topics, {len(models)} models, {len(people)} people"
    print(
        f"{name}: {judged}: CPU {np.median(cpu):.1f} s ({min(cpu):.1f} to {max(cpu):.1f}), wall {np.median(wall):.1f} s"
    )


if __name__ == "__main__":
    main()
