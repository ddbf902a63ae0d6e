"""The commands `kappa`, `shift`, `topics`, `mix`, `trust`, `who_judges`, `drift`, `gate`, `compare_golds`, `check`.

They run as `python -m agreement kappa ...` and as `assay kappa ...`; the argument `prog` is the name that usage texts,
errors and manifests show. Invalid input exits with code 2 and a one-sentence error on stderr, before any file is
written. The error names options of the command, not arguments of the library.

The exit codes of `gate` are decisions, and 1 and 2 are two of them. Invalid input of `gate` therefore exits with 64,
and an error of the program itself with 70 (EX_USAGE and EX_SOFTWARE of sysexits.h).
"""

import sys
import traceback
from importlib import import_module

from agreement.cli.parsers import parser

REFUSED = 2
REFUSED_GATE, FAILED_GATE = 64, 70


def main(arguments: list[str] | None = None, prog: str = "python -m agreement") -> int:
    """Run a command."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["gate"]:
        return _gate(arguments, prog)
    return _run(arguments, prog, REFUSED)


def _run(arguments: list[str], prog: str, refused: int) -> int:
    options = parser(prog, *arguments[:1]).parse_args(arguments)
    options.prog, options.arguments = prog, arguments
    try:
        command = import_module(f"agreement.cli.{options.run_command}")  # loads pandas, which --help does not need
        sys.stdout.write(getattr(command, options.run_command)(options))
    except (ValueError, OSError) as problem:
        sys.stderr.write(f"{prog}: {options.names.of(_message(problem))}\n")
        return refused
    return getattr(options, "exit_code", 0)


def _gate(arguments: list[str], prog: str) -> int:
    """Run the command whose exit codes are decisions: no error may have one of them."""
    try:
        return _run(arguments, prog, REFUSED_GATE)
    except SystemExit as stopped:  # the parser has printed its help or an error
        raise SystemExit(REFUSED_GATE if stopped.code else 0) from None
    except Exception:
        traceback.print_exc()
        return FAILED_GATE


def _message(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)
