"""The folder that a command writes with `--out`: report, tables, figures and manifest."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agreement.reports.folder import check_free, manifest, write_folder
from agreement.reports.results import Result, result_csv, result_json

FIGURE_KINDS = ("svg", "pdf", "png")
Drawing = tuple[Callable[..., bytes], tuple[Any, ...]]  # a function of agreement.plots and its arguments


def add_out(command: argparse.ArgumentParser) -> None:
    """Add the option that names the folder."""
    command.add_argument("--out", type=Path, metavar="FOLDER", help="write tables, figures and a manifest there")


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
