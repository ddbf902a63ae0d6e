"""Run and qrels files of a command, read with a progress bar where somebody watches."""

import argparse
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from agreement.effectiveness import RankedRuns, prepare
from pooling.trec import SCORE_PRECISIONS, read_qrels, read_run


def add_runs(command: argparse.ArgumentParser) -> None:
    """The options that name runs."""
    command.add_argument("--run", nargs="+", action="extend", required=True, metavar="FILE", help="run files")
    command.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores as trec_eval did before version 10 (float64)",
    )


def read_ranked(options: argparse.Namespace) -> RankedRuns:
    """The runs that the options name, ready for any number of golds; one file is in memory at a time."""
    size = sum(Path(path).stat().st_size for path in options.run)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        reading = (read_run(path, score_precision=options.score_precision, progress=bar.update) for path in options.run)
        return prepare(reading)


def read_judges(files: dict[str, str]) -> pd.DataFrame:
    """Judgements of several judges, each a qrels file."""
    return pd.concat([read_qrels(path).assign(assessor=name) for name, path in files.items()], ignore_index=True)
