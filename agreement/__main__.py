"""The command line: `python -m agreement kappa a.qrels b.qrels`, `python -m agreement shift --run ... --gold ...`.

The subcommands are in `agreement.commands`. Bad input ends with one sentence on stderr and exit code 2, before
anything is written.
"""

import argparse
import sys

from agreement.commands import kappa, shift


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code is 0, or 2 where the input is refused."""
    options = _parser().parse_args(arguments)
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
    for command in (kappa, shift):
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
