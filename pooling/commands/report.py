"""`--report`: what a pool covers of the runs, and what the runs have in common."""

import argparse

from pooling.commands.inputs import reading
from pooling.commands.pool import checked, made_pool
from pooling.coverage import CUTOFFS, judged_at
from pooling.coverage_report import coverage_text
from pooling.pool_files import write_pool
from pooling.pools import Pool
from pooling.ranking import RankedRuns, prepare
from pooling.strategies import NEED_SCORES

DEPTH = 100


def write(options: argparse.Namespace) -> str:
    """Make the pool, write it where a file is named, and return the report."""
    strategy, parameters = checked(options)
    with reading(options.runs, options.score_precision) as frames:
        runs = prepare(frames, keep_scores=strategy in NEED_SCORES)
    made = made_pool(options, strategy, parameters, runs)
    text = f"{_of_pool(made, runs)}\n\n{coverage_text(runs, depth=parameters.get('depth', DEPTH))}"
    if options.out is not None:
        write_pool(made, options.out)
    return text


def _of_pool(made: Pool, runs: RankedRuns) -> str:
    """How much of the tops of the runs is in the pool: judged@k, were all of it judged."""
    pooled = made.frame[["query_id", "doc_id"]].assign(relevance=0)
    each = judged_at(runs, pooled, CUTOFFS).groupby("k")["judged"]
    lines = [
        f"  {k:>5}  {mean:>6.1%}  {least:>6.1%}"
        for k, mean, least in zip(CUTOFFS, each.mean(), each.min(), strict=True)
    ]
    head = "Of the first k documents of a run the pool holds, in the mean over topics:"
    return "\n".join([f"{made.describe()}.", "", head, "", "      k    mean   least", *lines])
