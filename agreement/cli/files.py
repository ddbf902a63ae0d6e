"""The files that a command reads and writes.

A judge or a gold is `NAME=FILE`, or `FILE`, which is then named after the file. Reading shows a progress bar if stderr
is a terminal. `--out` names a folder for the report, tables, figures and manifest.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from agreement.effectiveness import RankedRuns, prepare
from agreement.reports.folder import check_free, manifest, write_folder
from agreement.reports.results import Result, result_csv, result_json
from pooling.paths import matching_paths, name_of
from pooling.trec import MAX_BYTES, RunWarning, one_system_per_file, read_qrels, read_run, run_files


def named(files: list[str], what: str, names_needed: bool = False) -> dict[str, str]:
    """The paths by name, in the order of the arguments."""
    paths: dict[str, str] = {}
    for text in files:
        name, path = _parts(text, what, names_needed)
        if name in paths:
            raise ValueError(f"Two files have the name {name!r}. Write {what} as NAME=FILE with different names.")
        paths[name] = path
    return paths


def _parts(text: str, what: str, names_needed: bool) -> tuple[str, str]:
    name, sign, path = text.partition("=")
    if not names_needed and (not sign or Path(text).exists()):
        return name_of(text), text
    if not (name and path):
        raise ValueError(f"{what} must be NAME=FILE, such as nist=a.qrels, not {text!r}.")
    return name, path


def thresholds(options: argparse.Namespace) -> dict[str, float]:
    """The options of the thresholds as keyword arguments."""
    return {"min_topics": options.min_topics, "min_judged": options.min_judged}


def read_ranked(options: argparse.Namespace) -> RankedRuns:
    """The runs that the options name, ranked once for any number of golds; one file is in memory at a time.

    What should be known about a file is written to stderr, one line each.
    """
    notes: list[RunWarning] = []
    paths = matching_paths(options.run)
    size = sum(Path(path).stat().st_size for path in paths)
    with tqdm(total=size, unit="B", unit_scale=True, desc="runs", disable=None, leave=False) as bar:
        files = [file for path in paths for file in run_files(path, MAX_BYTES)]
        named = ((file, name_of(file) if options.name_by_file else None) for file in files)
        precision = options.score_precision
        runs = (
            read_run(file, system, score_precision=precision, progress=bar.update, notes=notes)
            for file, system in named
        )
        ranked = prepare(one_system_per_file(runs, files))
    sys.stderr.writelines(f"{note}\n" for note in notes)
    return ranked


def read_judges(files: dict[str, str]) -> pd.DataFrame:
    """The judgements of several judges, one qrels file each; `files` maps the name of a judge to a path."""
    return pd.concat([read_qrels(path).assign(assessor=name) for name, path in files.items()], ignore_index=True)


FIGURE_KINDS = ("svg", "pdf", "png")
Drawing = tuple[Callable[..., bytes], tuple[Any, ...]]  # a function of agreement.plots and its arguments


def check_out(options: argparse.Namespace) -> None:
    """Refuse an unusable folder before the computation instead of after it."""
    if options.out:
        check_free(options.out)


def every_kind(drawings: Mapping[str, Drawing]) -> dict[str, bytes]:
    """Each drawing as SVG, PDF and PNG, by its path in the folder."""
    return {
        f"figures/{name}.{kind}": draw(*arguments, kind=kind)
        for name, (draw, arguments) in drawings.items()
        for kind in FIGURE_KINDS
    }


def write(
    options: argparse.Namespace,
    result: Result,
    text: Callable[..., str],
    figures: Mapping[str, bytes],
    inputs: Sequence[str],
    seed: int | None = None,
) -> None:
    """Write the folder of a result; its layout is described in `agreement.reports.folder`."""
    files = {"report.md": text(result, "markdown").encode(), "report.tex": text(result, "latex").encode()}
    files |= {f"tables/{name}.csv": table.encode() for name, table in result_csv(result).items()}
    files |= {"tables.json": result_json(result).encode(), **figures}
    command = [*options.prog.split(), *options.arguments]
    write_folder(options.out, files, manifest(command, inputs, seed, files))
    sys.stderr.write(f"{options.prog}: {len(files) + 1} files were written to {options.out}\n")
