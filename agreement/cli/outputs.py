"""The folder that a command writes: report, tables, figures and manifest."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from agreement.reports.folder import check_free, manifest, write_folder
from agreement.reports.results import result_csv, result_json

FIGURE_KINDS = ("svg", "pdf", "png")


def add_out(command: argparse.ArgumentParser) -> None:
    """The option that names the folder."""
    command.add_argument("--out", type=Path, metavar="FOLDER", help="write tables, figures and a manifest there")


def checked_out(options: argparse.Namespace) -> None:
    """Refuse the folder before the work, not after it."""
    if options.out:
        check_free(options.out)


def every_kind(drawings: Mapping[str, tuple[Callable, tuple]]) -> dict[str, bytes]:
    """Every drawing as a file of every kind, by its name in the folder."""
    return {
        f"figures/{name}.{kind}": draw(*arguments, kind=kind)
        for name, (draw, arguments) in drawings.items()
        for kind in FIGURE_KINDS
    }


def write(
    options: argparse.Namespace,
    result,
    text: Callable,
    figures: Mapping[str, bytes],
    inputs: Sequence[str],
    seed: int | None = None,
) -> None:
    """Write the folder of a result: see `agreement.reports.folder`."""
    files = {"report.md": text(result, "markdown").encode(), "report.tex": text(result, "latex").encode()}
    files |= {f"tables/{name}.csv": table.encode() for name, table in result_csv(result).items()}
    files |= {"tables.json": result_json(result).encode(), **figures}
    command = ["python", "-m", "agreement", *options.arguments]
    write_folder(options.out, files, manifest(command, inputs, seed, files))
    sys.stderr.write(f"agreement: wrote {len(files) + 1} files to {options.out}\n")
