"""Make a pool of run files, and write it as JSON to a file, or to the standard output."""

import argparse
import sys
from pathlib import Path

from pooling.cli.inputs import reading
from pooling.cli.options import parameters_of
from pooling.pools.files import pool_text, write_pool
from pooling.pools.pool import Pool, checksums, pool
from pooling.pools.strategy_options import checked_strategy
from pooling.ranking import RankedRuns


def write(options: argparse.Namespace) -> str:
    """Make the pool that the options describe; what is to be printed, nothing where it goes to a file."""
    made = made_pool(options, *checked(options))
    if options.out is None:
        return pool_text(made)
    write_pool(made, options.out)
    return ""


def checked(options: argparse.Namespace) -> tuple[str, dict]:
    """The strategy and its parameters; what will not do is refused before the work."""
    strategy, parameters = options.strategy or "depth", parameters_of(options)
    checked_strategy(strategy, options.seed, parameters)
    refuse_out(options)
    return strategy, parameters


def made_pool(options: argparse.Namespace, strategy: str, parameters: dict, runs: RankedRuns | None = None) -> Pool:
    """The pool that the options describe, of the files or of what was prepared of them; told on stderr."""
    with reading(options.runs, options.score_precision) as frames:
        told = {"inputs": checksums(options.runs), "score_precision": options.score_precision}
        made = pool(runs or frames, strategy, options.seed, **told, **parameters)
    sys.stderr.write(f"{options.prog}: {made.describe()}\n")
    return made


def refuse_out(options: argparse.Namespace, qrels: str | None = None) -> None:
    """Refuse a file that cannot be written, or that is one of the inputs."""
    if options.out is None:
        return
    out = Path(options.out)
    if out.is_dir():
        raise ValueError(f"{out}: a folder is there; give a file")
    if not out.absolute().parent.is_dir():
        raise ValueError(f"{out}: the folder {out.parent} is not there; make it first")
    if out.resolve() in {Path(path).resolve() for path in (*options.runs, *([] if qrels is None else [qrels]))}:
        raise ValueError(f"{out}: this is one of the inputs; give another file")
