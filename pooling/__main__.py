"""The command line: `python -m pooling --strategy rrf --size 100 --out pool.json runs/*`.

With `--report` it prints what the pool covers (without a strategy, what the runs do; with `--qrels QRELS`, what of it
is judged), with `--replay QRELS --size 100` what every strategy would have found.

The deeds are in `pooling.cli`. Bad input ends with one sentence on stderr and exit code 2, before anything is
written.
"""

import argparse
import sys
from collections.abc import Callable

from pooling.cli import pool, replay, report
from pooling.cli.options import parser, refuse_idle


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code is 0, or 2 where the input is refused."""
    options = parser().parse_args(arguments)
    try:
        refuse_idle(options)
        print(_deed(options)(options), end="")
    except (ValueError, OSError) as problem:
        print(f"pooling: {_sentence(problem)}", file=sys.stderr)
        return 2
    return 0


def _deed(options: argparse.Namespace) -> Callable[[argparse.Namespace], str]:
    """What the options ask for."""
    if options.replay is not None:
        return replay.compare
    return report.write if options.report else pool.write


def _sentence(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


if __name__ == "__main__":
    sys.exit(main())
