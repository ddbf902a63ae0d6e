"""The option `--report`: the coverage of a pool, and what the runs have in common.

Without a strategy and an output file no pool is made, and the report describes only the runs to a depth.
"""

import argparse

import pandas as pd

from pooling.cli.inputs import open_runs
from pooling.cli.options import parameters_of, rel_of
from pooling.cli.pool import checked_options, make_pool, refuse_out
from pooling.evaluation.coverage import CUTOFFS, judged_at
from pooling.evaluation.coverage_report import coverage_text
from pooling.pools.files import write_pool
from pooling.pools.pool import Pool
from pooling.pools.strategy_options import checked_strategy
from pooling.ranking import RankedRuns, prepare
from pooling.strategies import NEED_SCORES
from pooling.trec import read_qrels

DEPTH = 100


def write(options: argparse.Namespace) -> str:
    """Return the report. With `--strategy` or `--out`, make the pool first, and write it to `--out`."""
    if options.strategy is None and options.out is None:
        return _runs_report(options)
    strategy, parameters = checked_options(options)
    refuse_out(options, options.qrels)
    gold = _gold(options)
    with open_runs(options.runs, options.score_precision) as frames:
        runs = prepare(frames, keep_scores=strategy in NEED_SCORES)
    made = make_pool(options, strategy, parameters, runs)
    depth = parameters.get("depth", DEPTH)
    coverage = coverage_text(runs, gold, depth, rel=rel_of(options))
    runs_title = f"The runs to depth {depth:,}, independently of the pool"
    text = f"The pool\n\n{_pool_report(made, runs)}\n\n{runs_title}\n\n{coverage}"
    if options.out is not None:
        write_pool(made, options.out)
    return text


def _runs_report(options: argparse.Namespace) -> str:
    """The coverage of the runs to a depth."""
    parameters = {"depth": DEPTH} | parameters_of(options)
    checked_strategy("depth", options.seed, parameters)
    gold = _gold(options)
    with open_runs(options.runs, options.score_precision) as frames:
        return coverage_text(frames, gold, parameters["depth"], rel=rel_of(options))


def _gold(options: argparse.Namespace) -> pd.DataFrame | None:
    return None if options.qrels is None else read_qrels(options.qrels)


def _pool_report(made: Pool, runs: RankedRuns) -> str:
    """The share of the first documents of the runs that is in the pool: judged@k if all of the pool were judged."""
    if not len(made):
        return f"{made.describe()}."
    pooled = made.frame[["query_id", "doc_id"]].assign(relevance=0)
    each = judged_at(runs, pooled, CUTOFFS).groupby("k")["judged"]
    lines = [
        f"  {k:>5}  {mean:>6.1%}  {least:>6.1%}"
        for k, mean, least in zip(CUTOFFS, each.mean(), each.min(), strict=True)
    ]
    head = "Share of the first k documents of a run that is in the pool, mean over topics:"
    return "\n".join([f"{made.describe()}.", "", head, "", "      k    mean  lowest", *lines])
