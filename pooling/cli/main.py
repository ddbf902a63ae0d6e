"""The command line `python -m pooling --strategy rrf --size 100 --out pool.json runs/*`.

Without `--report` and `--replay` the command writes a pool. With `--report` it prints what the pool covers (without a
strategy, what the runs cover; with `--qrels QRELS`, also how much is judged). With `--replay QRELS --size 100` it
prints how many relevant documents every strategy would have found.

Invalid input exits with code 2 and a one-sentence error on stderr, before anything is written. The error names
options of the command, not arguments of the library.
"""

import argparse
import sys
from collections.abc import Callable

from pooling.cli.options import build_parser, refuse_unused_options
from pooling.option_names import OptionNames
from pooling.paths import matching_paths


def main(arguments: list[str] | None = None, prog: str = "python -m pooling") -> int:
    """Run the command."""
    parser = build_parser(prog)
    options = parser.parse_args(arguments)
    try:
        refuse_unused_options(options)
        options.runs = matching_paths(options.runs)
        sys.stdout.write(_action(options)(options))
    except (ValueError, OSError) as problem:
        sys.stderr.write(f"{prog}: {OptionNames.of_parser(parser).of(_sentence(problem))}\n")
        return 2
    return 0


def _action(options: argparse.Namespace) -> Callable[[argparse.Namespace], str]:
    """The function that the options select: it returns the text for stdout."""
    from pooling.cli import pool, replay, report  # load pandas, which --help does not need

    if options.replay is not None:
        return replay.compare
    return report.write if options.report else pool.write


def _sentence(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)
