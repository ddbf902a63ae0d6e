"""Make a pool from run files, and write it as JSON to a file or to standard output."""

import argparse
import sys
from pathlib import Path
from typing import Any

from pooling.cli.inputs import open_runs
from pooling.cli.options import parameters_of
from pooling.pools.files import pool_text, write_pool
from pooling.pools.pool import Pool, checksums, pool
from pooling.pools.strategy_options import checked_strategy
from pooling.ranking import RankedRuns
from pooling.trec import read_qrels


def write(options: argparse.Namespace) -> str:
    """Make the pool that the options describe, and write it to `--out` or return its JSON text."""
    made = make_pool(options, *checked_options(options))
    if options.out is None:
        return pool_text(made)
    write_pool(made, options.out)
    return ""


def checked_options(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """The strategy and its parameters; ValueError if they or `--out` are invalid, before any run is read."""
    strategy, parameters = options.strategy or "depth", parameters_of(options)
    checked_strategy(strategy, options.seed, parameters)
    refuse_out(options, options.judged)
    return strategy, parameters


def make_pool(
    options: argparse.Namespace, strategy: str, parameters: dict[str, Any], runs: RankedRuns | None = None
) -> Pool:
    """Make the pool from the run files or the prepared runs, and describe it on stderr."""
    judged = None if options.judged is None else read_qrels(options.judged)
    with open_runs(options.runs, options.score_precision) as frames:
        made = pool(
            runs or frames,
            strategy,
            seed=options.seed,
            judged=judged,
            inputs=checksums(options.runs),
            score_precision=options.score_precision,
            **parameters,
        )
    sys.stderr.write(f"{options.prog}: {made.describe()}\n")
    return made


def refuse_out(options: argparse.Namespace, *qrels: str | None) -> None:
    """Raise ValueError if `--out` cannot be written, or is one of the inputs: the runs, or one of `qrels`."""
    if options.out is None:
        return
    out = Path(options.out)
    if out.is_dir():
        raise ValueError(f"{out}: this is a folder; choose a file")
    if not out.absolute().parent.is_dir():
        raise ValueError(f"{out}: the folder {out.parent} does not exist")
    if out.resolve() in {Path(path).resolve() for path in (*options.runs, *filter(None, qrels))}:
        raise ValueError(f"{out}: this is one of the inputs; choose another file")
