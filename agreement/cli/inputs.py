"""The run and qrels files of a command, read with a progress bar if stderr is a terminal."""

import argparse
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from agreement.effectiveness import RankedRuns, prepare
from agreement.shift.thresholds import MIN_JUDGED, MIN_TOPICS
from pooling.paths import matching_paths, name_of
from pooling.trec import SCORE_PRECISIONS, one_system_per_file, read_qrels, read_run


def add_runs(command: argparse.ArgumentParser) -> None:
    """Add the options that name run files."""
    command.add_argument("--run", nargs="+", action="extend", required=True, metavar="FILE", help="run files")
    command.add_argument(
        "--name-by-file", action="store_true", help="name each system after its file, not after the tag in the file"
    )
    command.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores like trec_eval before version 10 (default: %(default)s)",
    )


def add_thresholds(command: argparse.ArgumentParser, topics: str, judged: str) -> None:
    """Add the options that say how much data a sentence needs to compare golds, with their help texts."""
    command.add_argument(
        "--min-topics",
        type=int,
        default=MIN_TOPICS,
        metavar="N",
        help=f"{topics} (default: %(default)s)",
    )
    command.add_argument(
        "--min-judged",
        type=float,
        default=MIN_JUDGED,
        metavar="SHARE",
        help=f"{judged} (default: %(default)s)",
    )


def thresholds(options: argparse.Namespace) -> dict[str, float]:
    """The options of `add_thresholds` as keyword arguments."""
    return {"min_topics": options.min_topics, "min_judged": options.min_judged}


def read_ranked(options: argparse.Namespace) -> RankedRuns:
    """The runs that the options name, ranked once for any number of golds; one file is in memory at a time."""
    paths = matching_paths(options.run)
    size = sum(Path(path).stat().st_size for path in paths)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        named = ((path, name_of(path) if options.name_by_file else None) for path in paths)
        precision = options.score_precision
        runs = (read_run(path, system, score_precision=precision, progress=bar.update) for path, system in named)
        return prepare(one_system_per_file(runs, paths))


def read_judges(files: dict[str, str]) -> pd.DataFrame:
    """The judgements of several judges, one qrels file each; `files` maps the name of a judge to a path."""
    return pd.concat([read_qrels(path).assign(assessor=name) for name, path in files.items()], ignore_index=True)
