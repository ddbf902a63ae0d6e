"""The command line: `python -m agreement kappa a.qrels b.qrels`, `... shift --run ... --gold ...`, `... mix ...`.

The subcommands are in `agreement.cli`. Bad input ends with one sentence on stderr and exit code 2, before
anything is written.
"""

import argparse
import sys

from agreement.cli import kappa, mix, shift


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code is 0, or 2 where the input is refused."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(arguments)
    options.arguments = arguments
    try:
        print(options.run_command(options), end="")
    except (ValueError, OSError) as problem:
        print(f"agreement: {_sentence(problem)}", file=sys.stderr)
        return 2
    return 0


def _sentence(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agreement", description="Judges, golds and rankings.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (kappa, shift, mix):
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
