"""The run and qrels files of a command, read with a progress bar if stderr is a terminal."""

import argparse
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from agreement.effectiveness import RankedRuns, prepare
from pooling.trec import SCORE_PRECISIONS, one_system_per_file, read_qrels, read_run


def add_runs(command: argparse.ArgumentParser) -> None:
    """Add the options that name run files."""
    command.add_argument("--run", nargs="+", action="extend", required=True, metavar="FILE", help="run files")
    command.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores like trec_eval before version 10 (default: %(default)s)",
    )


def read_ranked(options: argparse.Namespace) -> RankedRuns:
    """The runs that the options name, ranked once for any number of golds; one file is in memory at a time."""
    size = sum(Path(path).stat().st_size for path in options.run)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        runs = (read_run(path, score_precision=options.score_precision, progress=bar.update) for path in options.run)
        return prepare(one_system_per_file(runs, options.run))


def read_judges(files: dict[str, str]) -> pd.DataFrame:
    """The judgements of several judges, one qrels file each; `files` maps the name of a judge to a path."""
    return pd.concat([read_qrels(path).assign(assessor=name) for name, path in files.items()], ignore_index=True)
