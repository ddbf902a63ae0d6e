"""`--report`: what a pool covers of the runs, and what the runs have in common.

Without a strategy and a file to write no pool is made, and the report is about the runs to a depth alone.
"""

import argparse

from pooling.cli.inputs import reading
from pooling.cli.options import parameters_of, rel_of
from pooling.cli.pool import checked, made_pool, refuse_out
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
    """Make the pool where one is asked for, write it where a file is named, and return the report."""
    if options.strategy is None and options.out is None:
        return _of_runs(options)
    strategy, parameters = checked(options)
    refuse_out(options, options.qrels)
    gold = _gold(options)
    with reading(options.runs, options.score_precision) as frames:
        runs = prepare(frames, keep_scores=strategy in NEED_SCORES)
    made = made_pool(options, strategy, parameters, runs)
    depth = parameters.get("depth", DEPTH)
    covered = coverage_text(runs, gold, depth, rel=rel_of(options))
    text = f"The pool\n\n{_of_pool(made, runs)}\n\nThe runs to depth {depth:,}, whatever is in the pool\n\n{covered}"
    if options.out is not None:
        write_pool(made, options.out)
    return text


def _of_runs(options: argparse.Namespace) -> str:
    """The coverage of the runs to a depth."""
    parameters = {"depth": DEPTH} | parameters_of(options)
    checked_strategy("depth", options.seed, parameters)
    gold = _gold(options)
    with reading(options.runs, options.score_precision) as frames:
        return coverage_text(frames, gold, parameters["depth"], rel=rel_of(options))


def _gold(options: argparse.Namespace):
    return None if options.qrels is None else read_qrels(options.qrels)


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
